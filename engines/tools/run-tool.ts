import { EngineError } from '../errors'
import { PAGE_COUNT } from '../types'
import type { EngineLimits, RunnableJob, ToolResult, Warning } from '../types'
import { repairContents } from '../pdf/rewrite-content'
import { encryptFile, openDocument } from '../pdf/open'
import type { PdfDocument } from '../pdf/document'
import { rescueDocument } from '../pdf/render'
import { dropXfa, hasDynamicXfa } from '../pdf/forms'
import { saveTruthfully } from '../standards/archival/save-truthfully'
import type { OneOrMore, Tool, ToolContext, ToolFile, ToolInput, ToolOutput } from './define'
import { baseName, downloadName } from '../file-name'
import { listFiles, writeZip } from './write-zip'
import type { Making } from './write-zip'

type Options = ReturnType<Tool['options']['parse']>

/**
 * Opens the files of a job, runs the tool, and saves and checks its output. Calls `onOpened` after opening, because a
 * separate deadline applies from then on. Throws EngineError. Its problems name `files[n]` if one of several files
 * caused the error.
 */
export async function runTool(tool: Tool, job: RunnableJob, onOpened: () => void): Promise<ToolResult> {
  const work = await perform(tool, job, onOpened)
  const { chunks, contentType, extension } = await makeFile(work)
  const { suffix } = tool
  const { outputName } = work
  const name = downloadName(job.files[0]?.name ?? '', suffix, extension, outputName)
  return { name, contentType, chunks, ...describeWork(work) }
}

/** The result of a tool as input of the next step of a pipeline. */
export interface StepResult extends Pick<ToolResult, 'warnings' | 'headers' | 'timings'> {
  files: { name: string; bytes: Uint8Array }[]
}

/** Like `runTool`, but the files of a list stay apart. Only PDFs and images of a list are in the result. */
export async function runToolStep(tool: Tool, job: RunnableJob, onOpened: () => void): Promise<StepResult> {
  const work = await perform(tool, job, onOpened)
  if (work.output.kind !== 'zip') {
    const { chunks, extension } = await makeFile(work)
    const name = downloadName(job.files[0]?.name ?? '', tool.suffix, extension, work.outputName)
    return { files: [{ name, bytes: joinChunks(chunks) }], ...describeWork(work) }
  }
  const files: StepResult['files'] = []
  for await (const { file, chunks } of listFiles(work.output, work)) {
    if (/\.(pdf|png|jpg|webp)$/.test(file)) files.push({ name: file, bytes: joinChunks(chunks) })
  }
  return { files, ...describeWork(work) }
}

/** The output of a tool before it is saved. */
interface Work extends Making {
  output: ToolOutput
  headers: Record<string, string>
  inputs: readonly ToolFile[]
  outputName: string | undefined
  /** When the files began to be opened, were open, and the output existed, in `performance.now()` time. */
  times: [started: number, opened: number, worked: number]
}

async function perform(tool: Tool, job: RunnableJob, onOpened: () => void): Promise<Work> {
  const started = performance.now()
  const inputs = await openInputs(tool, job)
  const opened = performance.now()
  onOpened()
  const warnings = new Set<Warning>()
  const headers: Record<string, string> = {}
  const context: ToolContext = {
    warn: warning => warnings.add(warning),
    header: (name, value) => {
      headers[name] = value
    },
    limits: job.limits,
    now: job.now ?? new Date(),
  }
  const options = tool.options.parse(job.options)
  const output = await work(tool, { inputs, options, context })
  if (output.kind === 'pdf') settleXfa(output.document, options.xfa)
  const pageCount = output.kind === 'pdf' ? output.document.pageCount : output.kind === 'file' && output.pageCount
  if (pageCount) headers[PAGE_COUNT] = String(pageCount)
  const outputName = typeof options.outputName === 'string' ? options.outputName : undefined
  return {
    output,
    headers,
    inputs,
    outputName,
    warnings,
    limits: job.limits,
    times: [started, opened, performance.now()],
  }
}

/** What the response says about a saved output. */
function describeWork({ inputs, warnings, headers, times: [started, opened, worked] }: Work) {
  for (const { document } of inputs) for (const warning of document?.warnings ?? []) warnings.add(warning)
  const save = performance.now() - worked
  return { warnings: [...warnings], headers, timings: { open: opened - started, work: worked - opened, save } }
}

function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks
  return first && chunks.length === 1 ? first : Buffer.concat(chunks)
}

async function work(
  tool: Tool,
  { inputs, options, context }: { inputs: ToolFile[]; options: Options; context: ToolContext },
): Promise<ToolOutput> {
  const documents = inputs.filter(isOpened)
  if ('read' in tool && isFilled(inputs)) return tool.read(inputs, options, context)
  if ('run' in tool && isFilled(documents)) return tool.run(documents, options, context)
  const [input] = documents
  if (!('edit' in tool) || !input) throw new EngineError('internal', 'No file was given.')
  await tool.edit(input.document, options, context)
  return { kind: 'pdf', document: input.document }
}

function isFilled<Item>(items: Item[]): items is OneOrMore<Item> {
  return items.length > 0
}

function isOpened(file: ToolFile): file is ToolFile & ToolInput {
  return file.document !== undefined
}

/** Opens the PDFs among the files. All files of most tools are PDFs. */
async function openInputs({ accepts = 'pdf' }: Tool, job: RunnableJob): Promise<ToolFile[]> {
  const inputs: ToolFile[] = []
  let pageCount = 0
  for (const [index, { name, bytes }] of job.files.entries()) {
    if (accepts === 'images' || accepts === 'encrypted-pdf' || (accepts === 'pdf-or-xml' && !hasHeader(bytes))) {
      inputs.push({ name: baseName(name), bytes, document: undefined })
      continue
    }
    try {
      const document = await openOrRescue(bytes, job.limits)
      pageCount += document.pageCount
      if (pageCount > job.limits.maxPagesIn) {
        throw new EngineError(
          'too_large',
          `The files have more than ${job.limits.maxPagesIn.toLocaleString('en')} pages together. Send fewer ` +
            'pages at once.',
        )
      }
      inputs.push({ name: baseName(name), bytes, document })
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      const param = job.files.length === 1 ? 'file' : `files[${index}]`
      throw new EngineError(error.reason, `${param}: ${error.message}`, { param, cause: error })
    }
  }
  return inputs
}

/** Opens a file. If this fails, PDFium rewrites the file first, which repairs many damaged files. */
async function openOrRescue(bytes: Uint8Array, limits: EngineLimits): Promise<PdfDocument> {
  try {
    return openDocument(bytes, limits)
  } catch (error) {
    if (!(error instanceof EngineError) || error.reason !== 'damaged' || !hasHeader(bytes)) throw error
    const rescued = await rescueDocument(bytes)
    if (!rescued) throw error
    const document = openDocument(rescued, limits)
    document.warnings.add('repaired')
    repairContents(document, document.pages)
    return document
  }
}

function hasHeader(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-')
}

/** Applies the option `xfa` of tools that have it. */
function settleXfa(document: PdfDocument, xfa: unknown): void {
  if (xfa === 'drop') dropXfa(document)
  else if (xfa === 'keep' && hasDynamicXfa(document)) document.warnings.add('xfa-hides-changes')
}

async function makeFile({
  output,
  ...making
}: Work): Promise<{ chunks: Uint8Array[]; contentType: string; extension: string }> {
  if (output.kind === 'file') return { ...output, chunks: [output.bytes] }
  if (output.kind === 'pdf') {
    const { warnings } = making
    const file = saveTruthfully(output.document)
    for (const warning of output.document.warnings) warnings.add(warning)
    const { protection } = output
    const chunks = protection ? encryptFile(file, protection, output.document.limits) : file.chunks
    return { chunks: [...chunks], contentType: 'application/pdf', extension: 'pdf' }
  }
  return { chunks: await writeZip(output, making), contentType: 'application/zip', extension: 'zip' }
}

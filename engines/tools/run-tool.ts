import { createHash } from 'node:crypto'
import { EngineError, outputTooLarge } from '../errors'
import { PAGE_COUNT } from '../types'
import type { EngineLimits, RunnableJob, ToolResult, Warning } from '../types'
import { repairContents } from '../pdf/rewrite-content'
import { encryptFile, openDocument } from '../pdf/open'
import type { PdfDocument } from '../pdf/document'
import { rescueDocument } from '../pdf/render'
import { dropXfa, hasDynamicXfa } from '../pdf/forms'
import { saveTruthfully } from '../standards/archival/save-truthfully'
import type { OneOrMore, Tool, ToolContext, ToolFile, ToolInput, ToolOutput } from './define'
import { baseName, downloadName, freeName } from '../file-name'
import { Readable } from 'node:stream'
import JSZip from 'jszip'

type Options = ReturnType<Tool['options']['parse']>

/**
 * Opens the files of a job, runs the tool, and saves and checks its output. Calls `onOpened` after opening, because a
 * separate deadline applies from then on. Throws EngineError. Its problems name `files[n]` if one of several files
 * caused the error.
 */
export async function runTool(tool: Tool, job: RunnableJob, onOpened: () => void): Promise<ToolResult> {
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
  const worked = performance.now()
  const { chunks, contentType, extension } = await makeFile(output, { warnings, limits: job.limits })
  const pageCount = output.kind === 'pdf' ? output.document.pageCount : output.kind === 'file' && output.pageCount
  if (pageCount) headers[PAGE_COUNT] = String(pageCount)
  for (const { document } of inputs) for (const warning of document?.warnings ?? []) warnings.add(warning)
  const saved = performance.now()
  return {
    name: downloadName(
      job.files[0]?.name ?? '',
      tool.suffix,
      extension,
      typeof options.outputName === 'string' ? options.outputName : undefined,
    ),
    contentType,
    chunks,
    warnings: [...warnings],
    headers,
    timings: { open: opened - started, work: worked - opened, save: saved - worked },
  }
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

interface Making {
  warnings: Set<Warning>
  limits: EngineLimits
}

async function makeFile(
  output: ToolOutput,
  { warnings, limits }: Making,
): Promise<{ chunks: Uint8Array[]; contentType: string; extension: string }> {
  if (output.kind === 'file') return { ...output, chunks: [output.bytes] }
  if (output.kind === 'pdf') {
    const file = saveTruthfully(output.document)
    for (const warning of output.document.warnings) warnings.add(warning)
    const { protection } = output
    const chunks = protection ? encryptFile(file, protection, output.document.limits) : file.chunks
    return { chunks: [...chunks], contentType: 'application/pdf', extension: 'pdf' }
  }
  return { chunks: await makeArchive(output, { warnings, limits }), contentType: 'application/zip', extension: 'zip' }
}

async function makeArchive(
  { parts, manifest = false, others = [] }: Extract<ToolOutput, { kind: 'zip' }>,
  { warnings, limits: { maxOutputBytes } }: Making,
): Promise<Uint8Array[]> {
  const archive = new Archive(maxOutputBytes)
  const usedNames = new Map<string, number>()
  const facts: unknown[] = []
  for (const part of parts) {
    const { chunks } = 'chunks' in part ? part : saveTruthfully(part.document)
    if ('document' in part) for (const warning of part.document.warnings) warnings.add(warning)
    const file = `${freeName(part.name, usedNames)}.pdf`
    const bytes = archive.add(file, chunks)
    if (manifest) facts.push({ file, pages: part.pages, title: part.title ?? null, bytes, sha256: hashChunks(chunks) })
  }
  for await (const { file, bytes } of others) archive.add(file, [bytes])
  if (manifest) archive.add('manifest.json', [Buffer.from(`${JSON.stringify(facts, null, 2)}\n`)])
  return archive.collect()
}

function hashChunks(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Date of all ZIP entries: the earliest date of the format, so that the same input gives the same bytes. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1))

/** A ZIP archive with uncompressed entries. PDFs are compressed internally, so compression barely saves space. */
class Archive {
  private readonly zip = new JSZip()
  private byteLength = 0

  constructor(private readonly maxBytes: number) {}

  /**
   * Adds a file and returns its size. Its bytes aren't copied and must not change. Throws EngineError `output-too-large`
   * if the files are larger than the limit together, so that no further files are made.
   */
  add(name: string, chunks: readonly Uint8Array[]): number {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    this.byteLength += size
    if (this.byteLength > this.maxBytes) throw outputTooLarge(this.maxBytes, ADVICE)
    // JSZip copies Buffers and cuts whole files into small pieces, but takes other bytes of a stream as they are.
    const bytes = chunks.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))
    this.zip.file(name, Readable.from(bytes), { date: NO_DATE, compression: 'STORE', createFolders: false })
    return size
  }

  /** Returns the archive in chunks, so that its entries aren't copied into one buffer. */
  collect(): Promise<Uint8Array[]> {
    return new Promise((resolve, reject) => {
      const pieces: Uint8Array[] = []
      this.zip
        .generateInternalStream({ type: 'uint8array', platform: 'UNIX' })
        .on('data', piece => pieces.push(piece))
        .on('error', reject)
        .on('end', () => resolve(pieces))
        .resume()
    })
  }
}

const ADVICE = 'Each file in the ZIP has a copy of all that it shows. Request fewer files or fewer pages.'

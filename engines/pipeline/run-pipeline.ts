import JSZip from 'jszip'
import { EngineError, isEngineError, outputTooLarge } from '../errors'
import { baseName } from '../file-name'
import { INVOICE_JOB } from '../features/invoice/data/invoice'
import { runInvoice } from '../features/invoice/run-invoice'
import { ZipArchive } from '../tools/write-zip'
import type { Tool } from '../tools/define'
import { listRunnableTools } from '../tools/registry'
import { runTool, runToolStep } from '../tools/run-tool'
import type { StepResult } from '../tools/run-tool'
import type { PipelinePlan, PlannedStep, RunnableJob, StepInput, ToolResult, Warning } from '../types'
import { blameStep } from './blame-step'
import { KeptPromises, toReadable } from './kept-promises'
import type { ReadableFile } from './kept-promises'
import { Receipt } from './receipt'

type StepFile = StepResult['files'][number]

/**
 * Runs the steps of a pipeline one after another. Each step gets the same bytes as if the result before it was sent in a
 * request of its own, so the result is the same too. What steps promise is checked again on the final file. Calls
 * `onOpened` when the files of the first step are open. Throws EngineError. Its problems name the step, such as
 * `steps[1].options.pages`, and `promise_broken` the step that broke a promise.
 */
export async function runPipeline(job: RunnableJob, onOpened: () => void): Promise<ToolResult> {
  let isOpened = false
  return new Pipeline(job).run(() => {
    if (!isOpened) onOpened()
    isOpened = true
  })
}

class Pipeline {
  private readonly plan: PipelinePlan
  private readonly tools = new Map<string, Tool>(listRunnableTools().map(tool => [tool.id, tool]))
  private readonly results: StepFile[][] = []
  private readonly warnings = new Set<Warning>()
  private readonly timings = { open: 0, work: 0, save: 0 }
  private readonly promises: KeptPromises
  private readonly receipt: Receipt

  constructor(private readonly job: RunnableJob) {
    this.plan = job.options as PipelinePlan // The service has made it.
    this.promises = new KeptPromises(this.plan, this.tools)
    this.receipt = new Receipt(this.plan)
  }

  async run(onOpened: () => void): Promise<ToolResult> {
    const { plan, promises } = this
    const last = plan.steps.length - 1
    for (const [index, step] of plan.steps.slice(0, last).entries()) {
      const inputs = this.takeInputs(index, step)
      const result = await this.runStep(index, inputs, onOpened)
      assertSize(result.files, this.job.limits.maxOutputBytes)
      this.record(index, inputs, result)
      this.results.push(result.files)
      promises.add(index, result)
    }
    const inputs = this.takeInputs(last, plan.steps[last] as PlannedStep) // A plan has a step.
    const result = await this.runLast(inputs, onOpened)
    const file = { name: result.name, bytes: Buffer.concat(result.chunks) }
    result.chunks = [file.bytes]
    this.record(last, inputs, { ...result, files: [file] })
    const headers = await promises.check(await this.listReadable(result, file, inputs), this.job.limits)
    promises.addLast(result.headers)
    return this.finish(result, file, headers)
  }

  /** The files of a step. A file that no later step reads is given up. */
  private takeInputs(index: number, { inputs }: PlannedStep): StepFile[] {
    const { plan, job, results } = this
    const files = inputs.flatMap(input =>
      'file' in input ? (job.files[input.file] ?? []) : (results[input.step] ?? []),
    )
    const later = plan.steps.slice(index + 1).flatMap(step => step.inputs)
    for (const input of inputs.filter(one => !later.some(other => isSame(one, other))))
      if ('file' in input) job.files[input.file] = { name: '', bytes: NOTHING }
      else results[input.step] = []
    return files
  }

  private async runStep(index: number, files: StepFile[], onOpened: () => void): Promise<StepResult> {
    const step = this.plan.steps[index] as PlannedStep // The caller goes through the steps.
    if (step.kind === 'webpage') {
      const { ms = 0, ...printed } = step.printed ?? { warnings: [], headers: {} }
      return { files, ...printed, timings: { work: ms } }
    }
    const tool = this.tools.get(step.id)
    if (!tool) return filesOf(await this.runLast(files, onOpened, index))
    return this.attempt(index, () => runToolStep(tool, this.jobOf(step, tool, files), onOpened))
  }

  /** Runs a step for its complete result: a list becomes a ZIP. */
  private async runLast(
    files: StepFile[],
    onOpened: () => void,
    index = this.plan.steps.length - 1,
  ): Promise<ToolResult> {
    const step = this.plan.steps[index] as PlannedStep // as above
    const tool = this.tools.get(step.id)
    if (step.kind === 'webpage') {
      const { files: pages, ...result } = await this.runStep(index, files, onOpened)
      const [page] = pages as [StepFile] // The service has printed it.
      return { ...result, name: page.name, contentType: 'application/pdf', chunks: [page.bytes] }
    }
    return this.attempt(index, () =>
      tool
        ? runTool(tool, this.jobOf(step, tool, files), onOpened)
        : runInvoice({ ...this.job, tool: INVOICE_JOB, options: step.options, files }, onOpened),
    )
  }

  /** The job of a tool. Throws EngineError `file_missing` if a list before it has too few or too many files. */
  private jobOf({ options }: PlannedStep, tool: Tool, files: StepFile[]): RunnableJob {
    const { least, most = Infinity } = tool.files === 'one' ? { least: 1, most: 1 } : (tool.fileCount ?? { least: 2 })
    if (files.length < least || files.length > most)
      throw new EngineError(
        'file_missing',
        `${tool.id} takes ${files.length < least ? `at least ${least}` : `at most ${most}`} files. The results before it have ${files.length}.`,
      )
    return { ...this.job, tool: tool.id, options, files }
  }

  private async attempt<Result>(index: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw isEngineError(error) ? blameStep(error, index, this.plan) : error
    }
  }

  private record(index: number, inputs: StepFile[], result: StepResult): void {
    for (const warning of result.warnings) this.warnings.add(warning)
    const { open = 0, work = 0, save = 0 } = result.timings
    this.timings.open += open
    if ((this.plan.steps[index] as PlannedStep).kind !== 'webpage') this.timings.work += work
    this.timings.save += save
    if (this.plan.hasReceipt) this.receipt.add(index, inputs, result)
  }

  /** The PDFs in the final file. An encrypted PDF is read before its encryption, which adds no content. */
  private async listReadable(
    { contentType }: ToolResult,
    { bytes }: StepFile,
    inputs: StepFile[],
  ): Promise<ReadableFile[]> {
    if (!this.promises.isPending) return []
    const step = this.plan.steps.at(-1) as PlannedStep // as above
    const kind = this.tools.get(step.id)?.step.result(step.options) ?? 'pdf'
    if (kind === 'encrypted-pdf')
      return inputs.map(input => ({ bytes: input.bytes, byteLength: bytes.length, isEncrypted: true }))
    if (contentType === 'application/pdf') return [toReadable({ bytes })]
    if (kind !== 'pdfs') return []
    const { files } = await JSZip.loadAsync(bytes)
    const parts = await Promise.all(
      Object.values(files)
        .filter(({ name }) => name.endsWith('.pdf'))
        .map(file => file.async('uint8array')),
    )
    return parts.map(part => toReadable({ bytes: part }))
  }

  private async finish(result: ToolResult, file: StepFile, headers: Record<string, string>): Promise<ToolResult> {
    const { plan, job, warnings, timings, promises } = this
    const extension = /\.[a-z]+$/.exec(file.name)?.[0] ?? ''
    const name = plan.outputName === undefined ? file.name : `${baseName(plan.outputName)}${extension}`
    const all = {
      ...result,
      name,
      headers: { ...result.headers, ...headers, 'X-Pipeline-Steps': String(plan.steps.length) },
      warnings: [...warnings],
      timings,
    }
    if (!plan.hasReceipt) return all
    const archive = new ZipArchive(job.limits.maxOutputBytes)
    archive.add(name, result.chunks)
    archive.add('receipt.json', [this.receipt.write(promises.verdicts, { ...file, name })])
    return { ...all, name: `${baseName(name)}.zip`, contentType: 'application/zip', chunks: await archive.collect() }
  }
}

/** Results between steps have the same limit as outputs. */
function assertSize(files: readonly StepFile[], maxBytes: number): void {
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxBytes) throw outputTooLarge(maxBytes)
}

const NOTHING = new Uint8Array()

function isSame(one: StepInput, other: StepInput): boolean {
  return 'file' in one ? 'file' in other && one.file === other.file : 'step' in other && one.step === other.step
}

function filesOf({ name, chunks, ...result }: ToolResult): StepResult {
  return { ...result, files: [{ name, bytes: Buffer.concat(chunks) }] }
}

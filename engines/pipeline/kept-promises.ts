import { EngineError } from '../errors'
import { formatOf } from '../features/invoice/electronic/to-electronic'
import { readConformance } from '../options/conformance'
import type { Invoice } from '../features/invoice/data/invoice'
import type { Tool } from '../tools/define'
import { staysConforming } from '../tools/promises'
import type { PromiseFile, StepPromise, Verdict } from '../tools/promises'
import type { StepResult } from '../tools/run-tool'
import type { EngineLimits, PipelinePlan, PlannedStep } from '../types'

/** A PDF to check, without what the check adds. */
export type ReadableFile = Omit<PromiseFile, 'limits' | 'mayHaveMore'>

/** What became of a promise. `not-a-pdf`: the final file isn't a PDF, so the promise doesn't apply to it. */
export interface KeptPromise {
  step: number
  claim: string
  verdict: Verdict | 'not-a-pdf'
}

/** Collects what the steps of a pipeline promise, and checks it on the final file. */
export class KeptPromises {
  readonly verdicts: KeptPromise[] = []
  private readonly pending: { step: number; promise: StepPromise }[] = []
  /** The results after the first promise. They tell which step broke it. */
  private readonly results: { step: number; files: ReadableFile[] }[] = []

  constructor(
    private readonly plan: PipelinePlan,
    private readonly tools: ReadonlyMap<string, Tool>,
  ) {}

  /** Whether there is anything to check. */
  get isPending(): boolean {
    return this.pending.length > 0
  }

  /** Records a result that is not the last one, and what it promises. */
  add(step: number, { files, headers }: StepResult): void {
    if (this.isPending) this.results.push({ step, files: files.filter(isPdf).map(toReadable) })
    this.pending.push(...this.listPromises(step, headers).map(promise => ({ step, promise })))
  }

  /** Records what the last step promises. The step itself has checked it. */
  addLast(headers: Readonly<Record<string, string>>): void {
    const step = this.plan.steps.length - 1
    for (const { claim, header } of this.listPromises(step, headers)) {
      const isKnown = header === undefined || headers[header] === 'true'
      this.verdicts.push({ step, claim, verdict: isKnown ? 'holds' : 'unknown' })
    }
  }

  /**
   * Checks all promises on the PDFs of the final file. Returns the headers that say whether they hold. Throws
   * EngineError `promise_broken` for the first promise that doesn't hold.
   */
  async check(files: readonly ReadableFile[], limits: EngineLimits): Promise<Record<string, string>> {
    const headers: Record<string, string> = {}
    for (const { step, promise } of this.pending) {
      const { claim, header } = promise
      if (files.length === 0) {
        this.verdicts.push({ step, claim, verdict: 'not-a-pdf' })
        continue
      }
      const verdict = await this.judge(promise, step, { files, limits })
      if (verdict === 'broken' || (verdict === 'unknown' && header === undefined))
        throw await this.blame(promise, step, limits)
      this.verdicts.push({ step, claim, verdict })
      if (header !== undefined) headers[header] = String(headers[header] !== 'false' && verdict === 'holds')
    }
    return headers
  }

  private listPromises(step: number, headers: Readonly<Record<string, string>>): StepPromise[] {
    const planned = this.plan.steps[step] as PlannedStep // The caller goes through the steps.
    const tool = this.tools.get(planned.id)
    return tool ? (tool.step.promises?.(planned.options, headers) ?? []) : promisesOf(planned)
  }

  /** The worst verdict of all files. */
  private async judge(
    promise: StepPromise,
    step: number,
    { files, limits }: { files: readonly ReadableFile[]; limits: EngineLimits },
  ): Promise<Verdict> {
    const mayHaveMore = this.mayAddContent(step)
    let verdict: Verdict = 'holds'
    for (const file of files) {
      const one = await promise.check({ ...file, limits: { ...limits, maxObjects: Infinity }, mayHaveMore })
      if (one === 'broken') return one
      if (one === 'unknown') verdict = one
    }
    return verdict
  }

  /** Whether the steps after this one read files that don't come from its result alone, or may add something. */
  private mayAddContent(step: number): boolean {
    const derived = new Set([step])
    let isMore = false
    for (const [index, { id, inputs }] of this.plan.steps.entries()) {
      if (index <= step || !inputs.some(input => 'step' in input && derived.has(input.step))) continue
      derived.add(index)
      isMore ||= this.tools.get(id)?.step.addsNothing !== true
      isMore ||= inputs.some(input => !('step' in input) || !derived.has(input.step))
    }
    return isMore
  }

  /** The error for a promise that the final file breaks. */
  private async blame(promise: StepPromise, step: number, limits: EngineLimits): Promise<EngineError> {
    const { steps } = this.plan
    let culprit = steps.length - 1
    for (const result of this.results) {
      if (result.step <= step) continue
      const verdict = await this.judge(promise, step, { files: result.files, limits })
      if (verdict === 'holds') continue
      culprit = result.step
      break
    }
    const name = (index: number) => `steps[${index}] (${steps[index]?.id ?? ''})`
    return new EngineError(
      'promise_broken',
      `${name(culprit)} breaks what ${name(step)} promises: the file ${promise.claim}. Move the step with the ` +
        'promise to the end, or leave out one of the two steps.',
      { param: `steps[${culprit}]` },
    )
  }
}

/** A web page or an invoice promises the standards that its request names. An invoice with XML inside is PDF/A-3. */
function promisesOf({ kind, options }: PlannedStep): StepPromise[] {
  const { conformance, eInvoice } = options as Pick<Invoice, 'conformance' | 'eInvoice'> // Web pages have no `eInvoice`.
  const format = kind === 'invoice' ? formatOf({ eInvoice }) : undefined
  if (format?.output === 'xml') return []
  const profiles = new Set([...(format ? (['pdfa-3b'] as const) : []), ...(readConformance(conformance) ?? [])])
  return profiles.size > 0 ? [staysConforming([...profiles])] : []
}

function isPdf({ name }: { name: string }): boolean {
  return name.endsWith('.pdf')
}

/** A PDF that is the final file, or in it, without encryption. */
export function toReadable({ bytes }: { bytes: Uint8Array }): ReadableFile {
  return { bytes, byteLength: bytes.length, isEncrypted: false }
}

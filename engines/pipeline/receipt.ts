import { hashChunks } from '../tools/write-zip'
import type { StepResult } from '../tools/run-tool'
import { PAGE_COUNT } from '../types'
import type { PipelinePlan } from '../types'
import type { KeptPromise } from './kept-promises'

type File = StepResult['files'][number]

/** What each step of a pipeline did, and which promises the final file keeps, as JSON. */
export class Receipt {
  private readonly steps: unknown[] = []
  /** Files are often the result of a step and the input of the next. */
  private readonly hashes = new WeakMap<Uint8Array, string>()

  constructor(private readonly plan: PipelinePlan) {}

  /** Records a step. Steps are added in order. */
  add(index: number, inputs: readonly File[], { files, headers, warnings, timings }: StepResult): void {
    const step = this.plan.steps[index]
    const ms = Object.values(timings).reduce((sum, part) => sum + part, 0)
    this.steps.push({
      step: index,
      tool: step?.id,
      options: step?.shownOptions,
      inputs: step?.kind === 'webpage' ? [] : inputs.map(file => this.describe(file)),
      results: files.map(file => this.describe(file)),
      pages: Number(headers[PAGE_COUNT] ?? NaN) || null,
      headers,
      warnings,
      ms: Math.round(ms * 10) / 10,
    })
  }

  /** The receipt of the final file. */
  write(promises: readonly KeptPromise[], result: File): Buffer {
    const receipt = { result: this.describe(result), promises, steps: this.steps }
    return Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`)
  }

  private describe({ name, bytes }: File): { name: string; bytes: number; sha256: string } {
    const sha256 = this.hashes.get(bytes) ?? hashChunks([bytes])
    this.hashes.set(bytes, sha256)
    return { name, bytes: bytes.length, sha256 }
  }
}

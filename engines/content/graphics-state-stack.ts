import { EngineError } from '../errors'
import type { GraphicsState } from './graphics-state'

/** Different states that `q` may save inside one another; far more than any writer needs. */
const MAX_SAVED = 50_000

/** The states that `q` saved and `Q` has not brought back. The same one saved many times over is kept once. */
export class GraphicsStateStack {
  private readonly stack: { state: GraphicsState; count: number }[] = []
  /** Whether nothing happened since the last `q`. */
  private isFresh = false

  /** Throws EngineError `too-large` when too many are saved. */
  save(state: GraphicsState): void {
    const last = this.stack.at(-1)
    if (this.isFresh && last) last.count++
    else this.stack.push({ state: { ...state }, count: 1 })
    if (this.stack.length > MAX_SAVED)
      throw new EngineError(
        'too-large',
        `A page saves its graphics state more than ${MAX_SAVED.toLocaleString('en')} times over.`,
      )
    this.isFresh = true
  }

  /** The state saved last, to be changed by the caller; undefined when none is left. */
  restore(): GraphicsState | undefined {
    const last = this.stack.at(-1)
    if (!last) return undefined
    if (--last.count === 0) this.stack.pop()
    return { ...last.state }
  }

  /** Says that the state may be another than the one saved last. */
  noteChange(): void {
    this.isFresh = false
  }
}

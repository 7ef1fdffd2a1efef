import { EngineError } from '../errors'
import type { GraphicsState } from './graphics-state'

/** Maximum number of different nested states. Far more than any writer needs. */
const MAX_SAVED = 50_000

/** The stack of graphics states saved by `q`. A state that is saved several times in a row is stored once. */
export class GraphicsStateStack {
  private readonly stack: { state: GraphicsState; count: number }[] = []
  /** Whether nothing has changed since the last `q`. */
  private isFresh = false

  /** Throws EngineError `too-large` if there are too many states. */
  save(state: GraphicsState): void {
    const last = this.stack.at(-1)
    if (this.isFresh && last) last.count++
    else this.stack.push({ state: { ...state }, count: 1 })
    if (this.stack.length > MAX_SAVED)
      throw new EngineError(
        'too-large',
        `A page saves its graphics state more than ${MAX_SAVED.toLocaleString('en')} times in a row.`,
      )
    this.isFresh = true
  }

  /** Removes the last saved state and returns a copy for changes. Undefined if there is none. */
  restore(): GraphicsState | undefined {
    const last = this.stack.at(-1)
    if (!last) return undefined
    if (--last.count === 0) this.stack.pop()
    return { ...last.state }
  }

  /** Call this when the current state may differ from the last saved state. */
  noteChange(): void {
    this.isFresh = false
  }
}

import type { ContentVisitor } from '../../../pdf/walk-content'

/** One subject of this area. Every step may throw an EngineError. Then the part is left undecided. */
export interface Part {
  /** Checks what doesn't depend on content. */
  start?(): void
  listener?: ContentVisitor
  /** Runs after the content. */
  finish?(): void
  /** Says that the part's rules weren't decided. */
  leaveUndecided(): void
}

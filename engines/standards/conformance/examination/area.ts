import type { ContentVisitor } from '../../../pdf/walk-content'

/**
 * One part of the standards. What it finds in the document without reading content, it checks at once. `listener`
 * receives the content.
 */
export interface Area {
  listener?: ContentVisitor
  /** Runs after the content. `isComplete` is false if some content couldn't be read. */
  finish?(isComplete: boolean): void
}

import type { PdfDocument } from '../pdf-core/document/document'
import type { Matrix } from '../pdf-core/geometry/matrix'
import type { ContentReader } from '../pdf-core/syntax/content-reader'
import type { ContentFilter } from './content-filter'
import type { StreamEdits } from './stream-edits'
import type { GraphicsState } from './graphics-state'
import type { StreamResources } from './stream-resources'

/** One content stream while it is gone through: what its parts look at and change. */
export interface InterpreterState {
  readonly document: PdfDocument
  readonly decider: ContentFilter
  readonly reader: ContentReader
  readonly edits: StreamEdits
  readonly resources: StreamResources
  /** From the space that the stream begins in to the user space of the page. */
  readonly base: Matrix
  /** The state now; replaced by `q` and `Q`. */
  state: GraphicsState
  /** Counts elements that stay and that go. */
  count(kept: number, removed: number): void
  /** Notes that a part of what is painted with the current patterns goes. */
  touchPatterns(): void
}

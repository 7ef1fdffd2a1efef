import type { PdfDocument } from '../../document/document'
import type { Matrix } from '../../geometry/matrix'
import type { ContentStream } from '../walk/content-stream'
import type { ContentReader } from '../../syntax/content-reader'
import type { ContentFilter } from './content-filter'
import type { StreamEdits } from './stream-edits'
import type { Font } from '../../fonts/font'
import type { GlyphInk } from './glyph-ink'
import type { RewriteState } from './graphics-state'
import type { StreamResources } from './stream-resources'

/** The state of interpreting one content stream. The interpreter's parts read and change it. */
export interface InterpreterState {
  readonly document: PdfDocument
  readonly filter: ContentFilter
  readonly reader: ContentReader
  readonly edits: StreamEdits
  readonly resources: StreamResources
  /** Maps the space in which the stream begins to default user space of the page. */
  readonly base: Matrix
  /** The current graphics state. `q` and `Q` replace it. */
  readonly state: RewriteState
  /** The current font. Undefined if none was set. Viewers show no text then. */
  readonly font: Font | undefined
  /** What glyphs paint far from their boxes. */
  readonly ink: GlyphInk
  /** The content stream that is rewritten. */
  readonly stream: ContentStream
  /** Counts elements that stay and elements that are removed. */
  count(elements: { kept: number; removed: number }): void
  /** Records that content painted with the current patterns is removed in part. */
  touchPatterns(): void
}

import type { PdfDocument } from '../../pdf/document'
import type { Box, Frame } from '../../pdf/geometry'
import type { Quad, Word } from './wording/page-words'

/** A file as it is compared: without hidden layers, and with annotations as part of the content if they count. */
export interface ComparedFile {
  /** Original file name without extension. */
  name: string
  /** The document as it was opened, with all pages of the file. */
  document: PdfDocument
  pages: ComparedPage[]
  /** Whether annotations and form fields count. */
  hasAnnotations: boolean
}

/** A page that is compared. */
export interface ComparedPage {
  /** Position in its document, from 0. */
  index: number
  frame: Frame
  /** Pages with the same fingerprint look the same, except for boxes. Undefined if unknown. */
  fingerprint: string | undefined
  /** Whether the page has no content at all. */
  isEmpty: boolean
  /** Words in reading order. Empty if the page has the same fingerprint as its counterpart. */
  words: Word[]
  /** Words in headers and footers. */
  edgeWords: ReadonlySet<Word>
  /** Areas of text that doesn't count. */
  ignored: Quad[]
  /** Whether PDFium could read the words. */
  isReadable: boolean
}

/** How a page changed. */
export type PageChange = 'same' | 'changed' | 'inserted' | 'removed' | 'moved'

/** Words on one page that belong to a change. */
export interface TextPart {
  /** Position of the page in its document, from 0. */
  page: number
  words: Word[]
}

/** A change of text. */
export interface TextChange {
  kind: 'replaced' | 'removed' | 'inserted' | 'moved'
  removed: TextPart | undefined
  inserted: TextPart | undefined
  /** Areas around the words that look different too, such as the frame of a table row or of an annotation. */
  areas: VisualChange[]
}

/**
 * An area that looks different, in points from the lower-left corner of each page as displayed. The boxes are at
 * different places if something moved.
 */
export interface VisualChange {
  before: Box
  after: Box
}

/** How the looks of two pages were compared. `identical` means that their content is the same byte by byte. */
export type VisualComparison = 'rendered' | 'identical' | 'off' | 'failed'

/** A page of the first file, its counterpart in the second file, and what changed. */
export interface PagePair {
  before: ComparedPage | undefined
  after: ComparedPage | undefined
  change: PageChange
  text: TextChange[]
  visual: VisualChange[]
  /** Whether the sizes or the visible areas differ, and whether the rotations differ. */
  isResized: boolean
  isTurned: boolean
  /**
   * Whether text moved from or to other pages of a run. The move is explained if text was inserted or removed on the
   * page, or earlier in the run.
   */
  reflow: 'none' | 'explained' | 'unexplained'
  visualComparison: VisualComparison
}

/** The result of a comparison. */
export interface Comparison {
  before: ComparedFile
  after: ComparedFile
  /** In the order of the second file. Removed pages follow the page that they followed in the first file. */
  pairs: PagePair[]
}

/** Number of changes of a pair of pages. An inserted, removed or moved page is a change by itself. */
function countChanges({ change, text, visual, isResized, isTurned, reflow }: PagePair): number {
  if (change === 'inserted' || change === 'removed') return 1
  const others = [isResized, isTurned, reflow === 'unexplained', change === 'moved'].filter(Boolean).length
  return text.length + visual.length + others
}

/** Number of all changes. 0 means that the files are equal under the options. */
export function countAllChanges({ pairs }: Comparison): number {
  return pairs.reduce((sum, pair) => sum + countChanges(pair), 0)
}

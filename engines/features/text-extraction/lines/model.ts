import type { Box, Matrix } from '../../../pdf/geometry'

/** An upright rectangle on a sheet (see `Sheet`), in points. y grows downwards. */
export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** A word on a sheet. */
export interface Word extends Area {
  /** The characters in logical order. */
  text: string
  /** The characters of a right-to-left word in visual order, from left to right, with their combining marks. */
  visual?: readonly string[]
  /** Position of the baseline. */
  baseline: number
  /** Size of an em. */
  size: number
  isBold: boolean
  isItalic: boolean
  isMonospaced: boolean
  isRightToLeft: boolean
  /** Whether a blank separates it from the word before it in the content. */
  isSpaced: boolean
  /** Marked-content identifier. -1 if there is none. */
  mcid: number
  isArtifact: boolean
  /** The word is drawn without ink, as in scans with recognized text. */
  isUnseen: boolean
  /** Whether the word is the text of a form field or of a free text annotation. */
  isField?: boolean
  /** The link that covers the word, and the part of its text that it covers. */
  link?: Link
  linkStart?: number
  linkEnd?: number
  /** The part of its text that is code, by its font. Undefined if none is. */
  codeStart?: number
  codeEnd?: number
  /** Whether the word is recognized text of an image. */
  isRecognized?: boolean
  /** Confidence of a recognized word, 0 to 100. Undefined for text of the file. */
  confidence?: number
}

/** A link to a URL. */
export interface Link {
  url: string
  /** In points from the lower-left corner of the displayed page. */
  box: Box
}

/** A straight line that is painted on a sheet, or the edge of a painted rectangle. */
export interface Rule extends Area {
  isHorizontal: boolean
  /** Whether it is only the edge of a filled area. */
  isEdge: boolean
}

/** The parts of a page whose text has the same direction, turned so that the text is horizontal. */
export interface Sheet {
  /** Maps the sheet to the displayed page, in points from its lower-left corner. */
  toSeen: Matrix
  width: number
  height: number
  words: Word[]
  rules: Rule[]
  /** Small filled shapes, such as the dots of lists. */
  dots: Area[]
}

/** Words next to each other on the same line, in logical order. */
export interface TextLine extends Area {
  words: Word[]
  baseline: number
  /** Most common size of its words. */
  size: number
  isBold: boolean
  isRightToLeft: boolean
}

/** A cell of a table. Rows and columns count from 0. */
export interface TableCell {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  isHeader: boolean
  lines: TextLine[]
  /** Text of the cell from /ActualText, in place of its lines. */
  actualText?: string
  area?: Area
}

/** A table. Each place of the grid belongs to at most one cell. */
export interface Table {
  rowCount: number
  columnCount: number
  cells: TableCell[]
}

/** What a block is. */
export type BlockRole =
  | 'paragraph'
  | 'heading'
  | 'list-item'
  | 'table'
  | 'caption'
  | 'code'
  | 'quote'
  | 'figure'
  | 'header'
  | 'footer'

/** A paragraph, heading, list item, table or other part of a page. */
export interface Block {
  role: BlockRole
  area: Area
  lines: TextLine[]
  /** Level of a heading from 1 to 6, or depth of a list item from 1. */
  level?: number
  /** Mark of a list item, such as `•` or `2.`. */
  marker?: string
  table?: Table
  /** Text from the tags in place of the lines. */
  actualText?: string
  /** Description of a figure from the tags. */
  alternativeText?: string
}

/** A block and the sheet on which its areas are. */
export interface PlacedBlock extends Block {
  toSeen: Matrix
}

/** The text of a page in reading order. */
export interface PageText {
  pageNumber: number
  /** Size of the displayed page in points. */
  width: number
  height: number
  /** Where the text and its order come from. */
  source: 'tags' | 'layout' | 'ocr' | 'none'
  blocks: PlacedBlock[]
  /** The links of the page in the order of its annotations. */
  links: Link[]
}

/** The smallest area around areas. They must be at least one. */
export function areaAround(areas: Iterable<Area>): Area {
  const around = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { left, top, right, bottom } of areas) {
    around.left = Math.min(around.left, left)
    around.top = Math.min(around.top, top)
    around.right = Math.max(around.right, right)
    around.bottom = Math.max(around.bottom, bottom)
  }
  return around
}

/** Returns whether the center of an area is in another one. */
export function hasCenterIn(area: Area, { left, top, right, bottom }: Area): boolean {
  const [x, y] = [(area.left + area.right) / 2, (area.top + area.bottom) / 2]
  return x >= left && x <= right && y >= top && y <= bottom
}

/** The median of numbers. `otherwise` if there are none. */
export function medianOf(numbers: readonly number[], otherwise = 0): number {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.floor(sorted.length / 2)] ?? otherwise
}

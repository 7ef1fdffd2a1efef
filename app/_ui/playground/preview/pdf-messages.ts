/** A request of the page to the rendering worker. */
export type PdfRequest =
  | { id: number; task: 'open'; bytes: ArrayBuffer }
  | { id: number; task: 'draw'; file: number; pageIndex: number; maxWidthPx: number; maxHeightPx: number }
  | { id: number; task: 'find'; file: number; queries: TextQuery[] }
  | { id: number; task: 'read'; file: number; places: PageArea[] }
  | { id: number; task: 'fields'; file: number }
  | { id: number; task: 'corners'; file: number; pageIndex: number }
  | { id: number; task: 'close'; file: number }

/** Type of a form field that a request can fill. */
export type FieldType = 'text' | 'checkbox' | 'radio' | 'dropdown' | 'list'

/** An entry of a dropdown or list. */
export interface FieldChoice {
  label: string
  isSelected: boolean
}

/** One place of a form field. */
export interface FieldOnPage extends PageArea {
  /** Full name. */
  name: string
  type: FieldType
  /** The form's label for screen readers, otherwise the name. */
  label: string
  /** The value in the file, of text fields, dropdowns and lists. */
  value: string
  /** The value that this check box or radio button stands for. Empty for other types. */
  exportValue: string
  isChecked: boolean
  /** Position among the radio buttons of the field, from 0. */
  position: number
  choices: FieldChoice[]
  isReadOnly: boolean
  isRequired: boolean
  isMultiline: boolean
  /** Whether a dropdown takes other values too. */
  isEditable: boolean
  isMultiSelect: boolean
}

/** PDF coordinates (default user space) of three corners of a page as displayed. */
export interface PageCorners {
  upperLeft: [x: number, y: number]
  upperRight: [x: number, y: number]
  lowerLeft: [x: number, y: number]
}

/** A text to find on all pages. */
export interface TextQuery {
  words: string
  isCaseSensitive: boolean
  isWholeWord: boolean
}

/** A box on a page (index from 0), in points from the upper-left corner of the page as displayed. */
export interface PageArea {
  pageIndex: number
  box: { x: number; y: number; width: number; height: number }
}

/** A place where a text was found. */
export interface TextHit {
  /** Position in the queries. */
  queryIndex: number
  pageIndex: number
  /** One box for each line. */
  boxes: PageArea['box'][]
}

/** Properties of a document that placeholders can name. Empty if the file doesn't have them. */
export interface DocumentProperties {
  title: string
  author: string
  subject: string
}

/** Page sizes in points, as displayed. */
export interface OpenedPdf {
  file: number
  /** The first 2,000 pages. */
  pages: { width: number; height: number }[]
  /** Number of all pages. */
  pageCount: number
  properties: DocumentProperties
}

/** Rows from the top, four bytes per pixel: red, green, blue and 255. */
export interface DrawnPage {
  width: number
  height: number
  /** The rotation that the page has in the file: 0, 90, 180 or 270 degrees clockwise. */
  rotation: number
  pixels: Uint8ClampedArray<ArrayBuffer>
}

/** The worker's response to the request with the same ID. A failure is a sentence for the visitor. */
export type PdfReply =
  | { id: number; opened: OpenedPdf }
  | { id: number; drawn: DrawnPage }
  | { id: number; hits: TextHit[] }
  | { id: number; texts: string[] }
  | { id: number; fields: FieldOnPage[] }
  | { id: number; corners: PageCorners }
  | { id: number; closed: true }
  | { id: number; failure: string }

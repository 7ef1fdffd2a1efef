/** A request of the page to the rendering worker. */
export type PdfRequest =
  | { id: number; task: 'open'; bytes: ArrayBuffer }
  | { id: number; task: 'draw'; file: number; pageIndex: number; maxWidthPx: number; maxHeightPx: number }
  | { id: number; task: 'find'; file: number; queries: TextQuery[] }
  | { id: number; task: 'read'; file: number; places: TextPlace[] }
  | { id: number; task: 'close'; file: number }

/** A text to find on all pages. */
export interface TextQuery {
  words: string
  isCaseSensitive: boolean
  isWholeWord: boolean
}

/** A box on a page (index from 0), in points from the upper-left corner of the page as displayed. */
export interface TextPlace {
  pageIndex: number
  box: { x: number; y: number; width: number; height: number }
}

/** A place where a text was found. */
export interface TextHit {
  /** Position in the queries. */
  queryIndex: number
  pageIndex: number
  /** One box for each line. */
  boxes: TextPlace['box'][]
}

/** Page sizes in points, as displayed. */
export interface OpenedPdf {
  file: number
  pages: { width: number; height: number }[]
}

/** Rows from the top, four bytes per pixel: red, green, blue and 255. */
export interface DrawnPage {
  width: number
  height: number
  pixels: Uint8ClampedArray<ArrayBuffer>
}

/** The worker's response to the request with the same ID. A failure is a sentence for the visitor. */
export type PdfReply =
  | { id: number; opened: OpenedPdf }
  | { id: number; drawn: DrawnPage }
  | { id: number; hits: TextHit[] }
  | { id: number; texts: string[] }
  | { id: number; closed: true }
  | { id: number; failure: string }

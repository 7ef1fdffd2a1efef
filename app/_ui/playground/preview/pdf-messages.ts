/** What the page asks of the worker that draws. */
export type PdfRequest =
  | { id: number; task: 'open'; bytes: ArrayBuffer }
  | { id: number; task: 'draw'; file: number; pageIndex: number; maxWidthPx: number; maxHeightPx: number }
  | { id: number; task: 'close'; file: number }

/** Page sizes in points, as seen. */
export interface OpenedPdf {
  file: number
  pages: { width: number; height: number }[]
}

/** Rows from the top, four bytes a pixel: red, green, blue and 255. */
export interface DrawnPage {
  width: number
  height: number
  pixels: Uint8ClampedArray<ArrayBuffer>
}

/** The worker's answer to the request of the same id; a failure is a sentence for people. */
export type PdfReply =
  | { id: number; opened: OpenedPdf }
  | { id: number; drawn: DrawnPage }
  | { id: number; closed: true }
  | { id: number; failure: string }

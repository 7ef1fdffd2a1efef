/** A request of the page to the rendering worker. */
export type PdfRequest =
  | { id: number; task: 'open'; bytes: ArrayBuffer }
  | { id: number; task: 'draw'; file: number; pageIndex: number; maxWidthPx: number; maxHeightPx: number }
  | { id: number; task: 'close'; file: number }

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
  | { id: number; closed: true }
  | { id: number; failure: string }

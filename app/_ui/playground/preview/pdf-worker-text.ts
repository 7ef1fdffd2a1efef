import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { TextHit, TextPlace, TextQuery } from './pdf-messages'

/** FPDF_MATCHCASE and FPDF_MATCHWHOLEWORD of FPDFText_FindStart. */
const MATCH_CASE = 1
const WHOLE_WORD = 2
/** Maximum number of hits that are returned. */
const MOST_HITS = 500
/** Pixels in a point when PDFium converts coordinates, because it returns whole pixels. */
const PRECISION = 20

interface Page {
  page: number
  text: number
  width: number
  height: number
}

/** Finds texts on all pages. A hit that continues on the next line has a box for each line. */
export function findText(
  pdfium: WrappedPdfiumModule,
  document: number,
  pageCount: number,
  queries: TextQuery[],
): TextHit[] {
  const hits: TextHit[] = []
  for (let pageIndex = 0; pageIndex < pageCount && hits.length < MOST_HITS; pageIndex++) {
    withPage(pdfium, document, pageIndex, page => {
      for (const [queryIndex, query] of queries.entries())
        for (const { start, length } of findOnPage(pdfium, page, query))
          if (hits.length < MOST_HITS)
            hits.push({ queryIndex, pageIndex, boxes: measureText(pdfium, page, start, length) })
    })
  }
  return hits
}

/** Returns the text in each place, in the order of the places. Whole characters count if a part of them is inside. */
export function readText(pdfium: WrappedPdfiumModule, document: number, places: TextPlace[]): string[] {
  return places.map(({ pageIndex, box }) => {
    let found = ''
    withPage(pdfium, document, pageIndex, page => {
      const [left, top] = toPage(pdfium, page, box.x, box.y)
      const [right, bottom] = toPage(pdfium, page, box.x + box.width, box.y + box.height)
      const edges = [
        Math.min(left, right),
        Math.max(top, bottom),
        Math.max(left, right),
        Math.min(top, bottom),
      ] as const
      const count = pdfium.FPDFText_GetBoundedText(page.text, ...edges, 0, 0)
      if (count <= 0) return
      found = readString(pdfium, count, pointer => pdfium.FPDFText_GetBoundedText(page.text, ...edges, pointer, count))
    })
    return found.replaceAll(/\s+/g, ' ').trim()
  })
}

function withPage(pdfium: WrappedPdfiumModule, document: number, pageIndex: number, work: (page: Page) => void): void {
  const page = pdfium.FPDF_LoadPage(document, pageIndex)
  if (page === 0) return
  const text = pdfium.FPDFText_LoadPage(page)
  try {
    const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
    if (text !== 0) work({ page, text, width, height })
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
  }
}

function findOnPage(
  pdfium: WrappedPdfiumModule,
  { text }: Page,
  { words, isCaseSensitive, isWholeWord }: TextQuery,
): { start: number; length: number }[] {
  const pointer = writeString(pdfium, words)
  const flags = (isCaseSensitive ? MATCH_CASE : 0) | (isWholeWord ? WHOLE_WORD : 0)
  const search = pdfium.FPDFText_FindStart(text, pointer, flags, 0)
  const found: { start: number; length: number }[] = []
  while (found.length < MOST_HITS && pdfium.FPDFText_FindNext(search))
    found.push({ start: pdfium.FPDFText_GetSchResultIndex(search), length: pdfium.FPDFText_GetSchCount(search) })
  pdfium.FPDFText_FindClose(search)
  pdfium.pdfium.wasmExports.free(pointer)
  return found
}

/** Returns the boxes of characters, one for each line. */
function measureText(pdfium: WrappedPdfiumModule, page: Page, start: number, length: number): TextPlace['box'][] {
  const count = pdfium.FPDFText_CountRects(page.text, start, length)
  const pointer = pdfium.pdfium.wasmExports.malloc(32)
  const boxes = Array.from({ length: Math.max(0, count) }, (_, index) => {
    pdfium.FPDFText_GetRect(page.text, index, pointer, pointer + 8, pointer + 16, pointer + 24)
    const view = memoryOf(pdfium)
    const [left, top, right, bottom] = [0, 8, 16, 24].map(offset => view.getFloat64(pointer + offset, true))
    const [x1, y1] = toDisplay(pdfium, page, left ?? 0, top ?? 0)
    const [x2, y2] = toDisplay(pdfium, page, right ?? 0, bottom ?? 0)
    return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
  })
  pdfium.pdfium.wasmExports.free(pointer)
  return boxes
}

/** Converts PDF coordinates of a page to points from the upper-left corner of the page as displayed. */
function toDisplay(pdfium: WrappedPdfiumModule, { page, width, height }: Page, x: number, y: number): [number, number] {
  const pointer = pdfium.pdfium.wasmExports.malloc(8)
  const [across, down] = [Math.round(width * PRECISION), Math.round(height * PRECISION)]
  pdfium.FPDF_PageToDevice(page, 0, 0, across, down, 0, x, y, pointer, pointer + 4)
  const view = memoryOf(pdfium)
  const point: [number, number] = [
    (view.getInt32(pointer, true) / across) * width,
    (view.getInt32(pointer + 4, true) / down) * height,
  ]
  pdfium.pdfium.wasmExports.free(pointer)
  return point
}

/** The reverse of `toDisplay`. */
function toPage(pdfium: WrappedPdfiumModule, { page, width, height }: Page, x: number, y: number): [number, number] {
  const pointer = pdfium.pdfium.wasmExports.malloc(16)
  const [across, down] = [Math.round(width * PRECISION), Math.round(height * PRECISION)]
  const [deviceX, deviceY] = [Math.round((x / width) * across), Math.round((y / height) * down)]
  pdfium.FPDF_DeviceToPage(page, 0, 0, across, down, 0, deviceX, deviceY, pointer, pointer + 8)
  const view = memoryOf(pdfium)
  const point: [number, number] = [view.getFloat64(pointer, true), view.getFloat64(pointer + 8, true)]
  pdfium.pdfium.wasmExports.free(pointer)
  return point
}

/** Allocates a text in UTF-16 with a zero at its end. The caller frees it. */
function writeString(pdfium: WrappedPdfiumModule, words: string): number {
  const pointer = pdfium.pdfium.wasmExports.malloc(words.length * 2 + 2)
  const view = memoryOf(pdfium)
  for (let at = 0; at < words.length; at++) view.setUint16(pointer + at * 2, words.charCodeAt(at), true)
  view.setUint16(pointer + words.length * 2, 0, true)
  return pointer
}

/** Reads UTF-16 that `fill` writes, up to `count` units. */
function readString(pdfium: WrappedPdfiumModule, count: number, fill: (pointer: number) => unknown): string {
  const pointer = pdfium.pdfium.wasmExports.malloc(count * 2 + 2)
  fill(pointer)
  const view = memoryOf(pdfium)
  let words = ''
  for (let at = 0; at < count; at++) {
    const unit = view.getUint16(pointer + at * 2, true)
    if (unit !== 0) words += String.fromCharCode(unit)
  }
  pdfium.pdfium.wasmExports.free(pointer)
  return words
}

/** Returns PDFium's memory. Read it each time, because the buffer changes when the memory grows. */
function memoryOf(pdfium: WrappedPdfiumModule): DataView {
  // The module has this member, but its types omit it.
  const { HEAPU8 } = pdfium.pdfium as unknown as { HEAPU8: Uint8Array<ArrayBuffer> }
  return new DataView(HEAPU8.buffer)
}

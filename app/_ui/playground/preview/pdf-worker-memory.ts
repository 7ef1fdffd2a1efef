import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { PageArea } from './pdf-messages'

/** Pixels in a point when PDFium converts coordinates, because it returns whole pixels. */
const PRECISION = 20

/** A loaded page with its size as displayed, in points. */
export interface LoadedPage {
  page: number
  width: number
  height: number
}

/** Measures a page that PDFium has loaded. */
export function measurePage(pdfium: WrappedPdfiumModule, page: number): LoadedPage {
  return { page, width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) }
}

/** Returns the box between two points in PDF coordinates, as points from the upper-left corner of the page as displayed. */
export function toDisplayBox(
  pdfium: WrappedPdfiumModule,
  page: LoadedPage,
  [left, top]: [number, number],
  [right, bottom]: [number, number],
): PageArea['box'] {
  const [x1, y1] = toDisplay(pdfium, page, left, top)
  const [x2, y2] = toDisplay(pdfium, page, right, bottom)
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
}

/** Converts PDF coordinates of a page to points from the upper-left corner of the page as displayed. */
function toDisplay(
  pdfium: WrappedPdfiumModule,
  { page, width, height }: LoadedPage,
  x: number,
  y: number,
): [number, number] {
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
export function toPage(
  pdfium: WrappedPdfiumModule,
  { page, width, height }: LoadedPage,
  x: number,
  y: number,
): [number, number] {
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
export function writeString(pdfium: WrappedPdfiumModule, words: string): number {
  const pointer = pdfium.pdfium.wasmExports.malloc(words.length * 2 + 2)
  const view = memoryOf(pdfium)
  for (let at = 0; at < words.length; at++) view.setUint16(pointer + at * 2, words.charCodeAt(at), true)
  view.setUint16(pointer + words.length * 2, 0, true)
  return pointer
}

/** Reads UTF-16 that `fill` writes, up to `count` units. */
export function readString(pdfium: WrappedPdfiumModule, count: number, fill: (pointer: number) => unknown): string {
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

/** Returns a view of PDFium's memory. Read it each time, because the buffer changes when the memory grows. */
export function memoryOf(pdfium: WrappedPdfiumModule): DataView {
  return new DataView(bytesOf(pdfium).buffer)
}

/** Returns the bytes of PDFium's memory. Read them each time, as with `memoryOf`. */
export function bytesOf(pdfium: WrappedPdfiumModule): Uint8Array<ArrayBuffer> {
  // The module has this member, but its types omit it.
  const { HEAPU8 } = pdfium.pdfium as unknown as { HEAPU8: Uint8Array<ArrayBuffer> }
  return HEAPU8
}

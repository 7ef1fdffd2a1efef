import type { Pdfium } from './pdfium'

/** FPDF_RENDER_TOBECONTINUED of fpdf_progressive.h. */
const TO_BE_CONTINUED = 1

/** An IFSDK_PAUSE of version 1: the version, a function, a pointer that nobody uses; four bytes each. */
const PAUSE_BYTES = 12

/** Where a page comes on a bitmap, in pixels from its upper-left corner. */
interface Place {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Draws a page as FPDF_RenderPageBitmap does, but no longer than `limitMs`: PDFium asks between objects and between rows of
 * large pictures whether it should pause, which here means giving up. What it does inside of a form or a shading goes on
 * until that is done. False when the page is not done, and the bitmap has a part of it.
 */
export function drawInTime(pdfium: Pdfium, { bitmap, page }: { bitmap: number; page: number }, { left, top, width, height }: Place, { flags, limitMs }: { flags: number; limitMs: number }): boolean {
  const { addFunction, removeFunction, setValue, wasmExports } = pdfium.pdfium
  const isLate = timeOut(limitMs)
  const askedToPause = addFunction(() => (isLate() ? 1 : 0), 'ii')
  const pause = wasmExports.malloc(PAUSE_BYTES)
  try {
    setValue(pause, 1, 'i32')
    setValue(pause + 4, askedToPause, 'i32')
    setValue(pause + 8, 0, 'i32')
    return pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, left, top, width, height, 0, flags, pause) !== TO_BE_CONTINUED
  } finally {
    pdfium.FPDF_RenderPage_Close(page)
    wasmExports.free(pause)
    removeFunction(askedToPause)
  }
}

/** Tells whether so much work was done since: where the processor is wanted by many, waiting for it does not count. */
function timeOut(limitMs: number): () => boolean {
  const since = performance.now()
  const usage = process.cpuUsage()
  return () => {
    if (performance.now() - since < limitMs) return false
    const { user, system } = process.cpuUsage(usage)
    return (user + system) / 1000 >= limitMs
  }
}

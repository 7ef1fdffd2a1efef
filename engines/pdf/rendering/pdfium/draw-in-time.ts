import type { Pdfium } from './pdfium'

/** FPDF_RENDER_TOBECONTINUED of fpdf_progressive.h. */
const TO_BE_CONTINUED = 1

/** Size of IFSDK_PAUSE version 1: the version, a function and an unused pointer, four bytes each. */
const PAUSE_BYTES = 12

/** Position and size of a page on a bitmap, in pixels from the upper-left corner. */
interface Area {
  left: number
  top: number
  width: number
  height: number
}

/** The callback that PDFium calls to check whether to pause. One instance is shared by all drawing. */
interface Pause {
  address: number
  isLate: () => boolean
}

const pauses = new WeakMap<Pdfium, Pause>()

/** Creates the callback once, because adding a function to PDFium compiles it each time. */
function pauseOf(pdfium: Pdfium): Pause {
  const existing = pauses.get(pdfium)
  if (existing) return existing
  const { addFunction, setValue, wasmExports } = pdfium.pdfium
  const pause: Pause = { address: wasmExports.malloc(PAUSE_BYTES), isLate: () => false }
  setValue(pause.address, 1, 'i32')
  setValue(
    pause.address + 4,
    addFunction(() => (pause.isLate() ? 1 : 0), 'ii'),
    'i32',
  )
  setValue(pause.address + 8, 0, 'i32')
  pauses.set(pdfium, pause)
  return pause
}

/**
 * Draws a page like FPDF_RenderPageBitmap until `isLate` returns true. PDFium checks between objects and between rows
 * of large images whether to pause, and a pause here means to give up. A form or a shading is always finished first.
 * Returns false if the page isn't complete. The bitmap then has a part of it.
 */
export function drawInTime(
  pdfium: Pdfium,
  { bitmap, page }: { bitmap: number; page: number },
  { left, top, width, height }: Area,
  { flags, isLate }: { flags: number; isLate: () => boolean },
): boolean {
  const pause = pauseOf(pdfium)
  pause.isLate = isLate
  try {
    return (
      pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, left, top, width, height, 0, flags, pause.address) !==
      TO_BE_CONTINUED
    )
  } finally {
    pdfium.FPDF_RenderPage_Close(page)
  }
}

/**
 * Milliseconds before the first check of CPU time. The check takes almost a millisecond, and most pages finish sooner.
 */
const UNCOUNTED_MS = 50

/**
 * Returns a function that tells whether the limit is exceeded. Counts CPU time, so that waiting for the CPU is free.
 */
export function timeOut(limitMs: number): () => boolean {
  const since = performance.now()
  let usage: NodeJS.CpuUsage | undefined
  return () => {
    const passedMs = performance.now() - since
    if (passedMs < Math.min(UNCOUNTED_MS, limitMs)) return false
    usage ??= process.cpuUsage()
    if (passedMs < limitMs) return false
    const { user, system } = process.cpuUsage(usage)
    return (user + system) / 1000 >= limitMs - UNCOUNTED_MS
  }
}

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

/** What PDFium asks whether it should pause: the same place in its memory for all that it draws. */
interface Pause {
  place: number
  isLate: () => boolean
}

const pauses = new WeakMap<Pdfium, Pause>()

/** Made once, because a function for PDFium is compiled each time. */
function pauseOf(pdfium: Pdfium): Pause {
  const known = pauses.get(pdfium)
  if (known) return known
  const { addFunction, setValue, wasmExports } = pdfium.pdfium
  const pause: Pause = { place: wasmExports.malloc(PAUSE_BYTES), isLate: () => false }
  setValue(pause.place, 1, 'i32')
  setValue(
    pause.place + 4,
    addFunction(() => (pause.isLate() ? 1 : 0), 'ii'),
    'i32',
  )
  setValue(pause.place + 8, 0, 'i32')
  pauses.set(pdfium, pause)
  return pause
}

/**
 * Draws a page as FPDF_RenderPageBitmap does, until `isLate`: PDFium asks between objects and between rows of large
 * pictures whether it should pause, which here means giving up. What it does inside of a form or a shading goes on
 * until that is done. False when the page is not done, and the bitmap has a part of it.
 */
export function drawInTime(
  pdfium: Pdfium,
  { bitmap, page }: { bitmap: number; page: number },
  { left, top, width, height }: Place,
  { flags, isLate }: { flags: number; isLate: () => boolean },
): boolean {
  const pause = pauseOf(pdfium)
  pause.isLate = isLate
  try {
    return (
      pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, left, top, width, height, 0, flags, pause.place) !==
      TO_BE_CONTINUED
    )
  } finally {
    pdfium.FPDF_RenderPage_Close(page)
  }
}

/**
 * Milliseconds before the processor's time is asked for, which itself takes a good part of one: most parts are drawn
 * sooner.
 */
const UNCOUNTED_MS = 50

/** Tells whether so much work was done since: where the processor is wanted by many, waiting for it does not count. */
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

import { EngineError } from '../../../errors'
import type { PdfDocument } from '../../../pdf/document'
import {
  boundsOf,
  chainMatrices,
  invertMatrix,
  mapCorners,
  mapPoint,
  measureFrame,
  seenMatrix,
} from '../../../pdf/geometry'
import type { Bounds, Frame, Matrix } from '../../../pdf/geometry'
import { openRenderer } from '../../../pdf/render'
import type { Bitmap, PdfiumRenderer } from '../../../pdf/render'
import type { DocumentImage, ImageUse } from './document-images'
import { ImageSheets } from './image-sheets'

/** The resolution of the comparison, in DPI, and its time limit for one page, in milliseconds of CPU time. */
const DPI = 108
const LIMIT_MS = 2000

/** Maximum number of places that are compared. Images at other places count as not shown. */
const MOST_COMPARED = 2000

/** How far a color component may differ, and how many pixels may differ more, because edges are smoothed. */
const TOLERANCE = 10
const MOST_DIFFERENT = 3

/** Pixels next to the edge of an image, which mix with the page. */
const EDGE = 1.5

/** How far an image may reach out of its page, in points. */
const SLACK_PT = 0.5

/**
 * The largest resolution of an image, in pixels per inch, at which a rendered page is as good to read as the image. In
 * scans, letters are as large as on paper, so their resolution may be higher. A scan covers this share of its page.
 */
const FINE_PPI = 330
const FINE_SCAN_PPI = 700
const SCAN_SHARE = 0.25

/**
 * Returns the images that a page shows as they are: complete, uncovered, and large enough to be read on the page. Each
 * is compared with its page. Images that can't be compared count as not shown.
 */
export async function findShownImages(
  document: PdfDocument,
  images: readonly DocumentImage[],
): Promise<Set<DocumentImage>> {
  const shown = new Set<DocumentImage>()
  const readable = images
    .flatMap(image => image.uses.filter(use => isReadable(document, image, use)).map(use => ({ image, use })))
    .slice(0, MOST_COMPARED)
  if (readable.length === 0) return shown
  const sheets = ImageSheets.open(document)
  const places = readable
    .map(place => ({ ...place, sheet: sheets.addUse(place.image, place.use) }))
    .sort((one, other) => one.use.pageIndex - other.use.pageIndex)
  const [pages, alone] = [new Drawings(document), new Drawings(sheets.finish())]
  try {
    let drawn: { index: number; bitmap: Bitmap | undefined } | undefined
    for (const { image, use, sheet } of places) {
      if (shown.has(image)) continue
      if (drawn?.index !== use.pageIndex)
        drawn = { index: use.pageIndex, bitmap: await pages.draw(use.pageIndex, { annotations: true }) }
      const one = drawn.bitmap && (await alone.draw(sheet, { annotations: false }))
      if (drawn.bitmap && one && isSame(drawn.bitmap, one, placeOf(document, use))) shown.add(image)
    }
  } finally {
    pages.close()
    alone.close()
  }
  return shown
}

/** The matrix of the image to the page as displayed, in points. */
function placeOf(document: PdfDocument, { pageIndex, matrix }: ImageUse): { frame: Frame; toSeen: Matrix } {
  const page = document.pages[pageIndex]
  if (!page) throw new RangeError(`the document has no page at position ${pageIndex}`)
  const frame = measureFrame(document, page)
  return { frame, toSeen: chainMatrices(matrix, seenMatrix(frame)) }
}

/** Returns whether the page has the whole image, in a size that a rendered page shows well enough. */
function isReadable(document: PdfDocument, { width, height }: DocumentImage, use: ImageUse): boolean {
  const { frame, toSeen } = placeOf(document, use)
  const [a, b, c, d] = toSeen
  const bounds = boundsOfImage(toSeen)
  const isInside =
    bounds.left >= -SLACK_PT &&
    bounds.bottom >= -SLACK_PT &&
    bounds.right <= frame.width + SLACK_PT &&
    bounds.top <= frame.height + SLACK_PT
  const ppi = 72 * Math.max(width / Math.hypot(a, b), height / Math.hypot(c, d))
  const share = Math.abs(a * d - b * c) / (frame.width * frame.height)
  // Pages that are too large for recognition are rendered more coarsely.
  const coarseness = Math.max(1, Math.sqrt((frame.width * frame.height * 9) / document.limits.maxPixels))
  return isInside && ppi * coarseness <= (share >= SCAN_SHARE ? FINE_SCAN_PPI : FINE_PPI)
}

function boundsOfImage(toSeen: Matrix): Bounds {
  return boundsOf(mapCorners(toSeen, { left: 0, bottom: 0, right: 1, top: 1 }))
}

/** Returns whether two drawings of a page have the same pixels where the image is. */
function isSame(page: Bitmap, alone: Bitmap, { toSeen }: { toSeen: Matrix }): boolean {
  const inverse = invertMatrix(toSeen)
  if (!inverse || page.width !== alone.width || page.height !== alone.height) return false
  const { width, height, channels } = page
  const scale = page.dpi / 72
  const { left, bottom, right, top } = boundsOfImage(toSeen)
  // The distance of the edge in image sizes.
  const [a, b, c, d] = toSeen
  const area = Math.abs(a * d - b * c)
  const [edgeX, edgeY] = [(EDGE * Math.hypot(c, d)) / area / scale, (EDGE * Math.hypot(a, b)) / area / scale]
  let different = 0
  const [firstX, lastX] = [Math.max(0, Math.floor(left * scale)), Math.min(width, Math.ceil(right * scale))]
  const [firstY, lastY] = [
    Math.max(0, Math.floor(height - top * scale)),
    Math.min(height, Math.ceil(height - bottom * scale)),
  ]
  for (let y = firstY; y < lastY; y++) {
    for (let x = firstX; x < lastX; x++) {
      const at = (y * width + x) * channels
      if (!differs(page.pixels, alone.pixels, at)) continue
      const [across, up] = mapPoint(inverse, (x + 0.5) / scale, (height - y - 0.5) / scale)
      const isInside = across > edgeX && across < 1 - edgeX && up > edgeY && up < 1 - edgeY
      if (isInside && ++different > MOST_DIFFERENT) return false
    }
  }
  return true
}

function differs(one: Uint8Array, other: Uint8Array, at: number): boolean {
  for (let channel = at; channel < at + 3; channel++)
    if (Math.abs((one[channel] as number) - (other[channel] as number)) > TOLERANCE) return true
  return false
}

/** Draws pages of a document in colors. */
class Drawings {
  private renderer: PdfiumRenderer | undefined

  constructor(private readonly document: PdfDocument) {}

  /** Undefined for a page that can't be drawn. */
  async draw(index: number, { annotations }: { annotations: boolean }): Promise<Bitmap | undefined> {
    if (this.renderer?.isBroken) this.renderer = undefined
    this.renderer ??= await openRenderer(this.document)
    try {
      return this.renderer.draw(index, { dpi: DPI, leastDpi: 1, color: 'rgb', annotations, limitMs: LIMIT_MS })
    } catch (error) {
      // An image that can't be compared counts as not shown.
      if (error instanceof EngineError) return undefined
      throw error
    }
  }

  close(): void {
    this.renderer?.close()
  }
}

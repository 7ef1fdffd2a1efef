import { PDFRawStream } from 'pdf-lib'
import { EngineError } from '../../../errors'
import { boundsOf, chainMatrices, mapCorners, mapPoint, measureFrame, seenMatrix } from '../../../pdf/geometry'
import type { Bounds, Frame, Matrix } from '../../../pdf/geometry'
import { decodeUpToLimit } from '../../../pdf/document'
import type { Page, PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import { PageReader, tellWords } from '../../../pdf/read-page'
import { drawPages } from '../../../pdf/render'
import { readInlineStream, readSize } from '../../../pdf/rewrite-content'
import { ContentWalk } from '../../../pdf/walk-content'
import type { StreamWalk } from '../../../pdf/walk-content'
import { hasContrast } from '../../ocr/open-pages'

/** The minimum share of a page that images cover in a scan. */
const SCAN_SHARE = 0.5

/** The covered share is measured at this number of points in each direction. */
const SAMPLES = 40

/** The size in points of a pixel that is too large for letters. Backgrounds often have few pixels. */
const LARGE_PIXEL_PT = 12

/** Visible text in a margin of this share of the page may be a stamp or a page number. It doesn't tell what a scan shows. */
const MARGIN = 0.08

/**
 * The first pages without text are drawn to see whether their images show anything, in these shades. Further pages
 * count as scans.
 */
const MOST_DRAWN = 20
const DPI = 50
const CONTRAST = 12
const LIMIT_MS = 2000

/** The square in which an image is drawn (ISO 32000-2, 8.9.5). */
const UNIT = { left: 0, bottom: 0, right: 1, top: 1 }

/**
 * Returns which of the given page positions (from 0) show images over at least half of the page, and have no text that
 * says what they show. Visible text in the margins and in annotations doesn't count. Pages of one color don't count as
 * scans. Throws EngineError `too_large` for content that nests too deep or repeats too often.
 */
export async function findScannedPages(document: PdfDocument, pageIndexes: readonly number[]): Promise<number[]> {
  const reader = new PageReader(document, { layers: 'all' })
  const indexes = pageIndexes.filter(index => {
    const page = document.pages[index]
    if (!page) return false
    const frame = measureFrame(document, page)
    return coverOf(document, page, frame) >= SCAN_SHARE && !hasTextLayer(reader, page, frame)
  })
  const plain = await findPlainPages(document, indexes.slice(0, MOST_DRAWN))
  return indexes.filter(index => !plain.has(index))
}

/** The share of a page that images cover, from 0 to 1. Images on hidden layers count too, and images in annotations of pages without text. */
function coverOf(document: PdfDocument, page: Page, frame: Frame): number {
  const toSeen = seenMatrix(frame)
  const covered = new Uint8Array(SAMPLES * SAMPLES)
  let formCount = 0
  let showsText = false
  const walk = new ContentWalk(document, {
    decode: decodeUpToLimit,
    // A form that is drawn twice covers two places.
    enter: ({ kind }) => (kind === 'form' ? String(formCount++) : kind === 'glyph' ? undefined : ''),
    operator(at) {
      showsText ||= TEXT_SHOWING_OPERATORS.has(at.reader.operator)
      const image = imageOf(document, at)
      if (!image) return
      const matrix = chainMatrices(at.state.matrix, toSeen)
      if (maySpell(readSize(document, image.dict), matrix)) cover(covered, boundsOf(mapCorners(matrix, UNIT)), frame)
    },
  })
  const share = (): number => covered.reduce((sum, one) => sum + one, 0) / covered.length
  walk.readPage(page)
  if (share() < SCAN_SHARE && !showsText) walk.readAppearances(page)
  return share()
}

/** The image that an operator draws. */
function imageOf(document: PdfDocument, walk: StreamWalk): PDFRawStream | undefined {
  const { reader } = walk
  if (reader.operator === 'BI') return readInlineStream(document, reader, () => undefined)
  const object = reader.operator === 'Do' ? document.peek(walk.resource('XObject', reader.name)) : undefined
  return object instanceof PDFRawStream && document.peek(object.dict.get(Name.Subtype)) === Name.Image
    ? object
    : undefined
}

/** Returns whether the pixels of an image are small enough for letters. `matrix` maps the image to points. */
function maySpell(size: { width: number; height: number } | undefined, [a, b, c, d]: Matrix): boolean {
  if (!size) return true
  return Math.max(Math.hypot(a, b) / size.width, Math.hypot(c, d) / size.height) < LARGE_PIXEL_PT
}

/** Marks the sampled points of a page inside bounds. */
function cover(covered: Uint8Array, { left, bottom, right, top }: Bounds, { width, height }: Frame): void {
  const range = (from: number, to: number): [number, number] => [
    Math.max(0, Math.ceil(from * SAMPLES - 0.5)),
    Math.min(SAMPLES, Math.ceil(to * SAMPLES - 0.5)),
  ]
  const [firstX, lastX] = range(left / width, right / width)
  const [firstY, lastY] = range(bottom / height, top / height)
  for (let y = firstY; y < lastY; y++) if (lastX > firstX) covered.fill(1, y * SAMPLES + firstX, y * SAMPLES + lastX)
}

/** Returns whether a page has invisible text, as after text recognition, or visible text outside its margins. */
function hasTextLayer(reader: PageReader, page: Page, frame: Frame): boolean {
  const { seen, unseen } = tellWords(reader.read(page), frame.visible)
  if (unseen.length > 0) return true
  const toSeen = seenMatrix(frame)
  const { width, height } = frame
  return seen.some(({ x, y }) => {
    const [seenX, seenY] = mapPoint(toSeen, x, y)
    return Math.min(seenX, width - seenX) > MARGIN * width && Math.min(seenY, height - seenY) > MARGIN * height
  })
}

/** Returns the pages that show one color. Pages that can't be drawn show something. */
async function findPlainPages(document: PdfDocument, indexes: readonly number[]): Promise<ReadonlySet<number>> {
  const plain = new Set<number>()
  if (indexes.length === 0) return plain
  try {
    for await (const { index, image } of drawPages(document, indexes, {
      dpi: DPI,
      leastDpi: 0,
      color: 'gray',
      annotations: true,
      limitMs: LIMIT_MS,
    }))
      if (image && !hasContrast(image, CONTRAST)) plain.add(index)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
  return plain
}

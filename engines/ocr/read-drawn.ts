import { EngineError } from '../errors'
import type { Box } from '../pdf-core/geometry/box'
import type { PdfDocument } from '../pdf-core/document/document'
import type { Page } from '../pdf-core/document/page-tree'
import type { SeenWords } from '../pdfium/render'
import { copyWithout } from './image/gray-image'
import type { GrayImage } from './image/gray-image'
import { arrangeWords } from './text/existing-text'
import { PageImages } from './page-source'
import { wordsOf } from './text/page-text'
import type { PageText } from './text/page-text'
import { readThoroughly } from './read-image'
import { recognizeInParallel } from './recognizer/recognizer-pool'
import type { Recognizer } from './recognizer/recognizer'

/** How what pages draw is read. */
export interface DrawnReading {
  /** Installed ones, the most important first. */
  languages: string[]
  /** Pixels an inch. */
  dpi: number
  pageLimitMs: number
  /** Positions of pages that are read as a whole, because their own text does not say what they show. */
  whole: ReadonlySet<number>
  /** Parts of a page that are not read, in pixels of its picture of `height` pixels at `dpi`; none when missing. */
  blanks?(pageIndex: number, image: { dpi: number; width: number; height: number }): Box[]
}

/** What was recognized on a page beside the text that it has. */
export interface DrawnText {
  pageIndex: number
  /** What each way of reading gave; none where there is nothing to read. */
  texts: PageText[]
  /** The page took longer than it may; `isCut`: not all ways were tried in that time. */
  isTimedOut: boolean
  isCut: boolean
  /** Whether the page shows letters in rows that none of them has. */
  hasUnreadInk: boolean
  /** Whether what was to be read is most of the page, as in a scan. */
  isScan: boolean
}

/** The share of the page from which on pictures make it a scan: text over it may be that of an earlier recognition. */
const SCAN_SHARE = 0.5

/** Shades by which something stands out from the paper. */
const CONTRAST = 12

/** A character without a meaning: what the glyphs of its word show has to be looked at. */
const MEANINGLESS = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u

/**
 * Reads what pages at these positions (from 0) show that is no text of theirs: words in pictures of any size and in
 * shapes, and glyphs of which the file does not say what they mean; `whole` pages are read as they look. All that is
 * recognized comes back, sure or not. Throws EngineError `too-large` and `unreadable` for a page that can't be drawn,
 * `timed-out` when every page took longer than it may.
 */
export async function readDrawn(
  document: PdfDocument,
  pageIndexes: readonly number[],
  options: DrawnReading,
): Promise<DrawnText[]> {
  const source = new PageImages(document)
  try {
    const pages = await recognizeInParallel(
      pageIndexes,
      { languages: options.languages, whitelist: '' },
      (pageIndex, recognize) => readPage({ document, source, pageIndex }, options, recognize),
    )
    if (pages.length > 0 && pages.every(({ isTimedOut }) => isTimedOut))
      throw new EngineError(
        'timed-out',
        `The pictures could not be read within ${options.pageLimitMs / 1000} seconds a page. A cleaner scan, fewer ` +
          'pages or fewer languages will do.',
      )
    return pages
  } finally {
    source.close()
  }
}

interface Place {
  document: PdfDocument
  source: PageImages
  pageIndex: number
}

async function readPage(
  { document, source, pageIndex }: Place,
  options: DrawnReading,
  recognize: Recognizer['recognize'],
): Promise<DrawnText> {
  const page = document.pages[pageIndex]
  if (!page) throw new RangeError(`there is no page at position ${pageIndex}`)
  const words = await source.tellWords(pageIndex)
  const isWhole = options.whole.has(pageIndex)
  const isScan = isWhole || words.seen.length === 0 || words.imageShare >= SCAN_SHARE
  const nothing = { pageIndex, texts: [], isTimedOut: false, isCut: false, hasUnreadInk: false, isScan }
  const drawn = await source.draw(pageIndex, options)
  if (drawn === undefined) return { ...nothing, isTimedOut: true }
  const { image, dpi } = drawn
  const kept = isWhole || words.imageShare >= SCAN_SHARE ? [] : placesOf({ document, page, words, dpi })
  const known = [...kept, ...(options.blanks?.(pageIndex, { dpi, width: image.width, height: image.height }) ?? [])]
  if (!isMarked(copyWithout(image, known))) return { ...nothing, isScan: false }
  try {
    const { texts, isIncomplete, isCut } = await readThoroughly(
      image,
      { dpi, turns: true, levels: true, limitMs: options.pageLimitMs, known },
      recognize,
    )
    return { ...nothing, texts, isCut, hasUnreadInk: isIncomplete }
  } catch (error) {
    if (error instanceof EngineError && error.reason === 'timed-out') return { ...nothing, isTimedOut: true }
    throw error
  }
}

/** Where words stand that are text, and known so. */
function placesOf({
  document,
  page,
  words,
  dpi,
}: {
  document: PdfDocument
  page: Page
  words: SeenWords
  dpi: number
}): Box[] {
  const scale = dpi / 72
  const known = arrangeWords(
    document,
    page,
    words.seen.filter(({ text }) => !MEANINGLESS.test(text)),
  )
  return wordsOf(known).map(({ box }) => ({
    x: (box.x - 1) * scale,
    y: (box.y - 1) * scale,
    width: (box.width + 2) * scale,
    height: (box.height + 2) * scale,
  }))
}

/** Whether a picture shows more than paper of one shade. */
function isMarked({ pixels }: GrayImage): boolean {
  let [least, most] = [255, 0]
  for (const shade of pixels) {
    if (shade < least) least = shade
    if (shade > most) most = shade
    if (most - least > CONTRAST) return true
  }
  return false
}

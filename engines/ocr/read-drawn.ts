import { EngineError } from '../errors'
import type { Box } from '../pdf-core/geometry/box'
import type { PdfDocument } from '../pdf-core/document/document'
import { copyWithout } from './image/gray-image'
import { boxesOfWords, hasContrast, type OpenPage, recognizeEach, unlessTimedOut } from './open-pages'
import { readThoroughly } from './read-image'
import type { Recognizer } from './recognizer/recognizer'
import { arrangeWords } from './text/existing-text'
import type { PageText } from './text/page-text'

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
  const settings = { languages: options.languages, whitelist: '' }
  const pages = await recognizeEach(document, { pageIndexes, settings }, (page, recognize) =>
    readPage(page, options, recognize),
  )
  if (pages.length > 0 && pages.every(({ isTimedOut }) => isTimedOut))
    throw new EngineError(
      'timed-out',
      `The images could not be recognized within ${options.pageLimitMs / 1000} seconds per page. Use a ` +
        'cleaner scan, fewer pages or fewer languages.',
    )
  return pages
}

async function readPage(
  openPage: OpenPage,
  options: DrawnReading,
  recognize: Recognizer['recognize'],
): Promise<DrawnText> {
  const { pageIndex, images, words } = openPage
  const isWhole = options.whole.has(pageIndex)
  const isScan = isWhole || words.seen.length === 0 || words.imageShare >= SCAN_SHARE
  const nothing = { pageIndex, texts: [], isTimedOut: false, isCut: false, hasUnreadInk: false, isScan }
  const drawn = await images.draw(pageIndex, options)
  if (drawn === undefined) return { ...nothing, isTimedOut: true }
  const { image, dpi } = drawn
  const textBoxes = isWhole || words.imageShare >= SCAN_SHARE ? [] : boxesOfKnownText(openPage, dpi)
  const blanks = options.blanks?.(pageIndex, { dpi, width: image.width, height: image.height }) ?? []
  const known = [...textBoxes, ...blanks]
  if (!hasContrast(copyWithout(image, known), CONTRAST)) return { ...nothing, isScan: false }
  const how = { dpi, turns: true, levels: true, limitMs: options.pageLimitMs, known }
  const reading = await unlessTimedOut(readThoroughly(image, how, recognize))
  if (reading === undefined) return { ...nothing, isTimedOut: true }
  return { ...nothing, texts: reading.texts, isCut: reading.isCut, hasUnreadInk: reading.isIncomplete }
}

/** Boxes around the words of a page whose meaning the file states. */
function boxesOfKnownText({ document, page, words }: OpenPage, dpi: number): Box[] {
  const meaningful = words.seen.filter(({ text }) => !MEANINGLESS.test(text))
  return boxesOfWords(arrangeWords(document, page, meaningful), dpi)
}

import { EngineError } from '../../errors'
import type { Box } from '../../pdf/geometry'
import type { PdfDocument } from '../../pdf/document'
import { copyWithout } from './scans/gray-image'
import { boxesOfWords, hasContrast, type OpenPage, recognizeEach, unlessTimedOut } from './open-pages'
import { readThoroughly } from './read-image'
import type { Recognizer } from './recognizer/recognizer'
import { arrangeWords } from './page-text/existing-text'
import type { PageText } from './page-text/page-text'

/** Settings for recognizing what pages draw. */
export interface DrawnReading {
  /** Installed languages, the most important first. */
  languages: string[]
  /** The resolution of the page images, in DPI. */
  dpi: number
  pageLimitMs: number
  /** Positions (from 0) of pages to recognize entirely, because their text doesn't say what they show. */
  whole: ReadonlySet<number>
  /** Returns the parts of a page that aren't recognized, in pixels from the upper-left corner of its image. */
  blanks?(pageIndex: number, image: { dpi: number; width: number; height: number }): Box[]
}

/** The text recognized on a page in addition to its existing text. */
export interface DrawnText {
  pageIndex: number
  /** The text of each recognition attempt. Empty if there is nothing to recognize. */
  texts: PageText[]
  /** The text of the page that wasn't recognized, because the file states it. Undefined if there is none. */
  stated: PageText | undefined
  /** Whether the page exceeded the time limit. */
  isTimedOut: boolean
  /** Whether the time ended before the last attempt. */
  isCut: boolean
  /** Whether the page shows rows of letters that none of the texts contains. */
  hasUnreadInk: boolean
  /** Whether most of the page was recognized, as in a scan. */
  isScan: boolean
}

/**
 * The minimum share of a page that images cover in a scan. Text over the images may come from an earlier recognition.
 */
const SCAN_SHARE = 0.5

/** The contrast in shades above which an image shows more than plain paper. */
const CONTRAST = 12

/** A character without a meaning. Words with such a character are recognized from their glyphs. */
const MEANINGLESS = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u

/**
 * Recognizes what the pages at these positions (from 0) show in addition to their text. This includes words in images
 * of any size, words in shapes, and glyphs whose meaning the file doesn't state. `whole` pages are recognized entirely.
 * Returns all recognized text, regardless of its confidence. Throws EngineError `too_large` or `damaged` for a page
 * that can't be rendered. Throws `timed_out` if every page exceeded the time limit.
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
      'timed_out',
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
  const nothing = {
    pageIndex,
    texts: [],
    stated: undefined,
    isTimedOut: false,
    isCut: false,
    hasUnreadInk: false,
    isScan,
  }
  const drawn = await images.draw(pageIndex, options)
  if (drawn === undefined) return { ...nothing, isTimedOut: true }
  const { image, dpi } = drawn
  const stated = isWhole || words.imageShare >= SCAN_SHARE ? undefined : arrangeStatedText(openPage)
  const textBoxes = stated ? boxesOfWords(stated, dpi) : []
  const blanks = options.blanks?.(pageIndex, { dpi, width: image.width, height: image.height }) ?? []
  const known = [...textBoxes, ...blanks]
  if (!hasContrast(copyWithout(image, known), CONTRAST)) return { ...nothing, isScan: false }
  const how = { dpi, turns: true, levels: true, limitMs: options.pageLimitMs, known }
  const reading = await unlessTimedOut(readThoroughly(image, how, recognize))
  if (reading === undefined) return { ...nothing, isTimedOut: true }
  return { ...nothing, texts: reading.texts, stated, isCut: reading.isCut, hasUnreadInk: reading.isIncomplete }
}

/** Returns the words of a page whose meaning the file states. */
function arrangeStatedText({ document, page, words }: OpenPage): PageText {
  return arrangeWords(
    document,
    page,
    words.seen.filter(({ text }) => !MEANINGLESS.test(text)),
  )
}

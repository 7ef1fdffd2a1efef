import { EngineError } from '../../errors'
import type { PdfDocument } from '../../pdf/document'
import { measureFrame } from '../../pdf/geometry'
import type { SeenWords } from '../../pdf/read-page'
import { withoutHidden } from '../../pdf/rewrite-content'
import { copyWithout } from './scans/gray-image'
import { boxesOfWords, hasContrast, type OpenPage, recognizeEach, unlessTimedOut } from './open-pages'
import { readImage } from './read-image'
import type { Recognizer } from './recognizer/recognizer'
import { arrangeWords } from './page-text/existing-text'
import { agrees, mergeTexts } from './page-text/join-texts'
import type { ReadPage } from './page-text/page-geometry'
import { meanConfidence, wordsOf } from './page-text/page-text'
import type { PageText } from './page-text/page-text'

/**
 * Which text is recognized. `auto`: pages without visible text, and images on other pages. Hidden text stays if it
 * agrees with the recognized text. `redo`: like `auto`, but recognized text replaces hidden text even if they agree.
 * `force`: all pages, including their visible text.
 */
export type ReadingMode = 'auto' | 'redo' | 'force'

/** Settings for the recognition of pages. */
export interface ReadingOptions {
  languages: string[]
  /** A folder with additional models. Undefined if there is none. */
  languagesFolder?: string | undefined
  whitelist: string
  mode: ReadingMode
  /** The resolution in DPI: one value for all pages, or a function of the page's position (from 0). */
  dpi: number | ((pageIndex: number) => number)
  /** Whether rotated pages are detected. */
  turns: boolean
  /** Whether skewed pages are deskewed. */
  levels: boolean
  pageLimitMs: number
}

/** The recognition of a page, and the changes that it requires to the text of the page. */
export interface RecognizedPage extends ReadPage {
  pageIndex: number
  /** The recognized text to add as invisible text. Undefined if the text of the page stays unchanged. */
  added: PageText | undefined
  /**
   * What to remove from the page: nothing, invisible text, all text, or all content. If all content is removed, an
   * image of the page replaces it.
   */
  removes: 'nothing' | 'without-ink' | 'all' | 'content'
  /** Whether the page exceeded the time limit. */
  isTimedOut: boolean
  /** Whether the recognized parts of the page show more than plain paper. */
  hasInk: boolean
  /** Whether the page shows rows of letters that weren't recognized. */
  hasUnreadInk: boolean
  isReduced: boolean
}

/** The minimum share of a page with text that images must cover to be recognized. */
const LEAST_IMAGES = 0.1

/** The mean confidence below which a page counts as having no text. Noise and photos also produce letters. */
const NO_TEXT = 30

/** The contrast in shades above which an image shows more than plain paper. */
const CONTRAST = 24

/** The minimum confidence of a word in an image on a page with text. Such images mostly show other things than text. */
const SURE = 60

/**
 * Recognizes the pages at these positions (from 0) in parallel. Returns the results in the order of the positions.
 * Throws EngineError `too_large` or `damaged` for a page that can't be rendered. Throws `timed_out` if every page
 * that needed recognition exceeded the time limit.
 */
export async function recognizePages(
  document: PdfDocument,
  pageIndexes: readonly number[],
  options: ReadingOptions,
): Promise<RecognizedPage[]> {
  const visible = await withoutHidden(document)
  const pages = await recognizeEach(visible, { pageIndexes, settings: options }, (page, recognize) =>
    readPage(page, { ...options, dpi: dpiOf(options, page.pageIndex) }, recognize),
  )
  const recognized = pages.filter(page => page.source === 'ocr')
  if (recognized.length > 0 && recognized.every(({ isTimedOut }) => isTimedOut)) {
    const which = recognized.length === 1 ? `Page ${recognized[0]?.pageNumber} could` : 'The pages could'
    throw new EngineError(
      'timed_out',
      `${which} not be recognized within ${options.pageLimitMs / 1000} seconds per page. Use a cleaner scan, ` +
        'a smaller scale or fewer languages.',
    )
  }
  return pages
}

function dpiOf({ dpi }: ReadingOptions, pageIndex: number): number {
  return typeof dpi === 'number' ? dpi : dpi(pageIndex)
}

async function readPage(
  { document, page, pageIndex, images, words }: OpenPage,
  options: ReadingOptions & { dpi: number },
  recognize: Recognizer['recognize'],
): Promise<RecognizedPage> {
  const { width, height } = measureFrame(document, page)
  const facts = {
    pageIndex,
    pageNumber: pageIndex + 1,
    width,
    height,
    dpi: options.dpi,
    added: undefined,
    removes: 'nothing',
    isTimedOut: false,
    hasInk: true,
    hasUnreadInk: false,
    isReduced: false,
  } as const
  const keepsText = options.mode !== 'force' && words.seen.length > 0
  const existingText = arrangeWords(document, page, words.seen)
  if (keepsText && words.imageShare < LEAST_IMAGES) return { ...facts, source: 'text', text: existingText }
  const onPaper = await images.draw(pageIndex, options)
  if (onPaper === undefined)
    return {
      ...facts,
      source: 'ocr',
      text: keepsText ? existingText : { ...existingText, blocks: [] },
      isTimedOut: true,
    }
  const { image, dpi } = onPaper
  const drawn = { ...facts, dpi, isReduced: dpi < options.dpi, source: 'ocr' as const }
  const known = keepsText ? boxesOfWords(existingText, dpi) : []
  const hasInk = hasContrast(keepsText ? copyWithout(image, known) : image, CONTRAST)
  const how = { dpi, turns: options.turns, levels: options.levels, limitMs: options.pageLimitMs, known }
  const read = hasInk ? await unlessTimedOut(readImage(image, how, recognize)) : undefined
  const isTimedOut = hasInk && read === undefined
  const found = read?.text ?? { ...existingText, blocks: [] }
  const hasUnreadInk = read?.isIncomplete ?? false
  if (keepsText) {
    const sure = keepWords(found, SURE)
    if (wordsOf(sure).length === 0) return { ...facts, dpi, source: 'text', text: existingText, hasUnreadInk }
    return {
      ...drawn,
      text: mergeTexts(existingText, sure),
      ...decide(words, sure, options.mode),
      hasInk,
      hasUnreadInk,
      isTimedOut,
    }
  }
  const text = (meanConfidence(wordsOf(found)) ?? 0) < NO_TEXT ? { ...found, blocks: [] } : found
  return { ...drawn, text, ...decide(words, text, options.mode), hasInk, hasUnreadInk, isTimedOut }
}

/**
 * Decides which text to add to the page and what to remove from it. Existing text stays if nothing was recognized. In
 * mode `auto`, hidden text also stays if it agrees with the recognized text.
 */
function decide(words: SeenWords, found: PageText, mode: ReadingMode): Pick<RecognizedPage, 'added' | 'removes'> {
  if (wordsOf(found).length === 0) return { added: undefined, removes: 'nothing' }
  if (mode === 'force' && words.seen.length > 0) return { added: found, removes: 'content' }
  if (words.unseen.length === 0) return { added: found, removes: 'nothing' }
  if (
    mode === 'auto' &&
    agrees(
      words.unseen.map(({ text }) => text),
      wordsOf(found).map(({ text }) => text),
    )
  )
    return { added: undefined, removes: 'nothing' }
  return { added: found, removes: words.isInkCovered && words.seen.length === 0 ? 'all' : 'without-ink' }
}

function keepWords(page: PageText, least: number): PageText {
  const blocks = page.blocks.map(({ paragraphs }) => ({
    paragraphs: paragraphs
      .map(({ lines }) => ({
        lines: lines
          .map(line => ({ ...line, words: line.words.filter(({ confidence = 100 }) => confidence >= least) }))
          .filter(({ words }) => words.length > 0),
      }))
      .filter(({ lines }) => lines.length > 0),
  }))
  return { ...page, blocks: blocks.filter(({ paragraphs }) => paragraphs.length > 0) }
}

import { EngineError } from '../errors'
import type { PdfDocument } from '../pdf-core/document/document'
import { measureFrame } from '../pdf-core/geometry/frame'
import type { SeenWords } from '../pdfium/render'
import { copyWithout } from './image/gray-image'
import { boxesOfWords, hasContrast, type OpenPage, recognizeEach, unlessTimedOut } from './open-pages'
import { readImage } from './read-image'
import type { Recognizer } from './recognizer/recognizer'
import { arrangeWords } from './text/existing-text'
import { agrees, mergeTexts } from './text/join-texts'
import type { ReadPage } from './text/page-geometry'
import { meanConfidence, wordsOf } from './text/page-text'
import type { PageText } from './text/page-text'
import { withoutHidden } from './visible-document'

/**
 * Which pages are recognized: those without text of their own and pictures on the others, or those with an unseen text
 * too, or all.
 */
export type ReadingMode = 'auto' | 'redo' | 'force'

/** How pages are read. */
export interface ReadingOptions {
  languages: string[]
  /** Folder of models besides those of packages; none when missing. */
  languagesFolder?: string | undefined
  whitelist: string
  mode: ReadingMode
  /** Pixels an inch, of all pages, or of the page at a position from 0. */
  dpi: number | ((pageIndex: number) => number)
  /** Whether pages that stand on their side or head are found. */
  turns: boolean
  /** Whether lines that slope are levelled. */
  levels: boolean
  pageLimitMs: number
}

/** What was read on a page, and what that means for the page's own text. */
export interface RecognizedPage extends ReadPage {
  pageIndex: number
  /** What is to be found on the page beside the text that is seen; undefined where the page keeps what it has. */
  added: PageText | undefined
  /** What of the page goes for that: text of its own, or all that it draws, in whose place a picture of it comes. */
  removes: 'nothing' | 'without-ink' | 'all' | 'content'
  /** The page took longer than it may. */
  isTimedOut: boolean
  /** Whether anything but paper is on the page. */
  hasInk: boolean
  /** Whether the page shows letters in rows that were not read. */
  hasUnreadInk: boolean
  isReduced: boolean
}

/** Pictures on a page that cover less of it than this are not searched for text when the page has text. */
const LEAST_IMAGES = 0.1

/** Mean confidence below which nothing was read: noise and photographs give letters too. */
const NO_TEXT = 30

/** Shades by which something stands out from the paper. */
const CONTRAST = 24

/** Confidence that a word needs in a picture on a page that has text: pictures there mostly show other things. */
const SURE = 60

/**
 * Reads pages at these positions (from 0), several at once; gives them in that order. Throws EngineError `too-large`
 * and `unreadable` for a page that can't be drawn, `timed-out` when every page that had to be recognized took longer
 * than it may.
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
      'timed-out',
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
 * Text that the page has stays when nothing was read, and so does an unseen one that says the same, unless it shall be
 * redone.
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

import { EngineError } from '../../../errors'
import { meanConfidence, wordsOf } from '../../ocr/page-text/page-text'
import type { PageText } from '../../ocr/page-text/page-text'
import { readDrawn } from '../../ocr/read-drawn'
import type { DrawnText } from '../../ocr/read-drawn'
import type { Box } from '../../../pdf/geometry'
import type { PdfDocument } from '../../../pdf/document'
import { isAmong, joinReadings } from './join-readings'
import { emptyPage, makeArea } from '../areas/areas'
import type { PageAreas } from '../areas/areas'
import { placeLine, placeWords } from './recognized-boxes'
import { matchRecognized } from './recognized-text'
import type { WordMatch } from './recognized-text'
import type { Rule } from '../search-rules/rule'
import { findUnsearchablePages } from '../meaning/unsearchable-text'

/** Maximum number of pages that one request may recognize, as in pdf-ocr. */
const MOST_PAGES = 200

/** The resolution for text recognition, in DPI. */
const DPI = 216

/** The mean confidence below which a scan gets a warning that words may have been missed. */
const LOW_CONFIDENCE = 60

/** The share of a box that an existing area must cover to count as the same match. */
const SAME_SHARE = 0.5

/** How far a box may extend beyond an earlier box without needing its own area. */
const SLACK_PT = 0.5

/** Settings of text recognition. */
export interface Recognition {
  /** Codes of installed languages. */
  languages: string[]
  pageLimitMs: number
  paddingPt: number
}

/**
 * Finds matches of rules in the images of pages, and later checks that they were removed. Text that could not be
 * recognized with confidence adds the warning `ocr-low-confidence`.
 */
export class ImageSearch {
  readonly unreadReason = 'ocr-low-confidence'
  /** Lines with removed words, by page, as boxes on the page as displayed. `findLeft` recognizes these lines again. */
  private readonly lines = new Map<number, Box[]>()
  private whole: ReadonlySet<number> = new Set()

  constructor(
    private readonly rules: readonly Rule[],
    private readonly recognition: Recognition,
    private readonly isOn = (rule: Rule, index: number): boolean => rule.isOn(index),
  ) {}

  /**
   * Recognizes whole pages, such as sheets that show one image each. `known` are places of words that were counted
   * before. Returns areas over all matches, and the positions of pages that could not be read completely.
   */
  async findOnSheets(
    document: PdfDocument,
    indexes: readonly number[],
    known: readonly PageAreas[],
  ): Promise<{ found: PageAreas[]; unread: number[] }> {
    try {
      const read = await readDrawn(document, indexes, { ...this.recognition, dpi: DPI, whole: new Set(indexes) })
      const unread = read.flatMap(({ pageIndex, isTimedOut, isCut, hasUnreadInk }) =>
        isTimedOut || isCut || hasUnreadInk ? [pageIndex] : [],
      )
      return { found: this.place(document, read, known, false), unread }
    } catch (error) {
      if (!(error instanceof EngineError) || !['timed_out', 'damaged'].includes(error.reason)) throw error
      return { found: [], unread: [...indexes] }
    }
  }

  /**
   * Returns areas over the matches in the images of the document, by page. `known` are areas that were found in other
   * ways. A word under one of them, as in a searchable scan, isn't counted again. On pages at `unsearchable` positions,
   * the whole page is recognized. If `unsearchable` is missing, this function determines these pages. Throws
   * EngineError `too_large` for too many pages, and `damaged` and `timed_out` like text recognition.
   */
  async find(
    document: PdfDocument,
    known: readonly PageAreas[],
    unsearchable?: ReadonlySet<number>,
  ): Promise<PageAreas[]> {
    const indexes = document.pages.flatMap((_, index) => (this.rules.some(rule => rule.isOn(index)) ? [index] : []))
    if (indexes.length > MOST_PAGES)
      throw new EngineError(
        'too_large',
        `options.ocr: must cover at most ${MOST_PAGES} pages. Got ${indexes.length.toLocaleString('en')}. ` +
          `Select fewer with "pages" of the rules, such as "1-${MOST_PAGES}".`,
        { param: 'options.ocr' },
      )
    this.whole = unsearchable ?? findUnsearchablePages(document, indexes)
    const read = await readDrawn(document, indexes, { ...this.recognition, dpi: DPI, whole: this.whole })
    if (read.some(isUnsure)) document.warnings.add('ocr-low-confidence')
    return this.place(document, read, known)
  }

  /** Recognizes the redacted lines again, without their areas. Returns areas over matches that are still readable. */
  async findLeft(document: PdfDocument, areas: readonly PageAreas[]): Promise<PageAreas[]> {
    const byPage = new Map(areas.map(page => [page.index, page]))
    const indexes = [...this.lines.keys()].filter(index => byPage.has(index)).sort((one, other) => one - other)
    if (indexes.length === 0) return []
    const read = await readDrawn(document, indexes, {
      ...this.recognition,
      dpi: DPI,
      whole: this.whole,
      blanks: (pageIndex, image) => {
        const page = byPage.get(pageIndex)
        return page
          ? [
              ...page.areas.flatMap(({ box }) => box ?? []),
              ...outsideOf(this.lines.get(pageIndex) ?? [], page.frame),
            ].map(box => toPixels(box, page.frame.height, image.dpi))
          : []
      },
    })
    if (read.some(({ isTimedOut, isCut }) => isTimedOut || isCut)) document.warnings.add('ocr-low-confidence')
    return this.place(document, read, [])
  }

  /** If `areCovered` is `true`, known places need no areas of their own. */
  private place(
    document: PdfDocument,
    read: readonly DrawnText[],
    known: readonly PageAreas[],
    areCovered = true,
  ): PageAreas[] {
    const found: PageAreas[] = []
    for (const { pageIndex, texts, stated } of read) {
      const page = emptyPage(document, pageIndex)
      const foundBoxes = known.find(({ index }) => index === pageIndex)?.areas.flatMap(({ box }) => box ?? []) ?? []
      const before = areCovered ? foundBoxes : []
      const joined = texts.length > 1 ? joinReadings(texts) : undefined
      const counted = new Map(this.rules.map(rule => [rule, [...foundBoxes]]))
      for (const text of joined ? [...texts, joined] : texts) this.addMatches(page, text, { before, counted })
      // A word may continue from an image to text beside it.
      const [first] = texts
      const mixed = first && stated && joinReadings([joined ?? first, stated])
      if (mixed) this.addMatches(page, mixed, { before, counted, isMixed: true })
      if (page.areas.length > 0) found.push(page)
    }
    return found
  }

  /** Adds areas over the matches in one reading of a page. Matches of earlier readings aren't counted again. */
  private addMatches(
    page: PageAreas,
    text: PageText,
    {
      before: foundBoxes,
      counted,
      isMixed = false,
    }: { before: Box[]; counted: ReadonlyMap<Rule, Box[]>; isMixed?: boolean },
  ): void {
    const { recognition, lines } = this
    for (const { rule, matches } of matchRecognized(
      text,
      this.rules.filter(one => this.isOn(one, page.index)),
    )) {
      for (const match of isMixed ? matches.filter(areBothKinds) : matches) {
        const boxes = match.flatMap(({ line, first, last }) => placeWords(text, line, first, last))
        const isKnown = boxes.every(box => isAmong(box, counted.get(rule) ?? [], SAME_SHARE))
        counted.get(rule)?.push(...boxes)
        if (!isKnown)
          rule.countRecognized(
            match
              .flatMap(({ line, first, last }) => line.words.slice(first, last + 1).map(word => word.text))
              .join(' '),
          )
        lines.set(page.index, [...(lines.get(page.index) ?? []), ...match.map(({ line }) => placeLine(text, line))])
        for (const [index, box] of boxes.entries()) {
          if (isInside(box, foundBoxes)) continue
          const replacementText = index === 0 && !isKnown ? rule.replacementText : undefined
          page.areas.push(
            makeArea(page.frame, box, {
              paddingPt: recognition.paddingPt,
              param: `${rule.param}.replacementText`,
              replacementText,
            }),
          )
        }
      }
    }
    foundBoxes.push(...page.areas.flatMap(({ box }) => box ?? []))
  }
}

/** Returns whether a match has recognized words as well as words of the page's text. */
function areBothKinds(match: WordMatch): boolean {
  const words = match.flatMap(({ line, first, last }) => line.words.slice(first, last + 1))
  return (
    words.some(({ confidence }) => confidence === undefined) && words.some(({ confidence }) => confidence !== undefined)
  )
}

/**
 * Returns whether a page has letters that were not recognized, or is a scan with low confidence. On other pages, images
 * mostly show no words, so low confidence doesn't matter.
 */
function isUnsure({ texts, isTimedOut, isCut, hasUnreadInk, isScan }: DrawnText): boolean {
  if (isTimedOut || isCut || hasUnreadInk) return true
  return (
    isScan && texts.length > 0 && Math.max(...texts.map(text => meanConfidence(wordsOf(text)) ?? 0)) < LOW_CONFIDENCE
  )
}

/** Returns whether a box lies in an area, with a tolerance of `SLACK_PT`. */
function isInside({ x, y, width, height }: Box, areas: readonly Box[]): boolean {
  return areas.some(
    area =>
      x >= area.x - SLACK_PT &&
      y >= area.y - SLACK_PT &&
      x + width <= area.x + area.width + SLACK_PT &&
      y + height <= area.y + area.height + SLACK_PT,
  )
}

/**
 * Returns the parts of a page outside the lines, as full-width bands, or as full-height bands if lines run vertically.
 */
function outsideOf(lines: readonly Box[], { width, height }: { width: number; height: number }): Box[] {
  const isUpright = lines.filter(line => line.height > line.width).length > lines.length / 2
  const stretches = lines
    .map(({ x, y, width: across, height: up }): [number, number] => (isUpright ? [x, x + across] : [y, y + up]))
    .sort(([one], [other]) => one - other)
  const gaps: Box[] = []
  let at = 0
  for (const [start, end] of [...stretches, [isUpright ? width : height, Infinity] as [number, number]]) {
    if (start > at)
      gaps.push(isUpright ? { x: at, y: 0, width: start - at, height } : { x: 0, y: at, width, height: start - at })
    at = Math.max(at, end)
  }
  return gaps
}

function toPixels({ x, y, width, height }: Box, pageHeight: number, dpi: number): Box {
  const scale = dpi / 72
  return { x: x * scale, y: (pageHeight - y - height) * scale, width: width * scale, height: height * scale }
}

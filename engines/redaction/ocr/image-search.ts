import { EngineError } from '../../errors'
import { meanConfidence, wordsOf } from '../../ocr/text/page-text'
import type { PageText } from '../../ocr/text/page-text'
import { readDrawn } from '../../ocr/read-drawn'
import type { DrawnText } from '../../ocr/read-drawn'
import type { Box } from '../../pdf-core/geometry/box'
import { intersectBoxes } from '../../pdf-core/geometry/box'
import type { PdfDocument } from '../../pdf-core/document/document'
import { joinReadings } from './join-readings'
import { emptyPage, makeArea } from '../areas/areas'
import type { PageAreas } from '../areas/areas'
import { placeLine, placeWords } from './recognized-places'
import { matchRecognized } from './recognized-text'
import type { Rule } from '../search/search'
import { findUnsearchablePages } from '../fonts/unsearchable-text'

/** Pages that one call may read, as with text recognition itself. */
const MOST_PAGES = 200

/** Pixels an inch, as text recognition has them. */
const DPI = 216

/** Mean confidence below which it is said that words may have been missed. */
const SURE = 60

/** The part of a box from which on an area that is there already is the same place. */
const SAME_SHARE = 0.5

/** How much larger the box of a place may be that was found before, where another reading found it too. */
const SLACK_PT = 0.5

/** How pictures are read. */
export interface Recognition {
  /** Installed ones. */
  languages: string[]
  pageLimitMs: number
  paddingPt: number
}

/**
 * Finds what rules match in the pictures of pages, and later looks whether it is gone. What could not be read with
 * confidence gives the warning `ocr-low-confidence`.
 */
export class ImageSearch {
  /** The lines of which words went, by page: what is read again. Boxes on the page as seen. */
  private readonly lines = new Map<number, Box[]>()
  private whole: ReadonlySet<number> = new Set()

  constructor(
    private readonly rules: readonly Rule[],
    private readonly recognition: Recognition,
  ) {}

  /**
   * The areas of what rules match in the pictures of the document, by page. `known` are those that were found
   * otherwise: a word that lies under one of them, as in a searchable scan, is not counted again. Pages at
   * `unsearchable` positions are read as they look, whatever their own text says; when missing, they are looked for.
   * Throws EngineError `too-large` for too many pages, `unreadable` and `timed-out` as text recognition does.
   */
  async find(
    document: PdfDocument,
    known: readonly PageAreas[],
    unsearchable?: ReadonlySet<number>,
  ): Promise<PageAreas[]> {
    const indexes = document.pages.flatMap((_, index) => (this.rules.some(rule => rule.isOn(index)) ? [index] : []))
    if (indexes.length > MOST_PAGES)
      throw new EngineError(
        'too-large',
        `options.ocr: ${indexes.length.toLocaleString('en')} pages are more than the ${MOST_PAGES} whose pictures ` +
          `one call may read; choose fewer with "pages" of the rules, such as "1-${MOST_PAGES}"`,
        { param: 'options.ocr' },
      )
    this.whole = unsearchable ?? findUnsearchablePages(document, indexes)
    const read = await readDrawn(document, indexes, { ...this.recognition, dpi: DPI, whole: this.whole })
    if (read.some(isUnsure)) document.warnings.add('ocr-low-confidence')
    return this.place(document, read, known)
  }

  /** What can still be read where words went, with the areas left out: areas of that, none when all is gone. */
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

  private place(document: PdfDocument, read: readonly DrawnText[], known: readonly PageAreas[]): PageAreas[] {
    const found: PageAreas[] = []
    for (const { pageIndex, texts } of read) {
      const page = emptyPage(document, pageIndex)
      const before = known.find(({ index }) => index === pageIndex)?.areas.flatMap(({ box }) => box ?? []) ?? []
      const joined = texts.length > 1 ? joinReadings(texts) : undefined
      const counted = new Map(this.rules.map(rule => [rule, [...before]]))
      for (const text of joined ? [...texts, joined] : texts) this.placeMatches(page, text, { before, counted })
      if (page.areas.length > 0) found.push(page)
    }
    return found
  }

  /** Adds the areas of what matches in one reading of a page; what others found before is one place with it. */
  private placeMatches(
    page: PageAreas,
    text: PageText,
    { before, counted }: { before: Box[]; counted: ReadonlyMap<Rule, Box[]> },
  ): void {
    const { recognition, lines } = this
    for (const { rule, matches } of matchRecognized(
      text,
      this.rules.filter(one => one.isOn(page.index)),
    )) {
      for (const match of matches) {
        const boxes = match.flatMap(({ line, first, last }) => placeWords(text, line, first, last))
        const isKnown = boxes.every(box => isCovered(box, counted.get(rule) ?? []))
        counted.get(rule)?.push(...boxes)
        if (!isKnown)
          rule.countRecognized(
            match
              .flatMap(({ line, first, last }) => line.words.slice(first, last + 1).map(word => word.text))
              .join(' '),
          )
        lines.set(page.index, [...(lines.get(page.index) ?? []), ...match.map(({ line }) => placeLine(text, line))])
        for (const [index, box] of boxes.entries()) {
          if (isInside(box, before)) continue
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
    before.push(...page.areas.flatMap(({ box }) => box ?? []))
  }
}

/**
 * A page with letters that were not read, or a scan of which little or nothing was; on other pages pictures mostly show
 * no words.
 */
function isUnsure({ texts, isTimedOut, isCut, hasUnreadInk, isScan }: DrawnText): boolean {
  if (isTimedOut || isCut || hasUnreadInk) return true
  return isScan && texts.length > 0 && Math.max(...texts.map(text => meanConfidence(wordsOf(text)) ?? 0)) < SURE
}

function isCovered(box: Box, areas: readonly Box[]): boolean {
  return areas.some(area => {
    const shared = intersectBoxes(box, area)
    return (
      shared !== undefined &&
      shared.width * shared.height >= SAME_SHARE * Math.min(box.width * box.height, area.width * area.height)
    )
  })
}

/** Whether a box lies in another one, but for a little at its edges. */
function isInside({ x, y, width, height }: Box, areas: readonly Box[]): boolean {
  return areas.some(
    area =>
      x >= area.x - SLACK_PT &&
      y >= area.y - SLACK_PT &&
      x + width <= area.x + area.width + SLACK_PT &&
      y + height <= area.y + area.height + SLACK_PT,
  )
}

/** The page beside boxes, as bands from side to side, or from end to end where lines run that way. */
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

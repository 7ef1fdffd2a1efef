import { medianOf } from './lines/model'
import type { TextLine } from './lines/model'

/** Headers and footers are in this share of the page at its top and bottom. */
const ZONE = 0.11

/** Lines at the same place differ by at most this many points. */
const SAME_PLACE = 4

/** Space between a header or a footer and the text, in ems. */
const LEAST_SPACE = 0.8

/** More lines than this at an edge are no header or footer. */
const MAX_LINES = 40

/** A page number, with or without words. */
const PAGE_NUMBER =
  /^(\p{L}{1,9}\.?\s)?[-–—]?\s?(\d{1,4}|[ivxlc]{1,7})\s?[-–—]?(\s?(\/|of|von|sur|de|di|av|af|van|z)\s?\d{1,4})?$/iu

/** The lines of a page and its height, in points. */
interface PageLines {
  lines: readonly TextLine[]
  height: number
}

type Place = 'header' | 'footer'

/** Finds the headers and footers of pages: lines at the top and bottom that other pages repeat, and page numbers. */
export function findRunningLines(pages: readonly PageLines[]): Map<TextLine, Place> {
  const found = new Map<TextLine, Place>()
  const candidates = pages.map(page => [...edgeLines(page, 'header'), ...edgeLines(page, 'footer')])
  const counts = new Map<string, { pages: Set<number>; tops: number[] }>()
  for (const [at, lines] of candidates.entries())
    for (const { line, place } of lines) {
      const key = keyOf(line, place)
      const entry = counts.get(key) ?? { pages: new Set(), tops: [] }
      entry.pages.add(at)
      entry.tops.push(place === 'header' ? line.baseline : (pages[at]?.height ?? 0) - line.baseline)
      counts.set(key, entry)
    }
  for (const [at, lines] of candidates.entries())
    for (const { line, place } of lines) {
      const entry = counts.get(keyOf(line, place))
      const top = place === 'header' ? line.baseline : (pages[at]?.height ?? 0) - line.baseline
      const isRepeated = entry && entry.pages.size >= 2 && Math.abs(medianOf(entry.tops) - top) <= SAME_PLACE
      const isRunning =
        isRepeated || isBesideNumber(line, pages[at], at + 1) || (place === 'footer' && isLastNumber(line, pages[at]))
      if (isRunning) found.set(line, place)
    }
  return found
}

/** The lines at the top or bottom that have space between them and the text. From the edge of the page. */
function edgeLines({ lines, height }: PageLines, place: Place): { line: TextLine; place: Place }[] {
  const isInZone = (line: TextLine): boolean =>
    place === 'header' ? line.bottom <= ZONE * height : line.top >= (1 - ZONE) * height
  const inside = lines.filter(isInZone)
  if (inside.length > MAX_LINES) return []
  const others = lines.filter(line => !isInZone(line))
  return inside
    .filter(line => {
      // A header has at most three parts. More are the first row of a table.
      if (inside.filter(other => Math.abs(other.baseline - line.baseline) < 2).length > 3) return false
      const nearest = Math.min(
        ...others.map(other => (place === 'header' ? other.top - line.bottom : line.top - other.bottom)),
        Infinity,
      )
      return nearest >= LEAST_SPACE * line.size
    })
    .map(line => ({ line, place }))
}

function keyOf(line: TextLine, place: Place): string {
  return `${place} ${textOf(line).replace(/\d+/g, '#').toLowerCase()}`
}

function textOf({ words }: TextLine): string {
  return words.map(({ text }) => text).join(' ')
}

/** Returns whether the number of the page is at the other end of the row of a line, far from other lines. */
function isBesideNumber(line: TextLine, page: PageLines | undefined, pageNumber: number): boolean {
  if (!page) return false
  const row = page.lines.filter(other => Math.abs(other.baseline - line.baseline) < 1)
  return (
    row.length >= 2 &&
    row.length <= 3 &&
    row.some(other => textOf(other) === `${pageNumber}`) &&
    page.lines.every(
      other => row.includes(other) || Math.abs(other.baseline - line.baseline) > (1 + LEAST_SPACE) * line.size,
    )
  )
}

/** Returns whether a line is a page number and the last line of its page. */
function isLastNumber(line: TextLine, page: PageLines | undefined): boolean {
  return (
    page !== undefined &&
    PAGE_NUMBER.test(textOf(line)) &&
    page.lines.length > 3 &&
    page.lines.every(other => other.baseline <= line.baseline + 1) &&
    page.lines.every(
      other => other === line || Math.abs(other.baseline - line.baseline) > 2 || PAGE_NUMBER.test(textOf(other)),
    ) &&
    /\d/.test(textOf(line))
  )
}

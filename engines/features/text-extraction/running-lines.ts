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

/** A header or footer, which is a line of the text. */
export interface RunningLine {
  line: TextLine
  place: 'header' | 'footer'
}

/** A line that may be a header or footer. */
interface Candidate extends RunningLine {
  text: string
  /** Lines of different pages with the same key have the same text, except for numbers. */
  key: string
  /** Distance of its baseline from the edge of the page. */
  distance: number
}

/** For each page, its headers and footers: lines at the top and bottom that other pages repeat, and page numbers. */
export function findRunningLines(pages: readonly PageLines[]): RunningLine[][] {
  const candidates = pages.map(page => [...edgeLines(page, 'header'), ...edgeLines(page, 'footer')])
  const entries = new Map<string, { pages: Set<number>; distances: number[] }>()
  for (const [at, own] of candidates.entries())
    for (const { key, distance } of own) {
      const entry = entries.get(key) ?? { pages: new Set(), distances: [] }
      entry.pages.add(at)
      entry.distances.push(distance)
      entries.set(key, entry)
    }
  const usual = new Map<string, number>()
  for (const [key, entry] of entries) if (entry.pages.size >= 2) usual.set(key, medianOf(entry.distances))
  return pages.map((page, at) =>
    (candidates[at] ?? []).filter(candidate => {
      const { key, distance, place } = candidate
      const isRepeated = Math.abs((usual.get(key) ?? Infinity) - distance) <= SAME_PLACE
      return (
        isRepeated || isBesideNumber(candidate, page, at + 1) || (place === 'footer' && isLastNumber(candidate, page))
      )
    }),
  )
}

/** The lines at the top or bottom that have space between them and the text. From the edge of the page. */
function edgeLines({ lines, height }: PageLines, place: RunningLine['place']): Candidate[] {
  const inside: TextLine[] = []
  /** The edge of the other lines that is nearest to the edge of the page. */
  let nearest = place === 'header' ? Infinity : -Infinity
  for (const line of lines) {
    if (place === 'header' ? line.bottom <= ZONE * height : line.top >= (1 - ZONE) * height) inside.push(line)
    else nearest = place === 'header' ? Math.min(nearest, line.top) : Math.max(nearest, line.bottom)
  }
  if (inside.length > MAX_LINES) return []
  return inside.flatMap(line => {
    // A header has at most three parts. More are the first row of a table.
    if (inside.filter(other => Math.abs(other.baseline - line.baseline) < 2).length > 3) return []
    const space = place === 'header' ? nearest - line.bottom : line.top - nearest
    if (space < LEAST_SPACE * line.size) return []
    const text = textOf(line)
    const key = `${place} ${text.replace(/\d+/g, '#').toLowerCase()}`
    return [{ line, place, text, key, distance: place === 'header' ? line.baseline : height - line.baseline }]
  })
}

function textOf({ words }: TextLine): string {
  return words.map(({ text }) => text).join(' ')
}

/** Returns whether the number of the page is at the other end of the row of a line, far from other lines. */
function isBesideNumber({ line }: Candidate, { lines }: PageLines, pageNumber: number): boolean {
  const row = lines.filter(other => Math.abs(other.baseline - line.baseline) < 1)
  return (
    row.length >= 2 &&
    row.length <= 3 &&
    row.some(other => textOf(other) === `${pageNumber}`) &&
    lines.every(
      other => row.includes(other) || Math.abs(other.baseline - line.baseline) > (1 + LEAST_SPACE) * line.size,
    )
  )
}

/** Returns whether a line is a page number and the last line of its page. */
function isLastNumber({ line, text }: Candidate, { lines }: PageLines): boolean {
  return (
    PAGE_NUMBER.test(text) &&
    /\d/.test(text) &&
    lines.length > 3 &&
    lines.every(other => other.baseline <= line.baseline + 1) &&
    lines.every(
      other => other === line || Math.abs(other.baseline - line.baseline) > 2 || PAGE_NUMBER.test(textOf(other)),
    )
  )
}

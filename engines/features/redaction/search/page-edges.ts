import type { Box } from '../../../pdf/geometry'
import type { PageText } from '../../../pdf/render'
import { joinLines } from './column-order'
import type { OrderedText } from './column-order'

/** The share of the page height, at the top and at the bottom, that may contain headers and footers. */
const BAND = 0.14

/** Minimum distance of a header or footer from the text, in line spacings. */
const APART = 1.35

/** Maximum height of a footnote, in heights of the text above it. */
const NOTE_SHARE = 0.9

const PAGE_NUMBER =
  /^[\s\p{P}\p{S}]*(?:\p{L}{0,12}\.?\s*)?(?:\d{1,5}|[ivxlc]{1,8})(?:\s*(?:\p{L}{1,5}|[/|–-])\s*\d{1,5})?[\s\p{P}\p{S}]*$/iu

/**
 * A line of a page: its first and last character, and its middle in points from the lower edge of the page as
 * displayed.
 */
interface Line {
  first: number
  last: number
  middle: number
  /** The height of its first character. */
  height: number
  text: string
}

/** The possible beginnings (`heads`) and ends (`tails`) of a page's text, with and without headers and footers. */
export interface PageEdges {
  index: number
  heads: OrderedText[]
  tails: OrderedText[]
}

/** The data of a page for determining where its text begins and ends. */
export interface EdgeSource {
  index: number
  characters: PageText
  columns: OrderedText | undefined
  /** The number of characters to return from the beginning and from the end of the page. */
  reach: number
  /** The height of the page as displayed. */
  heightPt: number
  /** Lines in the margins of earlier pages, with numbers replaced. The lines of this page are added. */
  running: Set<string>
  toSeen(box: Box): Box
}

/**
 * Returns the beginnings and ends of a page's text in several readings: complete, without page numbers, without headers
 * and footers, and column by column. Returns undefined for a page without text.
 */
export function readEdges({
  index,
  characters,
  columns,
  reach,
  heightPt,
  running,
  toSeen,
}: EdgeSource): PageEdges | undefined {
  const { texts } = characters
  const lines = splitLines(texts).map(line => placeLine(line, characters, toSeen))
  if (lines.length === 0) return undefined
  const marginLines = findMarginLines(lines, { heightPt, running })
  const numbers = new Set([...marginLines].filter(line => PAGE_NUMBER.test(line.text)))
  const bodies = [new Set<Line>(), numbers, marginLines].map(omittedLines =>
    joinLines(
      lines.filter(line => !omittedLines.has(line)),
      texts,
    ),
  )
  if (columns) bodies.push(columns)
  const notes = findNotes(lines.filter(line => !marginLines.has(line)))
  const withoutNotes = joinLines(
    lines.filter(line => !marginLines.has(line) && !notes.has(line)),
    texts,
  )
  if (notes.size > 0) bodies.push(withoutNotes)
  return {
    index,
    heads: unique(bodies.map(body => sliceText(body, 0, reach))),
    tails: unique(bodies.map(body => sliceText(body, Math.max(0, body.order.length - reach), body.order.length))),
  }
}

/** Returns the characters from `from` up to `to` (exclusive), with their positions in the page. */
function sliceText({ characters, order }: OrderedText, from: number, to: number): OrderedText {
  return { characters: characters.slice(from, to), order: order.slice(from, to) }
}

function unique(texts: readonly OrderedText[]): OrderedText[] {
  const textsByKey = new Map(
    texts.map(text => [
      `${text.order.length} ${text.order.reduce((sum, position, at) => (sum * 31 + position + at) | 0, 7)}`,
      text,
    ]),
  )
  return [...textsByKey.values()].filter(({ order }) => order.length > 0)
}

function splitLines(texts: readonly string[]): { first: number; last: number }[] {
  const lines: { first: number; last: number }[] = []
  for (let first = 0; first < texts.length;) {
    let last = first
    while (last < texts.length && !isLineEnd(texts[last] as string)) last++
    if (last > first) lines.push({ first, last: last - 1 })
    first = last + 1
  }
  return lines
}

function isLineEnd(character: string): boolean {
  return character === '\n' || character === '\r'
}

function placeLine(
  { first, last }: { first: number; last: number },
  characters: PageText,
  toSeen: (box: Box) => Box,
): Line {
  const text = characters.texts.slice(first, last + 1).join('')
  let [middle, height] = [NaN, NaN]
  for (let at = first; at <= last && Number.isNaN(middle); at++) {
    const shape = characters.texts[at]?.trim() ? (characters.roomOf(at) ?? characters.shapeOf(at)) : undefined
    if (!shape) continue
    const box = toSeen({
      x: shape.left,
      y: shape.bottom,
      width: shape.right - shape.left,
      height: shape.top - shape.bottom,
    })
    middle = box.y + box.height / 2
    height = box.height
  }
  return { first, last, middle, height, text }
}

/** Returns the lines at the end of a page that are smaller than the line above them, such as footnotes. */
function findNotes(lines: readonly Line[]): Set<Line> {
  const fromBottom = lines
    .filter(({ middle }) => Number.isFinite(middle))
    .sort((one, other) => one.middle - other.middle)
  let tallest = 0
  for (const [at, { height }] of fromBottom.entries()) {
    if (at > 0 && tallest < NOTE_SHARE * height) return new Set(fromBottom.slice(0, at))
    tallest = Math.max(tallest, height)
  }
  return new Set()
}

/**
 * Returns the lines of headers and footers: lines in the margins that are page numbers, repeat on earlier pages, or are
 * farther from the text than the line spacing.
 */
function findMarginLines(
  lines: readonly Line[],
  { heightPt, running }: { heightPt: number; running: Set<string> },
): Set<Line> {
  const placed = lines.filter(({ middle }) => Number.isFinite(middle)).sort((one, other) => other.middle - one.middle)
  const steps = placed
    .slice(1)
    .map(({ middle }, index) => (placed[index] as Line).middle - middle)
    .filter(step => step > 1)
    .sort((one, other) => one - other)
  const usual = steps[steps.length >> 1] ?? Infinity
  const marginLines = new Set<Line>()
  for (const [from, step] of [
    [0, 1],
    [placed.length - 1, -1],
  ] as const) {
    const isIn = ({ middle }: Line): boolean => (step === 1 ? middle > (1 - BAND) * heightPt : middle < BAND * heightPt)
    const edge: Line[] = []
    for (let at = from; placed[at] && isIn(placed[at] as Line); at += step) {
      const line = placed[at] as Line
      edge.push(line)
      const next = placed[at + step]
      const plain = line.text.replace(/\d+/g, '#').trim()
      if (PAGE_NUMBER.test(line.text) || running.has(plain)) marginLines.add(line)
      running.add(plain)
      if (next && Math.abs(line.middle - next.middle) > APART * usual)
        for (const edgeLine of edge) marginLines.add(edgeLine)
    }
  }
  return marginLines.size < lines.length ? marginLines : new Set()
}

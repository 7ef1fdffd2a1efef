import type { PlacedWord } from '../content/text-layer'
import { NUMBERS } from './glyph'
import type { GlyphLine, GlyphList } from './glyph'
import { SAME_ANGLE } from './line-geometry'
import { IS_BEYOND_LATIN } from './text-kinds'

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Glyphs are on one line if their baselines differ by at most this, in ems. */
const SAME_LINE = 0.3

/** Within a word, glyphs are at most this far apart, in ems. */
const NEAR = 1

/** Glyphs that form a word. */
interface Run {
  text: string
  /** The first glyph, as its index in the table. */
  first: number
  count: number
  /** The extent along the baseline, in user space units. */
  start: number
  end: number
  /** Size of the largest glyph. */
  size: number
}

/**
 * Joins glyphs to words, in default user space and in the order of the content. In lines with a right-to-left script,
 * the words and their characters are in visual order.
 */
export function joinWords({ table, indexes }: GlyphList): PlacedWord[] {
  const { texts, numbers, lineOf, lines, kinds, spaced } = table
  const words: PlacedWord[] = []
  let runs: Run[] = []
  /** The position of the first glyph of the line. */
  let lineAt = 0
  let hasRightToLeft = false
  const finish = (end: number): void => {
    const ordered = hasRightToLeft ? orderLine({ table, indexes: indexes.subarray(lineAt, end) }, runs) : runs
    for (const [at, run] of ordered.entries()) words.push(placeWord(run, table, ordered.length > at + 1))
    runs = []
    lineAt = end
    hasRightToLeft = false
  }
  let [lineIndex, angle, cos, sin, size] = [-1, 0, 1, 0, 0]
  // Of the glyph before.
  let [lastStart, lastEnd, lastAcross, lastAngle, lastSize] = [0, 0, 0, NaN, 0]
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at] as number
    if (lineOf[index] !== lineIndex) {
      lineIndex = lineOf[index] as number
      const line = lines[lineIndex] as GlyphLine // each glyph has a line
      ;({ size } = line)
      if (line.angle !== angle) {
        ;({ angle } = line)
        cos = Math.cos(angle)
        sin = Math.sin(angle)
      }
    }
    const first = NUMBERS * index
    const [x, y] = [numbers[first] as number, numbers[first + 1] as number]
    const one = x * cos + y * sin
    const other = (numbers[first + 2] as number) * cos + (numbers[first + 3] as number) * sin
    const [start, end, across] = [Math.min(one, other), Math.max(one, other), y * cos - x * sin]
    const largest = Math.max(lastSize, size)
    const isSameLine = Math.abs(lastAngle - angle) < SAME_ANGLE && Math.abs(lastAcross - across) < SAME_LINE * largest
    if (!isSameLine && runs.length > 0) finish(at)
    const text = texts[index] as string
    const isBackward = ((kinds[index] as number) & IS_BEYOND_LATIN) !== 0 && RIGHT_TO_LEFT.test(text)
    if (isBackward) hasRightToLeft = true
    const gap = isBackward && start < lastStart ? lastStart - end : start - lastEnd
    const run = runs.at(-1)
    if (run && spaced[index] === 0 && Math.abs(gap) < NEAR * largest) {
      run.text += text
      run.count++
      if (start < run.start) run.start = start
      if (end > run.end) run.end = end
      if (size > run.size) run.size = size
    } else runs.push({ text, first: index, count: 1, start, end, size })
    lastStart = start
    lastEnd = end
    lastAcross = across
    lastAngle = angle
    lastSize = size
  }
  if (runs.length > 0) finish(indexes.length)
  return words
}

/** Puts the runs of a line with a right-to-left script into visual order, and the glyphs of each. */
function orderLine({ table, indexes }: GlyphList, runs: readonly Run[]): Run[] {
  let at = 0
  const ordered = runs.map(run => {
    const glyphs = Array.from(indexes.subarray(at, at + run.count), index => table.at(index))
    at += run.count
    const starts = new Map(
      glyphs.map(glyph => {
        const [cos, sin] = [Math.cos(glyph.angle), Math.sin(glyph.angle)]
        return [glyph, Math.min(glyph.x * cos + glyph.y * sin, glyph.endX * cos + glyph.endY * sin)]
      }),
    )
    glyphs.sort((one, other) => (starts.get(one) as number) - (starts.get(other) as number)) // each has one
    return { ...run, text: glyphs.map(({ text }) => text).join(''), first: glyphs[0]?.at ?? run.first }
  })
  return ordered.sort((one, other) => one.start - other.start)
}

function placeWord(
  { text, first, count, start, end, size }: Run,
  table: GlyphList['table'],
  isSpaced: boolean,
): PlacedWord {
  const { angle, x, y } = table.at(first)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const across = y * cos - x * sin
  return {
    text,
    x: start * cos - across * sin,
    y: start * sin + across * cos,
    // If all glyphs have no width, the word still needs a length.
    length: end > start ? end - start : (count * size) / 2,
    size,
    angleDeg: (angle * 180) / Math.PI,
    isSpaced,
  }
}

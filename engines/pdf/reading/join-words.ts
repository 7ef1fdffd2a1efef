import type { PlacedWord } from '../content/text-layer'
import type { Glyph } from './glyph'
import { hasSameAngle, turnToLine } from './line-geometry'

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Glyphs are on one line if their baselines differ by at most this, in ems. */
const SAME_LINE = 0.3

/** Within a word, glyphs are at most this far apart, in ems. */
const NEAR = 1

/** Glyphs that form a word, and their extent along the baseline. */
interface Run {
  glyphs: Glyph[]
  start: number
  end: number
}

/**
 * Joins glyphs to words, in default user space and in the order of the content. In lines with a right-to-left script,
 * the words and their characters are in visual order.
 */
export function joinWords(glyphs: readonly Glyph[]): PlacedWord[] {
  const lines: Run[][] = []
  let before: Glyph | undefined
  for (const glyph of glyphs) {
    const line = before && isOnLine(before, glyph) ? (lines.at(-1) as Run[]) : startLine(lines)
    const run = before && line.length > 0 && !glyph.isSpaced && isNear(before, glyph) ? line.at(-1) : undefined
    const { start, end } = extentOf(glyph)
    if (run) {
      run.glyphs.push(glyph)
      run.start = Math.min(run.start, start)
      run.end = Math.max(run.end, end)
    } else line.push({ glyphs: [glyph], start, end })
    before = glyph
  }
  return lines.flatMap(line => orderLine(line).map((run, index, runs) => placeWord(run, runs[index + 1])))
}

function startLine(lines: Run[][]): Run[] {
  const line: Run[] = []
  lines.push(line)
  return line
}

/** The extent of a glyph along its baseline. */
function extentOf(glyph: Glyph): { start: number; end: number } {
  const [[one], [other]] = [turnToLine(glyph, glyph.x, glyph.y), turnToLine(glyph, glyph.endX, glyph.endY)]
  return { start: Math.min(one, other), end: Math.max(one, other) }
}

function acrossOf(glyph: Glyph): number {
  return turnToLine(glyph, glyph.x, glyph.y)[1]
}

function isOnLine(one: Glyph, other: Glyph): boolean {
  const size = Math.max(one.size, other.size)
  return hasSameAngle(one, other) && Math.abs(acrossOf(one) - acrossOf(other)) < SAME_LINE * size
}

/** Returns whether a glyph is next to the one before it. */
function isNear(before: Glyph, next: Glyph): boolean {
  const [one, other] = [extentOf(before), extentOf(next)]
  const gap = RIGHT_TO_LEFT.test(next.text) && other.start < one.start ? one.start - other.end : other.start - one.end
  return Math.abs(gap) < NEAR * Math.max(before.size, next.size)
}

/** Puts a line with a right-to-left script into visual order. Other lines don't change. */
function orderLine(line: Run[]): Run[] {
  if (!line.some(({ glyphs }) => glyphs.some(({ text }) => RIGHT_TO_LEFT.test(text)))) return line
  const ordered = line.map(run => ({
    ...run,
    glyphs: run.glyphs.toSorted((one, other) => extentOf(one).start - extentOf(other).start),
  }))
  return ordered.sort((one, other) => one.start - other.start)
}

function placeWord({ glyphs, start, end }: Run, next: Run | undefined): PlacedWord {
  const [first] = glyphs as [Glyph, ...Glyph[]] // a run begins with a glyph
  const { angle } = first
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const across = acrossOf(first)
  const size = glyphs.reduce((most, glyph) => Math.max(most, glyph.size), 0)
  return {
    text: glyphs.map(({ text }) => text).join(''),
    x: start * cos - across * sin,
    y: start * sin + across * cos,
    // If all glyphs have no width, the word still needs a length.
    length: end > start ? end - start : (glyphs.length * size) / 2,
    size,
    angleDeg: (angle * 180) / Math.PI,
    isSpaced: next !== undefined,
  }
}

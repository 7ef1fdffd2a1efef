import type { PlacedWord } from '../content/text-layer'
import type { Glyph } from './glyph'
import { hasSameAngle } from './line-geometry'

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
  const [before, next] = [new Extent(), new Extent()]
  for (const [index, glyph] of glyphs.entries()) {
    next.measure(glyph)
    const last = glyphs[index - 1]
    const isSameLine = last !== undefined && isOnLine(last, glyph, before.across - next.across)
    const line = isSameLine ? (lines.at(-1) as Run[]) : startLine(lines)
    const run =
      last && line.length > 0 && !glyph.isSpaced && isNear(last, glyph, before, next) ? line.at(-1) : undefined
    const { start, end } = next
    if (run) {
      run.glyphs.push(glyph)
      run.start = Math.min(run.start, start)
      run.end = Math.max(run.end, end)
    } else line.push({ glyphs: [glyph], start, end })
    before.copy(next)
  }
  return lines.flatMap(line => orderLine(line).map((run, index, runs) => placeWord(run, runs[index + 1])))
}

/** The extent of a glyph along its baseline, and the distance of the baseline from the origin. */
class Extent {
  start = 0
  end = 0
  across = 0
  private angle = 0
  private cos = 1
  private sin = 0

  measure({ x, y, endX, endY, angle }: Glyph): void {
    if (angle !== this.angle) {
      this.angle = angle
      this.cos = Math.cos(angle)
      this.sin = Math.sin(angle)
    }
    const { cos, sin } = this
    const one = x * cos + y * sin
    const other = endX * cos + endY * sin
    this.start = Math.min(one, other)
    this.end = Math.max(one, other)
    this.across = y * cos - x * sin
  }

  copy({ start, end, across }: Extent): void {
    this.start = start
    this.end = end
    this.across = across
  }
}

function startLine(lines: Run[][]): Run[] {
  const line: Run[] = []
  lines.push(line)
  return line
}

function isOnLine(one: Glyph, other: Glyph, distance: number): boolean {
  const size = Math.max(one.size, other.size)
  return hasSameAngle(one, other) && Math.abs(distance) < SAME_LINE * size
}

/** Returns whether a glyph is next to the one before it. */
function isNear(before: Glyph, next: Glyph, one: Extent, other: Extent): boolean {
  const isBackward = other.start < one.start && isRightToLeft(next.text)
  const gap = isBackward ? one.start - other.end : other.start - one.end
  return Math.abs(gap) < NEAR * Math.max(before.size, next.size)
}

/** Returns whether a text has letters of a right-to-left script. None is below the Hebrew ones. */
function isRightToLeft(text: string): boolean {
  return (text.length !== 1 || text.charCodeAt(0) >= 0x590) && RIGHT_TO_LEFT.test(text)
}

/** Puts a line with a right-to-left script into visual order. Other lines don't change. */
function orderLine(line: Run[]): Run[] {
  if (!line.some(({ glyphs }) => glyphs.some(({ text }) => isRightToLeft(text)))) return line
  const ordered = line.map(run => ({
    ...run,
    glyphs: run.glyphs.toSorted((one, other) => startOf(one) - startOf(other)),
  }))
  return ordered.sort((one, other) => one.start - other.start)
}

function startOf(glyph: Glyph): number {
  const extent = new Extent()
  extent.measure(glyph)
  return extent.start
}

function placeWord({ glyphs, start, end }: Run, next: Run | undefined): PlacedWord {
  const [first] = glyphs as [Glyph, ...Glyph[]] // a run begins with a glyph
  const { angle } = first
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const across = first.y * cos - first.x * sin
  let text = ''
  let size = 0
  for (const glyph of glyphs) {
    text += glyph.text
    size = Math.max(size, glyph.size)
  }
  return {
    text,
    x: start * cos - across * sin,
    y: start * sin + across * cos,
    // If all glyphs have no width, the word still needs a length.
    length: end > start ? end - start : (glyphs.length * size) / 2,
    size,
    angleDeg: (angle * 180) / Math.PI,
    isSpaced: next !== undefined,
  }
}

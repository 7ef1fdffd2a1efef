import type { Matrix } from '../../pdf/geometry'
import { mapPoint, scaleOf } from '../../pdf/geometry'
import type { Glyph } from '../../pdf/read-page'
import { hasRightToLeft, isDirectionMark, toLogicalLine, toPlainLetters } from './lines/direction'
import type { Word } from './lines/model'

/** A blank separates words only if the gap is at least this share of an em. Otherwise it is drawn over. */
const LEAST_GAP = 0.02

/** Gaps outside this range separate words, in ems. The next character may be drawn over the one before it. */
const GAPS = { least: -0.8, most: 3 }

/** Baselines of one word differ by at most this share of an em. */
const SAME_BASELINE = 0.3

/** A note mark is raised or lowered by less than this share of an em. Its size is between these shares of its word's. */
const NOTE_SHIFT = 0.6
const NOTE_SIZES = { least: 0.5, most: 0.8 }

/** It is at most this far from its word, in ems. Glyphs on another baseline count as spaced, so the gap decides. */
const NOTE_GAP = 0.1

/** Extent of a word above and below its baseline, in ems. It is the same for all fonts. */
const ASCENT = 0.8
const DESCENT = 0.2

/** Width of a word whose characters have none, in points. */
const LEAST_WIDTH = 0.1

/** A character on the sheet. */
interface Placed {
  glyph: Glyph
  left: number
  right: number
  baseline: number
  size: number
}

/** Joins characters to words. `matrix` maps user space to the sheet. */
export function buildWords(glyphs: readonly Glyph[], matrix: Matrix): Word[] {
  const scale = scaleOf(matrix)
  const words: Word[] = []
  let run: Placed[] = []
  let isSpaced = true
  const finish = (): void => {
    if (run.length > 0) words.push(makeWord(run, isSpaced))
    run = []
  }
  for (const glyph of glyphs) {
    if (isDirectionMark(glyph.text)) continue
    const placed = toSheet(glyph, matrix, scale)
    const before = run.at(-1)
    const relation = before ? relate(before, placed) : 'away'
    if (relation !== 'joined') {
      finish()
      isSpaced = relation === 'spaced' || glyph.isSpaced
    }
    run.push(placed)
  }
  finish()
  return words
}

/** Maps a glyph from user space to the sheet. `scale` is the scale of the matrix. */
function toSheet(glyph: Glyph, matrix: Matrix, scale: number): Placed {
  const [x, baseline] = mapPoint(matrix, glyph.x, glyph.y)
  const [end] = mapPoint(matrix, glyph.endX, glyph.endY)
  return { glyph, left: Math.min(x, end), right: Math.max(x, end), baseline, size: glyph.size * scale }
}

/** How a character follows the one before it. */
function relate(before: Placed, next: Placed): 'joined' | 'spaced' | 'away' {
  const size = Math.max(before.size, next.size)
  if (before.glyph.style.mcid !== next.glyph.style.mcid && next.glyph.isSpaced) return 'away'
  if (before.glyph.style.isUnseen !== next.glyph.style.isUnseen) return 'away'
  const shift = Math.abs(before.baseline - next.baseline)
  const isBackward = hasRightToLeft(next.glyph.text) || hasRightToLeft(before.glyph.text)
  const forward = next.left - before.right
  const backward = before.left - next.right
  const gap = isBackward && Math.abs(backward) < Math.abs(forward) ? backward : forward
  if (gap < GAPS.least * size || gap > GAPS.most * size) return 'away'
  if (shift > SAME_BASELINE * size) {
    // A raised or lowered note mark belongs to its word.
    const share = Math.min(before.size, next.size) / size
    const isNote = shift < NOTE_SHIFT * size && share >= NOTE_SIZES.least && share < NOTE_SIZES.most
    return isNote && Math.abs(gap) < NOTE_GAP * size ? 'joined' : 'away'
  }
  return next.glyph.isSpaced && gap > LEAST_GAP * size ? 'spaced' : 'joined'
}

function makeWord(run: Placed[], isSpaced: boolean): Word {
  const [first] = run as [Placed, ...Placed[]] // a run has at least one character
  let { left, right } = first
  let largest = first
  let boldCount = 0
  let text = ''
  let isRightToLeft = false
  for (const placed of run) {
    left = Math.min(left, placed.left)
    right = Math.max(right, placed.right)
    if (placed.size > largest.size) largest = placed
    if (placed.glyph.style.isBold) boldCount++
    text += placed.glyph.text
    isRightToLeft ||= hasRightToLeft(placed.glyph.text)
  }
  const { size } = largest
  const { style } = first.glyph
  const visual = isRightToLeft ? inVisualOrder(run) : run.map(({ glyph }) => glyph.text)
  const logical = isRightToLeft ? toLogicalLine([{ text, visual, isRightToLeft }]).words[0] : undefined
  return {
    text: toPlainLetters(logical?.text ?? text),
    visual,
    left,
    right: right > left ? right : left + LEAST_WIDTH,
    top: largest.baseline - ASCENT * size,
    bottom: largest.baseline + DESCENT * size,
    baseline: largest.baseline,
    size,
    isBold: boldCount * 2 > run.length,
    isItalic: style.isItalic,
    isMonospaced: style.isMonospaced,
    isRightToLeft,
    isSpaced,
    mcid: style.mcid,
    isArtifact: style.isArtifact,
    isUnseen: style.isUnseen,
    ...(isRightToLeft ? undefined : findCodeRange(run)),
  }
}

/** The part of a word that has a font of equal widths. Undefined if no character has one. */
function findCodeRange(run: readonly Placed[]): Pick<Word, 'codeStart' | 'codeEnd'> | undefined {
  const isCode = ({ glyph }: Placed): boolean => glyph.style.isMonospaced && !glyph.style.isUnseen
  const first = run.findIndex(isCode)
  if (first < 0) return undefined
  const lengthOf = (part: readonly Placed[]): number =>
    toPlainLetters(part.map(({ glyph }) => glyph.text).join('')).length
  return { codeStart: lengthOf(run.slice(0, first)), codeEnd: lengthOf(run.slice(0, run.findLastIndex(isCode) + 1)) }
}

/** The characters of a word from left to right, whatever their order in the content. */
function inVisualOrder(run: Placed[]): string[] {
  const marks = /^\p{M}/u
  const groups: { x: number; text: string }[] = []
  for (const { glyph, left, right } of run) {
    const last = groups.at(-1)
    // A combining mark belongs to the letter before it.
    if (last && marks.test(glyph.text)) last.text += glyph.text
    else groups.push({ x: (left + right) / 2, text: glyph.text })
  }
  groups.sort((one, other) => one.x - other.x)
  return groups.map(({ text }) => text)
}

import type { Matrix } from '../../pdf/geometry'
import { scaleOf } from '../../pdf/geometry'
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

/** A combining mark. */
const MARK = /^\p{M}/u

/** Width of a word whose characters have none, in points. */
const LEAST_WIDTH = 0.1

/** The position of a character on the sheet. */
interface Placed {
  left: number
  right: number
  baseline: number
  size: number
}

/** Joins characters to words. `matrix` maps user space to the sheet. */
export function buildWords(glyphs: readonly Glyph[], matrix: Matrix): Word[] {
  const [a, b, c, d, e, f] = matrix
  const scale = scaleOf(matrix)
  const words: Word[] = []
  const word = new WordBuilder()
  let before: Glyph | undefined
  let [last, placed] = [newPlaced(), newPlaced()]
  for (const glyph of glyphs) {
    if (isDirectionMark(glyph.text)) continue
    const { x, y } = glyph
    const start = a * x + c * y + e
    const end = a * glyph.endX + c * glyph.endY + e
    placed.left = Math.min(start, end)
    placed.right = Math.max(start, end)
    placed.baseline = b * x + d * y + f
    placed.size = glyph.size * scale
    const relation = before ? relate(before, glyph, last, placed) : 'away'
    if (relation !== 'joined') {
      if (before) words.push(word.finish())
      word.begin(glyph, relation === 'spaced' || glyph.isSpaced)
    }
    word.add(glyph, placed)
    before = glyph
    ;[last, placed] = [placed, last]
  }
  if (before) words.push(word.finish())
  return words
}

function newPlaced(): Placed {
  return { left: 0, right: 0, baseline: 0, size: 0 }
}

/** How a character follows the one before it. */
function relate(before: Glyph, next: Glyph, from: Placed, to: Placed): 'joined' | 'spaced' | 'away' {
  const size = Math.max(from.size, to.size)
  if (before.style.mcid !== next.style.mcid && next.isSpaced) return 'away'
  if (before.style.isUnseen !== next.style.isUnseen) return 'away'
  const isBackward = hasRightToLeft(next.text) || hasRightToLeft(before.text)
  const forward = to.left - from.right
  const backward = from.left - to.right
  const gap = isBackward && Math.abs(backward) < Math.abs(forward) ? backward : forward
  if (gap < GAPS.least * size || gap > GAPS.most * size) return 'away'
  const shift = Math.abs(from.baseline - to.baseline)
  if (shift > SAME_BASELINE * size) {
    // A raised or lowered note mark belongs to its word.
    const share = Math.min(from.size, to.size) / size
    const isNote = shift < NOTE_SHIFT * size && share >= NOTE_SIZES.least && share < NOTE_SIZES.most
    return isNote && Math.abs(gap) < NOTE_GAP * size ? 'joined' : 'away'
  }
  return next.isSpaced && gap > LEAST_GAP * size ? 'spaced' : 'joined'
}

/** Collects the characters of a word. Used for one word after another. */
class WordBuilder {
  private style!: Glyph['style']
  private isSpaced = false
  private isRightToLeft = false
  private text = ''
  private left = Infinity
  private right = -Infinity
  /** The largest character decides these. */
  private size = 0
  private baseline = 0
  private count = 0
  private boldCount = 0
  /** The part of the text that has a font of equal widths. */
  private codeStart: number | undefined
  private codeEnd: number | undefined
  /** The texts and middles of the characters. */
  private readonly texts: string[] = []
  private readonly middles: number[] = []

  begin({ style }: Glyph, isSpaced: boolean): void {
    this.style = style
    this.isSpaced = isSpaced
    this.isRightToLeft = false
    this.text = ''
    this.left = Infinity
    this.right = -Infinity
    this.size = -Infinity
    this.count = 0
    this.boldCount = 0
    this.codeStart = this.codeEnd = undefined
  }

  add({ text, style }: Glyph, { left, right, baseline, size }: Placed): void {
    this.texts[this.count] = text
    this.middles[this.count] = (left + right) / 2
    this.count++
    if (left < this.left) this.left = left
    if (right > this.right) this.right = right
    if (size > this.size) {
      this.size = size
      this.baseline = baseline
    }
    if (style.isBold) this.boldCount++
    const start = this.text.length
    this.text += text
    if (style.isMonospaced && !style.isUnseen) {
      this.codeStart ??= start
      this.codeEnd = this.text.length
    }
    this.isRightToLeft ||= hasRightToLeft(text)
  }

  finish(): Word {
    const { style, isRightToLeft, left, right, size, baseline, codeStart, codeEnd } = this
    const { isItalic, isMonospaced, mcid, isArtifact, isUnseen } = style
    const word: Word = {
      text: this.text,
      left,
      right: right > left ? right : left + LEAST_WIDTH,
      top: baseline - ASCENT * size,
      bottom: baseline + DESCENT * size,
      baseline,
      size,
      isBold: this.boldCount * 2 > this.count,
      isItalic,
      isMonospaced,
      isRightToLeft,
      isSpaced: this.isSpaced,
      mcid,
      isArtifact,
      isUnseen,
    }
    if (isRightToLeft) {
      word.visual = this.inVisualOrder()
      const logical = toLogicalLine([word]).words[0]
      word.text = toPlainLetters(logical?.text ?? word.text)
    } else if (codeStart !== undefined && codeEnd !== undefined) {
      word.codeStart = codeStart
      word.codeEnd = codeEnd
    }
    return word
  }

  /** The characters of a word from left to right, whatever their order in the content. */
  private inVisualOrder(): string[] {
    const { texts, middles, count } = this
    const groups: { x: number; text: string }[] = []
    for (let at = 0; at < count; at++) {
      const [text, x] = [texts[at] as string, middles[at] as number] // at is in the word
      const last = groups.at(-1)
      // A combining mark belongs to the letter before it.
      if (last && MARK.test(text)) last.text += text
      else groups.push({ x, text })
    }
    groups.sort((one, other) => one.x - other.x)
    return groups.map(({ text }) => text)
  }
}

import type { Matrix } from '../../pdf/geometry'
import { scaleOf } from '../../pdf/geometry'
import { IS_BEYOND_LATIN, NUMBERS } from '../../pdf/read-page'
import type { GlyphLine, GlyphList, TextStyle } from '../../pdf/read-page'
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

/** A character on the sheet. */
interface Placed {
  text: string
  left: number
  right: number
  baseline: number
  size: number
  isSpaced: boolean
  isRightToLeft: boolean
  style: TextStyle
}

/** Joins characters to words. `matrix` maps user space to the sheet. */
export function buildWords(glyphs: GlyphList, matrix: Matrix): Word[] {
  const { table, indexes } = withoutMarks(glyphs)
  const { texts, numbers, lineOf, lines, kinds, spaced } = table
  const [a, b, c, d, e, f] = matrix
  const scale = scaleOf(matrix)
  // The text of a word is a part of the text of all, which takes less time than joining its characters.
  const characters: string[] = []
  for (let at = 0; at < indexes.length; at++) characters.push(texts[indexes[at] as number] as string)
  const all = characters.join('')
  const words: Word[] = []
  const word = new WordBuilder(all)
  let lineIndex = -1
  let line: GlyphLine | undefined
  let [last, placed] = [newPlaced(), newPlaced()]
  for (let count = 0; count < indexes.length; count++) {
    const at = indexes[count] as number
    if (lineOf[at] !== lineIndex) {
      lineIndex = lineOf[at] as number
      line = lines[lineIndex] as GlyphLine // each glyph has a line
    }
    const { style, size } = line as GlyphLine
    const first = NUMBERS * at
    const [x, y] = [numbers[first] as number, numbers[first + 1] as number]
    const start = a * x + c * y + e
    const end = a * (numbers[first + 2] as number) + c * (numbers[first + 3] as number) + e
    placed.text = texts[at] as string
    placed.left = Math.min(start, end)
    placed.right = Math.max(start, end)
    placed.baseline = b * x + d * y + f
    placed.size = size * scale
    placed.isSpaced = spaced[at] === 1
    placed.isRightToLeft = ((kinds[at] as number) & IS_BEYOND_LATIN) !== 0 && hasRightToLeft(placed.text)
    placed.style = style
    const relation = count > 0 ? relate(last, placed) : 'away'
    if (relation !== 'joined') {
      if (count > 0) words.push(word.finish())
      word.begin(placed, relation === 'spaced' || placed.isSpaced)
    }
    word.add(placed)
    ;[last, placed] = [placed, last]
  }
  if (indexes.length > 0) words.push(word.finish())
  return words
}

/** Leaves out characters that only tell the direction of their neighbors. */
function withoutMarks({ table, indexes }: GlyphList): GlyphList {
  if ((table.allKinds & IS_BEYOND_LATIN) === 0) return { table, indexes }
  return { table, indexes: indexes.filter(at => !isDirectionMark(table.texts[at] as string)) }
}

function newPlaced(): Placed {
  const style = { isBold: false, isItalic: false, isMonospaced: false, mcid: -1, isArtifact: false, isUnseen: false }
  return { text: '', left: 0.1, right: 0.1, baseline: 0.1, size: 0.1, isSpaced: false, isRightToLeft: false, style }
}

/** How a character follows the one before it. */
function relate(from: Placed, to: Placed): 'joined' | 'spaced' | 'away' {
  const size = Math.max(from.size, to.size)
  if (from.style !== to.style) {
    if (from.style.mcid !== to.style.mcid && to.isSpaced) return 'away'
    if (from.style.isUnseen !== to.style.isUnseen) return 'away'
  }
  const isBackward = to.isRightToLeft || from.isRightToLeft
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
  return to.isSpaced && gap > LEAST_GAP * size ? 'spaced' : 'joined'
}

/** Collects the characters of a word. Used for one word after another. */
class WordBuilder {
  private style!: TextStyle
  private isSpaced = false
  private isRightToLeft = false
  /** The part of the text of all words. */
  private start = 0
  private end = 0
  private left = Infinity
  private right = -Infinity
  /** The largest character decides these. */
  private size = 0
  private baseline = 0
  private count = 0
  private boldCount = 0
  /** The part of the text that has a font of equal widths. -1 if none has. */
  private codeStart = -1
  private codeEnd = -1
  /** The texts and middles of the characters. */
  private readonly texts: string[] = []
  private readonly middles: number[] = []

  constructor(private readonly all: string) {}

  begin({ style }: Placed, isSpaced: boolean): void {
    this.style = style
    this.isSpaced = isSpaced
    this.isRightToLeft = false
    this.start = this.end
    this.left = Infinity
    this.right = -Infinity
    this.size = -Infinity
    this.count = 0
    this.boldCount = 0
    this.codeStart = this.codeEnd = -1
  }

  add({ text, style, left, right, baseline, size, isRightToLeft }: Placed): void {
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
    const start = this.end - this.start
    this.end += text.length
    if (style.isMonospaced && !style.isUnseen) {
      if (this.codeStart < 0) this.codeStart = start
      this.codeEnd = this.end - this.start
    }
    if (isRightToLeft) this.isRightToLeft = true
  }

  finish(): Word {
    const { style, isRightToLeft, left, right, size, baseline, codeStart, codeEnd } = this
    const { isItalic, isMonospaced, mcid, isArtifact, isUnseen } = style
    const word: Word = {
      text: this.all.slice(this.start, this.end),
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
    } else if (codeStart >= 0) {
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

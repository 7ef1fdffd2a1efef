import type { Matrix } from '../../pdf/geometry'
import { scaleOf } from '../../pdf/geometry'
import { IS_BEYOND_LATIN, NUMBERS as GLYPH_NUMBERS } from '../../pdf/read-page'
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

/** Joins characters to words. `matrix` maps user space to the sheet. */
export function buildWords(glyphs: GlyphList, matrix: Matrix): Word[] {
  const characters = new Characters(withoutMarks(glyphs), matrix)
  const { count } = characters
  const words: Word[] = []
  let start = 0
  let isSpaced = count > 0 && characters.isSpaced(0)
  for (let at = 1; at < count; at++) {
    const relation = characters.relate(at)
    if (relation === 'joined') continue
    words.push(characters.makeWord(start, at, isSpaced))
    start = at
    isSpaced = relation === 'spaced' || characters.isSpaced(at)
  }
  if (count > 0) words.push(characters.makeWord(start, count, isSpaced))
  return words
}

/** Leaves out characters that only tell the direction of their neighbors. */
function withoutMarks({ table, indexes }: GlyphList): GlyphList {
  if ((table.allKinds & IS_BEYOND_LATIN) === 0) return { table, indexes }
  return { table, indexes: indexes.filter(at => !isDirectionMark(table.texts[at] as string)) }
}

/** Numbers of a character: its left and its right edge, its baseline and its size. */
const NUMBERS = 4

/** Characters on the sheet, by their position among each other. */
class Characters {
  readonly count: number
  private readonly indexes: Int32Array
  private readonly table: GlyphList['table']
  private readonly numbers: Float64Array
  private readonly mayBeRightToLeft: boolean
  /** The text of all characters. The one of a word is a part of it, which takes less time than joining characters. */
  private readonly text: string
  /** Where the text of the next word begins. */
  private textStart = 0

  constructor({ table, indexes }: GlyphList, [a, b, c, d, e, f]: Matrix) {
    const { texts, numbers: from, lineOf, lines } = table
    const scale = scaleOf([a, b, c, d, e, f])
    const numbers = new Float64Array(NUMBERS * indexes.length)
    const characters: string[] = []
    for (let at = 0; at < indexes.length; at++) {
      const index = indexes[at] as number
      characters.push(texts[index] as string)
      const first = GLYPH_NUMBERS * index
      const [x, y] = [from[first] as number, from[first + 1] as number]
      const start = a * x + c * y + e
      const end = a * (from[first + 2] as number) + c * (from[first + 3] as number) + e
      numbers[NUMBERS * at] = start < end ? start : end
      numbers[NUMBERS * at + 1] = start < end ? end : start
      numbers[NUMBERS * at + 2] = b * x + d * y + f
      numbers[NUMBERS * at + 3] = (lines[lineOf[index] as number] as GlyphLine).size * scale // each glyph has a line
    }
    this.count = indexes.length
    this.indexes = indexes
    this.table = table
    this.numbers = numbers
    this.mayBeRightToLeft = (table.allKinds & IS_BEYOND_LATIN) !== 0
    this.text = characters.join('')
  }

  /** Whether a blank or a gap comes before a character. */
  isSpaced(at: number): boolean {
    return this.table.spaced[this.indexes[at] as number] === 1
  }

  /** How a character follows the one before it. */
  relate(at: number): 'joined' | 'spaced' | 'away' {
    const { numbers } = this
    const [from, to] = [NUMBERS * (at - 1), NUMBERS * at]
    const [fromSize, toSize] = [numbers[from + 3] as number, numbers[to + 3] as number]
    const size = Math.max(fromSize, toSize)
    const isSpaced = this.isSpaced(at)
    const [line, nextLine] = [this.lineIndex(at - 1), this.lineIndex(at)]
    if (line !== nextLine) {
      const [before, next] = [this.styleOf(line), this.styleOf(nextLine)]
      if (before.mcid !== next.mcid && isSpaced) return 'away'
      if (before.isUnseen !== next.isUnseen) return 'away'
    }
    let gap = (numbers[to] as number) - (numbers[from + 1] as number)
    if (this.mayBeRightToLeft && (this.isRightToLeft(at) || this.isRightToLeft(at - 1))) {
      const backward = (numbers[from] as number) - (numbers[to + 1] as number)
      if (Math.abs(backward) < Math.abs(gap)) gap = backward
    }
    if (gap < GAPS.least * size || gap > GAPS.most * size) return 'away'
    const shift = Math.abs((numbers[from + 2] as number) - (numbers[to + 2] as number))
    if (shift > SAME_BASELINE * size) {
      // A raised or lowered note mark belongs to its word.
      const share = Math.min(fromSize, toSize) / size
      const isNote = shift < NOTE_SHIFT * size && share >= NOTE_SIZES.least && share < NOTE_SIZES.most
      return isNote && Math.abs(gap) < NOTE_GAP * size ? 'joined' : 'away'
    }
    return isSpaced && gap > LEAST_GAP * size ? 'spaced' : 'joined'
  }

  /** Makes a word of the characters from `start` to before `end`. Words must be made in the order of the characters. */
  makeWord(start: number, end: number, isSpaced: boolean): Word {
    const { numbers, indexes, table } = this
    const { texts } = table
    let line = this.lineIndex(start)
    let style = this.styleOf(line)
    const { isItalic, isMonospaced, mcid, isArtifact, isUnseen } = style
    let [left, right] = [Infinity, -Infinity]
    // The largest character decides these.
    let [size, baseline] = [-Infinity, 0]
    let [length, boldCount, isRightToLeft] = [0, 0, false]
    // The part of the text that has a font of equal widths.
    let [codeStart, codeEnd] = [-1, -1]
    for (let at = start; at < end; at++) {
      const first = NUMBERS * at
      left = Math.min(left, numbers[first] as number)
      right = Math.max(right, numbers[first + 1] as number)
      if ((numbers[first + 3] as number) > size) {
        size = numbers[first + 3] as number
        baseline = numbers[first + 2] as number
      }
      const nextLine = this.lineIndex(at)
      if (nextLine !== line) {
        line = nextLine
        style = this.styleOf(line)
      }
      if (style.isBold) boldCount++
      const before = length
      length += (texts[indexes[at] as number] as string).length
      if (style.isMonospaced && !style.isUnseen) {
        if (codeStart < 0) codeStart = before
        codeEnd = length
      }
      if (this.mayBeRightToLeft && this.isRightToLeft(at)) isRightToLeft = true
    }
    const word: Word = {
      text: this.text.slice(this.textStart, this.textStart + length),
      left,
      right: right > left ? right : left + LEAST_WIDTH,
      top: baseline - ASCENT * size,
      bottom: baseline + DESCENT * size,
      baseline,
      size,
      isBold: boldCount * 2 > end - start,
      isItalic,
      isMonospaced,
      isRightToLeft,
      isSpaced,
      mcid,
      isArtifact,
      isUnseen,
    }
    this.textStart += length
    if (isRightToLeft) {
      word.visual = this.inVisualOrder(start, end)
      const logical = toLogicalLine([word]).words[0]
      word.text = toPlainLetters(logical?.text ?? word.text)
    } else if (codeStart >= 0) {
      word.codeStart = codeStart
      word.codeEnd = codeEnd
    }
    return word
  }

  private lineIndex(at: number): number {
    return this.table.lineOf[this.indexes[at] as number] as number
  }

  private styleOf(line: number): TextStyle {
    return (this.table.lines[line] as GlyphLine).style // an index in the list
  }

  private isRightToLeft(at: number): boolean {
    const { kinds, texts } = this.table
    const index = this.indexes[at] as number
    return ((kinds[index] as number) & IS_BEYOND_LATIN) !== 0 && hasRightToLeft(texts[index] as string)
  }

  /** Characters from left to right, whatever their order in the content. */
  private inVisualOrder(start: number, end: number): string[] {
    const { numbers, indexes } = this
    const { texts } = this.table
    const groups: { x: number; text: string }[] = []
    for (let at = start; at < end; at++) {
      const text = texts[indexes[at] as number] as string
      const last = groups.at(-1)
      // A combining mark belongs to the letter before it.
      if (last && MARK.test(text)) last.text += text
      else groups.push({ x: ((numbers[NUMBERS * at] as number) + (numbers[NUMBERS * at + 1] as number)) / 2, text })
    }
    groups.sort((one, other) => one.x - other.x)
    return groups.map(({ text }) => text)
  }
}

import type { PlacedWord } from '../../../pdf/rewrite-content'
import type { Box, Frame, Matrix } from '../../../pdf/geometry'
import { chainMatrices, frameMatrix, invertMatrix, mapCorners, mapPoint, seenMatrix } from '../../../pdf/geometry'
import { groupLines, orderForReading, orderTurnedLines } from './reading-order'
import { beginsSmall, endsWithHyphen, isUnspaced, keyOf, splitUnspaced, withoutHyphens } from './word-keys'
import type { KeyRules } from './word-keys'

/**
 * The area of a word, in points from the lower-left corner of the displayed page. It has four corners,
 * counter-clockwise from the start of its lower side.
 */
export type Quad = readonly [
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  x4: number,
  y4: number,
]

/** A word of a page, or a character of a script without spaces. */
export interface Word {
  /** The text of the word on the page, in reading order. */
  text: string
  /** The form in which words are compared. See `keyOf`. */
  key: string
  /** The key if the hyphen at the end of a line belongs to the word. Undefined if no line break divides the word. */
  hyphenated: string | undefined
  /** The key by which words are matched first. */
  looseKey: string
  /** Position of the page in its document, from 0. */
  page: number
  /** One area, or two if the word is divided. */
  quads: Quad[]
  /** The start of the baseline, in points from the upper-left corner of the page without its rotation. */
  at: readonly [x: number, y: number]
  size: number
  /** Number of the line on the page. */
  line: number
  /** Whether a space or a line break follows in running text. */
  isSpaced: boolean
}

/** The words of a page. */
export interface PageWords {
  /** Words that are compared, in reading order. */
  words: Word[]
  /** Areas of text that doesn't count under the rules. */
  ignored: Quad[]
}

/** Lower and upper edge of a word's area, as multiples of the font size above the baseline. */
const BELOW = -0.22
const ABOVE = 0.86

/** Converts the words of a page as PDFium reads them. `page` is the position of the page, from 0. */
export function readPageWords(
  placed: readonly PlacedWord[],
  { frame, page, rules }: { frame: Frame; page: number; rules: KeyRules },
): PageWords {
  const places = { seen: seenMatrix(frame), upright: uprightMatrix(frame), page, rules }
  const result: PageWords = { words: [], ignored: [] }
  let before: Word | undefined
  for (const [line, words] of orderTurnedLines(groupLines(placed), frame.rotation).entries()) {
    for (const [index, word] of orderForReading(words).entries()) {
      if (index === 0 && before && endsWithHyphen(before.text) && beginsSmall(word.text)) {
        continueWord(before, toWords(word, line, places))
        before = undefined
        continue
      }
      for (const converted of toWords(word, line, places)) {
        if (converted.key === '') result.ignored.push(...converted.quads)
        else result.words.push(converted)
        before = converted
      }
    }
  }
  return result
}

/** What the words of a page need for their positions and keys. */
interface Places {
  /** From user space to the page as displayed. */
  seen: Matrix
  /** From user space to the page without its rotation. */
  upright: Matrix
  /** The position of the page in its file. */
  page: number
  rules: KeyRules
}

/**
 * The matrix from user space to points from the upper-left corner of the page without its rotation, with y downwards.
 */
function uprightMatrix(frame: Frame): Matrix {
  const upright = { ...frame, rotation: 0 }
  const height = frame.visible.height * frame.userUnit
  const seen = invertMatrix(frameMatrix(upright)) ?? [1, 0, 0, 1, 0, 0]
  return chainMatrices(seen, [1, 0, 0, -1, 0, height])
}

/** Divides text in a script without spaces into words. The width of each is its share of the characters. */
function toWords(word: PlacedWord, line: number, { seen, upright, page, rules }: Places): Word[] {
  const parts = splitUnspaced(word.text)
  const isWhole = parts.length === 1
  const characterCount = isWhole ? 1 : countCharacters(word.text)
  const angle = (word.angleDeg * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const wordToUser: Matrix = [cos, sin, -sin, cos, word.x, word.y]
  const wordToSeen = chainMatrices(wordToUser, seen)
  const [below, above] = [BELOW * word.size, ABOVE * word.size]
  let start = 0
  return parts.map((text, index) => {
    const end = isWhole ? 1 : start + countCharacters(text)
    const [from, to] = [(start / characterCount) * word.length, (end / characterCount) * word.length]
    start = end
    const quad: Quad = mapCorners(wordToSeen, { left: from, right: to, bottom: below, top: above })
    const key = keyOf(text, rules)
    return {
      text,
      key,
      hyphenated: undefined,
      looseKey: withoutHyphens(key),
      page,
      quads: [quad],
      at: mapPoint(upright, ...mapPoint(wordToUser, from, 0)),
      size: word.size,
      line,
      isSpaced: index === parts.length - 1 && !(isUnspaced(text) && !word.isSpaced),
    }
  })
}

function countCharacters(text: string): number {
  return Array.from(text).length
}

/** Joins a word with its second part on the next line. */
function continueWord(word: Word, parts: readonly Word[]): void {
  const rest = parts.map(({ text }) => text).join('')
  const restKey = parts.map(({ key }) => key).join('')
  const first = word.key.replace(/[-\u2010]$/u, '')
  word.hyphenated = `${first}-${restKey}`
  word.key = `${first}${restKey}`
  word.looseKey = withoutHyphens(word.key)
  word.text = `${word.text}${rest}`
  word.quads.push(...parts.flatMap(({ quads }) => quads))
}

/** Returns whether two words are equal. A hyphen at the end of a line may or may not belong to the word. */
export function isSameWord(one: Word, other: Word): boolean {
  if (one.key === other.key) return true
  const keys = [one.key, one.hyphenated]
  return keys.some(key => key !== undefined && (key === other.key || key === other.hyphenated))
}

/** Returns whether two words are at the same place, regardless of the rotation of their pages. */
export function isSamePlace(one: Word, other: Word): boolean {
  return (
    Math.abs(one.at[0] - other.at[0]) <= SAME_PLACE_PT &&
    Math.abs(one.at[1] - other.at[1]) <= SAME_PLACE_PT &&
    Math.abs(one.size - other.size) <= 0.05 * Math.max(one.size, other.size)
  )
}

/** The distance in points up to which a word counts as unmoved. */
const SAME_PLACE_PT = 0.75

/** Writes words as running text. */
export function joinText(words: readonly Word[]): string {
  return words
    .map(({ text, isSpaced }) => (isSpaced ? `${text} ` : text))
    .join('')
    .trim()
}

/** The bounding box of an area. */
export function boxOf(quad: Quad): Box {
  const [xs, ys] = [quad.filter((_, index) => index % 2 === 0), quad.filter((_, index) => index % 2 === 1)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Areas of words. Areas of consecutive words on a line are joined. */
export function joinQuads(words: readonly Word[]): Quad[] {
  const joined: Quad[] = []
  let last: Word | undefined
  for (const word of words) {
    const [first, ...rest] = word.quads
    const before = last && last.line === word.line && last.quads.length === 1 ? joined.at(-1) : undefined
    const extended = before && first && extend(before, first, word.size)
    if (extended) joined[joined.length - 1] = extended
    else if (first) joined.push(first)
    joined.push(...rest)
    last = word
  }
  return joined
}

/** Maximum distance between two joined words, as a multiple of the font size. */
const JOINED_GAP = 1.2

/** One area from the first to the second, if both are on the same line and next to each other. */
function extend(one: Quad, other: Quad, size: number): Quad | undefined {
  const angle = Math.atan2(one[3] - one[1], one[2] - one[0])
  const along = (x: number, y: number): number => x * Math.cos(angle) + y * Math.sin(angle)
  const across = (x: number, y: number): number => y * Math.cos(angle) - x * Math.sin(angle)
  if (Math.abs(across(one[0], one[1]) - across(other[0], other[1])) > 0.1 * size) return undefined
  if (Math.abs(across(one[6], one[7]) - across(other[6], other[7])) > 0.1 * size) return undefined
  const forward = along(other[0], other[1]) - along(one[2], one[3])
  if (Math.abs(forward) <= JOINED_GAP * size)
    return [one[0], one[1], other[2], other[3], other[4], other[5], one[6], one[7]]
  const backward = along(one[0], one[1]) - along(other[2], other[3])
  if (Math.abs(backward) <= JOINED_GAP * size)
    return [other[0], other[1], one[2], one[3], one[4], one[5], other[6], other[7]]
  return undefined
}

import type { Box } from '../../../pdf/geometry'
import { flattenBackground } from './background'
import type { GrayImage } from './gray-image'
import { DARK, findConnectedComponents } from './connected-components'
import type { ConnectedComponent } from './connected-components'
import { flattenPaper } from './flatten-paper'

/** The resolution that is enough to distinguish letters from other ink. */
const DPI = 108

/** The height of letters in inches, from small letters without ascenders at 5 points to letters at 40 points. */
const LEAST_HEIGHT = 0.035
const MOST_HEIGHT = 0.55

/**
 * The maximum width of a letter, or of several touching letters, as a multiple of its height. A letter fills at least
 * `LEAST_FILL` of its bounding box.
 */
const MOST_WIDTH = 6
const LEAST_FILL = 0.12

/**
 * The limits for neighboring letters of one word: gap, overlap, ratio of heights, and vertical overlap. All except the
 * ratio are multiples of a letter height.
 */
const MOST_GAP = 0.7
const MOST_OVERLAP = 0.3
const MOST_RATIO = 2.2
const LEAST_BESIDE = 0.6

/**
 * The minimum number of letters and of components of a word. `LETTER_WIDTH` is the width of a letter as a multiple of
 * its height. If letters touch, the word must have at least `LEAST_TOUCHING` letters.
 */
const LEAST_LETTERS = 4
const LETTER_WIDTH = 0.7
const LEAST_PARTS = 2
const LEAST_TOUCHING = 6

/** The minimum number of letters of a vertical word. Images of other things look like vertical words more often. */
const LEAST_UPRIGHT = 8

/** The minimum shares of a word's components with a similar height, and on one baseline. The baseline may be skewed. */
const ALIKE = { share: 0.7, ratio: 1.6 }
const LEVEL = { share: 0.6, apart: 0.16, slope: 0.3 }

/**
 * The distance in pixels above and below a word in which other ink is measured. Photos have much other ink, so its
 * share is limited.
 */
const AROUND = 3
const MOST_CLUTTER = 0.1

/** A word of ink. */
export interface InkWord {
  /** The components of the word in pixels, from the upper-left corner. */
  boxes: Box[]
  /** The estimated number of letters. */
  letters: number
}

/**
 * Yields the parts of an image that look like rows of letters, dark on light or light on dark. Some parts occur twice.
 */
export function* findTextInk(image: GrayImage, dpi: number): Generator<InkWord> {
  const factor = Math.max(1, Math.round(dpi / DPI))
  const small = shrink(image, factor)
  for (const flatten of [flattenBackground, flattenPaper]) {
    for (const word of findWords(flatten(small, dpi / factor), dpi / factor)) {
      const boxes = word.map(({ left, top, right, bottom }) => ({
        x: left * factor,
        y: top * factor,
        width: (right - left + 1) * factor,
        height: (bottom - top + 1) * factor,
      }))
      yield { boxes, letters: countLetters(word) }
    }
  }
}

function findWords(image: GrayImage, dpi: number): ConnectedComponent[][] {
  const parts = (findConnectedComponents(image) ?? []).filter(part => isLetter(part, dpi))
  const across = listWords(parts, dpi).filter(word => isAlone(image, word, 0, AROUND))
  const used = new Set(across.flat())
  const upright = listWords(parts.filter(part => !used.has(part)).map(turn), dpi).filter(
    word => countLetters(word) >= LEAST_UPRIGHT,
  )
  return [...across, ...upright.map(word => word.map(turn)).filter(word => isAlone(image, word, AROUND, 0))]
}

/** Shrinks an image by averaging squares of pixels. */
function shrink(image: GrayImage, factor: number): GrayImage {
  const [width, height] = [Math.floor(image.width / factor), Math.floor(image.height / factor)]
  if (factor === 1 || width === 0 || height === 0) return image
  const pixels = new Uint8Array(width * height)
  const sums = new Uint16Array(width)
  for (let row = 0, to = 0; row < height; row++, to += width) {
    sums.fill(0)
    for (let line = 0; line < factor; line++) {
      let at = (row * factor + line) * image.width
      for (let column = 0; column < width; column++) {
        let sum = sums[column] as number
        for (let step = 0; step < factor; step++) sum += image.pixels[at++] as number
        sums[column] = sum
      }
    }
    for (let column = 0; column < width; column++) pixels[to + column] = (sums[column] as number) / (factor * factor)
  }
  return { width, height, pixels }
}

function isLetter({ left, top, right, bottom, area }: ConnectedComponent, dpi: number): boolean {
  const [width, height] = [right - left + 1, bottom - top + 1]
  const size = Math.max(width, height)
  if (size < LEAST_HEIGHT * dpi || Math.min(width, height) > MOST_HEIGHT * dpi) return false
  return width <= MOST_WIDTH * height && height <= MOST_WIDTH * width && area >= LEAST_FILL * width * height
}

function turn({ left, top, right, bottom, area }: ConnectedComponent): ConnectedComponent {
  return { left: top, top: left, right: bottom, bottom: right, area }
}

/** Groups neighboring letters into words, each from left to right. */
function listWords(letters: readonly ConnectedComponent[], dpi: number): ConnectedComponent[][] {
  const sorted = [...letters].sort((one, other) => one.left - other.left)
  const open: ConnectedComponent[][] = []
  const words: ConnectedComponent[][] = []
  for (const letter of sorted) {
    for (let index = open.length - 1; index >= 0; index--) {
      const word = open[index] as ConnectedComponent[]
      if (
        letter.left - Math.max(...word.slice(-3).map(({ right }) => right)) >
        MOST_GAP * 2 * heightOf(word[word.length - 1] as ConnectedComponent)
      )
        open.splice(index, 1)
    }
    const word = open.find(one => one.slice(-3).some(last => areNeighbors(last, letter)))
    if (word) word.push(letter)
    else {
      const newWord = [letter]
      open.push(newWord)
      words.push(newWord)
    }
  }
  return words.filter(word => isWord(word, LEAST_HEIGHT * dpi))
}

function areNeighbors(last: ConnectedComponent, letter: ConnectedComponent): boolean {
  const [one, other] = [heightOf(last), heightOf(letter)]
  const [low, high] = [Math.min(one, other), Math.max(one, other)]
  const beside = Math.min(last.bottom, letter.bottom) - Math.max(last.top, letter.top) + 1
  return (
    high <= MOST_RATIO * low &&
    beside >= LEAST_BESIDE * low &&
    letter.left - last.right <= MOST_GAP * high &&
    last.right - letter.left <= MOST_OVERLAP * high
  )
}

function isWord(word: readonly ConnectedComponent[], leastHeight: number): boolean {
  if (countLetters(word) < (word.length < LEAST_LETTERS ? LEAST_TOUCHING : LEAST_LETTERS)) return false
  const usual = usualHeight(word)
  if (word.length < LEAST_PARTS || usual < leastHeight) return false
  const alike = word.filter(
    part => heightOf(part) <= ALIKE.ratio * usual && heightOf(part) * ALIKE.ratio >= usual,
  ).length
  return alike >= ALIKE.share * word.length && isLevel(word, usual)
}

/** Returns whether most components are on one baseline. Letters with descenders aren't. */
function isLevel(word: readonly ConnectedComponent[], height: number): boolean {
  const [first, last] = [word[0] as ConnectedComponent, word[word.length - 1] as ConnectedComponent] // a word has parts
  const slope = (last.bottom - first.bottom) / Math.max(1, last.left - first.left)
  return [0, Math.abs(slope) <= LEVEL.slope ? slope : 0].some(lean => {
    const bottoms = word
      .map(({ bottom, left }) => bottom - lean * (left - first.left))
      .sort((one, other) => one - other)
    const line = bottoms[bottoms.length >> 1] as number
    return (
      bottoms.filter(bottom => Math.abs(bottom - line) <= Math.max(1, LEVEL.apart * height)).length >=
      LEVEL.share * bottoms.length
    )
  })
}

/** Returns whether there is little other ink above and below a word, or next to a vertical word. */
function isAlone(
  { width, height, pixels }: GrayImage,
  word: readonly ConnectedComponent[],
  across: number,
  down: number,
): boolean {
  let [other, area] = [0, 0]
  for (const part of word) {
    const [left, right] = [Math.max(0, part.left - across), Math.min(width - 1, part.right + across)]
    const [top, bottom] = [Math.max(0, part.top - down), Math.min(height - 1, part.bottom + down)]
    for (let row = top; row <= bottom; row++)
      for (let at = row * width + left; at <= row * width + right; at++) if ((pixels[at] as number) < DARK) other++
    other -= part.area
    area += (right - left + 1) * (bottom - top + 1)
  }
  return other <= MOST_CLUTTER * area
}

function countLetters(word: readonly ConnectedComponent[]): number {
  const usual = usualHeight(word)
  return word.reduce(
    (sum, { left, right }) => sum + Math.max(1, Math.round((right - left + 1) / (LETTER_WIDTH * usual))),
    0,
  )
}

function usualHeight(word: readonly ConnectedComponent[]): number {
  const heights = word.map(heightOf).sort((one, other) => one - other)
  return heights[heights.length >> 1] ?? 1
}

function heightOf({ top, bottom }: ConnectedComponent): number {
  return bottom - top + 1
}

import type { Box } from '../../pdf/geometry'
import { chainMatrices, mapBox } from '../../pdf/geometry'
import type { GrayImage } from './scans/gray-image'
import { wordsOf } from './page-text/page-text'
import type { PageText } from './page-text/page-text'
import { findTextInk } from './scans/text-ink'

/**
 * The minimum number of unread letters in one word, and in all words, for a page to count as incomplete. The second
 * number is larger, because photos may also seem to show short words.
 */
const LEAST_OF_WORD = 6
const LEAST_OF_ALL = 12

/** The margin around the box of a recognized word, as a share of the shorter side of the box. */
const MARGIN = 0.3

/** The confidence below which a word counts as not recognized. */
const LEAST_CONFIDENCE = 20

/** The minimum share of a word's components outside of recognized words. */
const LEAST_OUTSIDE = 0.6

/** The cell size of the map of recognized parts, in pixels. */
const CELL = 4

/**
 * Settings of the quick check: tile size and sample distance in pixels, and the minimum contrast in shades. A short
 * word covers at least `LEAST_SAMPLES` samples.
 */
const TILE = 32
const STEP = 4
const CONTRAST = 16
const LEAST_SAMPLES = 24

/** An image of a page, and its parts that need no recognition. */
export interface InkSearch {
  image: GrayImage
  dpi: number
  /** Parts of the image that need no recognition, in pixels from its upper-left corner. */
  known: readonly Box[]
}

/** Returns whether an image of a page shows rows of letters that none of the readings contains. */
export function hasUnreadInk({ image, dpi, known }: InkSearch, readings: readonly PageText[]): boolean {
  const read = new ReadMap(image)
  for (const box of known) read.mark(box)
  for (const reading of readings) {
    const toImage = chainMatrices(reading.toSeen, [dpi / 72, 0, 0, -dpi / 72, 0, image.height])
    for (const { box, confidence = 100 } of wordsOf(reading))
      if (confidence >= LEAST_CONFIDENCE) read.mark(mapBox(toImage, box))
  }
  if (!mayShowMore(image, read)) return false
  let unread = 0
  for (const { boxes, letters } of findTextInk(image, dpi)) {
    const outside = boxes.filter(({ x, y, width, height }) => !read.has(x + width / 2, y + height / 2)).length
    if (outside < LEAST_OUTSIDE * boxes.length) continue
    unread += letters
    if (letters >= LEAST_OF_WORD || unread >= LEAST_OF_ALL) return true
  }
  return false
}

/** Samples some pixels. Returns whether enough samples outside of recognized words differ from their surroundings. */
function mayShowMore({ width, height, pixels }: GrayImage, read: ReadMap): boolean {
  let found = 0
  const shades = new Uint8Array((TILE / STEP) ** 2)
  for (let top = 0; top < height; top += TILE) {
    for (let left = 0; left < width; left += TILE) {
      let [count, least, most] = [0, 255, 0]
      const [right, bottom] = [Math.min(width, left + TILE), Math.min(height, top + TILE)]
      for (let y = top; y < bottom; y += STEP) {
        for (let x = left, at = y * width + left; x < right; x += STEP, at += STEP) {
          const shade = pixels[at] as number
          shades[count++] = shade
          if (shade < least) least = shade
          if (shade > most) most = shade
        }
      }
      if (most - least < CONTRAST) continue
      const usual = shades.slice(0, count).sort()[count >> 1] as number
      for (let y = top; y < bottom; y += STEP) {
        for (let x = left, at = y * width + left; x < right; x += STEP, at += STEP) {
          if (Math.abs((pixels[at] as number) - usual) >= CONTRAST && !read.has(x, y) && ++found >= LEAST_SAMPLES)
            return true
        }
      }
    }
  }
  return false
}

/** A map of the recognized parts of an image, in cells. */
class ReadMap {
  private readonly columns: number
  private readonly rows: number
  private readonly cells: Uint8Array

  constructor({ width, height }: GrayImage) {
    this.columns = Math.ceil(width / CELL)
    this.rows = Math.ceil(height / CELL)
    this.cells = new Uint8Array(this.columns * this.rows)
  }

  has(x: number, y: number): boolean {
    return this.cells[Math.floor(y / CELL) * this.columns + Math.floor(x / CELL)] === 1
  }

  mark({ x, y, width, height }: Box): void {
    const margin = MARGIN * Math.min(width, height)
    const [left, right] = [
      Math.max(0, Math.floor((x - margin) / CELL)),
      Math.min(this.columns, Math.ceil((x + width + margin) / CELL)),
    ]
    const [top, bottom] = [
      Math.max(0, Math.floor((y - margin) / CELL)),
      Math.min(this.rows, Math.ceil((y + height + margin) / CELL)),
    ]
    for (let row = top; row < bottom; row++)
      if (left < right) this.cells.fill(1, row * this.columns + left, row * this.columns + right)
  }
}

import type { Box } from '../../../pdf/geometry'
import type { GrayImage } from '../../ocr/scans/gray-image'
import type { Barcode, Point } from './barcode-reader'

/** Samples along a linear code, and the share of them that must be the same for its bars to continue. */
const SAMPLES = 240
const SAME_SHARE = 0.8

/** Rows of pixels without the bars after which they have ended, such as a scratch. */
const MOST_MISSING = 4

/** Pixels around a code that are removed with it. */
const MARGIN = 3

/** Strips of a code that isn't level. Its bounding box would cover its neighbors. */
const STRIPS = 24

/** How far a code may slope, as a share of its size, to get one box. */
const LEVEL_SHARE = 0.04

/** Returns boxes that together cover a barcode, in pixels from the upper-left corner of the image. */
export function boxesOfBarcode(image: GrayImage, code: Barcode): Box[] {
  const corners = code.isLinear ? followBars(image, code.corners) : code.corners
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [left, right] = [Math.min(...xs) - MARGIN, Math.max(...xs) + MARGIN]
  const [top, bottom] = [Math.min(...ys) - MARGIN, Math.max(...ys) + MARGIN]
  if (isLevel(corners, Math.max(right - left, bottom - top)))
    return [{ x: left, y: top, width: right - left, height: bottom - top }]
  const height = (bottom - top) / STRIPS
  return Array.from({ length: STRIPS }, (_, index) => top + index * height).flatMap(y => {
    const extent = extentOf(corners, y - MARGIN, y + height + MARGIN)
    return extent ? [{ x: extent[0] - MARGIN, y, width: extent[1] - extent[0] + 2 * MARGIN, height }] : []
  })
}

/** Returns whether all edges run along an axis. */
function isLevel(corners: readonly Point[], size: number): boolean {
  return corners.every((corner, index) => {
    const next = corners[(index + 1) % corners.length] as Point
    return Math.min(Math.abs(next.x - corner.x), Math.abs(next.y - corner.y)) <= LEVEL_SHARE * size + 1
  })
}

/** Returns the least and largest x of a polygon between two heights. Undefined if it isn't there. */
function extentOf(corners: readonly Point[], top: number, bottom: number): [number, number] | undefined {
  const xs: number[] = []
  for (const [index, one] of corners.entries()) {
    const other = corners[(index + 1) % corners.length] as Point
    if (one.y >= top && one.y <= bottom) xs.push(one.x)
    for (const y of [top, bottom])
      if (y >= Math.min(one.y, other.y) && y <= Math.max(one.y, other.y) && one.y !== other.y)
        xs.push(one.x + ((other.x - one.x) * (y - one.y)) / (other.y - one.y))
  }
  return xs.length > 0 ? [Math.min(...xs), Math.max(...xs)] : undefined
}

/**
 * Extends the corners of a linear code to the ends of its bars. A reader needs a single line across the bars, so it often
 * returns a part of their length.
 */
function followBars(image: GrayImage, corners: Barcode['corners']): Barcode['corners'] {
  const [topLeft, topRight, bottomRight, bottomLeft] = corners
  const [start, end] = [middleOf(topLeft, bottomLeft), middleOf(topRight, bottomRight)]
  const length = Math.hypot(end.x - start.x, end.y - start.y)
  if (length < 2) return corners
  const [stepX, stepY] = [(start.y - end.y) / length, (end.x - start.x) / length]
  const sample = (steps: number): number[] =>
    Array.from({ length: SAMPLES }, (_, index) => {
      const share = (index + 0.5) / SAMPLES
      const x = Math.round(start.x + (end.x - start.x) * share + stepX * steps)
      const y = Math.round(start.y + (end.y - start.y) * share + stepY * steps)
      return x >= 0 && y >= 0 && x < image.width && y < image.height
        ? (image.pixels[y * image.width + x] as number)
        : 255
    })
  const bars = sample(0)
  const middle = (bars.reduce((least, shade) => Math.min(least, shade), 255) + Math.max(...bars)) / 2
  const follow = (direction: 1 | -1): number => {
    let last = 0
    for (let steps = 1; steps - last <= MOST_MISSING && steps < image.width + image.height; steps++) {
      const shades = sample(steps * direction)
      const same = shades.filter((shade, index) => shade < middle === (bars[index] as number) < middle).length
      if (same >= SAME_SHARE * SAMPLES) last = steps
    }
    return last * direction
  }
  const [above, below] = [follow(-1), follow(1)]
  const at = ({ x, y }: Point, steps: number): Point => ({ x: x + stepX * steps, y: y + stepY * steps })
  const reached: Barcode['corners'] = [at(start, above), at(end, above), at(end, below), at(start, below)]
  return uniteCorners(corners, reached, { start, stepX, stepY })
}

function middleOf(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}

/** Returns the outer ones of two sets of corners, as seen from the line in the middle of a code. */
function uniteCorners(
  one: Barcode['corners'],
  other: Barcode['corners'],
  { start, stepX, stepY }: { start: Point; stepX: number; stepY: number },
): Barcode['corners'] {
  const distance = ({ x, y }: Point): number => Math.abs((x - start.x) * stepX + (y - start.y) * stepY)
  return one.map((corner, index) => {
    const candidate = other[index] as Point
    return distance(corner) > distance(candidate) ? corner : candidate
  }) as Barcode['corners'] // as many as before
}

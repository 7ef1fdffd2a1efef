import type { Box, Matrix } from '../../../pdf/geometry'

/** An image in shades of gray: rows from the top, one byte per pixel, 255 for white. */
export interface GrayImage {
  width: number
  height: number
  pixels: Uint8Array
}

/** Quarter turns clockwise. */
export type Quarters = 0 | 1 | 2 | 3

/** Writes an image as a PGM file ("P5", Netpbm), which is quick to write and to read. */
export function writePgm({ width, height, pixels }: GrayImage): Uint8Array<ArrayBuffer> {
  const head = Buffer.from(`P5 ${width} ${height} 255\n`, 'latin1')
  const file = new Uint8Array(head.length + pixels.length)
  file.set(head)
  file.set(pixels, head.length)
  return file
}

/** Returns the image rotated clockwise. */
export function rotateImage(image: GrayImage, quarters: Quarters): GrayImage {
  const { width, height, pixels } = image
  if (quarters === 0) return image
  const turned = new Uint8Array(pixels.length)
  if (quarters === 2) {
    for (let at = 0, to = pixels.length - 1; to >= 0; at++, to--) turned[to] = pixels[at] as number
    return { width, height, pixels: turned }
  }
  for (let row = 0, at = 0; row < height; row++) {
    const [start, step] = quarters === 1 ? [height - 1 - row, height] : [(width - 1) * height + row, -height]
    for (let column = 0, to = start; column < width; column++, at++, to += step) turned[to] = pixels[at] as number
  }
  return { width: height, height: width, pixels: turned }
}

/**
 * Returns the matrix from positions in a rotated image to positions in the original image of this size. The image was
 * rotated clockwise. Both positions are from the upper-left corner.
 */
export function unturnMatrix({ width, height }: { width: number; height: number }, quarters: Quarters): Matrix {
  if (quarters === 1) return [0, -1, 1, 0, 0, height]
  if (quarters === 2) return [-1, 0, 0, -1, width, height]
  if (quarters === 3) return [0, 1, -1, 0, width, 0]
  return [1, 0, 0, 1, 0, 0]
}

/** Returns the image after a 3 × 3 median filter, which removes specks and keeps edges. */
export function removeSpecks({ width, height, pixels }: GrayImage): GrayImage {
  const cleaned = Uint8Array.from(pixels)
  for (let row = 1; row < height - 1; row++) cleanRow({ width, height, pixels }, row, cleaned)
  return { width, height, pixels: cleaned }
}

/**
 * Cleans one row. The median of nine shades is the median of three values. They are the largest column minimum, the
 * median of the column medians, and the smallest column maximum. Each column is sorted once for the three pixels that
 * need it.
 */
function cleanRow({ width, pixels }: GrayImage, row: number, cleaned: Uint8Array): void {
  let [leastA, middleA, mostA, leastB, middleB, mostB] = [0, 0, 0, 0, 0, 0]
  const start = row * width
  for (let column = 0; column < width; column++) {
    const at = start + column
    const [above, own, below] = [pixels[at - width] as number, pixels[at] as number, pixels[at + width] as number]
    let [leastC, middleC, mostC] = [own, own, own]
    if (above !== own || below !== own) {
      leastC = Math.min(above, own, below)
      mostC = Math.max(above, own, below)
      middleC = above + own + below - leastC - mostC
    }
    const isFlat = leastA === mostC && leastB === mostC && leastC === mostC && mostA === mostC && mostB === mostC
    if (column >= 2 && !isFlat)
      cleaned[at - 1] = middleOf(
        Math.max(leastA, leastB, leastC),
        middleOf(middleA, middleB, middleC),
        Math.min(mostA, mostB, mostC),
      )
    leastA = leastB
    middleA = middleB
    mostA = mostB
    leastB = leastC
    middleB = middleC
    mostB = mostC
  }
}

function middleOf(one: number, other: number, third: number): number {
  return Math.max(Math.min(one, other), Math.min(Math.max(one, other), third))
}

/**
 * Returns the share of pixels that differ strongly from all sixteen pixels two steps away. Only every fourth row is
 * checked.
 */
export function measureSpecks({ width, height, pixels }: GrayImage): number {
  let [specks, count] = [0, 0]
  for (let row = 2; row < height - 2; row += 4) {
    const end = (row + 1) * width - 2
    for (let at = row * width + 2; at < end; at++) {
      count++
      if (isSpeck(pixels, at, width)) specks++
    }
  }
  return count === 0 ? 0 : specks / count
}

/** Makes these parts of the image white, in place. Boxes are from the upper-left corner. */
export function whiten({ width, height, pixels }: GrayImage, boxes: readonly Box[]): void {
  for (const box of boxes) {
    const [left, right] = [Math.max(0, Math.floor(box.x)), Math.min(width, Math.ceil(box.x + box.width))]
    const [top, bottom] = [Math.max(0, Math.floor(box.y)), Math.min(height, Math.ceil(box.y + box.height))]
    for (let row = top; row < bottom; row++) if (left < right) pixels.fill(255, row * width + left, row * width + right)
  }
}

/** Returns a copy of the image with these parts white, or the image itself if there are none. */
export function copyWithout(image: GrayImage, boxes: readonly Box[]): GrayImage {
  if (boxes.length === 0) return image
  const copy = { ...image, pixels: image.pixels.slice() }
  whiten(copy, boxes)
  return copy
}

/** The minimum contrast between a speck and its surroundings, in shades. */
const SPECK = 80

function isSpeck(pixels: Uint8Array, at: number, width: number): boolean {
  const own = pixels[at] as number
  const left = own - (pixels[at - 2] as number)
  if (left < SPECK && left > -SPECK) return false
  const sign = left > 0 ? 1 : -1
  for (let step = -2; step <= 2; step++) {
    if (
      sign * (own - (pixels[at - 2 * width + step] as number)) < SPECK ||
      sign * (own - (pixels[at + 2 * width + step] as number)) < SPECK
    )
      return false
    if (
      sign * (own - (pixels[at + step * width - 2] as number)) < SPECK ||
      sign * (own - (pixels[at + step * width + 2] as number)) < SPECK
    )
      return false
  }
  return true
}

import type { Bitmap } from './render'

/** Every color of a pixel must reach this value for the pixel to count as white. Scanned paper does. */
const WHITE = 240

/** Counts the pixels that aren't white. */
export function countInk(image: Bitmap): number {
  const { width, height } = image
  let count = 0
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) if (hasInk(image, row, column)) count++
  return count
}

/** A box in pixels from the upper-left corner of a page. `right` and `bottom` are exclusive. */
export interface PixelBox {
  left: number
  top: number
  right: number
  bottom: number
}

/** The box around all pixels that aren't white. Rows have four bytes per pixel. Undefined if all pixels are white. */
export function boxInk(
  rows: Uint8Array,
  stride: number,
  { width, height }: { width: number; height: number },
): PixelBox | undefined {
  // A bitmap and its rows are aligned to four bytes.
  const pixels = new Uint32Array(rows.buffer, rows.byteOffset, (stride / 4) * (height - 1) + width)
  const find = (row: number, from: number, to: number, step: 1 | -1): number | undefined => {
    const start = row * (stride / 4)
    for (let column = from; column !== to; column += step) if (isInk(pixels[start + column] as number)) return column
    return undefined
  }
  // Compare rows as bytes first, because most rows are blank.
  const white = Buffer.alloc(width * 4, 0xff)
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let row = 0; row < height; row++) {
    if (white.compare(rows, row * stride, row * stride + width * 4) === 0) continue
    const first = find(row, 0, left, 1) ?? find(row, left, width, 1)
    if (first === undefined) continue
    left = Math.min(left, first)
    right = Math.max(right, find(row, width - 1, right, -1) ?? right)
    top = Math.min(top, row)
    bottom = row
  }
  return right < 0 ? undefined : { left, top, right: right + 1, bottom: bottom + 1 }
}

/** Returns whether a pixel of four bytes isn't white. Ignores the last byte. */
function isInk(pixel: number): boolean {
  if ((pixel & 0xffffff) === 0xffffff) return false
  return (pixel & 0xff) < WHITE || ((pixel >> 8) & 0xff) < WHITE || ((pixel >> 16) & 0xff) < WHITE
}

function hasInk({ pixels, channels, width }: Bitmap, row: number, column: number): boolean {
  const at = (row * width + column) * channels
  for (let channel = 0; channel < channels; channel++) if ((pixels[at + channel] as number) < WHITE) return true
  return false
}

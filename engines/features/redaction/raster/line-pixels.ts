import type { Bitmap } from '../../../pdf/render'

/** A range of rows and columns of pixels. `right` and `bottom` are exclusive. */
export interface PixelBox {
  left: number
  right: number
  top: number
  bottom: number
}

/** Maximum difference of color components, from 0 to 255, between two colors that count as equal. */
const TOLERANCE = 24

/** Maximum number of rows with ink in a column that only a ruled line crosses: a count, or a share of the rows. */
const LEAST_ROWS = 2
const RULE_SHARE = 0.1

/** Returns an image rotated clockwise by 0, 90, 180 or 270 degrees. */
export function rotateBitmap(image: Bitmap, turn: number): Bitmap {
  if (turn === 0) return image
  const { width, height, channels, pixels } = image
  const [across, down] = turn === 180 ? [width, height] : [height, width]
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const [fromX, fromY] =
        turn === 90 ? [y, height - 1 - x] : turn === 180 ? [width - 1 - x, height - 1 - y] : [width - 1 - y, x]
      const [from, to] = [(fromY * width + fromX) * channels, (y * across + x) * channels]
      for (let channel = 0; channel < channels; channel++) turned[to + channel] = pixels[from + channel] ?? 0
    }
  }
  return { ...image, width: across, height: down, pixels: turned }
}

/** Returns the most frequent color of each row of a part, as three bytes per row. */
export function backgroundOf({ width, channels, pixels }: Bitmap, { left, right, top, bottom }: PixelBox): Uint8Array {
  const rows = new Uint8Array(Math.max(0, bottom - top) * 3)
  for (let y = top; y < bottom; y++) {
    const counts = new Map<number, number>()
    let [best, most] = [0xffffff, 0]
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * channels
      const color = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
      const count = (counts.get(color) ?? 0) + 1
      counts.set(color, count)
      if (count > most) [best, most] = [color, count]
    }
    rows.set([best >> 16, (best >> 8) & 255, best & 255], (y - top) * 3)
  }
  return rows
}

/** Fills each row of a part with its color. */
export function fillRows(
  { width, channels, pixels }: Bitmap,
  { left, right, top, bottom }: PixelBox,
  rows: Uint8Array,
): void {
  for (let y = top; y < bottom; y++) {
    const color = rows.subarray((y - top) * 3, (y - top) * 3 + 3)
    for (let x = left; x < right; x++) pixels.set(color, (y * width + x) * channels)
  }
}

/**
 * Returns the first column from `left` on that has ink, or `right` if there is none. Ink is any pixel that differs from
 * the background color of its row. Ruled lines along the text line don't count.
 */
export function findInk(
  { width, channels, pixels }: Bitmap,
  { left, right, top, bottom }: PixelBox,
  rows: Uint8Array,
): number {
  const most = Math.max(LEAST_ROWS, (bottom - top) * RULE_SHARE)
  for (let x = left; x < right; x++) {
    let count = 0
    for (let y = top; y < bottom; y++) {
      const at = (y * width + x) * channels
      const row = (y - top) * 3
      if ([0, 1, 2].some(part => Math.abs((pixels[at + part] ?? 0) - (rows[row + part] ?? 0)) > TOLERANCE)) count++
    }
    if (count > most) return x
  }
  return right
}

interface Pasting {
  /** The part of the source to copy. */
  part: PixelBox
  /** The left edge in the target. */
  at: number
  /** The offset from rows of the source to rows of the target. */
  rowOffset: number
  scale: number
}

/** Copies a part of one image into another, with its width scaled by `scale`. */
export function pasteNarrower(target: Bitmap, source: Bitmap, { part, at, rowOffset, scale }: Pasting): void {
  const count = Math.ceil((part.right - part.left) * scale)
  for (let y = part.top; y < part.bottom; y++) {
    const row = y + rowOffset
    if (row < 0 || row >= target.height) continue
    for (let column = 0; column < count; column++) {
      const x = at + column
      if (x < 0 || x >= target.width) continue
      const color = averageOf(source, y, [
        part.left + column / scale,
        Math.min(part.right, part.left + (column + 1) / scale),
      ])
      target.pixels.set(color, (row * target.width + x) * target.channels)
    }
  }
}

/** Returns the mean color of a stretch of a row. Partly covered pixels count with their covered share. */
function averageOf(
  { width, channels, pixels }: Bitmap,
  y: number,
  [from, to]: readonly [number, number],
): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0]
  let weight = 0
  for (let x = Math.floor(from); x < to; x++) {
    const share = Math.min(x + 1, to) - Math.max(x, from)
    const at = (y * width + Math.min(Math.max(x, 0), width - 1)) * channels
    for (let part = 0; part < 3; part++) sums[part] = (sums[part] ?? 0) + share * (pixels[at + part] ?? 0)
    weight += share
  }
  return weight > 0
    ? [Math.round(sums[0] / weight), Math.round(sums[1] / weight), Math.round(sums[2] / weight)]
    : [255, 255, 255]
}

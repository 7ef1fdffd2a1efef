import type { Box } from '../pdf-core/box'
import type { Picture } from './render'

/** What every colour of a pixel must reach to count as white: paper that was scanned does. */
const WHITE = 240

/** Pixels that are not white. */
export function countInk(picture: Picture): number {
  const { width, height } = picture
  let count = 0
  for (let row = 0; row < height; row++) for (let column = 0; column < width; column++) if (hasInk(picture, row, column)) count++
  return count
}

/**
 * The box around all that is not white, from the lower-left corner of the page as seen, in points as `size`, which is
 * that of the whole page; undefined on a white page.
 */
export function boxInk(picture: Picture, size: { width: number; height: number }): Box | undefined {
  const { width, height } = picture
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let row = 0; row < height; row++) {
    const first = findInk(picture, row, 0, left, 1) ?? findInk(picture, row, left, width, 1)
    if (first === undefined) continue
    left = Math.min(left, first)
    right = Math.max(right, findInk(picture, row, width - 1, right, -1) ?? right)
    top = Math.min(top, row)
    bottom = row
  }
  if (right < 0) return undefined
  const [across, up] = [size.width / width, size.height / height]
  return { x: left * across, y: (height - 1 - bottom) * up, width: (right + 1 - left) * across, height: (bottom + 1 - top) * up }
}

/** The first column with ink on the way from `from` to before `to`. */
function findInk(picture: Picture, row: number, from: number, to: number, step: 1 | -1): number | undefined {
  for (let column = from; column !== to; column += step) if (hasInk(picture, row, column)) return column
  return undefined
}

function hasInk({ pixels, channels, width }: Picture, row: number, column: number): boolean {
  const at = (row * width + column) * channels
  for (let channel = 0; channel < channels; channel++) if ((pixels[at + channel] as number) < WHITE) return true
  return false
}

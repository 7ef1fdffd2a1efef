import { drawPages } from '../../../pdf/render'
import type { Bitmap } from '../../../pdf/render'
import type { ComparedFile, ComparedPage } from '../model'

/** Side in pixels of the square to which a page is reduced. */
const SIDE = 32

/** Resolution before the reduction. Low, because only large shapes count. */
const DPI = 18

/** Darkness of the squares of a page, from 0 to 255, in rows from the top. */
export type PageLook = Uint8Array

/** Reduces pages to small images, to recognize pages without text. Pages that can't be drawn are left out. */
export async function reducePages(
  { document, hasAnnotations }: ComparedFile,
  pages: readonly ComparedPage[],
): Promise<Map<number, PageLook>> {
  const looks = new Map<number, PageLook>()
  const drawing = { dpi: DPI, leastDpi: 0, color: 'gray', annotations: hasAnnotations } as const
  const indexes = pages.map(({ index }) => index)
  for await (const { index, image } of drawPages(document, indexes, drawing)) {
    if (image) looks.set(index, averageSquares(image))
  }
  return looks
}

/** Divides a gray image into squares and returns the average darkness of each. */
function averageSquares({ width, height, pixels }: Bitmap): PageLook {
  const look = new Uint8Array(SIDE * SIDE)
  for (let y = 0; y < SIDE; y++) {
    const [top, bottom] = part(y, height)
    for (let x = 0; x < SIDE; x++) {
      const [left, right] = part(x, width)
      let sum = 0
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) sum += 255 - (pixels[row * width + column] ?? 255)
      look[y * SIDE + x] = sum / ((bottom - top) * (right - left))
    }
  }
  return look
}

function part(index: number, length: number): [number, number] {
  const start = Math.min(length - 1, Math.floor((index / SIDE) * length))
  return [start, Math.max(start + 1, Math.floor(((index + 1) / SIDE) * length))]
}

/** How similar two pages look: the share of their ink that is at the same place, from 0 to 1. */
export function compareLooks(one: PageLook, other: PageLook): number {
  let [common, total] = [0, 0]
  for (let at = 0; at < one.length; at++) {
    const [first, second] = [one[at] ?? 0, other[at] ?? 0]
    common += Math.min(first, second)
    total += Math.max(first, second)
  }
  return total === 0 ? 1 : common / total
}

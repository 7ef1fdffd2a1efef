import { renderPage } from '../../support/reader'
import type { Image } from '../../support/reader'

/** The area in which two images of a page differ, in points from the lower left of the page as displayed. */
export interface NewInk {
  count: number
  left: number
  right: number
  bottom: number
  top: number
  /** In coordinates of the page as displayed. */
  width: number
  height: number
  /** The correlation of x and y, −1 to 1. Positive if the drawn ink rises to the right. */
  slope: number
  /** The largest change of a pixel, 0 to 255. */
  deepest: number
}

const LEAST_CHANGE = 8

/** Returns the ink that a tool added to a page, from PDFium's images before and after. */
export async function findNewInk(
  before: Uint8Array,
  after: Uint8Array,
  pageIndex = 0,
  view: { isPrint?: boolean } = {},
): Promise<NewInk> {
  return compare(await renderPage(before, pageIndex, view), await renderPage(after, pageIndex, view))
}

function compare(before: Image, { width, height, pixels }: Image): NewInk {
  const points: [number, number][] = []
  let deepest = 0
  for (let index = 0; index < width * height; index++) {
    const change = Math.max(
      ...[0, 1, 2].map(channel =>
        Math.abs((pixels[index * 4 + channel] ?? 0) - (before.pixels[index * 4 + channel] ?? 0)),
      ),
    )
    deepest = Math.max(deepest, change)
    if (change >= LEAST_CHANGE) points.push([(index % width) + 0.5, height - Math.floor(index / width) - 0.5])
  }
  const [xs, ys] = [points.map(point => point[0]), points.map(point => point[1])]
  const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other), -Infinity)
  return {
    count: points.length,
    left: -most(xs.map(x => -x)),
    right: most(xs),
    bottom: -most(ys.map(y => -y)),
    top: most(ys),
    width,
    height,
    slope: correlate(xs, ys),
    deepest,
  }
}

function correlate(xs: number[], ys: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const product = (one: number[], a: number, other: number[], b: number) =>
    one.reduce((sum, value, index) => sum + (value - a) * ((other[index] ?? 0) - b), 0)
  return product(xs, x, ys, y) / Math.sqrt(product(xs, x, xs, x) * product(ys, y, ys, y))
}

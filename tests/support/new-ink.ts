import { forEachChange } from './compare-images'
import { type Image, renderPage } from './reader'

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

/** Images of files that tests change in several ways. */
const rendered = new WeakMap<Uint8Array, Map<string, Promise<Image>>>()

/** Returns the ink that a tool added to a page, from PDFium's images before and after. */
export async function findNewInk(
  before: Uint8Array,
  after: Uint8Array,
  pageIndex = 0,
  view: { isPrint?: boolean } = {},
): Promise<NewInk> {
  const images = rendered.get(before) ?? new Map<string, Promise<Image>>()
  rendered.set(before, images)
  const key = `${pageIndex} ${view.isPrint}`
  const old = images.get(key) ?? renderPage(before, pageIndex, view)
  images.set(key, old)
  return compare(await old, await renderPage(after, pageIndex, view))
}

function compare(before: Image, after: Image): NewInk {
  const { width, height } = after
  const ink: NewInk = {
    ...{ count: 0, left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity },
    ...{ width, height, slope: 0, deepest: 0 },
  }
  const sums = { x: 0, y: 0, xx: 0, xy: 0, yy: 0 }
  forEachChange(before, after, (index, change) => {
    ink.deepest = Math.max(ink.deepest, change)
    if (change < LEAST_CHANGE) return
    const [x, y] = [index % width, height - 1 - Math.floor(index / width)]
    ink.count++
    ink.left = Math.min(ink.left, x)
    ink.right = Math.max(ink.right, x + 1)
    ink.bottom = Math.min(ink.bottom, y)
    ink.top = Math.max(ink.top, y + 1)
    sums.x += x
    sums.y += y
    sums.xx += x * x
    sums.xy += x * y
    sums.yy += y * y
  })
  const covary = (product: number, one: number, other: number) => product * ink.count - one * other
  const spread = Math.sqrt(covary(sums.xx, sums.x, sums.x) * covary(sums.yy, sums.y, sums.y))
  ink.slope = covary(sums.xy, sums.x, sums.y) / spread
  return ink
}

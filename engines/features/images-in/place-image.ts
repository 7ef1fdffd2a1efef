import { EngineError } from '../../errors'
import type { PageSize } from '../../options/page-sizes'
import type { Box } from '../../pdf/geometry'

/** How images fill pages with a size of their own. */
export const FITS = ['contain', 'cover', 'actual'] as const

/** Where images are on their pages. All lengths are in points. */
export interface PageLayout {
  /** Undefined if each page has the size of its image and the margins. */
  pageSize: PageSize | undefined
  /** `auto` turns the page to the orientation of its image, and `keep` never turns it. */
  orientation: 'auto' | 'keep' | 'portrait' | 'landscape'
  margin: number
  fit: (typeof FITS)[number]
}

/** The smallest and largest side of a page in points (ISO 32000-2, annex C). */
const LEAST_PT = 3
const MOST_PT = 14_400

/** A page with an image. Boxes are in points from the lower-left corner of the page. */
export interface PlacedImage {
  page: PageSize
  /** The whole image. */
  box: Box
  /** The part of the page in which the image shows. Undefined if it shows completely. */
  clip: Box | undefined
}

/**
 * Places an image of this size in points. Throws EngineError `options_invalid` if the page would be too large or too small,
 * or if the margins leave no room. `param` names the file.
 */
export function placeImage(
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
  { pageSize, orientation, margin, fit }: PageLayout,
  param: string,
): PlacedImage {
  if (!pageSize) {
    // PNG and BMP state whole pixels per meter, so 300 DPI becomes 299.9994.
    const [width, height] = [hundredths(widthPt), hundredths(heightPt)]
    const page = { width: width + 2 * margin, height: height + 2 * margin }
    assertSize(page, param)
    return { page, box: { x: margin, y: margin, width, height }, clip: undefined }
  }
  const page = turn(pageSize, orientation === 'auto' ? (widthPt > heightPt ? 'landscape' : 'portrait') : orientation)
  const room = { x: margin, y: margin, width: page.width - 2 * margin, height: page.height - 2 * margin }
  if (room.width < 1 || room.height < 1)
    throw new EngineError(
      'options_invalid',
      `options.margin: must leave room for the image. Got ${margin} points on a page of ${round(page.width)} × ` +
        `${round(page.height)} points. Use a smaller margin.`,
      { param: 'options.margin' },
    )
  const [across, down] = [room.width / widthPt, room.height / heightPt]
  const contained = Math.min(across, down)
  const scale = { contain: contained, cover: Math.max(across, down), actual: Math.min(1, contained) }[fit]
  const [width, height] = [widthPt * scale, heightPt * scale]
  const box = { x: (page.width - width) / 2, y: (page.height - height) / 2, width, height }
  return { page, box, clip: fit === 'cover' ? room : undefined }
}

function turn({ width, height }: PageSize, orientation: PageLayout['orientation']): PageSize {
  const isTurned = (orientation === 'landscape' && height > width) || (orientation === 'portrait' && width > height)
  return isTurned ? { width: height, height: width } : { width, height }
}

function assertSize({ width, height }: PageSize, param: string): void {
  const isLarge = Math.max(width, height) > MOST_PT
  if (!isLarge && Math.min(width, height) >= LEAST_PT) return
  throw new EngineError(
    'options_invalid',
    `${param}: must give a page with sides of ${LEAST_PT} to ${MOST_PT.toLocaleString('en')} points at the resolution ` +
      `of the image. Got ${round(width)} × ${round(height)} points. Set pageSize, such as "A4".`,
    { param },
  )
}

function hundredths(points: number): number {
  return Math.round(points * 100) / 100
}

function round(points: number): string {
  return hundredths(points).toLocaleString('en')
}

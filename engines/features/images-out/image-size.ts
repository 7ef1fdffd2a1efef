import { EngineError } from '../../errors'
import type { PdfDocument } from '../../pdf/document'
import { measureFrame } from '../../pdf/geometry'
import { FORMAT_FACTS } from './image-format'
import type { ImageFormat } from './image-format'

const POINTS_PER_INCH = 72

/** The size of images: a resolution, or a width, a height, or both in pixels. */
export type ImageSize = { dpi: number } | { width?: number | undefined; height?: number | undefined }

/** A page to draw: its position from 0, and pixels per inch. */
export interface SizedPage {
  pageIndex: number
  dpi: number
}

/**
 * The resolution of each page. An image with both width and height fits inside of them. Throws EngineError `too_large`
 * if an image would have more than `limits.maxPixels` pixels, or a longer side than its format allows. The error names
 * the page, its size and the largest resolution.
 */
export function sizePages(
  document: PdfDocument,
  pageIndexes: readonly number[],
  { size, format }: { size: ImageSize; format: ImageFormat },
): SizedPage[] {
  return pageIndexes.map(pageIndex => {
    const page = document.pages[pageIndex]
    if (!page) throw new RangeError(`there is no page at position ${pageIndex}`)
    const frame = measureFrame(document, page)
    const inches = { width: frame.width / POINTS_PER_INCH, height: frame.height / POINTS_PER_INCH }
    const dpi = 'dpi' in size ? size.dpi : fitInside(inches, size)
    if (isAllowed(document, countPixels(inches, dpi), format)) return { pageIndex, dpi }
    throw tooLarge(document, { pageIndex, inches, dpi, size, format })
  })
}

function fitInside(
  inches: Sides,
  { width, height }: { width?: number | undefined; height?: number | undefined },
): number {
  return Math.min(
    width === undefined ? Infinity : width / inches.width,
    height === undefined ? Infinity : height / inches.height,
  )
}

interface Sides {
  width: number
  height: number
}

/** The renderer rounds in the same way. */
function countPixels(inches: Sides, dpi: number): Sides {
  return {
    width: Math.max(1, Math.round(inches.width * dpi)),
    height: Math.max(1, Math.round(inches.height * dpi)),
  }
}

function isAllowed({ limits }: PdfDocument, { width, height }: Sides, format: ImageFormat): boolean {
  return width * height <= limits.maxPixels && Math.max(width, height) <= FORMAT_FACTS[format].maxSide
}

function tooLarge(
  document: PdfDocument,
  { pageIndex, inches, dpi, size, format }: SizedPage & { inches: Sides; size: ImageSize; format: ImageFormat },
): EngineError {
  const { width, height } = countPixels(inches, dpi)
  const { maxPixels } = document.limits
  const { maxSide, label } = FORMAT_FACTS[format]
  let largest = Math.floor(dpi)
  // The error must not name a resolution that fails too.
  const area = inches.width * inches.height
  largest = Math.min(
    largest,
    Math.ceil(Math.sqrt(maxPixels / area)),
    Math.ceil(maxSide / Math.max(inches.width, inches.height)),
  )
  while (largest > 0 && !isAllowed(document, countPixels(inches, largest), format)) largest--
  const rule =
    width * height > maxPixels
      ? `at most ${maxPixels.toLocaleString('en')} pixels`
      : `sides of at most ${maxSide.toLocaleString('en')} pixels in ${label}`
  const allowed = countPixels(inches, largest)
  const next =
    largest < 1
      ? `Page ${pageIndex + 1} is too large for an image.`
      : 'dpi' in size
        ? `Use at most ${largest} DPI for this page.`
        : `Use at most ${allowed.width.toLocaleString('en')} × ${allowed.height.toLocaleString('en')} pixels (${largest} DPI) ` +
          'for this page.'
  const param = `options.${'dpi' in size ? 'dpi' : size.width === undefined ? 'height' : 'width'}`
  return new EngineError(
    'too_large',
    `${param}: must give images with ${rule}. Got ${width.toLocaleString('en')} × ${height.toLocaleString('en')} ` +
      `pixels for page ${pageIndex + 1}. ${next}`,
    { param },
  )
}

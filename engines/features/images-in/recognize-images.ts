import { makeSearchable } from '../ocr/make-searchable'
import { recognizePages } from '../ocr/read-pages'
import type { ReadingOptions, RecognizedPage } from '../ocr/read-pages'
import type { PdfDocument } from '../../pdf/document'
import type { DrawnPage } from './draw-image-pages'

/** Longest side in pixels at which images are recognized: that of an A4 page at 216 and at 300 DPI. */
const SIDES = { least: 2526, most: 3508 }

/** How much small images are enlarged for recognition at most. */
const MOST_ENLARGED = 3

const POINTS_PER_INCH = 72

/** Settings that the request decides. */
export type RecognitionSettings = Pick<ReadingOptions, 'languages' | 'languagesFolder' | 'pageLimitMs'>

/**
 * Recognizes the text of all images and adds it to their pages as invisible text. Each image is recognized near its own
 * resolution. Throws EngineError like `recognizePages`.
 */
export async function recognizeImages(
  document: PdfDocument,
  drawn: readonly DrawnPage[],
  settings: RecognitionSettings,
): Promise<RecognizedPage[]> {
  const readings = await recognizePages(
    document,
    drawn.map((_, index) => index),
    {
      ...settings,
      whitelist: '',
      mode: 'auto',
      dpi: pageIndex => chooseDpi(drawn[pageIndex]),
      turns: true,
      levels: true,
    },
  )
  if (readings.some(({ added }) => added)) await makeSearchable(document, readings)
  return readings
}

/** The resolution of the page at which its image has a good size for recognition. */
function chooseDpi(drawn: DrawnPage | undefined): number {
  if (!drawn) return POINTS_PER_INCH
  const { image, placed } = drawn
  const side = Math.max(image.width, image.height)
  const wanted = side > SIDES.most ? SIDES.most : Math.max(side, Math.min(SIDES.least, side * MOST_ENLARGED))
  return (wanted / Math.max(placed.box.width, placed.box.height)) * POINTS_PER_INCH
}

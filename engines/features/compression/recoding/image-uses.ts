import { PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { isEngineError } from '../../../errors'
import type { Page, PdfDocument } from '../../../pdf/document'
import type { Matrix } from '../../../pdf/geometry'
import * as Name from '../../../pdf/names'
import { walkContent } from '../../../pdf/walk-content'

/** The largest size at which a document draws an image, in inches. */
export interface DrawnSize {
  width: number
  height: number
}

const POINTS_PER_INCH = 72

/**
 * Measures the largest size at which pages, form XObjects, tiling patterns, soft masks and annotations draw each image.
 * Images inside glyphs of Type 3 fonts aren't measured. Undefined if the content is too large to be measured completely.
 */
export function measureImageUses(document: PdfDocument): Map<PDFObject, DrawnSize> | undefined {
  const sizes = new Map<PDFObject, DrawnSize>()
  const unitOf = (page: Page): number => {
    const unit = document.peekNumber(page.dict.get(Name.UserUnit)) ?? 1
    return (unit > 0 ? unit : 1) / POINTS_PER_INCH
  }
  const record = (image: PDFRawStream, [a, b, c, d]: Matrix, unit: number): void => {
    const known = sizes.get(image)
    sizes.set(image, {
      width: Math.max(Math.hypot(a, b) * unit, known?.width ?? 0),
      height: Math.max(Math.hypot(c, d) * unit, known?.height ?? 0),
    })
  }
  try {
    walkContent(document, {
      operator(walk) {
        if (walk.reader.operator !== 'Do') return
        const object = document.peek(walk.resource('XObject', walk.reader.name))
        if (object instanceof PDFRawStream && document.peek(object.dict.get(Name.Subtype)) === Name.Image)
          record(object, walk.state.matrix, unitOf(walk.stream.page))
      },
      // The position of a form doesn't matter, only its size.
      enter({ kind, page, state }) {
        if (kind === 'glyph') return undefined
        return [unitOf(page), ...state.matrix.slice(0, 4).map(number => number.toPrecision(5))].join(' ')
      },
    })
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return undefined
    throw error
  }
  return sizes
}

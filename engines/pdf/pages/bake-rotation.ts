import { PDFNumber } from 'pdf-lib'
import { readBox } from '../geometry/box'
import type { Box } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { measureFrame, rotationOf } from '../geometry/frame'
import type { Matrix } from '../geometry/matrix'
import type { Page } from '../document/page-tree'
import { transformPages } from './transform-page'
import type { Placement } from './transform-page'
import * as Name from '../syntax/names'

/**
 * Rotates the content of pages by their /Rotate, which becomes 0, so that pages look the same. Annotations, boxes and
 * destinations rotate too. On pages without rotation, nothing but /Rotate changes.
 */
export function bakeRotations(document: PdfDocument, pages: Iterable<Page>): void {
  const placements = new Map<Page, Placement>()
  for (const page of pages) {
    const degrees = rotationOf(document, page)
    const media = readBox(document, page.attribute(Name.MediaBox)) ?? measureFrame(document, page).visible
    if (degrees !== 0) placements.set(page, { matrix: turnAround(media, degrees) })
    // A /Rotate that isn't a multiple of 90 counts as 0.
    document.edit(page.ref).set(Name.Rotate, PDFNumber.of(0))
  }
  if (placements.size) transformPages(document, placements)
}

/** Rotates clockwise by 90, 180 or 270 degrees. The lower-left corner of the box stays in place. */
function turnAround({ x, y, width, height }: Box, degrees: number): Matrix {
  const [right, top] = [x + width, y + height]
  if (degrees === 90) return [0, -1, 1, 0, x - y, y + right]
  return degrees === 180 ? [-1, 0, 0, -1, x + right, y + top] : [0, 1, -1, 0, x + top, y - x]
}

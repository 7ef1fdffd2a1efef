import { PDFName } from 'pdf-lib'
import type { PdfDocument } from './document'
import type { Page } from './page-tree'

const ROTATE = PDFName.of('Rotate')

/**
 * Degrees clockwise by which viewers turn the page: 0, 90, 180 or 270, inherited values too. What is no multiple of 90
 * counts as 0, as readers do (ISO 32000-2, table 31).
 */
export function rotationOf(document: PdfDocument, page: Page): number {
  const stated = document.peekNumber(page.attribute(ROTATE)) ?? 0
  return stated % 90 === 0 ? ((stated % 360) + 360) % 360 : 0
}

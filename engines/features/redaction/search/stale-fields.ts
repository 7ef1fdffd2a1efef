import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { drawFields, readFormFields } from '../../../pdf/forms'
import { annotationsUnder } from '../areas/annotations-near'
import type { PageAreas } from '../areas/areas'

/**
 * Draws text fields and lists under areas again, because their appearances show what their values don't have. Returns
 * whether there are any.
 */
export async function redrawFieldsUnder(document: PdfDocument, pages: readonly PageAreas[]): Promise<boolean> {
  const under = new Set<PDFDict>()
  for (const { index, areas } of pages) {
    const page = document.pages[index]
    for (const annotation of page ? annotationsUnder(document, page, areas) : []) under.add(annotation)
  }
  if (under.size === 0) return false
  const stale = readFormFields(document).filter(
    ({ kind, widgets }) =>
      (kind === 'text' || kind === 'dropdown' || kind === 'list') &&
      widgets.some(widget => under.has(document.peekDict(widget) as PDFDict)),
  )
  await drawFields(
    document,
    stale.map(({ ref }) => ref),
  )
  return stale.length > 0
}

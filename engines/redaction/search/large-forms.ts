import { annotationsOf } from '../../pdf-core/annotations/annotations'
import type { PdfDocument } from '../../pdf-core/document/document'
import { reopenDocument } from '../../pdf-core/pages/reopen'
import * as Name from '../../pdf-core/syntax/names'

/** Annotations of all pages from which on a form is looked at without its fields. */
const MOST_FIELDS = 5000

/**
 * The document, or a copy without its form where that may have very many fields: PDFium takes time in proportion to the
 * square of their number to open them. Their widgets stay as annotations.
 */
export function withoutLargeForm(document: PdfDocument): PdfDocument {
  if (
    !document.catalog.has(Name.AcroForm) ||
    document.pages.reduce((sum, page) => sum + annotationsOf(document, page).length, 0) <= MOST_FIELDS
  )
    return document
  const copy = reopenDocument(document)
  copy.editCatalog().delete(Name.AcroForm)
  return copy
}

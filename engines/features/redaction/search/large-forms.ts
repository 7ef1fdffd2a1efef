import { annotationsOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { reopenDocument } from '../../../pdf/open'
import * as Name from '../../../pdf/names'

/** The number of annotations on all pages above which the form is left out. */
const MOST_FIELDS = 5000

/**
 * Returns the document, or a copy without /AcroForm if the form may have very many fields, because PDFium takes
 * quadratic time to open fields. The widgets stay as annotations.
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

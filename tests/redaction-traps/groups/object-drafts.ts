import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { Draft } from '../draft'

/** A rectangle for annotations beside the text of the page. */
export const RECT = '[200 40 290 60]'

/** A draft with entries of the catalog. */
export const inCatalog =
  (make: (secret: string, pdf: PdfWriter, page: number) => string) =>
  (secret: string): Draft => ({ parts: { catalog: (pdf, page) => make(secret, pdf, page) } })

/** A draft with entries of the page. */
export const onPage =
  (make: (secret: string, pdf: PdfWriter, page: number) => string) =>
  (secret: string): Draft => ({ parts: { page: (pdf, page) => make(secret, pdf, page) } })

/** A draft with one annotation that has these entries. */
export const annotation = (make: (secret: string, pdf: PdfWriter) => string) =>
  onPage(
    (secret, pdf, page) => `/Annots[${pdf.add(`<</Type/Annot/Rect${RECT}/P ${page} 0 R${make(secret, pdf)}>>`)} 0 R]`,
  )

/** A draft with a link that has this action. */
export const action = (make: (secret: string, pdf: PdfWriter) => string) =>
  annotation((secret, pdf) => `/Subtype/Link/A<<${make(secret, pdf)}>>`)

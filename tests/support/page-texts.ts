import { withDocument } from './reader'

/** The text of each page of a PDF as PDFium reads it. Throws if PDFium can't open the file. */
export function readPageTexts(pdf: Uint8Array): Promise<string[]> {
  return withDocument(pdf, (pdfium, document) =>
    Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, index) => {
      const page = pdfium.FPDF_LoadPage(document, index)
      const text = pdfium.FPDFText_LoadPage(page)
      const characters = Array.from({ length: pdfium.FPDFText_CountChars(text) }, (_character, position) =>
        String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, position)),
      )
      pdfium.FPDFText_ClosePage(text)
      pdfium.FPDF_ClosePage(page)
      return characters.join('')
    }),
  )
}

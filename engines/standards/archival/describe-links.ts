import { annotationsOf, urlsOf } from '../../pdf/annotations'
import type { PdfDocument } from '../../pdf/document'
import { writeText } from '../../pdf/syntax'
import * as Name from '../../pdf/names'
import { PDFRef } from 'pdf-lib'

/** Gives links that have no description their URL as one, as PDF/UA requires (ISO 14289-1, 7.18.5). */
export function describeLinks(document: PdfDocument): void {
  for (const page of document.pages)
    for (const value of annotationsOf(document, page)) {
      const link = document.peekDict(value)
      if (!link || document.peek(link.get(Name.Subtype)) !== Name.Link || link.has(Name.Contents)) continue
      const edited = value instanceof PDFRef ? document.edit(value) : (document.edit(page.ref), link)
      edited.set(Name.Contents, writeText(urlsOf(document, link)[0] ?? 'Link inside the document'))
    }
}

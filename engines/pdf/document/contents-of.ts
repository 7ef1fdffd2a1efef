import { PDFArray, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import * as Name from '../syntax/names'
import type { PdfDocument } from './document'
import type { Page } from './page-tree'

/** The content streams of a page, in order. Entries of a damaged file that aren't streams are left out. */
export function contentsOf(document: PdfDocument, page: Page): PDFObject[] {
  const given = page.dict.get(Name.Contents)
  const list = document.peek(given)
  const items = list instanceof PDFArray ? list.asArray() : given ? [given] : []
  return items.filter(item => document.peek(item) instanceof PDFRawStream)
}

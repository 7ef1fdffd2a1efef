import { PDFDict, PDFName } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'

/**
 * Marks a document as using AES-256, which PDF 2.0 defines and an extension by Adobe adds to PDF 1.7 (ISO 32000-2,
 * 7.12).
 */
export function requirePdf17(document: PdfDocument): void {
  const { context } = document
  if (document.saving.leastVersion < '1.7') document.saving.leastVersion = '1.7'
  const existing = document.peek(document.catalog.get(Name.Extensions))
  const extension = context.obj({ BaseVersion: PDFName.of('1.7'), ExtensionLevel: 8 })
  const merged = context.obj({})
  if (existing instanceof PDFDict) for (const [key, value] of existing.entries()) merged.set(key, value)
  merged.set(Name.ADBE, extension)
  document.editCatalog().set(Name.Extensions, merged)
}

import { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { inheritedValue, readTerminalFields } from '../../pdf/forms'
import * as Name from '../../pdf/names'

/** Returns whether a signature field has a signature, or whether a certification forbids changes. */
export function isSignedDocument(document: PdfDocument): boolean {
  if (!document.isSigned) return false
  if (document.peekDict(document.catalog.get(Name.Perms))?.has(Name.DocMDP)) return true
  return readTerminalFields(document).some(
    ({ ref, type }) => type === 'Sig' && inheritedValue(document, document.peek(ref), Name.V) instanceof PDFDict,
  )
}

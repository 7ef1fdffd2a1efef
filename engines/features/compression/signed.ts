import { PDFDict, PDFName } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document/document'
import { inheritedValue } from '../../pdf/forms/fields/field-tree'
import { readTerminalFields } from '../../pdf/forms/fields/terminal-fields'
import * as Name from '../../pdf/syntax/names'

const DOC_MDP = PDFName.of('DocMDP')

/** Returns whether a signature field has a signature, or whether a certification forbids changes. */
export function isSignedDocument(document: PdfDocument): boolean {
  if (!document.isSigned) return false
  if (document.peekDict(document.catalog.get(Name.Perms))?.has(DOC_MDP)) return true
  return readTerminalFields(document).some(
    ({ ref, type }) => type === 'Sig' && inheritedValue(document, document.peek(ref), Name.V) instanceof PDFDict,
  )
}

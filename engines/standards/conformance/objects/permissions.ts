import { PDFName } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import * as Name from '../../../pdf/names'

/** The permissions dictionary of a document, if it has one. */
export function permissionsOf(document: PdfDocument): PDFDict | undefined {
  return document.peekDict(document.catalog.get(Name.Perms))
}

/** Rules for the permissions dictionary (ISO 32000-1, 12.8.4). */
export const PERMISSION_RULES: readonly Rule<PDFDict>[] = [
  {
    in: inParts23('6.1.12-1'),
    message: 'The permissions dictionary must not have entries other than /UR3 and /DocMDP.',
    check: permissions => {
      const other = permissions.keys().find(key => !['UR3', 'DocMDP'].includes(key.decodeText()))
      return other && other.toString().slice(0, 40)
    },
  },
]

/** A signature reference dictionary. */
interface SignatureReference {
  document: PdfDocument
  reference: PDFDict
}

/** Rules for signature reference dictionaries (ISO 32000-1, 12.8.1). */
export const REFERENCE_RULES: readonly Rule<SignatureReference>[] = [
  {
    in: inParts23('6.1.12-2'),
    message: 'With /DocMDP, signature references must not have /DigestLocation, /DigestMethod or /DigestValue.',
    check: ({ document, reference }) => {
      if (!permissionsOf(document)?.has(Name.DocMDP)) return undefined
      const key = ['DigestLocation', 'DigestMethod', 'DigestValue'].find(name => reference.has(PDFName.of(name)))
      return key && `/${key}`
    },
  },
]

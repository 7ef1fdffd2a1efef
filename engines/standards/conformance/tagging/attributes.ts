import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf, plainDict } from '../examination/model'

/**
 * The value of a structure attribute (ISO 32000-1, 14.7.5): the first in /A, otherwise the first in the classes of /C.
 * Revision numbers in arrays are skipped. `accepts` tells which values have the right type.
 */
export function attributeOf(
  document: PdfDocument,
  { root, element, owner, key }: { root: PDFDict; element: PDFDict; owner: string; key: string },
  accepts: (value: PDFObject) => boolean,
): PDFObject | undefined {
  const find = (attributes: PDFObject | undefined): PDFObject | undefined => {
    for (const item of listOf(document, attributes)) {
      const dict = plainDict(document, item)
      const value = document.peekName(entryOf(document, dict, 'O')) === owner && entryOf(document, dict, key)
      if (value && accepts(value)) return value
    }
    return undefined
  }
  const value = find(entryOf(document, element, 'A'))
  if (value) return value
  const classes = plainDict(document, entryOf(document, root, 'ClassMap'))
  for (const item of classes ? listOf(document, entryOf(document, element, 'C')) : []) {
    const name = document.peekName(item)
    const found = name === undefined ? undefined : find(entryOf(document, classes, name))
    if (found) return found
  }
  return undefined
}

function listOf(document: PdfDocument, value: PDFObject | undefined): PDFObject[] {
  const object = document.peek(value)
  if (object instanceof PDFArray) return object.asArray()
  return object ? [object] : []
}

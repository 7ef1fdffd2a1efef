import { PDFDict, PDFStream } from 'pdf-lib'
import type { PDFName } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { findReachable, walkDictionaries } from '../../pdf/document'
import * as Name from '../../pdf/names'

/** Prefix of keys in which Apple's Preview stores its own form of an annotation (ISO 32000-2, annex E). */
const PREVIEW = 'AAPL:AK'

/**
 * Removes thumbnails, which viewers make themselves, and private data of applications (ISO 32000-2, 12.3.4 and 14.5).
 * The values must have the right type, so that resources with such a name stay.
 */
export function dropPrivateData(document: PdfDocument): void {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const object = document.peek(ref)
    if (!object) continue
    for (const dict of walkDictionaries(object)) {
      const found = listPrivateKeys(document, dict)
      if (found.length === 0) continue
      document.store.get(ref)
      for (const key of found) dict.delete(key)
    }
  }
}

function listPrivateKeys(document: PdfDocument, dict: PDFDict): PDFName[] {
  const found: PDFName[] = []
  if (document.peek(dict.get(Name.Thumb)) instanceof PDFStream) found.push(Name.Thumb)
  if (document.peek(dict.get(Name.PieceInfo)) instanceof PDFDict) found.push(Name.PieceInfo)
  if (dict.has(Name.Subtype) && dict.has(Name.Rect))
    found.push(...dict.keys().filter(key => key.decodeText().startsWith(PREVIEW)))
  return found
}

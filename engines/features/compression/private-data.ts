import { PDFDict, PDFName, PDFStream } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document/document'
import { findReachable } from '../../pdf/document/reachable'
import { walkDictionaries } from '../../pdf/document/walk-dictionaries'
import * as Name from '../../pdf/syntax/names'

const [THUMB, PIECE_INFO] = ['Thumb', 'PieceInfo'].map(name => PDFName.of(name)) as [PDFName, PDFName]

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
  if (document.peek(dict.get(THUMB)) instanceof PDFStream) found.push(THUMB)
  if (document.peek(dict.get(PIECE_INFO)) instanceof PDFDict) found.push(PIECE_INFO)
  if (dict.has(Name.Subtype) && dict.has(Name.Rect))
    found.push(...dict.keys().filter(key => key.decodeText().startsWith(PREVIEW)))
  return found
}

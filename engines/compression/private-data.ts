import { PDFDict, PDFName, PDFStream } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import { findReachable } from '../pdf-core/document/reachable'
import { walkDictionaries } from '../pdf-core/document/walk-dictionaries'

const [THUMB, PIECE_INFO] = ['Thumb', 'PieceInfo'].map(name => PDFName.of(name)) as [PDFName, PDFName]

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
      const isFound =
        document.peek(dict.get(THUMB)) instanceof PDFStream || document.peek(dict.get(PIECE_INFO)) instanceof PDFDict
      if (!isFound) continue
      document.store.get(ref)
      if (document.peek(dict.get(THUMB)) instanceof PDFStream) dict.delete(THUMB)
      if (document.peek(dict.get(PIECE_INFO)) instanceof PDFDict) dict.delete(PIECE_INFO)
    }
  }
}

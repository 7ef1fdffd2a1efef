import type { PDFDict, PDFObject } from 'pdf-lib'
import { authorOf, subtypeOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'

/**
 * Returns whether an annotation must be removed together with its owner. This applies to pop-ups, review states, and
 * members of the owner's group by the same author (ISO 32000-2, 12.5.6.2 and 12.5.6.3). A reply is a separate comment
 * and stays.
 */
export function dependsOnRemoved(document: PdfDocument, follower: PDFDict, owner: PDFObject): boolean {
  if (subtypeOf(document, follower) === 'Popup' || follower.has(Name.StateModel)) return true
  if (document.peek(follower.get(Name.RT)) !== Name.Group) return false
  const [author, other] = [follower, document.peekDict(owner)].map(dict => dict && authorOf(document, dict))
  return author === undefined || author === other
}

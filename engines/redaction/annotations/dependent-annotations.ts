import { PDFName } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { authorOf, subtypeOf } from '../../pdf-core/annotations/annotation-entries'
import type { PdfDocument } from '../../pdf-core/document/document'

const RT = PDFName.of('RT')
const GROUP = PDFName.of('Group')
const STATE_MODEL = PDFName.of('StateModel')

/**
 * Whether an annotation goes with the one that it belongs to: a pop-up does, and so does what a viewer treats as a part of
 * it: its review states, and members of its group by the same author (ISO 32000-2, 12.5.6.2 and 12.5.6.3). A reply is a
 * comment of its own and stays.
 */
export function dependsOnRemoved(document: PdfDocument, follower: PDFDict, owner: PDFObject): boolean {
  if (subtypeOf(document, follower) === 'Popup' || follower.has(STATE_MODEL)) return true
  if (document.peek(follower.get(RT)) !== GROUP) return false
  const [author, other] = [follower, document.peekDict(owner)].map(dict => dict && authorOf(document, dict))
  return author === undefined || author === other
}

import type { PdfDocument } from '../../pdf-core/document/document'
import type { ProfileId } from '../profiles'
export function claimsOf(_document: PdfDocument): ProfileId[] {
  return ['pdfa-2b']
}

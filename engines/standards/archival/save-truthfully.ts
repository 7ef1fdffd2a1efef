import { claimsOf } from '../conformance/xmp/claims'
import { PROFILES } from '../conformance/examination/profiles'
import type { ProfileId } from '../conformance/examination/profiles'
import { validate } from '../conformance/validate'
import type { PdfDocument } from '../../pdf/document'
import { breaksLevelA, dropClaims, findDoubtfulClaims, PDFA, PDFUA } from '../../pdf/metadata'
import { openDocument } from '../../pdf/open'
import { saveDocument } from '../../pdf/save'
import type { WrittenFile } from '../../pdf/save'

/** Maximum number of pages of a file that is validated after an edit. */
const MOST_PAGES = 500

/**
 * Writes a document. If edits may have broken a claim of PDF/A or PDF/UA, validates the result, and removes the claim
 * unless every rule holds (warning `conformance-dropped`). Claims of very long documents are removed without
 * validation. Throws like `saveDocument`.
 */
export function saveTruthfully(document: PdfDocument): WrittenFile {
  const doubtful = findDoubtfulClaims(document)
  if (doubtful.length === 0 || document.pageCount > MOST_PAGES || breaksLevelA(document)) return saveDocument(document)
  const file = saveDocument(document, { keepsClaims: true })
  const result = openDocument(file.join(), { ...document.limits, maxPagesIn: document.limits.maxPagesOut })
  const claims = claimsOf(result)
  const broken = doubtful.filter(namespace => {
    const profiles = claims.filter(profile => namespaceOf(profile) === namespace)
    return !holds(result, profiles)
  })
  if (broken.length === 0) return file
  dropClaims(result, broken)
  document.warnings.add('conformance-dropped')
  return saveDocument(result)
}

/** Returns whether a document conforms to all of these profiles. A claim without a profile can't be validated. */
function holds(document: PdfDocument, profiles: readonly ProfileId[]): boolean {
  return (
    profiles.length > 0 &&
    profiles.every(profile => validate(document, document.source.bytes, profile).conforms === true)
  )
}

function namespaceOf(profile: ProfileId): string {
  return PROFILES[profile].family === 'pdfua-1' ? PDFUA : PDFA
}

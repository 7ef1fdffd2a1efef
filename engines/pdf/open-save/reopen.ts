import type { PdfDocument } from '../document/document'
import { openDocument } from './open'
import { keepVersionOf } from '../document/version'
import { writeDocument } from '../writer/writer'

/** Writes the document and opens the result, for code that needs an unchanged document. Keeps the warnings. */
export function reopenDocument(document: PdfDocument): PdfDocument {
  const reopened = openDocument(writeDocument(document).join(), { ...document.limits, maxObjects: Infinity })
  for (const warning of document.warnings) reopened.warnings.add(warning)
  keepVersionOf(reopened, document)
  for (const feature of document.saving.addedFeatures) reopened.saving.addedFeatures.add(feature)
  if (document.isSigned) reopened.warnings.add('signatures-invalidated')
  return reopened
}

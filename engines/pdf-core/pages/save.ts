import { EngineError } from '../../errors'
import { dropBrokenClaims } from '../metadata/conformance-claims'
import type { PdfDocument } from '../document/document'
import { openDocument } from './open'
import { dropCertification } from '../fields/signatures'
import { writeDocument } from '../writer/writer'

/**
 * The document as a file, opened again and counted before it is handed out. It is always written anew, so that nothing
 * that certifies the file it came from holds for it: that is removed.
 * Throws EngineError `unreadable` when the result does not have the pages it must have.
 */
export function saveDocument(document: PdfDocument): Uint8Array {
  const { maxPagesOut } = document.limits
  const expected = document.pageCount
  if (expected > maxPagesOut)
    throw new EngineError(
      'too-large',
      `The result would have more than ${maxPagesOut.toLocaleString('en')} pages; use fewer.`,
    )
  if (document.isSigned) document.warnings.add('signatures-invalidated')
  dropBrokenClaims(document)
  dropCertification(document)
  const bytes = writeDocument(document)
  const check = openDocument(bytes, { ...document.limits, maxPagesIn: maxPagesOut, maxObjects: Infinity })
  if (check.pageCount !== expected || check.source.repairs.length) {
    throw new EngineError('unreadable', 'The PDF is damaged in a way that could not be repaired.', {
      cause: new Error(`wrote ${expected} pages, read ${check.pageCount}`),
    })
  }
  return bytes
}

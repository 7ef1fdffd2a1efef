import { EngineError } from '../../errors'
import { dropBrokenClaims } from '../metadata/conformance-claims'
import type { PdfDocument } from '../document/document'
import { openWritten } from './open'
import { dropCertification } from '../forms/fields/signatures'
import { writeDocument } from '../writer/writer'
import type { WrittenFile } from '../writer/written-file'

/**
 * Writes the document as a file, then opens the file to check its page count. The file is always written anew, so
 * signatures and permissions that certify the source file no longer apply and are removed. Throws EngineError
 * `damaged` if the result doesn't have the expected pages. If `keepsClaims` is true, claims of conformance stay that
 * edits may have broken, because the caller validates the result.
 */
export function saveDocument(document: PdfDocument, { keepsClaims = false } = {}): WrittenFile {
  const { maxPagesOut } = document.limits
  const expected = document.pageCount
  if (expected > maxPagesOut)
    throw new EngineError(
      'too_large',
      `The result would have more than ${maxPagesOut.toLocaleString('en')} pages. Use fewer pages.`,
    )
  if (document.isSigned) document.warnings.add('signatures-invalidated')
  if (!keepsClaims) dropBrokenClaims(document)
  dropCertification(document)
  const file = writeDocument(document)
  const check = openWritten(file, { ...document.limits, maxPagesIn: maxPagesOut, maxObjects: Infinity })
  if (check.pageCount !== expected || check.source.repairs.length) {
    throw new EngineError('damaged', "The PDF is damaged and couldn't be repaired.", {
      cause: new Error(`wrote ${expected} pages, read ${check.pageCount}`),
    })
  }
  return file
}

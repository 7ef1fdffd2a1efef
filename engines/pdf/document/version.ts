import { PDFName } from 'pdf-lib'
import { FEATURE_VERSIONS } from './added-features'
import type { PdfDocument } from './document'
import * as Name from '../syntax/names'

/** Bytes at the start of a file in which readers look for the header (ISO 32000-1, annex H.3). */
const HEADER_BYTES = 1200

/** The version of a file without a readable header. */
const ASSUMED = '1.4'

/**
 * The PDF version of the document's file: the higher one of its header and of /Version in its catalog (ISO 32000-2,
 * 7.5.2 and table 29).
 */
export function versionOf(document: PdfDocument): string {
  const start = Buffer.from(document.source.bytes.subarray(0, HEADER_BYTES)).toString('latin1')
  const header = /%PDF-([12]\.\d)/.exec(start)?.[1] ?? ASSUMED
  const stated = document.peek(document.catalog.get(Name.Version))
  const version = stated instanceof PDFName ? stated.decodeText() : ''
  return /^[12]\.\d$/.test(version) && version > header ? version : header
}

/** Raises the needed version of a document to the version of another document whose content it receives. */
export function keepVersionOf(document: PdfDocument, other: PdfDocument): void {
  const version = versionOf(other)
  if (version > document.saving.leastVersion) document.saving.leastVersion = version
}

/** The version that the document needs: the highest version of all its files and of all features that edits added. */
export function neededVersion(document: PdfDocument): string {
  if (document.saving.fixedVersion !== undefined) return document.saving.fixedVersion
  const added = [...document.saving.addedFeatures].flatMap(feature => FEATURE_VERSIONS[feature] ?? [])
  return [versionOf(document), document.saving.leastVersion, ...added].sort().at(-1) as string // never empty
}

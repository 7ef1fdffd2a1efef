import { PDFName, PDFRef } from 'pdf-lib'
import { FEATURE_VERSIONS } from './added-features'
import type { PdfDocument } from './document'
import type { Source } from './source'

const ROOT = PDFName.of('Root')
const VERSION = PDFName.of('Version')

/** Bytes at the start of a file in which readers look for the header (ISO 32000-1, annex H.3). */
const HEADER_BYTES = 1200

/** What a file without a readable header counts as. */
const ASSUMED = '1.4'

/**
 * The PDF version that a file states: the higher one of its header and of /Version in its catalog (ISO 32000-2, 7.5.2 and
 * table 29). `shift` is what its object numbers are shifted by in the document.
 */
export function versionOf(document: PdfDocument, source: Source, shift = 0): string {
  const start = Buffer.from(source.bytes.subarray(0, HEADER_BYTES)).toString('latin1')
  const header = /%PDF-([12]\.\d)/.exec(start)?.[1] ?? ASSUMED
  const root = source.table.trailer.get(ROOT)
  const catalog = root instanceof PDFRef ? document.peekDict(PDFRef.of(root.objectNumber + shift, root.generationNumber)) : undefined
  const stated = document.peek(catalog?.get(VERSION))
  const version = stated instanceof PDFName ? stated.decodeText() : ''
  return /^[12]\.\d$/.test(version) && version > header ? version : header
}

/** The version that the document needs: the highest one of all its files and of what edits added. */
export function neededVersion(document: PdfDocument): string {
  const stated = document.store.files.map(({ source, shift }) => versionOf(document, source, shift))
  const added = [...document.addedFeatures].flatMap(feature => FEATURE_VERSIONS[feature] ?? [])
  return [...stated, ...added, '1.3'].sort().at(-1) as string // never empty
}

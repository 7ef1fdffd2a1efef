import type { Examination } from '../examination/examination'
import type { Area } from '../examination/area'
import { HEADER_RULES, readHeader } from './header'
import { TRAILER_RULES, XREF_RULES, readFileEnd } from './trailer-rules'
import { readSections } from './xref-sections'
import { PDFArray, PDFBool, PDFDict, PDFNull } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf, plainDict } from '../examination/model'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'

/** Checks the frame of the file: header, cross-reference sections, trailers and the end. Objects are in `objects/`. */
export function examineFile(examination: Examination): Area {
  const { document, bytes } = examination
  const header = readHeader(bytes)
  examination.apply(HEADER_RULES, header)
  const sections = readSections(bytes, header.offset, document.context)
  examination.apply(XREF_RULES, { sections })
  examination.apply(TRAILER_RULES, readFileEnd(document, bytes, sections))
  examination.apply(DOCUMENT_RULES, document)
  return {}
}

/** The largest number of indirect objects (ISO 32000-1, Annex C). */
const MOST_OBJECTS = 8_388_607

/** Rules for the number of objects and for entries of the catalog. */
const DOCUMENT_RULES: readonly Rule<PdfDocument>[] = [
  {
    in: inAllParts('6.1.12-7', '6.1.13-7'),
    message: 'The file must not have more than 8,388,607 indirect objects.',
    check: ({ source }) => (source.table.entryCount > MOST_OBJECTS ? `${source.table.entryCount} objects` : undefined),
  },
  {
    in: { 'pdfa-1': '6.1.11-2' },
    message: 'The name dictionary must not have /EmbeddedFiles.',
    check: document => {
      const names = plainDict(document, entryOf(document, document.catalog, 'Names'))
      return isPresent(entryOf(document, names, 'EmbeddedFiles')) ? '/EmbeddedFiles' : undefined
    },
  },
  {
    in: { 'pdfa-1': '6.1.13-1' },
    message: 'The document must not have optional content (/OCProperties).',
    check: document => (isPresent(entryOf(document, document.catalog, 'OCProperties')) ? '/OCProperties' : undefined),
  },
  {
    in: inParts23('6.4.2-2'),
    message: 'The catalog must not have /NeedsRendering.',
    check: document => {
      const value = entryOf(document, document.catalog, 'NeedsRendering')
      return !isPresent(value) || value === PDFBool.False ? undefined : `/NeedsRendering ${String(value).slice(0, 20)}`
    },
  },
  {
    in: inParts23('6.11-1'),
    message: 'The catalog must not have /Requirements.',
    check: document => {
      const value = entryOf(document, document.catalog, 'Requirements')
      return value instanceof PDFArray || value instanceof PDFDict ? '/Requirements' : undefined
    },
  },
]

function isPresent(value: PDFObject | undefined): boolean {
  return value !== undefined && value !== PDFNull
}

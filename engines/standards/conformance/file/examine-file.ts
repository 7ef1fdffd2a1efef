import type { Examination } from '../examination/examination'
import type { Area } from '../examination/area'
import { DOCUMENT_RULES } from './document-rules'
import { HEADER_RULES, readHeader } from './header'
import { TRAILER_RULES, XREF_RULES, readFileEnd } from './trailer-rules'
import { readSections } from './xref-sections'

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

import type { PDFDict } from 'pdf-lib'
import { stringBytes } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { asBuffer } from '../../../pdf/syntax'
import { entryOf } from '../examination/model'
import { UNDECIDED } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { linearizedLength } from './xref-sections'
import type { XrefSection } from './xref-sections'
import * as Name from '../../../pdf/names'

/** Trailers and the end of a file. */
export interface FileEnd {
  document: PdfDocument
  /** The newest trailer. In a linearized file, the trailer of the first page. */
  trailer: PDFDict
  /** The trailer at the end of a linearized file. Undefined for other files. */
  mainTrailer: PDFDict | undefined
  /** Number of bytes after the last `%%EOF` and one line end. −1 if the marker is missing. */
  bytesAfterMarker: number
}

/** Collects the facts for the trailer rules. */
export function readFileEnd(
  document: PdfDocument,
  bytes: Uint8Array,
  sections: readonly XrefSection[] | undefined,
): FileEnd {
  const { trailer } = document.source.table
  const isLinearized = linearizedLength(bytes, document.context) === bytes.length && (sections?.length ?? 0) > 1
  return {
    document,
    trailer,
    mainTrailer: isLinearized ? sections?.at(-1)?.trailer : undefined,
    bytesAfterMarker: bytesAfterMarker(bytes),
  }
}

function bytesAfterMarker(bytes: Uint8Array): number {
  const marker = asBuffer(bytes).lastIndexOf('%%EOF')
  if (marker < 0) return -1
  let end = marker + 5
  if (bytes[end] === 13) end += bytes[end + 1] === 10 ? 2 : 1
  else if (bytes[end] === 10) end++
  return bytes.length - end
}

/** The strings of a trailer's /ID, joined. Undefined if there is no /ID. */
function idOf(document: PdfDocument, trailer: PDFDict): string | undefined {
  const id = document.peekArray(trailer.get(Name.ID))
  if (!id) return undefined
  return id
    .asArray()
    .map(item => stringBytes(document.peek(item)) ?? '')
    .join('')
}

/** Rules for the trailer (6.1.3). */
export const TRAILER_RULES: readonly Rule<FileEnd>[] = [
  {
    in: { 'pdfa-1': '6.1.3-1' },
    message: 'The trailer must have a file identifier (/ID).',
    check: ({ document, trailer }) => (idOf(document, trailer) === undefined ? 'no /ID' : undefined),
  },
  {
    in: { 'pdfa-2': '6.1.3-1', 'pdfa-3': '6.1.3-1' },
    message: "The trailer must have a file identifier (/ID) that isn't empty.",
    check: ({ document, trailer }) => {
      const id = idOf(document, trailer)
      return id === undefined ? 'no /ID' : id === '' ? 'empty /ID' : undefined
    },
  },
  {
    in: { 'pdfa-1': '6.1.3-4' },
    message: 'In a linearized file, the first and the last trailer must have the same /ID.',
    check: ({ document, trailer, mainTrailer }) => {
      const last = mainTrailer && idOf(document, mainTrailer)
      const first = idOf(document, trailer)
      return last === undefined || first === undefined || first === last ? undefined : 'two different /ID'
    },
  },
  {
    in: { 'pdfa-1': '6.1.3-2', 'pdfa-2': '6.1.3-2', 'pdfa-3': '6.1.3-2' },
    message: 'The file must not be encrypted.',
    check: ({ document, trailer }) => (entryOf(document, trailer, 'Encrypt') ? '/Encrypt' : undefined),
  },
  {
    in: { 'pdfua-1': '7.16-1' },
    message: 'An encrypted file must permit text extraction for accessibility.',
    check: ({ document, trailer }) => {
      const encryption = document.peekDict(trailer.get(Name.Encrypt))
      if (!encryption) return undefined
      const permissions = document.peekNumber(encryption.get(Name.P))
      return permissions !== undefined && (permissions & 512) !== 0 ? undefined : `/P ${permissions}`
    },
  },
  {
    in: { 'pdfa-1': '6.1.3-3', 'pdfa-2': '6.1.3-3', 'pdfa-3': '6.1.3-3' },
    message: 'Nothing but one line end may follow the last %%EOF.',
    check: ({ bytesAfterMarker: count }) =>
      count === 0 ? undefined : count < 0 ? 'no %%EOF' : `${count} bytes after %%EOF`,
  },
]

/** The cross-reference chain. `sections` is undefined if the chain can't be followed. */
export interface XrefChain {
  sections: readonly XrefSection[] | undefined
}

/** Rules for cross-reference sections (6.1.4). */
export const XREF_RULES: readonly Rule<XrefChain>[] = [
  {
    in: { 'pdfa-1': '6.1.4-1' },
    message: 'One space must separate the two numbers of a cross-reference subsection header.',
    check: ({ sections }) => (sections ? sections.find(section => section.badSubsection)?.badSubsection : UNDECIDED),
  },
  {
    in: { 'pdfa-1': '6.1.4-2', 'pdfa-2': '6.1.4-2', 'pdfa-3': '6.1.4-2' },
    message: 'Exactly one line end must separate the keyword xref from the subsection header.',
    check: ({ sections }) => {
      if (!sections) return UNDECIDED
      const bad = sections.find(section => !section.hasSingleLineEnd)
      return bad && `xref at byte ${bad.position}`
    },
  },
  {
    in: { 'pdfa-1': '6.1.4-3' },
    message: 'The file must not have cross-reference streams.',
    check: ({ sections }) => {
      if (!sections) return UNDECIDED
      const stream = sections.find(section => section.isStream)
      return stream && `cross-reference stream at byte ${stream.position}`
    },
  },
]

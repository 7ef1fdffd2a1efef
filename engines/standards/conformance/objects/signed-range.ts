import { PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { AT_OFFSET } from '../../../pdf/document'
import { asBuffer, EntryReader, ObjectHeader, readInteger, skipSpace } from '../../../pdf/syntax'
import type { Examination } from '../examination/examination'
import { readHeader } from '../file/header'
import { readSections } from '../file/xref-sections'

/** What a signature's /ByteRange must be. */
export interface SignedRange {
  /** Offset of the string /Contents, including its bracket. */
  contentsStart: number
  /** Offset after the string. */
  contentsEnd: number
  /** The number of bytes from there to the end of the signature's revision, without and with the last line end. */
  leastLength: number
  mostLength: number
}

interface Span {
  start: number
  end: number
}

/**
 * The range that a signature must cover: its revision of the file, without /Contents. `value` is the signature, and
 * `field` its form field. Undefined if the string /Contents can't be found in the file.
 */
export function coveredRange(
  examination: Examination,
  value: PDFObject | undefined,
  field: PDFObject,
): SignedRange | undefined {
  const contents = findContents(examination, value, field)
  if (!contents) return undefined
  const { bytes } = examination
  const revision = revisionEnd(examination, contents.end)
  return {
    contentsStart: contents.start,
    contentsEnd: contents.end,
    // Signatures of the last revision must cover the line end after %%EOF too.
    leastLength: (revision.most === bytes.length ? revision.most : revision.least) - contents.end,
    mostLength: revision.most - contents.end,
  }
}

function findContents(examination: Examination, value: PDFObject | undefined, field: PDFObject): Span | undefined {
  const { bytes } = examination
  if (value instanceof PDFRef) return follow(examination, entryAt(bytes, bodyOf(examination, value), 'Contents'))
  const direct = entryAt(bytes, bodyOf(examination, field), 'V')
  return direct && follow(examination, entryAt(bytes, direct.start, 'Contents'))
}

/** The offset of an object's value in the file. Undefined if the object isn't there, or is in an object stream. */
function bodyOf({ bytes, document }: Examination, ref: PDFObject): number | undefined {
  const { table } = document.source
  if (!(ref instanceof PDFRef) || table.kinds[ref.objectNumber] !== AT_OFFSET) return undefined
  const header = new ObjectHeader()
  return header.read(bytes, table.locations[ref.objectNumber] ?? 0) ? header.body : undefined
}

function entryAt(bytes: Uint8Array, at: number | undefined, key: string): Span | undefined {
  const entries = new EntryReader()
  if (at === undefined || !entries.open(bytes, at, bytes.length)) return undefined
  while (entries.next()) if (entries.isKey(key)) return { start: entries.value, end: entries.valueEnd }
  return undefined
}

/** The string, if the value is a reference to it. */
function follow(examination: Examination, value: Span | undefined): Span | undefined {
  const { bytes } = examination
  const number = value && readInteger(bytes, value.start)
  if (!number) return value
  const body = bodyOf(examination, PDFRef.of(number.value))
  if (body === undefined) return undefined
  const start = skipSpace(bytes, body)
  const end = asBuffer(bytes).indexOf('>', start)
  return end < 0 ? undefined : { start, end: end + 1 }
}

/** The end of the revision that the offset is in: after `%%EOF`, and after its line end. */
function revisionEnd({ bytes, document }: Examination, at: number): { least: number; most: number } {
  const sections = readSections(bytes, readHeader(bytes).offset, document.context) ?? []
  const section = sections.filter(({ position }) => position > at).toSorted((a, b) => a.position - b.position)[0]
  const buffer = asBuffer(bytes)
  const start = section?.isStream ? buffer.indexOf('endstream', section.position) : (section?.position ?? at)
  let marker = buffer.indexOf('%%EOF', Math.max(start, at))
  while (marker >= 0 && !startsLine(bytes, marker)) marker = buffer.indexOf('%%EOF', marker + 5)
  if (marker < 0) return { least: bytes.length, most: bytes.length }
  const least = marker + 5
  if (bytes[least] === 13) return { least, most: bytes[least + 1] === 10 ? least + 2 : least + 1 }
  return { least, most: bytes[least] === 10 ? least + 1 : least }
}

function startsLine(bytes: Uint8Array, at: number): boolean {
  let before = at - 1
  while (bytes[before] === 0x20) before--
  return bytes[before] === 10 || bytes[before] === 13
}

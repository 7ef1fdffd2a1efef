import { PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFContext } from 'pdf-lib'
import { asBuffer, isAt, isDigit, isWhite, ObjectHeader, Parser, readInteger, skipSpace } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'

// Bytes of an entry of a cross-reference table (ISO 32000-2, 7.5.4).
const SPACE = 0x20
const LESS_THAN = 0x3c
const FREE = 0x66
const IN_USE = 0x6e

/** One section of a file's cross-reference chain. */
export interface XrefSection {
  /** Offset in the file. */
  position: number
  /** Whether it is a cross-reference stream. */
  isStream: boolean
  trailer: PDFDict
  /** Offset of the trailer dictionary, or of the stream's dictionary. */
  trailerStart: number
  /** Whether exactly one line end is between `xref` and the first subsection. */
  hasSingleLineEnd: boolean
  /** The first subsection header that isn't two integers with one space between them. */
  badSubsection: string | undefined
}

/** Maximum number of sections that are read. */
const MAX_SECTIONS = 5000

/**
 * Reads the cross-reference chain, from the newest section to the oldest. Undefined if the chain can't be followed.
 * `origin` is the offset of the header.
 */
export function readSections(bytes: Uint8Array, origin: number, context: PDFContext): XrefSection[] | undefined {
  const buffer = asBuffer(bytes)
  const start = readInteger(bytes, skipSpace(bytes, buffer.lastIndexOf('startxref') + 9))
  if (!start || buffer.lastIndexOf('startxref') < 0) return undefined
  const sections: XrefSection[] = []
  const seen = new Set<number>()
  const waiting = [start.value]
  for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
    const position = sectionAt(bytes, offset, origin)
    if (position === undefined || seen.size >= MAX_SECTIONS) return undefined
    if (seen.has(position)) continue
    seen.add(position)
    const section = isAt(bytes, position, 'xref')
      ? readTable(bytes, position, context)
      : readStream(bytes, position, context)
    if (!section) return undefined
    sections.push(section)
    for (const key of ['XRefStm', 'Prev']) {
      const next = section.trailer.get(PDFName.of(key))
      if (next instanceof PDFNumber) waiting.push(next.asNumber())
    }
  }
  return sections
}

/** Offsets count from the header or from the start of the file. */
function sectionAt(bytes: Uint8Array, offset: number, origin: number): number | undefined {
  for (const base of origin > 0 ? [origin, 0] : [0]) {
    const position = skipSpace(bytes, offset + base)
    if (isAt(bytes, position, 'xref') || (isDigit(bytes[position]) && new ObjectHeader().read(bytes, position)))
      return position
  }
  return undefined
}

function readTable(bytes: Uint8Array, position: number, context: PDFContext): XrefSection | undefined {
  const afterKeyword = position + 4
  const hasSingleLineEnd = isDigit(bytes[lineEndAfter(bytes, afterKeyword)])
  let badSubsection: string | undefined
  let at = skipSpace(bytes, afterKeyword)
  while (isDigit(bytes[at])) {
    const first = readInteger(bytes, at)
    const count = first && readInteger(bytes, skipSpace(bytes, first.end))
    if (!first || !count) return undefined
    if (bytes[first.end] !== SPACE || !isDigit(bytes[first.end + 1]))
      badSubsection ??= JSON.stringify(asBuffer(bytes).toString('latin1', at, Math.min(count.end, at + 40)))
    at = skipEntries(bytes, skipSpace(bytes, count.end), count.value)
  }
  if (!isAt(bytes, at, 'trailer')) return undefined
  const trailer = new Parser(bytes, context, 0).parseAt(at + 7)
  if (!(trailer instanceof PDFDict)) return undefined
  return { position, isStream: false, trailer, trailerStart: at + 7, hasSingleLineEnd, badSubsection }
}

/** The offset after one line end at `at`. −1 if there is none. */
function lineEndAfter(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 13) return bytes[at + 1] === 10 ? at + 2 : at + 1
  return bytes[at] === 10 ? at + 1 : -1
}

/** The offset after this many entries. Entries have 20 bytes, but some files have other lengths. */
function skipEntries(bytes: Uint8Array, start: number, count: number): number {
  let at = start
  for (let index = 0; index < count && isDigit(bytes[at]); index++) {
    if (isFlag(bytes[at + 17]) && bytes[at + 16] === SPACE) at = skipSpace(bytes, at + 18)
    else {
      const offset = readInteger(bytes, at)
      const generation = offset && readInteger(bytes, skipSpace(bytes, offset.end))
      const flag = generation ? skipSpace(bytes, generation.end) : at
      if (!isFlag(bytes[flag])) break
      at = skipSpace(bytes, flag + 1)
    }
  }
  return at
}

/** `n` or `f`. */
function isFlag(byte: number | undefined): boolean {
  return byte === IN_USE || byte === FREE
}

function readStream(bytes: Uint8Array, position: number, context: PDFContext): XrefSection | undefined {
  const header = new ObjectHeader()
  if (!header.read(bytes, position)) return undefined
  const trailer = new Parser(bytes, context, 0).parseAt(header.body)
  if (!(trailer instanceof PDFDict)) return undefined
  const rest = { hasSingleLineEnd: true, badSubsection: undefined }
  return { position, isStream: true, trailer, trailerStart: header.body, ...rest }
}

/**
 * The length that the linearization parameters state, which must be within the first 1,024 bytes (ISO 32000-1, Annex
 * F). Undefined if the file has no such dictionary.
 */
export function linearizedLength(bytes: Uint8Array, context: PDFContext): number | undefined {
  const found = asBuffer(bytes.subarray(0, 1024)).indexOf('obj')
  if (found < 0 || !(isWhite(bytes[found + 3]) || bytes[found + 3] === LESS_THAN)) return undefined
  const dict = new Parser(bytes, context, 0, Math.min(bytes.length, 4096)).parseAt(found + 3)
  if (!(dict instanceof PDFDict) || !dict.has(Name.Linearized)) return undefined
  const length = dict.get(Name.L)
  return length instanceof PDFNumber ? length.asNumber() : undefined
}

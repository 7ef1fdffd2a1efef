import { PDFArray, PDFDict, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFContext, PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { EngineLimits } from '../../types'
import { decodeStream } from '../filters/filters'
import { MAX_OBJECT_NUMBER, Parser, streamKeyword } from '../syntax/parser'
import { streamData } from '../syntax/scanner'
import { MAX_GENERATION, ObjectHeader, asBuffer, isAt, isDigit, readInteger, skipSpace } from '../syntax/syntax'
import * as Name from '../syntax/names'

// Bytes of an entry of a cross-reference table (ISO 32000-2, 7.5.4).
const SPACE = 0x20
const FREE_FLAG = 0x66
const IN_USE_FLAG = 0x6e

/** No entry, or a free one. */
const FREE = 0
/** `location` is a byte offset, `detail` the generation number. */
export const AT_OFFSET = 1
/** `location` is the number of the object stream, `detail` the index in it. */
export const IN_STREAM = 2

/** The cross-reference table of one file, indexed by object number (ISO 32000-2, 7.5.4 and 7.5.8). */
export class XrefTable {
  kinds = new Uint8Array(1024)
  locations = new Float64Array(1024)
  details = new Uint32Array(1024)
  /** Numbers for which a newer section already has an entry, even a free one. */
  private settled = new Uint8Array(1024)
  /** One more than the largest number that has an entry. */
  size = 0
  entryCount = 0
  /** Why other readers may read the file differently or rebuild its table. The entries are those that could be read. */
  problem: string | undefined
  /** The trailer dictionary of the newest section. The output never contains it. */
  trailer: PDFDict

  constructor(
    readonly limits: EngineLimits,
    context: PDFContext,
  ) {
    this.trailer = PDFDict.withContext(context)
  }

  has(number: number): boolean {
    return number < this.size && this.kinds[number] !== FREE
  }

  isSettled(number: number): boolean {
    return this.settled[number] === 1
  }

  settle(number: number): void {
    if (number > MAX_OBJECT_NUMBER) return
    if (number >= this.kinds.length) this.grow(number)
    this.settled[number] = 1
  }

  /** Sets an entry. Throws BrokenXref if the generation is too large, EngineError `too_large` for too many objects. */
  set(number: number, kind: number, location: number, detail: number): void {
    if (number > MAX_OBJECT_NUMBER) return
    if (kind === AT_OFFSET && detail > MAX_GENERATION) throw new BrokenXref('bad generation')
    if (number >= this.kinds.length) this.grow(number)
    if (number >= this.size) this.size = number + 1
    if (this.kinds[number] === FREE && kind !== FREE && ++this.entryCount > this.limits.maxObjects) {
      throw new EngineError(
        'too_large',
        `The file has more than ${this.limits.maxObjects.toLocaleString('en')} objects. Use a smaller file or ` +
          'split it first.',
      )
    }
    this.kinds[number] = kind
    this.locations[number] = location
    this.details[number] = detail
  }

  /** Makes room for numbers below this one. */
  reserve(size: number): void {
    if (size > this.kinds.length) this.grow(size - 1)
  }

  private grow(number: number): void {
    const length = Math.max(this.kinds.length * 2, number + 1)
    const kinds = new Uint8Array(length)
    kinds.set(this.kinds)
    const locations = new Float64Array(length)
    locations.set(this.locations)
    const details = new Uint32Array(length)
    details.set(this.details)
    this.kinds = kinds
    this.locations = locations
    this.details = details
    const settled = new Uint8Array(length)
    settled.set(this.settled)
    this.settled = settled
  }
}

const MAX_SECTIONS = 5000

/** The table is broken, and the caller must rebuild it. */
export class BrokenXref extends Error {}

/**
 * Reads the cross-reference chain that `startxref` points to: tables, streams, hybrid files and /Prev. The newest entry
 * wins. `origin` is the offset of `%PDF-`. In files with bytes before the header, offsets count from the header or from
 * the start of the file. Throws BrokenXref if the chain can't be followed, EngineError `too_large`, and what
 * `onTrailer` throws.
 */
export function readXref(
  bytes: Uint8Array,
  origin: number,
  context: PDFContext,
  limits: EngineLimits,
  onTrailer: OnTrailer,
): XrefTable {
  const table = new XrefTable(limits, context)
  const seen = new Set<number>()
  const waiting: number[] = [findStart(bytes)]
  let isNewest = true
  while (waiting.length) {
    const at = waiting.shift() as number
    const { position, base } = sectionAt(bytes, at, origin)
    if (seen.has(position)) {
      if (isNewest) throw new BrokenXref()
      continue
    }
    seen.add(position)
    if (seen.size > MAX_SECTIONS) throw new BrokenXref('too many sections')
    const section = isAt(bytes, position, 'xref')
      ? readTable(bytes, position, base, context, table)
      : readStream(bytes, position, base, context, table)
    onTrailer(section)
    if (isNewest) table.trailer = section
    if (!(section.get(Name.Size) instanceof PDFNumber))
      table.problem = 'A section of the cross-reference table has no /Size.' // required (7.5.5, 7.5.8.2)
    isNewest = false
    const previous = section.get(Name.Prev)
    if (previous instanceof PDFNumber) waiting.push(previous.asNumber())
  }
  if (!(table.trailer.get(Name.Root) instanceof PDFRef)) throw new BrokenXref('no /Root')
  return table
}

/** Throws EngineError `encrypted` if the trailer has /Encrypt. */
export function refuseEncryption(trailer: PDFDict): void {
  if (!trailer.has(Name.Encrypt)) return
  throw new EngineError(
    'encrypted',
    'The PDF is encrypted or restricted by a password. Send it to unlock-pdf first, and then send the result. If the ' +
      'file opens without a password, unlock-pdf needs none. Otherwise, send options.password.',
  )
}

/** Is told each trailer, and each dictionary of a cross-reference stream, before objects are read. */
export type OnTrailer = (trailer: PDFDict) => void

function findStart(bytes: Uint8Array): number {
  const tail = asBuffer(bytes)
  const keyword = tail.lastIndexOf('startxref')
  if (keyword < 0) throw new BrokenXref('no startxref')
  const value = readInteger(bytes, skipSpace(bytes, keyword + 9))
  if (!value) throw new BrokenXref('startxref without a number')
  return value.value
}

/** The true offset of the section, and the base of its offsets: the offset of `%PDF-`, or 0. */
function sectionAt(bytes: Uint8Array, offset: number, origin: number): { position: number; base: number } {
  for (const base of origin ? [origin, 0] : [0]) {
    if (offset + base >= bytes.length) continue
    const position = skipSpace(bytes, offset + base)
    if (isAt(bytes, position, 'xref') || (isDigit(bytes[position]) && new ObjectHeader().read(bytes, position)))
      return { position, base }
  }
  throw new BrokenXref('no section there')
}

function readTable(bytes: Uint8Array, at: number, base: number, context: PDFContext, table: XrefTable): PDFDict {
  let position = skipSpace(bytes, at + 4)
  const fresh: number[] = []
  const hidden: number[] = []
  const entry = new TableEntry()
  while (isDigit(bytes[position])) {
    const first = readInteger(bytes, position)
    const count = first && readInteger(bytes, skipSpace(bytes, first.end))
    if (!first || !count) throw new BrokenXref('bad subsection')
    position = skipSpace(bytes, count.end)
    const possible = Math.ceil((bytes.length - position) / LEAST_ENTRY_BYTES)
    table.reserve(Math.min(first.value + Math.min(count.value, possible), table.limits.maxObjects))
    for (let index = 0; index < count.value; index++) {
      position = entry.read(bytes, position)
      const number = first.value + index
      if (number === 0 || table.isSettled(number)) continue
      if (entry.isInUse && entry.offset > 0) {
        fresh.push(number)
        table.set(number, AT_OFFSET, entry.offset + base, entry.generation)
      } else {
        hidden.push(number)
      }
    }
  }
  for (const number of fresh) table.settle(number)
  if (!isAt(bytes, position, 'trailer')) throw new BrokenXref('no trailer')
  const trailer = new Parser(bytes, context, 0).parseAt(position + 7)
  if (!(trailer instanceof PDFDict)) throw new BrokenXref("trailer isn't a dictionary")
  // A hybrid file hides objects from old readers: free in the table, listed in /XRefStm (7.5.8.4).
  const hybrid = trailer.get(Name.XRefStm)
  if (hybrid instanceof PDFNumber)
    readStream(bytes, sectionAt(bytes, hybrid.asNumber(), base).position, base, context, table)
  for (const number of hidden) table.settle(number)
  return trailer
}

/** An entry without padding, such as `0 0 n`, and a space. */
const LEAST_ENTRY_BYTES = 6

/** One entry of a cross-reference table. ISO 32000-2, 7.5.4 requires 20 bytes, but some files have other lengths. */
class TableEntry {
  offset = 0
  generation = 0
  isInUse = false

  /** Reads the entry at `at` and returns the offset of the next one. Throws BrokenXref. */
  read(bytes: Uint8Array, at: number): number {
    const flag = bytes[at + 17]
    if (bytes[at + 10] === SPACE && bytes[at + 16] === SPACE && (flag === IN_USE_FLAG || flag === FREE_FLAG)) {
      this.offset = digits(bytes, at, at + 10)
      this.generation = digits(bytes, at + 11, at + 16)
      if (this.offset >= 0 && this.generation >= 0) {
        this.isInUse = flag === IN_USE_FLAG
        return skipSpace(bytes, at + 18)
      }
    }
    const offset = readInteger(bytes, at)
    const generation = offset && readInteger(bytes, skipSpace(bytes, offset.end))
    const flagAt = generation ? skipSpace(bytes, generation.end) : 0
    if (!offset || !generation || (bytes[flagAt] !== IN_USE_FLAG && bytes[flagAt] !== FREE_FLAG))
      throw new BrokenXref('bad entry')
    this.offset = offset.value
    this.generation = generation.value
    this.isInUse = bytes[flagAt] === IN_USE_FLAG
    return skipSpace(bytes, flagAt + 1)
  }
}

/** The value of a fixed number of digits, or −1. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

function readStream(bytes: Uint8Array, at: number, base: number, context: PDFContext, table: XrefTable): PDFDict {
  const header = new ObjectHeader()
  if (!header.read(bytes, at)) throw new BrokenXref('no cross-reference stream')
  const parser = new Parser(bytes, context, 0)
  const dict = parser.parseAt(header.body)
  if (!(dict instanceof PDFDict)) throw new BrokenXref('no dictionary')
  readXrefStream(bytes, parser.position, dict, base, table)
  return dict
}

/** Reads the entries of a cross-reference stream whose dictionary ends at `at` (7.5.8.3). */
function readXrefStream(bytes: Uint8Array, at: number, dict: PDFDict, base: number, table: XrefTable): void {
  const keyword = streamKeyword(bytes, at)
  const widths = integers(dict.get(Name.W))
  if (keyword < 0 || widths.length < 3 || widths.some(width => width < 0 || width > 8) || widths[1] === 0)
    throw new BrokenXref('bad /W')
  const rowBytes = widths.reduce((sum, width) => sum + width, 0)
  const start = streamData(bytes, keyword)
  const length = dict.get(Name.Length)
  let end = length instanceof PDFNumber ? start + length.asNumber() : -1
  if (end < start || end > bytes.length || !isAt(bytes, skipSpace(bytes, end), 'endstream')) {
    end = asBuffer(bytes).indexOf('endstream', start)
    if (end < 0) throw new BrokenXref('unterminated stream')
  }
  const onDamage = (): void => {
    table.problem = 'The data of a cross-reference stream is damaged.'
  }
  const data = decodeStream(
    dict,
    bytes.subarray(start, end),
    value => (value instanceof PDFRef ? undefined : value),
    table.limits.maxStreamBytes,
    onDamage,
  )
  if (!data) throw new BrokenXref('stream can not be decoded')
  const size = dict.get(Name.Size)
  const index = dict.get(Name.Index)
    ? integers(dict.get(Name.Index))
    : [0, size instanceof PDFNumber ? size.asNumber() : 0]
  const [typeWidth = 0, locationWidth = 0, detailWidth = 0] = widths
  let position = 0
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const first = index[pair] as number
    const count = index[pair + 1] as number
    for (let entry = 0; entry < count && position + rowBytes <= data.length; entry++, position += rowBytes) {
      const number = first + entry
      if (number > MAX_OBJECT_NUMBER) break
      if (number === 0 || table.isSettled(number)) continue
      table.settle(number)
      const kind = typeWidth === 0 ? AT_OFFSET : bigEndian(data, position, typeWidth)
      const location = bigEndian(data, position + typeWidth, locationWidth)
      const detail = bigEndian(data, position + typeWidth + locationWidth, detailWidth)
      if (kind === AT_OFFSET && location > 0) table.set(number, AT_OFFSET, location + base, detail)
      else if (kind === IN_STREAM) table.set(number, IN_STREAM, location, detail)
    }
  }
}

function integers(value: PDFObject | undefined): number[] {
  if (!(value instanceof PDFArray)) return []
  return value
    .asArray()
    .map(item => (item instanceof PDFNumber && Number.isInteger(item.asNumber()) ? item.asNumber() : -1))
}

function bigEndian(data: Uint8Array, at: number, width: number): number {
  let value = 0
  for (let index = 0; index < width; index++) value = value * 256 + (data[at + index] as number)
  return value
}

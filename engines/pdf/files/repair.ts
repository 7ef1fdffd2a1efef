import { PDFDict, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFContext } from 'pdf-lib'
import type { EngineLimits } from '../../types'
import type { ObjectStream } from './object-stream'
import { Parser } from '../syntax/parser'
import { MAX_GENERATION, asBuffer, isAt, isDigit, isRegular, isWhite, readInteger, skipSpace } from '../syntax/syntax'
import { AT_OFFSET, IN_STREAM, type OnTrailer, XrefTable } from './xref'
import * as Name from '../syntax/names'

/** Opens an object stream and returns the numbers of its objects in order. Undefined if it can't be read. */
export type ListObjectStream = (table: XrefTable, number: number) => number[] | undefined

/**
 * Rebuilds the cross-reference table of a damaged file by one linear search for `N G obj`, trailers, object streams and
 * cross-reference streams. The last definition of a number wins. Throws EngineError `damaged` if there is no catalog
 * with pages, `too_large`, and what `onTrailer` throws.
 */
export function rebuildXref(
  bytes: Uint8Array,
  context: PDFContext,
  limits: EngineLimits,
  { listObjectStream, onTrailer }: { listObjectStream: ListObjectStream; onTrailer: OnTrailer },
): XrefTable {
  const table = new XrefTable(limits, context)
  const found = findObjects(bytes, table)
  const trailers = readTrailers(bytes, context)
  for (const trailer of trailers) onTrailer(trailer)
  const objectStreams: number[] = []
  const catalogs: number[] = []
  for (const [number, body] of found) {
    const type = typeOf(bytes, body)
    if (type === 'ObjStm') objectStreams.push(number)
    else if (type === 'Catalog') catalogs.push(number)
    else if (type === 'XRef') {
      const dict = new Parser(bytes, context, 0).parseAt(body)
      if (dict instanceof PDFDict) {
        onTrailer(dict)
        trailers.push(dict)
      }
    }
  }
  addCompressed(table, objectStreams, listObjectStream)
  const root = chooseRoot(bytes, context, table, trailers, catalogs)
  table.trailer = PDFDict.withContext(context)
  if (root !== undefined)
    table.trailer.set(Name.Root, PDFRef.of(root, table.kinds[root] === AT_OFFSET ? table.details[root] : 0))
  for (const key of [Name.Info, Name.ID]) {
    const value = trailers.findLast(trailer => trailer.has(key))?.get(key)
    if (value) table.trailer.set(key, value)
  }
  return table
}

/** Offsets after `obj` by object number, in file order. */
function findObjects(bytes: Uint8Array, table: XrefTable): Map<number, number> {
  const buffer = asBuffer(bytes)
  const found = new Map<number, number>()
  for (let at = buffer.indexOf('obj'); at >= 0; at = buffer.indexOf('obj', at + 3)) {
    if (isRegular(bytes[at + 3]) && !isDigit(bytes[at + 3])) continue
    const generation = digitsBefore(bytes, at)
    if (!generation || !isWhite(bytes[generation.start - 1])) continue
    const number = digitsBefore(bytes, generation.start)
    if (!number || number.value === 0 || generation.value > MAX_GENERATION) continue
    table.set(number.value, AT_OFFSET, number.start, generation.value)
    found.delete(number.value)
    found.set(number.value, at + 3)
  }
  return found
}

/** Reads the integer before `at`. White space may lie between. */
function digitsBefore(bytes: Uint8Array, at: number): { value: number; start: number } | undefined {
  let end = at
  while (end > 0 && isWhite(bytes[end - 1]) && at - end < 32) end--
  let start = end
  while (start > 0 && isDigit(bytes[start - 1]) && end - start <= 15) start--
  if (start === end || end - start > 15) return undefined
  return { value: Number(asBuffer(bytes).toString('latin1', start, end)), start }
}

/** The value of /Type within the first 600 bytes of an object, read without parsing the object. */
function typeOf(bytes: Uint8Array, body: number): string | undefined {
  const head = asBuffer(bytes).toString('latin1', body, body + 600)
  const end = head.search(/endobj|stream\b/)
  return /\/Type\s*\/(ObjStm|Catalog|XRef)\b/.exec(end < 0 ? head : head.slice(0, end))?.[1]
}

/** Far larger than any trailer. Limits reading, so that unclosed trailers aren't each read to the end of the file. */
const MAX_TRAILER_BYTES = 65_536

function readTrailers(bytes: Uint8Array, context: PDFContext): PDFDict[] {
  const buffer = asBuffer(bytes)
  const trailers: PDFDict[] = []
  let seen = 0
  for (let at = buffer.indexOf('trailer'); at >= 0 && seen < 5000; at = buffer.indexOf('trailer', at + 7), seen++) {
    const open = skipSpace(bytes, at + 7)
    if (!isAt(bytes, open, '<<')) continue
    const trailer = new Parser(bytes, context, 0, Math.min(bytes.length, open + MAX_TRAILER_BYTES)).parseAt(open)
    if (trailer instanceof PDFDict) trailers.push(trailer)
  }
  return trailers
}

/** Adds compressed objects. An object outside of streams wins. If several streams have a number, the last one wins. */
function addCompressed(table: XrefTable, objectStreams: number[], listObjectStream: ListObjectStream): void {
  for (const stream of objectStreams) {
    for (const [index, number] of (listObjectStream(table, stream) ?? []).entries()) {
      if (table.kinds[number] === AT_OFFSET) continue
      table.set(number, IN_STREAM, stream, index)
    }
  }
}

/**
 * The catalog that the newest trailer names, or else the last one in the file. The catalog must have pages. A
 * compressed catalog isn't checked for pages.
 */
function chooseRoot(
  bytes: Uint8Array,
  context: PDFContext,
  table: XrefTable,
  trailers: PDFDict[],
  catalogs: number[],
): number | undefined {
  const named = trailers.flatMap(trailer => {
    const root = trailer.get(Name.Root)
    return root instanceof PDFRef && table.has(root.objectNumber) ? [root.objectNumber] : []
  })
  const hasPages = (number: number): boolean => {
    if (table.kinds[number] === IN_STREAM) return true
    const dict = new Parser(bytes, context, 0).parseAt(skipHeader(bytes, table.locations[number] as number))
    return dict instanceof PDFDict && dict.has(Name.Pages)
  }
  return [...named.reverse(), ...catalogs.reverse()].find(hasPages)
}

function skipHeader(bytes: Uint8Array, at: number): number {
  return asBuffer(bytes).indexOf('obj', at) + 3
}

/** Reads the header of an object stream (7.5.7): N pairs of number and offset. */
export function readObjectStreamHead(
  data: Uint8Array,
  dict: PDFDict,
  maxObjects: number,
): Pick<ObjectStream, 'numbers' | 'isCounted' | 'offsets' | 'first'> | undefined {
  const count = dict.get(Name.N)
  const first = dict.get(Name.First)
  if (
    !(count instanceof PDFNumber) ||
    !(first instanceof PDFNumber) ||
    first.asNumber() < 0 ||
    first.asNumber() > data.length
  )
    return undefined
  const numbers: number[] = []
  const offsets: number[] = []
  for (let at = 0; numbers.length < count.asNumber() && numbers.length < maxObjects;) {
    const number = readInteger(data, skipSpace(data, at, first.asNumber()), first.asNumber())
    const offset = number && readInteger(data, skipSpace(data, number.end, first.asNumber()), first.asNumber())
    if (!number || !offset) break
    numbers.push(number.value)
    offsets.push(offset.value + first.asNumber())
    at = offset.end
  }
  return { numbers, isCounted: numbers.length === count.asNumber(), offsets, first: first.asNumber() }
}

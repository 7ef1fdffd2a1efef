import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import pako from 'pako'
import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../errors'
import { undoPredictor } from './predictors'

/** Gives the value behind a reference without touching the document. */
export type Resolve = (value: PDFObject | undefined) => PDFObject | undefined

const FILTER = PDFName.of('Filter')
const F = PDFName.of('F')
const PARAMETERS = PDFName.of('DecodeParms')
const DP = PDFName.of('DP')
const MAX_FILTERS = 25

/**
 * The decoded bytes of a stream whose filters are all general ones (Flate, LZW, ASCIIHex, ASCII85, RunLength); undefined
 * when one is not (DCT, JPX, CCITT, JBIG2, Crypt, unknown) or the data can't be decoded at all. Damaged Flate data gives
 * what could be read; `onDamage` is told.
 * Throws EngineError `too-large` when more than `maxBytes` come out.
 */
export function decodeStream(dict: PDFDict, data: Uint8Array, resolve: Resolve, maxBytes: number, onDamage?: () => void): Uint8Array | undefined {
  const filters = list(resolve(dict.get(FILTER) ?? dict.get(F)), resolve)
  const parameters = list(resolve(dict.get(PARAMETERS) ?? dict.get(DP)), resolve)
  if (filters.length > MAX_FILTERS) throw new EngineError('too-large', `A stream has ${filters.length} filters; ${MAX_FILTERS} are allowed.`)
  let bytes: Uint8Array | undefined = data
  for (const [index, filter] of filters.entries()) {
    if (!(filter instanceof PDFName) || bytes === undefined) return undefined
    const decode = DECODERS.get(filter.decodeText())
    if (!decode) return undefined
    const given = resolve(parameters[index])
    bytes = decode(bytes, given instanceof PDFDict ? numbers(given, resolve) : {}, maxBytes, onDamage)
  }
  return bytes
}

type Parameters = Record<string, number>
type Decoder = (data: Uint8Array, parameters: Parameters, maxBytes: number, onDamage?: () => void) => Uint8Array | undefined

const DECODERS = new Map<string, Decoder>([
  ['FlateDecode', flate],
  ['Fl', flate],
  ['LZWDecode', (data, parameters, max) => undoPredictor(lzw(data, parameters, max), parameters)],
  ['LZW', (data, parameters, max) => undoPredictor(lzw(data, parameters, max), parameters)],
  ['ASCIIHexDecode', asciiHex],
  ['AHx', asciiHex],
  ['ASCII85Decode', ascii85],
  ['A85', ascii85],
  ['RunLengthDecode', runLength],
  ['RL', runLength],
])

/** Filters of images, and of encryption, that stand in a file beside the general ones. */
const OTHERS = new Set(['CCITTFaxDecode', 'CCF', 'JBIG2Decode', 'DCTDecode', 'DCT', 'JPXDecode', 'Crypt'])

/** Whether each filter of a stream is one that a reader has to know (ISO 32000-2, 7.4 and 8.9.7). */
export function hasKnownFilters(dict: PDFDict, resolve: Resolve): boolean {
  const filters = list(resolve(dict.get(FILTER) ?? dict.get(F)), resolve)
  return filters.every(filter => filter instanceof PDFName && (DECODERS.has(filter.decodeText()) || OTHERS.has(filter.decodeText())))
}

function list(value: PDFObject | undefined, resolve: Resolve): (PDFObject | undefined)[] {
  if (value === undefined || value === PDFNull) return []
  return value instanceof PDFArray ? value.asArray().map(item => resolve(item)) : [value]
}

function numbers(dict: PDFDict, resolve: Resolve): Parameters {
  const found: Parameters = {}
  for (const [key, value] of dict.entries()) {
    const number = resolve(value)
    if (number instanceof PDFNumber) found[key.decodeText()] = number.asNumber()
  }
  return found
}

function tooLarge(maxBytes: number): EngineError {
  return new EngineError('too-large', `A stream of the file inflates to more than ${maxBytes.toLocaleString('en')} bytes.`)
}

function flate(data: Uint8Array, parameters: Parameters, maxBytes: number, onDamage?: () => void): Uint8Array | undefined {
  return undoPredictor(inflate(data, maxBytes, onDamage), parameters)
}

function inflate(data: Uint8Array, maxBytes: number, onDamage?: () => void): Uint8Array | undefined {
  // Z_SYNC_FLUSH: a truncated stream gives what it has instead of an error.
  const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return inflateSync(data, options)
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes)
  }
  // A wrong checksum or header, or damage in the middle: everything before the damage counts.
  onDamage?.()
  const partial = inflateUntilDamage(data, maxBytes)
  if (partial) return partial
  try {
    return inflateRawSync(data.subarray(2), options)
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes)
    return undefined // nothing can be read; the caller decides
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/**
 * The readable beginning of damaged data. By pako, because Node's zlib gives nothing of what came before the damage;
 * three times slower and only for streams that zlib refused.
 */
function inflateUntilDamage(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  let length = 0
  const inflator = new pako.Inflate({ chunkSize: 65_536 })
  const keep = (part: Uint8Array): void => {
    length += part.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    parts.push(part)
  }
  inflator.onData = chunk => keep(chunk as Uint8Array) // text only with an option that is not set
  const isSound = inflator.push(data, false)
  // What the last, unfinished piece holds already. The stream's state is public in pako, but not in its types.
  const { strm } = inflator as unknown as { strm: { output: Uint8Array | null; next_out: number } }
  if (!isSound && strm.output && strm.next_out > 0) keep(strm.output.subarray(0, strm.next_out))
  return length ? Buffer.concat(parts) : undefined
}

/** Collects output bytes with a bound. */
class Output {
  private bytes = new Uint8Array(65_536)
  length = 0

  constructor(private readonly maxBytes: number) {}

  reserve(count: number): void {
    if (this.length + count > this.maxBytes) throw tooLarge(this.maxBytes)
    if (this.length + count <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  push(byte: number): void {
    this.reserve(1)
    this.bytes[this.length++] = byte
  }

  fill(byte: number, count: number): void {
    this.reserve(count)
    this.bytes.fill(byte, this.length, this.length + count)
    this.length += count
  }

  append(part: Uint8Array): void {
    this.reserve(part.length)
    this.bytes.set(part, this.length)
    this.length += part.length
  }

  result(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}

function asciiHex(data: Uint8Array, _parameters: Parameters, maxBytes: number): Uint8Array {
  const output = new Output(maxBytes)
  let high = -1
  for (const byte of data) {
    if (byte === 0x3e) break
    const digit = byte >= 48 && byte <= 57 ? byte - 48 : byte >= 65 && byte <= 70 ? byte - 55 : byte >= 97 && byte <= 102 ? byte - 87 : -1
    if (digit < 0) continue
    if (high < 0) high = digit
    else {
      output.push(high * 16 + digit)
      high = -1
    }
  }
  if (high >= 0) output.push(high * 16)
  return output.result()
}

function ascii85(data: Uint8Array, _parameters: Parameters, maxBytes: number): Uint8Array {
  const output = new Output(maxBytes)
  let group = 0
  let count = 0
  for (const byte of data) {
    if (byte === 0x7e) break
    if (byte === 0x7a && count === 0) {
      output.fill(0, 4)
      continue
    }
    if (byte < 33 || byte > 117) continue
    group = group * 85 + byte - 33
    if (++count < 5) continue
    for (let shift = 24; shift >= 0; shift -= 8) output.push(Math.floor(group / 2 ** shift) & 255)
    group = 0
    count = 0
  }
  if (count > 1) {
    for (let pad = count; pad < 5; pad++) group = group * 85 + 84
    for (let index = 0; index < count - 1; index++) output.push(Math.floor(group / 2 ** (24 - 8 * index)) & 255)
  }
  return output.result()
}

function runLength(data: Uint8Array, _parameters: Parameters, maxBytes: number): Uint8Array {
  const output = new Output(maxBytes)
  for (let at = 0; at < data.length; ) {
    const length = data[at++] as number
    if (length === 128) break
    if (length < 128) {
      output.append(data.subarray(at, at + length + 1))
      at += length + 1
    } else {
      output.fill(data[at++] ?? 0, 257 - length)
    }
  }
  return output.result()
}

/** LZW as in TIFF and PDF: codes of 9 to 12 bits, 256 clears, 257 ends, width grows one code early by default. */
function lzw(data: Uint8Array, parameters: Parameters, maxBytes: number): Uint8Array {
  const early = parameters.EarlyChange === 0 ? 0 : 1
  const output = new Output(maxBytes)
  const prefix = new Uint16Array(4096)
  const suffix = new Uint8Array(4096)
  const lengths = new Uint16Array(4096)
  const entry = new Uint8Array(4097)
  let next = 258
  let width = 9
  let previous = -1
  let buffer = 0
  let bits = 0
  for (const byte of data) {
    buffer = ((buffer << 8) | byte) & 0xffffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (buffer >> bits) & ((1 << width) - 1)
    if (code === 257) break
    if (code === 256) {
      next = 258
      width = 9
      previous = -1
      continue
    }
    if (code > next || (code === next && previous < 0)) break // damaged: what came before counts
    const source = code < next ? code : previous
    let length = source < 256 ? 1 : (lengths[source] as number)
    let at = length
    for (let walk = source; at > 0; ) {
      if (walk < 256) {
        entry[--at] = walk
        break
      }
      entry[--at] = suffix[walk] as number
      walk = prefix[walk] as number
    }
    if (code === next) entry[length++] = entry[0] as number
    output.append(entry.subarray(0, length))
    if (previous >= 0 && next < 4096) {
      prefix[next] = previous
      suffix[next] = entry[0] as number
      lengths[next] = (previous < 256 ? 1 : (lengths[previous] as number)) + 1
      next++
    }
    previous = code
    if (next + early >= 1 << width && width < 12) width++
  }
  return output.result()
}

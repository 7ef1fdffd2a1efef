import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import { DecodedBytes } from './decoded-bytes'
import { inflate } from './inflate'
import { decodeLzw, decodeRunLength } from './run-length-lzw'
import { undoPredictor } from './predictors'
import * as Name from '../syntax/names'

/** Returns the value that a reference leads to, without changing the document. */
export type Resolve = (value: PDFObject | undefined) => PDFObject | undefined

const MAX_FILTERS = 25

/** `>` ends ASCIIHex data and `~>` ends ASCII85 data, whose digits begin with `!`. `z` stands for four zeros. */
const [GREATER_THAN, TILDE, LETTER_Z, FIRST_OF_85] = [0x3e, 0x7e, 0x7a, 0x21] as const

/**
 * Decodes a stream if all its filters are general ones (Flate, LZW, ASCIIHex, ASCII85, RunLength). Undefined if any
 * filter isn't (DCT, JPX, CCITT, JBIG2, Crypt, unknown) or if the data can't be decoded at all. Returns the readable
 * part of damaged Flate data and calls `onDamage`. Throws EngineError `too_large` if the result exceeds `maxBytes`.
 */
export function decodeStream(
  dict: PDFDict,
  data: Uint8Array,
  resolve: Resolve,
  maxBytes: number,
  onDamage?: () => void,
): Uint8Array | undefined {
  return applyFilters(readFilters(dict, resolve), data, maxBytes, onDamage)
}

/** The parameters of a filter that are numbers, by name. */
export type Parameters = Readonly<Record<string, number>>

/** A filter of a stream and its parameters. The name is undefined if the filter entry isn't a name. */
export interface StreamFilter {
  name: string | undefined
  parameters: Parameters
}

/** The filters of a stream, in decoding order. Throws EngineError `too_large` if there are too many. */
export function readFilters(dict: PDFDict, resolve: Resolve): StreamFilter[] {
  const filters = itemsOf(resolve(dict.get(Name.Filter) ?? dict.get(Name.F)), resolve)
  const parameters = itemsOf(resolve(dict.get(Name.DecodeParms) ?? dict.get(Name.DP)), resolve)
  if (filters.length > MAX_FILTERS)
    throw new EngineError('too_large', `A stream must have at most ${MAX_FILTERS} filters. Got ${filters.length}.`)
  return filters.map((filter, index) => {
    const value = resolve(parameters[index])
    return {
      name: filter instanceof PDFName ? filter.decodeText() : undefined,
      parameters: value instanceof PDFDict ? numbers(value, resolve) : {},
    }
  })
}

/** Decodes data with these filters, in order, like `decodeStream`. */
export function applyFilters(
  filters: readonly StreamFilter[],
  data: Uint8Array,
  maxBytes: number,
  onDamage?: () => void,
): Uint8Array | undefined {
  let bytes: Uint8Array | undefined = data
  for (const { name = '', parameters } of filters) {
    const decode = DECODERS.get(name)
    if (!decode || bytes === undefined) return undefined
    bytes = decode(bytes, parameters, maxBytes, onDamage)
  }
  return bytes
}

type Decoder = (
  data: Uint8Array,
  parameters: Parameters,
  maxBytes: number,
  onDamage?: () => void,
) => Uint8Array | undefined

const DECODERS = new Map<string, Decoder>([
  ['FlateDecode', flate],
  ['Fl', flate],
  ['LZWDecode', lzw],
  ['LZW', lzw],
  ['ASCIIHexDecode', asciiHex],
  ['AHx', asciiHex],
  ['ASCII85Decode', ascii85],
  ['A85', ascii85],
  ['RunLengthDecode', runLength],
  ['RL', runLength],
])

/** Known filters that this module doesn't decode: image filters and encryption. */
const UNDECODED = new Set(['CCITTFaxDecode', 'CCF', 'JBIG2Decode', 'DCTDecode', 'DCT', 'JPXDecode', 'Crypt'])

/** Returns whether readers must support all filters of a stream (ISO 32000-2, 7.4 and 8.9.7). */
export function hasKnownFilters(dict: PDFDict, resolve: Resolve): boolean {
  const filters = itemsOf(resolve(dict.get(Name.Filter) ?? dict.get(Name.F)), resolve)
  return filters.every(
    filter => filter instanceof PDFName && (DECODERS.has(filter.decodeText()) || UNDECODED.has(filter.decodeText())),
  )
}

/** Returns the items of an entry that may be an array or a single value (ISO 32000-2, table 5). */
function itemsOf(value: PDFObject | undefined, resolve: Resolve): (PDFObject | undefined)[] {
  if (value === undefined || value === PDFNull) return []
  return value instanceof PDFArray ? value.asArray().map(item => resolve(item)) : [value]
}

function numbers(dict: PDFDict, resolve: Resolve): Parameters {
  const parameters: Record<string, number> = {}
  for (const [key, value] of dict.entries()) {
    const number = resolve(value)
    if (number instanceof PDFNumber) parameters[key.decodeText()] = number.asNumber()
  }
  return parameters
}

function flate(
  data: Uint8Array,
  parameters: Parameters,
  maxBytes: number,
  onDamage?: () => void,
): Uint8Array | undefined {
  return undoPredictor(inflate(data, maxBytes, onDamage), parameters)
}

/** The value of a hexadecimal digit in ASCII. -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30 // 0 to 9
  const lowercase = byte | 0x20
  return lowercase >= 0x61 && lowercase <= 0x66 ? lowercase - 0x61 + 10 : -1 // a to f
}

/** Decodes ASCIIHex (ISO 32000-2, 7.4.2). A missing last digit is 0. */
function asciiHex(data: Uint8Array, _parameters: Parameters, maxBytes: number): Uint8Array {
  const output = new DecodedBytes(maxBytes)
  let high = -1
  for (const byte of data) {
    if (byte === GREATER_THAN) break
    const digit = hexDigit(byte)
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

/** Decodes ASCII85 (ISO 32000-2, 7.4.3): five digits from `!` to `u` are four bytes, and `z` is four zeros. */
function ascii85(data: Uint8Array, _parameters: Parameters, maxBytes: number): Uint8Array {
  const output = new DecodedBytes(maxBytes)
  let group = 0
  let count = 0
  for (const byte of data) {
    if (byte === TILDE) break
    if (byte === LETTER_Z && count === 0) {
      output.fill(0, 4)
      continue
    }
    if (byte < FIRST_OF_85 || byte >= FIRST_OF_85 + 85) continue
    group = group * 85 + byte - FIRST_OF_85
    if (++count < 5) continue
    for (let shift = 24; shift >= 0; shift -= 8) output.push(Math.floor(group / 2 ** shift) & 255)
    group = 0
    count = 0
  }
  // A group that is cut off ends like one with the highest digits, and has one byte less than digits.
  if (count > 1) {
    for (let pad = count; pad < 5; pad++) group = group * 85 + 84
    for (let index = 0; index < count - 1; index++) output.push(Math.floor(group / 2 ** (24 - 8 * index)) & 255)
  }
  return output.result()
}

function runLength(data: Uint8Array, _parameters: Parameters, maxBytes: number): Uint8Array {
  return wholeOf(maxBytes, output => decodeRunLength(data, output))
}

function lzw(data: Uint8Array, parameters: Parameters, maxBytes: number): Uint8Array | undefined {
  return undoPredictor(
    wholeOf(maxBytes, output => decodeLzw(data, parameters, output)),
    parameters,
  )
}

function wholeOf(maxBytes: number, decode: (output: DecodedBytes) => Iterator<void>): Uint8Array {
  const output = new DecodedBytes(maxBytes)
  const steps = decode(output)
  while (!steps.next().done) continue
  return output.result()
}

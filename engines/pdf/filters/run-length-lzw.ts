import type { DecodedBytes } from './decoded-bytes'
import type { Parameters } from './filters'

/** Size of the chunks in which a stream is decoded. */
export const CHUNK_BYTES = 2 ** 20

/** The length byte that ends RunLength data. Lower ones precede bytes to copy, higher ones a byte to repeat. */
const END_OF_RUNS = 128

/** Codes of LZW above those of single bytes, and their first and largest width in bits. */
const CLEAR_TABLE = 256
const END_OF_DATA = 257
const FIRST_ENTRY = 258
const FIRST_WIDTH = 9
const LARGEST_WIDTH = 12
const MOST_ENTRIES = 1 << LARGEST_WIDTH

/** Decodes RunLength (ISO 32000-2, 7.4.5) to `output`. Yields whenever `output` holds a whole chunk. */
export function* decodeRunLength(data: Uint8Array, output: DecodedBytes): Generator<void> {
  for (let at = 0; at < data.length;) {
    if (output.length >= CHUNK_BYTES) yield
    const length = data[at++] as number
    if (length === END_OF_RUNS) break
    if (length < END_OF_RUNS) {
      output.append(data.subarray(at, at + length + 1))
      at += length + 1
    } else {
      output.fill(data[at++] ?? 0, 257 - length)
    }
  }
}

/**
 * Decodes LZW to `output` as in TIFF and PDF: codes have 9 to 12 bits, 256 clears the table, 257 ends the data. By
 * default, the width grows one code early. Yields whenever `output` holds a whole chunk.
 */
export function* decodeLzw(data: Uint8Array, parameters: Parameters, output: DecodedBytes): Generator<void> {
  const early = parameters.EarlyChange === 0 ? 0 : 1
  /** For each entry of the table: the entry that it extends, its last byte, and its length. */
  const prefix = new Uint16Array(MOST_ENTRIES)
  const suffix = new Uint8Array(MOST_ENTRIES)
  const lengths = new Uint16Array(MOST_ENTRIES)
  /** The decoded bytes of the current code. */
  const entry = new Uint8Array(MOST_ENTRIES + 1)
  let next = FIRST_ENTRY
  let width = FIRST_WIDTH
  let previous = -1
  let buffer = 0
  let bits = 0
  for (const byte of data) {
    buffer = ((buffer << 8) | byte) & 0xffffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (buffer >> bits) & ((1 << width) - 1)
    if (code === END_OF_DATA) break
    if (code === CLEAR_TABLE) {
      next = FIRST_ENTRY
      width = FIRST_WIDTH
      previous = -1
      continue
    }
    if (code > next || (code === next && previous < 0)) break // damaged: keep the data before
    const source = code < next ? code : previous
    let length = source < 256 ? 1 : (lengths[source] as number)
    let at = length
    for (let walk = source; at > 0;) {
      if (walk < 256) {
        entry[--at] = walk
        break
      }
      entry[--at] = suffix[walk] as number
      walk = prefix[walk] as number
    }
    if (code === next) entry[length++] = entry[0] as number
    output.append(entry.subarray(0, length))
    if (output.length >= CHUNK_BYTES) yield
    if (previous >= 0 && next < MOST_ENTRIES) {
      prefix[next] = previous
      suffix[next] = entry[0] as number
      lengths[next] = (previous < 256 ? 1 : (lengths[previous] as number)) + 1
      next++
    }
    previous = code
    if (next + early >= 1 << width && width < LARGEST_WIDTH) width++
  }
}

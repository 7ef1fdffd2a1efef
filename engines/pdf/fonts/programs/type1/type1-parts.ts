import { DamagedFontError, FontData } from '../font-data'
import { decryptPrivate } from './type1-crypt'

/** The two parts of a Type 1 program (ISO 32000-2, 9.9.1), each as text with one byte per character. */
export interface Type1Parts {
  /** The cleartext part up to and including `eexec`. */
  clear: string
  /** The decrypted private part. Data after its end is noise. */
  hidden: string
}

/** First byte of a PFB segment. The next byte is its type: 1 for text, 2 for binary, 3 for the end. */
const PFB_MARK = 0x80
const PFB_END = 3
const PFB_HEADER_BYTES = 6

const EEXEC = /\beexec[ \t\r\n]+/g
const HEX_START = /^[0-9a-fA-F]{4}/
const NOT_HEX = /[^0-9a-fA-F\s]/

const CLEAR_START = '%!'

/**
 * Splits a Type 1 program at `eexec`. Searches for it, because the lengths in stream dictionaries are often wrong. The
 * private part may be binary or hexadecimal. Throws `DamagedFontError` if there is no `eexec`.
 */
export function splitType1(bytes: Uint8Array): Type1Parts {
  const whole = withoutHeaders(bytes)
  const text = toText(whole)
  if (!text.trimStart().startsWith(CLEAR_START)) throw new DamagedFontError('the program is not Type 1')
  EEXEC.lastIndex = 0
  const found = EEXEC.exec(text)
  if (!found) throw new DamagedFontError('the program has no private part')
  const start = found.index + found[0].length
  const isHex = HEX_START.test(text.slice(start, start + 4))
  const cipher = isHex ? readHex(text.slice(start)) : whole.subarray(start)
  return { clear: text.slice(0, found.index + 'eexec'.length), hidden: toText(decryptPrivate(cipher)) }
}

/**
 * Returns the text up to `eexec`, or all text if there is none. Decrypts nothing. Throws `DamagedFontError` for damaged
 * PFB headers.
 */
export function readClearPart(bytes: Uint8Array): string {
  return toText(withoutHeaders(bytes)).split(/\beexec\b/, 1)[0] ?? ''
}

function withoutHeaders(bytes: Uint8Array): Uint8Array {
  return bytes[0] === PFB_MARK ? joinSegments(new FontData(bytes)) : new FontData(bytes).bytes
}

function joinSegments(data: FontData): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  while (at + PFB_HEADER_BYTES <= data.length && data.u8(at) === PFB_MARK && data.u8(at + 1) !== PFB_END) {
    const size = data.u8(at + 2) + data.u8(at + 3) * 0x100 + data.u8(at + 4) * 0x10000 + data.u8(at + 5) * 0x1000000
    const start = at + PFB_HEADER_BYTES
    parts.push(data.slice(start, Math.min(start + size, data.length)))
    at = start + size
  }
  return new FontData(Buffer.concat(parts)).bytes
}

function readHex(text: string): Uint8Array {
  const end = text.search(NOT_HEX)
  const digits = text.slice(0, end < 0 ? text.length : end).replaceAll(/\s+/g, '')
  return new FontData(Buffer.from(digits.slice(0, digits.length & ~1), 'hex')).bytes
}

/** Converts bytes to text with one byte per character. */
export function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Converts text to bytes. The inverse of `toText`. */
export function toBytes(text: string): Uint8Array {
  return new FontData(Buffer.from(text, 'latin1')).bytes
}

import { decodeWindows1252 } from '../../../decode-text'
import { readTextBytes } from '../../../pdf/syntax'

/**
 * Encodings without a mark that programs write into strings and text files: of East Asian languages, and of scripts that
 * Windows-1252 lacks.
 */
export const LEGACY_ENCODINGS = [
  ...['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'],
  ...['windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'koi8-r'],
  ...['windows-1258', 'windows-874', 'macintosh'],
]

/** The signs at the beginning of UTF-8 and UTF-16 text. */
const MARKS = [
  [0xef, 0xbb, 0xbf],
  [0xfe, 0xff],
  [0xff, 0xfe],
]

/** The number of bytes that are decoded at once in other encodings, and by how many of them the next ones overlap. */
const CHUNK = 4_000_000
const OVERLAP = 4000

const decoders = new Map<string, TextDecoder>()

function decode(bytes: Uint8Array, encoding: string, fatal = false): string | undefined {
  const key = `${encoding} ${fatal}`
  const decoder = decoders.get(key) ?? new TextDecoder(encoding, { fatal })
  decoders.set(key, decoder)
  try {
    return decoder.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined // The bytes are invalid in this encoding.
    throw error
  }
}

/** What decides which encodings are tried. */
export interface ByteTextOptions {
  /**
   * Whether the search compares characters beyond Latin-1. If so, all encodings are tried. Otherwise only those that the
   * bytes suggest, because an expression may match wrongly decoded text by chance.
   */
  isForeign: boolean
}

/**
 * Returns the texts that bytes may stand for, the text string of ISO 32000-2, 7.9.2.2 first. Programs also write UTF-8
 * and UTF-16 without a byte order mark, and legacy encodings. ASCII has one text. Long data has texts of its parts.
 */
export function textsOfBytes(bytes: Uint8Array, { isForeign }: ByteTextOptions): string[] {
  const texts = new Set([readTextBytes(bytes)])
  if (!isForeign && isAscii(bytes)) return [...texts]
  for (let from = 0; bytes.length > CHUNK && from + OVERLAP < bytes.length; from += CHUNK - OVERLAP)
    for (const text of textsOfBytes(bytes.subarray(from, from + CHUNK), { isForeign })) texts.add(text)
  if (bytes.length > CHUNK) return [...texts]
  const mark = MARKS.find(signs => signs.every((sign, at) => bytes[at] === sign))
  const [text = ''] = texts
  if (mark && !isStrange(text)) return [text]
  const plain = mark ? bytes.subarray(mark.length) : bytes
  const add = (found: string | undefined): void => void (found !== undefined && texts.add(found))
  const [even, hasNull] = [plain.subarray(0, plain.length & ~1), plain.includes(0)]
  if (hasNull || mark || isForeign) {
    add(decode(even, 'utf-16be'))
    add(decode(even, 'utf-16le'))
    if (hasNull) add(decode(plain.subarray(1, 1 + ((plain.length - 1) & ~1)), 'utf-16be'))
  }
  if (isAscii(plain)) return [...texts]
  add(decode(plain, 'utf-8', !isForeign))
  add(decodeWindows1252(plain))
  if (plain.includes(0x1b)) add(decode(plain, 'iso-2022-jp'))
  if (isForeign || hasDensePairs(plain)) for (const encoding of LEGACY_ENCODINGS) add(decode(plain, encoding))
  return [...texts]
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every(byte => (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13)
}

/** Returns whether marked text looks wrongly decoded: unassigned characters, or two with an empty low byte in a row. */
function isStrange(text: string): boolean {
  return /[\p{Cn}\p{Co}\ufffd\0]/u.test(text) || /[^\0-\xff]{2}/.test(lowNulls(text))
}

function lowNulls(text: string): string {
  let marks = ''
  for (let at = 0; at < text.length; at++) marks += (text.charCodeAt(at) & 0xff) === 0 ? '\u0100' : '.'
  return marks
}

/** The number of bytes beyond ASCII in a row that text in a Latin script doesn't have. */
const LEAST_DENSE = 4

/** Returns whether bytes look like pairs of a multi-byte encoding. */
function hasDensePairs(bytes: Uint8Array): boolean {
  let run = 0
  for (const byte of bytes) {
    run = byte >= 0x80 ? run + 1 : 0
    if (run >= LEAST_DENSE) return true
  }
  return false
}

import { pdfDocEncodingDecode } from 'pdf-lib'
import { decodeWindows1252 } from '../../../decode-text'
import { LEAST_BYTES } from './byte-search'
import { decodeInLegacy, spellInLegacy } from './legacy-codes'

/** The encodings in which a text may occur in bytes. */
export const ENCODINGS = [
  'byte',
  'legacy',
  'utf8',
  'utf16be',
  'utf16le',
  'hex-byte',
  'hex-legacy',
  'hex-utf8',
  'hex-utf16be',
  'hex-utf16le',
] as const

export type Encoding = (typeof ENCODINGS)[number]

/** Ligatures that text may contain instead of letters. */
const LIGATURES = [
  ['ffi', 'ﬃ'],
  ['ffl', 'ﬄ'],
  ['ff', 'ﬀ'],
  ['fi', 'ﬁ'],
  ['fl', 'ﬂ'],
] as const

/** Characters that have several spellings, or that PDF strings may escape. */
const UNSTABLE = /[^\x21-\x7e]|["'`^~\\()-]/u

/** Decoders of 8-bit encodings: Windows-1252, PDFDocEncoding (ISO 32000-2, annex D) and Mac OS Roman. */
const DECODERS: ((bytes: Uint8Array) => string)[] = [
  decodeWindows1252,
  bytes => pdfDocEncodingDecode(bytes),
  bytes => new TextDecoder('macintosh').decode(bytes),
]

/**
 * Returns anchors. Wherever the given text occurs in any spelling, at least one of the anchors occurs too. The anchors
 * are the longest part of the text with only one spelling, or all usual spellings of its longest word.
 */
export function anchorsOf(text: string, isExact: boolean): string[] {
  const stable = longest(text.split(UNSTABLE).flatMap(part => (isExact ? [part] : part.split(/ss/i))))
  if (stable.length >= LEAST_BYTES) return withCases(withLigatures(stable), isExact)
  const word = longest(text.split(/[\s'"-]+/))
  // If every word is short, only the whole text is long enough to look up.
  const base = word.length >= LEAST_BYTES ? word : text
  const forms = new Set([base, base.normalize('NFD')])
  if (!isExact) for (const form of [...forms]) forms.add(form.replace(/ß/gi, 'ss')).add(form.replace(/ss/gi, 'ß'))
  return withCases([...forms].flatMap(withLigatures), isExact)
}

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '')
}

function withLigatures(form: string): string[] {
  const joined = LIGATURES.reduce((text, [letters, ligature]) => text.replaceAll(letters, ligature), form)
  return joined === form ? [form] : [form, joined]
}

function withCases(forms: readonly string[], isExact: boolean): string[] {
  if (isExact) return [...new Set(forms)]
  return [
    ...new Set(
      forms.flatMap(form => [
        form,
        form.toLowerCase(),
        form.toUpperCase(),
        form.charAt(0).toUpperCase() + form.slice(1).toLowerCase(),
      ]),
    ),
  ]
}

/**
 * Returns the bytes of a text in each variant of an encoding. Returns nothing if the encoding lacks a character, or if
 * the result is shorter than four bytes.
 */
export function spell(form: string, encoding: Encoding): Uint8Array[] {
  const plain = spellPlain(form, encoding)
  const bytes = encoding.startsWith('hex') ? plain.map(own => Buffer.from(own.toString('hex'))) : plain
  return bytes.filter(own => own.length >= LEAST_BYTES)
}

function spellPlain(form: string, encoding: Encoding): Buffer[] {
  const wide = Buffer.from(form, 'utf16le')
  if (encoding.endsWith('utf16le')) return [wide]
  if (encoding.endsWith('utf16be')) return [Buffer.from(wide).swap16()]
  const isAscii = /^[\0-\x7f]*$/.test(form)
  if (encoding.endsWith('legacy')) return isAscii ? [] : spellInLegacy(form)
  if (encoding.endsWith('utf8')) return isAscii ? [] : [Buffer.from(form, 'utf8')]
  if (isAscii) return [Buffer.from(form, 'latin1')]
  const spelled = codesOf().flatMap(codes => {
    const bytes = Array.from(form, character => codes.get(character))
    return bytes.some(byte => byte === undefined) ? [] : [Buffer.from(bytes as number[])] // No byte is undefined here.
  })
  return [...new Map(spelled.map(bytes => [bytes.toString('hex'), bytes])).values()]
}

let codes: Map<string, number>[] | undefined

/** Returns the map from characters to bytes for each 8-bit encoding. */
function codesOf(): Map<string, number>[] {
  return (codes ??= DECODERS.map(
    decode => new Map(Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte)), byte] as const)),
  ))
}

/**
 * Decodes the bytes around the match of a pattern, in all possible readings of its encoding. `isForeign` tells that the
 * term has characters beyond ASCII.
 */
export function readAround(
  bytes: Uint8Array,
  at: number,
  {
    encoding,
    length,
    aroundBytes,
    isForeign = false,
  }: { encoding: Encoding; length: number; aroundBytes: number; isForeign?: boolean },
): string[] {
  const step = (encoding.includes('utf16') ? 2 : 1) * (encoding.startsWith('hex') ? 2 : 1)
  const start = at - step * Math.floor(Math.min(at, aroundBytes) / step)
  const part = Buffer.from(bytes.subarray(start, Math.min(bytes.length, at + length + aroundBytes)))
  // In legacy encodings, the bytes before the match may change how the match is read.
  if (encoding === 'legacy') return [part, part.subarray(at - start)].flatMap(decodeInLegacy)
  if (!encoding.startsWith('hex')) return decodeAll(part, encoding, isForeign)
  const digits = part.toString('latin1')
  const offset = at - start
  let [first, last] = [offset, offset + length]
  while (first >= step && /^[0-9a-fA-F]+$/.test(digits.slice(first - step, first))) first -= step
  while (last + step <= digits.length && /^[0-9a-fA-F]+$/.test(digits.slice(last, last + step))) last += step
  if (encoding === 'hex-legacy')
    return [first, offset].flatMap(from => decodeInLegacy(Buffer.from(digits.slice(from, last), 'hex')))
  return decodeAll(Buffer.from(digits.slice(first, last), 'hex'), encoding, isForeign)
}

function decodeAll(bytes: Buffer, encoding: Encoding, isForeign: boolean): string[] {
  if (encoding.endsWith('utf16le')) return [new TextDecoder('utf-16le').decode(bytes.subarray(0, bytes.length & ~1))]
  if (encoding.endsWith('utf16be')) return [new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1))]
  const texts = [bytes.toString('utf8')]
  // ASCII bytes mean the same in all 8-bit encodings.
  if (bytes.some(byte => byte >= 0x80 || (byte >= 0x18 && byte < 0x20))) {
    for (const decode of DECODERS) texts.push(decode(bytes))
    if (isForeign) texts.push(...decodeInLegacy(bytes))
  }
  return texts
}

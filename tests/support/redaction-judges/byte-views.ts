import { decodeStreams } from './decoded-streams'

/** A file and all its decoded streams, as texts that can be searched for a word. */
export type ByteViews = readonly string[]

/**
 * Readings of a file that a forensic tester would try: raw bytes of the file and of each decoded stream, string objects
 * in every encoding, names with decoded `#xx` escapes, markup without tags, and decoded escapes of scripts and URLs.
 * All texts are in lower case.
 */
export function readByteViews(file: Uint8Array): ByteViews {
  const bytes = Buffer.from(file)
  const places = [bytes, ...decodeStreams(bytes)]
  return [...new Set(places.flatMap(viewsOf))].map(view => view.toLowerCase())
}

/** Returns whether a word is in one of the views, in any encoding of its characters. */
export function isInViews(views: ByteViews, word: string): boolean {
  const forms = new Set(['NFC', 'NFD'].flatMap(form => encodingsOf(word.normalize(form).toLowerCase())))
  return views.some(view => [...forms].some(form => view.includes(form)))
}

/** A word as the bytes of its encodings, and as hexadecimal digits of these, each as Latin-1. */
function encodingsOf(word: string): string[] {
  const wide = Buffer.from(word, 'utf16le')
  const encodings = [Buffer.from(word, 'utf8'), wide, Buffer.from(wide).swap16()]
  if (Array.from(word).every(letter => letter.charCodeAt(0) < 256)) encodings.push(Buffer.from(word, 'latin1'))
  return encodings.flatMap(bytes => [bytes.toString('latin1').toLowerCase(), bytes.toString('hex')])
}

function viewsOf(bytes: Buffer): string[] {
  const raw = bytes.toString('latin1')
  const strings = stringsOf(raw)
  const texts = [...strings.map(readTextString), ...(looksLikeText(bytes) ? [bytes.toString('utf8')] : [])]
  const unescaped = texts.flatMap(text => [
    withoutMarkup(text),
    resolveEntities(text),
    unescapeUrl(text),
    unescapeScript(text),
  ])
  return [
    raw,
    raw.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    strings.join('\n'),
    readDifferences(raw),
    texts.map(toUtf8Bytes).join('\n'),
    unescaped.map(toUtf8Bytes).join('\n'),
  ]
}

/** The text that the glyph names in /Differences arrays stand for (Adobe Glyph List), array by array. */
function readDifferences(raw: string): string {
  const arrays = [...raw.matchAll(/\/Differences\s*\[([^\]]*)\]/g)]
  const texts = arrays.map(({ 1: names = '' }) =>
    [...names.matchAll(/\/([^\s/]+)/g)].map(({ 1: name = '' }) => readGlyphName(name)).join(''),
  )
  return toUtf8Bytes(texts.join('\n'))
}

/**
 * Decodes letters, `uni` and `u` with hexadecimal digits, and ligatures such as `f_i`, without suffixes such as `.alt`.
 */
function readGlyphName(name: string): string {
  const parts = (name.split('.')[0] ?? '').split('_')
  return parts
    .map(part => {
      const digits =
        /^uni((?:[0-9A-F]{4})+)$/.exec(part)?.[1]?.match(/.{4}/g) ?? /^u([0-9A-F]{4,6})$/.exec(part)?.slice(1)
      if (digits) return String.fromCodePoint(...digits.map(hex => Math.min(Number.parseInt(hex, 16), 0x10ffff)))
      return /^(?:[A-Za-z]|ff?[il]?)$/.test(part) ? part : ' '
    })
    .join('')
}

const toUtf8Bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

function looksLikeText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 2000)
  return head.filter(byte => byte < 9 || (byte > 13 && byte < 32)).length < head.length / 20
}

const LITERAL = /\(((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*)\)/g
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The bytes of the string objects in a text. Everything that looks like a string counts. */
function stringsOf(raw: string): string[] {
  const literals = [...raw.matchAll(LITERAL)].map(({ 1: body = '' }) =>
    body.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_, octal?: string, other = '') => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
      return /[\r\n]/.test(other) ? '' : (ESCAPES[other] ?? other)
    }),
  )
  const digits = [...raw.matchAll(/<([0-9A-Fa-f\s]{4,})>/g)].map(({ 1: body = '' }) =>
    Buffer.from(body.replace(/\s+/g, ''), 'hex').toString('latin1'),
  )
  return [...literals, ...digits]
}

/** Decodes a text string in its encoding (ISO 32000-2, 7.9.2.2), without language escapes. */
function readTextString(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1')
  if (raw.startsWith('\xfe\xff')) return toUtf16(bytes.subarray(2), true)
  if (raw.startsWith('\xff\xfe')) return toUtf16(bytes.subarray(2), false)
  if (raw.startsWith('\xef\xbb\xbf')) return bytes.toString('utf8', 3)
  return raw
}

function toUtf16(bytes: Buffer, isBigEndian: boolean): string {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  // Escape characters enclose language codes.
  return (isBigEndian ? even.swap16() : even)
    .toString('utf16le')
    .split('\u001b')
    .filter((_, index) => index % 2 === 0)
    .join('')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** XML or HTML as text: without tags, comments and processing instructions, with CDATA and entities resolved. */
function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text
  const inner = text
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/<[^>]*>/g, '')
  return resolveEntities(inner)
}

function resolveEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex?: string, decimal?: string, name = '') => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : undefined
    return code === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Math.min(code, 0x10ffff))
  })
}

function unescapeUrl(text: string): string {
  const raw = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return raw === text ? text : Buffer.from(raw, 'latin1').toString('utf8')
}

function unescapeScript(text: string): string {
  return text.replace(/\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})/g, (_, wide?: string, narrow?: string) =>
    String.fromCharCode(Number.parseInt(wide ?? narrow ?? '0', 16)),
  )
}

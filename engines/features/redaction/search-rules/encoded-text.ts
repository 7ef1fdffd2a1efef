import { domainToUnicode } from 'node:url'
import { readNamedEntity } from './named-entities'
import { cutMatches } from './cut-matches'
import type { Rule } from './rule'

/** Maximum number of times that a text is decoded. */
const MOST_LAYERS = 8

/** Ways to write characters of a text in ASCII. Each returns the text itself if it doesn't apply. */
type Decoding = (text: string) => string

function character(code: number, whole: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** Resolves character references of HTML. */
const decodeReferences: Decoding = text =>
  text.includes('&')
    ? text.replace(
        /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,6}\d{0,2}));?/g,
        (whole: string, decimal?: string, hexadecimal?: string, name = '') =>
          decimal !== undefined
            ? character(Number.parseInt(decimal, 10), whole)
            : hexadecimal !== undefined
              ? character(Number.parseInt(hexadecimal, 16), whole)
              : (readNamedEntity(name) ?? whole),
      )
    : text

/** Decodes percent-encoded UTF-8, or Windows-1252 if it isn't UTF-8. */
export const decodePercent: Decoding = text =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, escaped => {
    const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex')
    const decoded = bytes.toString('utf8')
    return decoded.includes('\ufffd') ? bytes.toString('latin1') : decoded
  })

/** Reads `+` as a space, as in queries of URLs. */
const decodePlus: Decoding = text => (/\w\+\w/.test(text) ? text.replaceAll('+', ' ') : text)

/** Decodes the domain names of internationalized hosts (RFC 3492). */
const decodeHosts: Decoding = text =>
  /xn--/i.test(text)
    ? text.replace(/[\w.-]{0,255}xn--[\w.-]{1,255}/gi, host => domainToUnicode(host.toLowerCase()) || host)
    : text

/** Decodes quoted-printable text (RFC 2045, 6.7). */
const decodeQuoted: Decoding = text =>
  /=[0-9A-F]{2}/.test(text)
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/(?:=[0-9A-F]{2})+/g, part => Buffer.from(part.replaceAll('=', ''), 'hex').toString('utf8'))
    : text

const SIMPLE_ESCAPES = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }))

/** Resolves the escapes of JavaScript and JSON, and joins strings that a plus sign adds. */
const decodeEscapes: Decoding = text => {
  const joined = /["'`]\s{0,20}\+\s{0,20}["'`]/.test(text) ? text.replace(/(["'`])\s{0,20}\+\s{0,20}["'`]/g, '') : text
  return joined.includes('\\') || /%u/i.test(joined)
    ? joined.replace(
        /\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%u([0-9a-f]{4})|\\([0-3]?[0-7]{1,2})|\\(\r\n|[^])/gi,
        (whole: string, ...groups: (string | undefined)[]) => {
          const [octal, escaped] = [groups[4], groups[5]]
          if (escaped !== undefined) return /[\r\n]/.test(escaped) ? '' : (SIMPLE_ESCAPES.get(escaped) ?? escaped)
          if (octal !== undefined) return character(Number.parseInt(octal, 8), whole)
          return character(Number.parseInt(groups.slice(0, 4).find(digits => digits !== undefined) ?? '', 16), whole)
        },
      )
    : joined
}

/** Reads lists of character codes, as in `String.fromCharCode(72, 105)`. */
const decodeCodes: Decoding = text =>
  text.replace(/(?:0x[0-9a-f]{2,4}|\d{2,5})(?:\s{0,9},\s{0,9}(?:0x[0-9a-f]{2,4}|\d{2,5})){2,}/gi, list =>
    list
      .split(',')
      .map(code => character(Number(code), ''))
      .join(''),
  )

/** Decodes data of URLs and scripts in Base64, words of mail headers (RFC 2047), and text in hexadecimal digits. */
const decodeData: Decoding = text =>
  text
    .replace(/=\?[\w-]{1,20}\?([bq])\?([^?\s]{1,200})\?=/gi, (_whole, kind: string, data: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64').toString('utf8')
        : decodePercent(data.replaceAll('_', ' ').replaceAll('=', '%')),
    )
    .replace(/(?<=base64,|atob\(\s?["'`])[\w+/-]{8,}={0,2}/gi, data => Buffer.from(data, 'base64').toString('utf8'))
    .replace(/(?<![0-9a-f])(?:[2-7][0-9a-f]){6,}(?![0-9a-f])/gi, digits =>
      Buffer.from(digits, 'hex').toString('latin1'),
    )

/** Resolves the escapes of JSON in strings that have them. Backslashes also separate the parts of paths. */
const decodeJson: Decoding = text => (/\\[ux][\da-f{]/i.test(text) ? decodeEscapes(text) : text)

const TEXT_DECODINGS: readonly Decoding[] = [
  ...[decodeReferences, decodePercent, decodePlus, decodeHosts, decodeData, decodeJson],
]
const SCRIPT_DECODINGS: readonly Decoding[] = [
  ...[decodeEscapes, decodeReferences, decodePercent, decodeCodes, decodePlus, decodeData],
  (text): string => text.replace(/["'`]\s{0,9},\s{0,9}["'`]|\$\{["'`]{2}\}/g, ''),
]
const FILE_DECODINGS: readonly Decoding[] = [decodeEscapes, ...TEXT_DECODINGS, decodeQuoted]

const DECODINGS = { text: TEXT_DECODINGS, script: SCRIPT_DECODINGS, file: FILE_DECODINGS }

/** Signs that a text of each kind has if a decoding may apply. */
const SIGNS = {
  text: /%[0-9a-f]{2}|&#|&[a-z]{2,6}\d{0,2};|xn--|[/?&=]\S{0,2000}\+|base64,|=\?[\w-]+\?[bq]\?|\\[ux][\da-f{]|[2-7][0-9a-f][2-7][0-9a-f]{9}/i,
  script: /[\\%&+,$(]|[2-7][0-9a-f]{11}/i,
  file: /\\[uxU\d\\/]|%[0-9a-f]{2}|&#|&[a-z]{2,6}\d{0,2};|xn--|=[0-9A-F]{2}|\w\+\w/i,
}

/** The kind of a text: a string of the document, a script, or a text file. */
export type EncodedKind = keyof typeof DECODINGS

/**
 * Returns other texts that a text stands for, such as a URL without its percent encoding. Encodings may be nested. Empty
 * for most texts.
 */
export function decodedTexts(text: string, kind: EncodedKind): string[] {
  if (!SIGNS[kind].test(text)) return []
  const found = new Set<string>()
  let current = text
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const before = current
    for (const decoding of DECODINGS[kind]) {
      const decoded = decoding(current)
      if (decoded !== current) found.add((current = decoded))
    }
    if (current === before) break
  }
  found.delete(text)
  return [...found]
}

/**
 * Removes matches that only decoded forms of a text show. Returns the decoded text without them, encoded again if it is a
 * URL. Undefined if there are none.
 */
export function cutDecoded(text: string, rules: readonly Rule[], how?: { isCounted: boolean }): string | undefined {
  for (const decoded of decodedTexts(text, 'text')) {
    const cut = cutMatches(decoded, rules, how)
    if (cut !== undefined) return /^[a-z][a-z\d+.-]*:/i.test(text) ? encodeURI(cut.toWellFormed()) : cut
  }
  return undefined
}

import { PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { decodeContent } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { readText, writeText } from '../../../pdf/syntax'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'
import { decodeEscapes, hasEscapes } from '../xml/url-escapes'
import { cutMarkup } from '../xml/xml-text'
import * as Name from '../../../pdf/names'

/** An entry of a dictionary whose text isn't a plain text string. */
export interface SpecialEntry {
  document: PdfDocument
  dict: PDFDict
  key: PDFName
  value: PDFObject
  rules: readonly Rule[]
  /** Whether matches are counted. */
  isCounted: boolean
}

type Cut = (entry: SpecialEntry) => PDFObject | undefined

const name = (text: string): PDFName => PDFName.of(text)

/** The escape character around a language code in a text string. */
const ESCAPE = '\u001b'

/** Keys that only signature dictionaries have (ISO 32000-2, table 255). */
const SIGNATURE = ['ByteRange', 'SubFilter'].map(name)

const CUTS = new Map<PDFName, Cut>([
  [Name.JS, cutScript],
  [Name.URI, cutUrl],
  [Name.DA, cutAppearance],
  [Name.Contents, cutSigned],
  [Name.Cert, cutSigned],
  ...['RC', 'RV'].map((key): [PDFName, Cut] => [name(key), cutRichText]),
  ...['V', 'DV'].map((key): [PDFName, Cut] => [name(key), cutTextStream]),
])

/** Keys that must not be treated as plain strings. */
const NEVER_PLAIN_KEYS = new Set(['JS', 'DA', 'RC', 'RV'].map(name))

/**
 * Returns the new value of a special entry that contains a match, or undefined if nothing changes. Scripts and
 * signature data are removed as a whole. URLs are decoded first. Default appearance strings lose strings and comments.
 * Long texts may be streams. Rich text is searched without its markup.
 */
export function cutSpecial(entry: SpecialEntry): PDFObject | undefined {
  return CUTS.get(entry.key)?.(entry)
}

/** Returns whether an entry must not be treated as a plain string. */
export function isSpecial(dict: PDFDict, key: PDFName): boolean {
  return NEVER_PLAIN_KEYS.has(key) || (isSigned(key) && SIGNATURE.some(signatureKey => dict.has(signatureKey)))
}

/** Returns the text of a text string without language escape sequences (ISO 32000-2, 7.9.2.2). */
export function readWithoutLanguages(value: PDFObject | undefined): string {
  const parts = (readText(value) ?? '').split(ESCAPE)
  return parts.length < 3
    ? parts.join(ESCAPE)
    : parts.filter((part, index) => index % 2 === 0 || !/^[A-Za-z]{2}-?(?:[A-Za-z]{2})?$/.test(part)).join('')
}

/** Empties a script with a match. The rest of the script would fail, or could assemble the term from its parts. */
function cutScript({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const text = readEither(document, value)
  if (text === undefined) return undefined
  const plain = text.replace(
    /\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%u([0-9a-f]{4})|%([0-9a-f]{2})/gi,
    (whole: string, ...codes: (string | undefined)[]) => {
      const code = Number.parseInt(codes.slice(0, 5).find(digits => typeof digits === 'string') ?? '', 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
  if (cutMatches(text, rules, { isCounted }) !== undefined) return PDFString.of('')
  return cutMatches(plain, rules, { isCounted }) === undefined ? undefined : PDFString.of('')
}

/** Removes matches from a URL that only shows them after percent-decoding. */
function cutUrl({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const text = readWithoutLanguages(document.peek(value))
  if (!hasEscapes(text) || cutMatches(text, rules, { isCounted: false }) !== undefined) return undefined
  const cut = cutMatches(decodeEscapes(text), rules, { isCounted })
  return cut === undefined ? undefined : writeText(encodeURI(cut.toWellFormed()))
}

/** Removes strings and comments from a default appearance string. Names, numbers and operators stay. */
function cutAppearance({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const text = readWithoutLanguages(document.peek(value))
  const plain = text.replace(/%[^\r\n]*|\((?:[^()\\]|\\.)*\)|<[0-9a-f\s]*>/gi, ' ')
  if (
    plain === text ||
    cutMatches(text, rules, { isCounted: false }) === undefined ||
    cutMatches(plain, rules, { isCounted: false }) !== undefined
  )
    return undefined
  cutMatches(text, rules, { isCounted })
  return writeText(plain)
}

function isSigned(key: PDFName): boolean {
  return key === Name.Contents || key === Name.Cert
}

/** Empties signature data with a match, such as a name in a certificate. The signature is invalid anyway. */
function cutSigned({ document, dict, key, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const data = document.peek(value)
  if (!isSpecial(dict, key) || !(data instanceof PDFHexString || data instanceof PDFString)) return undefined
  const bytes = Buffer.from(data.asBytes())
  const readings = [
    bytes.toString('latin1'),
    bytes.toString('utf8'),
    new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1)),
    new TextDecoder('utf-16be').decode(bytes.subarray(1, 1 + ((bytes.length - 1) & ~1))),
  ]
  return readings.some(text => cutMatches(text, rules, { isCounted }) !== undefined) ? PDFHexString.of('00') : undefined
}

function cutTextStream({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  if (!(document.peek(value) instanceof PDFRawStream)) return undefined
  const text = readEither(document, value)
  const cut = text === undefined ? undefined : cutMatches(text, rules, { isCounted })
  return cut === undefined ? undefined : writeText(cut)
}

/** Removes matches from rich text. It is XHTML (ISO 32000-2, 12.7.3.4), so it may have markup inside words. */
function cutRichText({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const text = readEither(document, value)
  const cut = text === undefined ? undefined : cutMarkup(text, rules, { isCounted })
  return cut === undefined ? undefined : writeText(cut)
}

/** Reads a text string or a text stream (ISO 32000-2, 7.9.3). */
function readEither(document: PdfDocument, value: PDFObject): string | undefined {
  const object = document.peek(value)
  if (!(object instanceof PDFRawStream)) return readText(object)
  const bytes = decodeContent(document, object)
  return bytes && readWithoutLanguages(PDFHexString.of(Buffer.from(bytes).toString('hex')))
}

import { PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { decodeContent } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { readText, writeText } from '../../../pdf/syntax'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'
import { cutMarkup } from '../xml/xml-text'
import { textsOfBytes } from '../matching/byte-texts'
import { cutDecoded, decodedTexts } from '../search-rules/encoded-text'
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
  [Name.DA, cutAppearance],
  [Name.Contents, cutSigned],
  [Name.Cert, cutSigned],
  ...['RC', 'RV'].map((key): [PDFName, Cut] => [name(key), cutRichText]),
  ...['V', 'DV'].map((key): [PDFName, Cut] => [name(key), cutTextStream]),
])

/** Keys of scripts and rich text. */
const NEVER_PLAIN_KEYS = new Set(['JS', 'RC', 'RV'].map(name))

/** The tokens of a default appearance string: numbers, names, strings, comments and operators (ISO 32000-2, 8.2). */
const APPEARANCE_TOKEN =
  /\s+|\/[^\s()<>[\]{}/%]*|[-+]?\.?\d[\d.]{0,30}(?![^\s()<>[\]{}/%])|%[^\r\n]*|\((?:[^()\\]|\\[^])*\)|<[0-9a-f\s]*>|[[\]]|(?:BT|ET|T[cdfjmrswzDJL*]|[gGkK]|rg|RG|cs|CS|sc|SC|scn|SCN|gs|q|Q|cm|w|[mlhWn])(?![^\s()<>[\]{}/%])/giy

/**
 * Returns the new value of a special entry that contains a match, or undefined if nothing changes. Scripts and
 * signature data are removed as a whole. Default appearance strings lose strings and comments.
 * Long texts may be streams. Rich text is searched without its markup.
 */
export function cutSpecial(entry: SpecialEntry): PDFObject | undefined {
  return CUTS.get(entry.key)?.(entry)
}

/** Returns whether an entry must not be treated as a plain string. */
export function isSpecial(document: PdfDocument, dict: PDFDict, key: PDFName): boolean {
  if (isSigned(key)) return SIGNATURE.some(signatureKey => dict.has(signatureKey))
  if (key !== Name.DA && !NEVER_PLAIN_KEYS.has(key)) return false
  const value = document.peek(dict.get(key))
  const isText = value instanceof PDFString || value instanceof PDFHexString
  return isText && (key !== Name.DA || isAppearance(readWithoutLanguages(value)))
}

/** Returns whether a text has the syntax of a default appearance string. */
function isAppearance(text: string): boolean {
  for (let at = 0; at < text.length; at = APPEARANCE_TOKEN.lastIndex) {
    APPEARANCE_TOKEN.lastIndex = at
    if (!APPEARANCE_TOKEN.test(text)) return false
  }
  return true
}

/** Returns the text of a text string without language escape sequences (ISO 32000-2, 7.9.2.2). */
export function readWithoutLanguages(value: PDFObject | undefined): string {
  return withoutLanguages(readText(value) ?? '')
}

function withoutLanguages(text: string): string {
  const parts = text.split(ESCAPE)
  return parts.length < 3
    ? parts.join(ESCAPE)
    : parts.filter((part, index) => index % 2 === 0 || !/^[A-Za-z]{2}-?(?:[A-Za-z]{2})?$/.test(part)).join('')
}

/**
 * Removes matches from a string in every encoding that it may have. Returns its text without them, or undefined if there
 * are none.
 */
export function cutString(
  value: PDFString | PDFHexString,
  rules: readonly Rule[],
  how?: { isCounted: boolean },
): string | undefined {
  for (const text of textsOf(value.asBytes(), rules)) {
    const cut = cutText(text, rules, how)
    if (cut !== undefined) return cut
  }
  return undefined
}

function textsOf(bytes: Uint8Array, rules: readonly Rule[]): string[] {
  return textsOfBytes(bytes, { isForeign: rules.some(rule => rule.isForeign) }).map(withoutLanguages)
}

/** Removes matches from a text, also encoded ones. XML and XHTML may have markup inside words. */
function cutText(text: string, rules: readonly Rule[], how?: { isCounted: boolean }): string | undefined {
  const cut = cutMatches(text, rules, how)
  if (cut === undefined)
    return (/<[a-z!?][^<]*>/i.test(text) ? cutMarkup(text, rules, how) : undefined) ?? cutDecoded(text, rules, how)
  // Another place in the text may be encoded. Replacement texts must not match again.
  return (
    cutDecoded(
      cut,
      rules.filter(rule => !rule.replacesWithMatch),
      how,
    ) ?? cut
  )
}

/** Empties a script with a match. The rest of the script would fail, or could assemble the term from its parts. */
function cutScript({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const isFound = readEither(document, value, rules).some(text =>
    [text, ...decodedTexts(text, 'script')].some(one => cutMatches(one, rules, { isCounted }) !== undefined),
  )
  return isFound ? PDFString.of('') : undefined
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
  if (!isSpecial(document, dict, key) || !(data instanceof PDFHexString || data instanceof PDFString)) return undefined
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
  return firstCut(readEither(document, value, rules), text => cutText(text, rules, { isCounted }))
}

/** Removes matches from rich text. It is XHTML (ISO 32000-2, 12.7.3.4), so it may have markup inside words. */
function cutRichText({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  return firstCut(readEither(document, value, rules), text => cutMarkup(text, rules, { isCounted }))
}

function firstCut(texts: readonly string[], cut: (text: string) => string | undefined): PDFObject | undefined {
  for (const text of texts) {
    const left = cut(text)
    if (left !== undefined) return writeText(left)
  }
  return undefined
}

/** Reads a text string or a text stream (ISO 32000-2, 7.9.3) in every encoding that it may have. */
function readEither(document: PdfDocument, value: PDFObject, rules: readonly Rule[]): string[] {
  const object = document.peek(value)
  const bytes =
    object instanceof PDFRawStream
      ? decodeContent(document, object)
      : object instanceof PDFString || object instanceof PDFHexString
        ? object.asBytes()
        : undefined
  return bytes ? textsOf(bytes, rules) : []
}

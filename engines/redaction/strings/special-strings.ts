import { PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { decodeContent } from '../../pdf-core/document/decode-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readText, writeText } from '../../pdf-core/syntax/text-string'
import { cutMatches } from '../text/cut-matches'
import type { Rule } from '../search/search'
import { cutMarkup } from '../xml/xml-text'

/** An entry of a dictionary whose text is no plain text string. */
export interface SpecialEntry {
  document: PdfDocument
  dict: PDFDict
  key: PDFName
  value: PDFObject
  rules: readonly Rule[]
  /** Whether matches count. */
  isCounted: boolean
}

type Cut = (entry: SpecialEntry) => PDFObject | undefined

const name = (text: string): PDFName => PDFName.of(text)

/** What stands around the mark of a language. */
const ESCAPE = '\u001b'

/** Of a signature (ISO 32000-2, table 255): what only signatures have. */
const SIGNATURE = ['ByteRange', 'SubFilter'].map(name)

const CUTS = new Map<PDFName, Cut>([
  [name('JS'), cutScript],
  [name('URI'), cutAddress],
  [name('DA'), cutAppearance],
  [name('Contents'), cutSigned],
  [name('Cert'), cutSigned],
  ...['RC', 'RV'].map((key): [PDFName, Cut] => [name(key), cutRichText]),
  ...['V', 'DV'].map((key): [PDFName, Cut] => [name(key), cutTextStream]),
])

/** Entries that are cut in no other way. */
const OWN = new Set(['JS', 'DA', 'RC', 'RV'].map(name))

/**
 * What is put in the place of an entry that holds a match where a plain string would not do: scripts go as a whole, as
 * do data of signatures; addresses are read through their escapes, appearances of fields lose strings and comments, and
 * long texts may be streams; rich text is read without its markup. Undefined where nothing changes.
 */
export function cutSpecial(entry: SpecialEntry): PDFObject | undefined {
  return CUTS.get(entry.key)?.(entry)
}

/** Whether the entry must not be cut as a plain string. */
export function isSpecial(dict: PDFDict, key: PDFName): boolean {
  return OWN.has(key) || (isSigned(key) && SIGNATURE.some(own => dict.has(own)))
}

/** The text of a string without marks of languages (ISO 32000-2, 7.9.2.2). */
export function readSpoken(value: PDFObject | undefined): string {
  const parts = (readText(value) ?? '').split(ESCAPE)
  return parts.length < 3
    ? parts.join(ESCAPE)
    : parts.filter((part, index) => index % 2 === 0 || !/^[A-Za-z]{2}-?(?:[A-Za-z]{2})?$/.test(part)).join('')
}

/** Of a script with a match nothing stays: what is left would fail, or build the word from its parts. */
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

/** An address that says something only once its escapes are read. */
function cutAddress({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const text = readSpoken(document.peek(value))
  if (!text.includes('%') || cutMatches(text, rules, { isCounted: false }) !== undefined) return undefined
  const cut = cutMatches(unescape(text), rules, { isCounted })
  return cut === undefined ? undefined : writeText(encodeURI(cut.toWellFormed()))
}

/** In UTF-8; what is none stays as it is. */
function unescape(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, escaped =>
    new TextDecoder().decode(Buffer.from(escaped.replaceAll('%', ''), 'hex')),
  )
}

/** Operators of a default appearance stay: names, numbers and words are no text. */
function cutAppearance({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const text = readSpoken(document.peek(value))
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
  return key === name('Contents') || key === name('Cert')
}

/** Certificates tell the names of people; the signature does not hold any more. */
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

/** Rich text is XHTML (ISO 32000-2, 12.7.3.4): markup may stand inside of words. */
function cutRichText({ document, value, rules, isCounted }: SpecialEntry): PDFObject | undefined {
  const text = readEither(document, value)
  const cut = text === undefined ? undefined : cutMarkup(text, rules, { isCounted })
  return cut === undefined ? undefined : writeText(cut)
}

/** A text string, or a text stream (ISO 32000-2, 7.9.3). */
function readEither(document: PdfDocument, value: PDFObject): string | undefined {
  const object = document.peek(value)
  if (!(object instanceof PDFRawStream)) return readText(object)
  const bytes = decodeContent(document, object)
  return bytes && readSpoken(PDFHexString.of(Buffer.from(bytes).toString('hex')))
}

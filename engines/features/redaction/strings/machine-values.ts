import { PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib'
import type { PDFArray, PDFDict, PDFObject } from 'pdf-lib'
import { readCharacterOfName } from '../../../pdf/fonts'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { composeText } from '../matching/search-text'
import type { Rule } from '../search-rules/rule'
import { isStandardName } from '../names/standard-names'

type Text = PDFString | PDFHexString

/** Returns whether a string has the syntax that programs expect at its key. */
type Form = (text: string, value: Text, dict: PDFDict) => boolean

const PANOSE_LENGTH = 12
const MOST_PANOSE = 15
const DIGEST_LENGTH = 16

/** Orderings of character collections that Adobe defines. */
const ORDERINGS = new Set(['Identity', 'UCS', 'GB1', 'CNS1', 'Japan1', 'Japan2', 'Korea1', 'KR', 'Manga1'])

/** A date (ISO 32000-2, 7.9.4), also without its prefix. */
const DATE =
  /^(?:D:)?[12]\d{3}(?:(?:0[1-9]|1[0-2])(?:(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])(?:[0-5]\d(?:[0-5]\d)?)?)?)?)?(?:Z|[-+](?:[01]\d|2[0-3])(?:'?[0-5]\d)?)?'?(?:00'?)?$/

/** A language tag with a script and a region (RFC 5646). Its other parts could be any word. */
const LANGUAGE = /^(?:[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?)?$/

/** Keys of strings that only programs read, and the syntax of their strings. */
const FORMS = new Map<PDFName, Form>(
  (
    [
      ['Registry', text => text === 'Adobe'],
      ['Ordering', text => ORDERINGS.has(text)],
      ['CharSet', text => /^(?:\/[^\s/]+)*\s*$/.test(text) && text.split('/').every(glyph => isGlyph(glyph.trim()))],
      [
        'Panose',
        (_text, value) => {
          const bytes = value.asBytes()
          return bytes.length === PANOSE_LENGTH && bytes.subarray(2).every(byte => byte <= MOST_PANOSE)
        },
      ],
      ['FontFamily', (text, _value, dict) => isPartOfFontName(text, dict.get(PDFName.of('FontName')))],
      [
        'CheckSum',
        (_text, value) => {
          const bytes = value.asBytes()
          return bytes.length === DIGEST_LENGTH && bytes.some(byte => byte > 0x7e || (byte > 0 && byte < 0x20))
        },
      ],
      ...['M', 'CreationDate', 'ModDate', 'LastModified'].map((key): [string, Form] => [key, text => DATE.test(text)]),
      ['Lang', text => LANGUAGE.test(text)],
    ] satisfies [string, Form][]
  ).map(([key, form]) => [PDFName.of(key), form]),
)

function isGlyph(name: string): boolean {
  return name === '' || readCharacterOfName(name) !== undefined
}

function isPartOfFontName(family: string, name: PDFObject | undefined): boolean {
  const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  return name instanceof PDFName && plain(family) !== '' && plain(name.decodeText()).includes(plain(family))
}

/** Returns whether only programs read a string at this key, because it has the syntax of the key. */
export function isMachineText(document: PdfDocument, dict: PDFDict, key: PDFName): boolean {
  const form = FORMS.get(key)
  const value = form && document.peek(dict.get(key))
  return (
    form !== undefined &&
    (value instanceof PDFString || value instanceof PDFHexString) &&
    form(readText(value) ?? '', value, dict)
  )
}

/** Returns the index of the string of an Indexed color space, which contains colors (ISO 32000-2, 8.6.6.3). */
export function colorTableOf(document: PdfDocument, array: PDFArray): number {
  const TABLE = 3
  if (array.size() !== TABLE + 1 || document.peek(array.get(0)) !== Name.Indexed) return -1
  const most = document.peek(array.get(2))
  return most instanceof PDFNumber && most.asNumber() >= 0 && most.asNumber() <= 255 ? TABLE : -1
}

/** Minimum number of digits of a number that may be removed: at keys that no specification defines, and at others. */
const LEAST_CUSTOM = 4
const LEAST_DIGITS = 7

/**
 * Returns whether a rule matches all digits of a number. `key` is the key of the number, or of the array around it.
 * Counts the match if `isCounted`.
 */
export function isMatchedNumber(
  value: PDFNumber,
  key: PDFName | undefined,
  { rules, isCounted }: { rules: readonly Rule[]; isCounted: boolean },
): boolean {
  const digits = Math.abs(value.asNumber()) < Number.MAX_SAFE_INTEGER ? String(Math.abs(value.asNumber())) : ''
  // The writer sets the length of a stream.
  if (digits.length < LEAST_CUSTOM || key === Name.Length) return false
  const isCustom = key !== undefined && !isStandardName(key.decodeText())
  if (!isCustom && digits.length < LEAST_DIGITS) return false
  const searched = composeText(Array.from(digits))
  const rule = rules.find(one => one.find(searched).some(({ start, end }) => start === 0 && end === digits.length))
  if (rule && isCounted) rule.count(digits)
  return rule !== undefined
}

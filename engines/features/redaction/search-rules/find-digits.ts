import { passesMod97 } from '../../../options/mod-97'
import { ibanLengthOf, isCardNumber } from './check-digits'
import { isOtherNumber } from './labels'
import type { Match } from '../matching/match'

/** A separator between groups of a number. */
const SEPARATOR = /[ .\n-]/

/** Maximum number of separators in a row. */
const MOST_SEPARATORS = 3

const IN_WORD = /[\p{L}\p{N}]/u

/**
 * Returns the offset of the next character of a grouped number. `from` is the offset after the last one. Undefined if
 * there is none.
 */
function nextSign(text: string, from: number, signs: RegExp): number | undefined {
  let at = from
  while (at - from < MOST_SEPARATORS && SEPARATOR.test(text[at] ?? '')) at++
  return signs.test(text[at] ?? '') ? at : undefined
}

/** Returns whether no letter or digit follows at an offset. */
function endsAt(text: string, end: number): boolean {
  return !IN_WORD.test(text[end] ?? '')
}

/**
 * Finds IBANs (ISO 13616) with valid length and check digits, in groups of any size, in uppercase or lowercase letters.
 */
export function findIbans(text: string): Match[] {
  const found: Match[] = []
  for (const { 0: head, index } of text.matchAll(
    /(?<![\p{L}\p{N}])[A-Za-z]{2}[ .\n-]?\d[ .\n-]?\d(?=[ .\nA-Za-z0-9-])/gu,
  )) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    let characters = head.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
    const length = ibanLengthOf(characters.slice(0, 2))
    if (length === undefined) continue
    let end = index + head.length
    while (characters.length < length) {
      const at = nextSign(text, end, /[A-Za-z0-9]/)
      if (at === undefined) break
      characters += (text[at] as string).toUpperCase()
      end = at + 1
    }
    if (characters.length === length && endsAt(text, end) && passesMod97(characters)) found.push({ start: index, end })
  }
  return found
}

/** Maximum and minimum number of digits in a card number. */
const MOST_CARD = 19
const LEAST_CARD = 13

/** Finds card numbers with a known issuer, a valid length and a valid check digit, in groups of any size. */
export function findCards(text: string): Match[] {
  const found: Match[] = []
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])\d/gu)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    const end = findCardEnd(text, index)
    if (end !== undefined) found.push({ start: index, end })
  }
  return withoutIbans(text, found)
}

/** Removes matches that overlap an IBAN. */
function withoutIbans(text: string, matches: Match[]): Match[] {
  const ibans = matches.length === 0 ? [] : findIbans(text)
  let next = 0
  return matches.filter(({ start, end }) => {
    while ((ibans[next]?.end ?? Infinity) <= start) next++
    return end <= (ibans[next]?.start ?? Infinity)
  })
}

/** Returns the end of the longest card number that begins at an offset and ends with a group. */
function findCardEnd(text: string, start: number): number | undefined {
  let digits = ''
  let best: number | undefined
  let at: number | undefined = start
  while (at !== undefined && digits.length < MOST_CARD) {
    digits += text[at]
    const end: number = at + 1
    if (digits.length >= LEAST_CARD && endsAt(text, end) && isCardNumber(digits)) best = end
    at = nextSign(text, end, /\d/)
  }
  return best
}

/** Sample numbers from advertisements, which were never issued. */
const NEVER_ISSUED = new Set(['078051120', '219099999', '123456789', '987654321'])

/**
 * Finds US Social Security numbers in groups of three, two and four digits. Nine bare digits count if no label marks
 * them as another number. The Social Security Administration issues no numbers with an area of 000, 666 or above 899, a
 * group of 00, or a serial number of 0000.
 */
export function findSocialSecurity(text: string): Match[] {
  const found: Match[] = []
  for (const { 0: number, 1: separator = '', index } of text.matchAll(
    /(?<![\p{L}\p{N}]|\d[.,-])\d{3}([ .\n-]?)\d{2}(?:\1|(?<=[ \n])[ \n])\d{4}(?![\p{L}\p{N}]|[.,-]\d)/gu,
  )) {
    const digits = number.replace(/\D/g, '')
    const match = { start: index, end: index + number.length }
    if (/^(?:000|666|9)|^...00|0000$/.test(digits)) continue
    if (separator === '' && (NEVER_ISSUED.has(digits) || /^(\d)\1+$/.test(digits) || isOtherNumber(text, match)))
      continue
    if (separator === '.' && isOtherNumber(text, match)) continue
    found.push(match)
  }
  return found
}

/** Forms of VAT numbers by country, without separators (VIES, HMRC, Swiss UID, Norwegian MVA). */
const VAT = new Map(
  Object.entries({
    ATU: /^\d{8}$/,
    BE: /^[01]\d{9}$/,
    BG: /^\d{9,10}$/,
    CY: /^\d{8}[A-Z]$/,
    CZ: /^\d{8,10}$/,
    DE: /^\d{9}$/,
    DK: /^\d{8}$/,
    EE: /^\d{9}$/,
    EL: /^\d{9}$/,
    ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
    FI: /^\d{8}$/,
    FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
    GB: /^\d{9}(?:\d{3})?$/,
    HR: /^\d{11}$/,
    HU: /^\d{8}$/,
    IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
    IT: /^\d{11}$/,
    LT: /^\d{9}(?:\d{3})?$/,
    LU: /^\d{8}$/,
    LV: /^\d{11}$/,
    MT: /^\d{8}$/,
    NL: /^\d{9}B\d{2}$/,
    PL: /^\d{10}$/,
    PT: /^\d{9}$/,
    RO: /^\d{5,10}$/,
    SE: /^\d{10}01$/,
    SI: /^\d{8}$/,
    SK: /^\d{10}$/,
    XI: /^\d{9}(?:\d{3})?$/,
    CHE: /^\d{9}(?:MWST|TVA|IVA)?$/,
    NO: /^\d{9}MVA$/,
  }),
)

const MOST_VAT = 16

/** Finds VAT numbers of the EU, the UK, Switzerland and Norway, with or without groups. */
export function findVatIds(text: string): Match[] {
  const found: Match[] = []
  for (const { 0: head, 1: country = '', index } of text.matchAll(
    /(?<![\p{L}\p{N}])(A ?T ?U|CHE|[A-Z]{2})(?=[ .\n-]?[A-Z0-9])/gu,
  )) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    const pattern = VAT.get(country.replaceAll(' ', ''))
    const end = pattern && findVatEnd(text, index + head.length, pattern)
    if (end !== undefined) found.push({ start: index, end })
  }
  return withoutIbans(text, found)
}

function findVatEnd(text: string, start: number, pattern: RegExp): number | undefined {
  let characters = ''
  let best: number | undefined
  let end = start
  while (characters.length < MOST_VAT) {
    const at: number = SEPARATOR.test(text[end] ?? '') ? end + 1 : end
    if (!/[A-Z0-9+*]/.test(text[at] ?? '')) break
    // Romanian numbers have few digits and are written without groups.
    if (at > end && characters.length > 0 && pattern === VAT.get('RO')) break
    characters += text[at]
    end = at + 1
    if (endsAt(text, end) && pattern.test(characters)) best = end
  }
  return best
}

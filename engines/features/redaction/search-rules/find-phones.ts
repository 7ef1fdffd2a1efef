import { findIbans } from './find-digits'
import { isOtherNumber } from './labels'
import { internationalLengths } from './phone-lengths'
import type { Match } from '../matching/match'

/** A separator between groups of digits. */
const S = String.raw`[ .\n-]`
const END = String.raw`(?![\p{L}\p{N}]|[-/.,]\d)`
const EXTENSION = String.raw`(?:,?[ \n]?(?:x|ext\.?|extension|Durchwahl|DW)[ \n]?\d{1,5})?`

const pattern = (source: string): RegExp => new RegExp(`${source}${EXTENSION}${END}`, 'iuy')

/** A number with a country code, in groups with up to two separators between them. A group may be in parentheses. */
const INTERNATIONAL = new RegExp(
  String.raw`(?:(?:\+|00)[1-9]\d{0,2}|\(\+[1-9]\d{0,2}\))(?:[ ./\n-]{0,2}(?:\(\d{1,5}\)|\d{1,12})){1,8}`,
  'uy',
)

/** National forms of phone numbers. Every repetition is bounded. */
const NATIONAL: { form: RegExp; mayBeSum?: true }[] = [
  // USA, Canada and other countries with the same form.
  { form: pattern(String.raw`(?:1[ .-])?\([2-9]\d{2}\)${S}?\d{3}${S}\d{4}`) },
  { form: pattern(String.raw`(?:1[ .-])?[2-9]\d{2}([ .\n-])\d{3}\1\d{4}`) },
  { form: pattern(String.raw`[2-9]\d{2}/\d{3}[-.]\d{4}`) },
  // An area code in parentheses: Brazil, Mexico, Australia, Japan, Spain.
  { form: pattern(String.raw`\((?:[1-9]\d{1,2}|0[1-9]\d{0,4})\)[ \n]?9?\d{3,4}${S}\d{3,4}`) },
  { form: pattern(String.raw`[1-9]\d[ \n]9\d{4}[ -]\d{4}`) },
  // Russia and Kazakhstan.
  { form: pattern(String.raw`8[ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d{2}[ -]\d{2}`) },
  // Mobile phones whose numbers are written without groups: France, the Netherlands, Belgium, Switzerland, the UK,
  // Germany, Australia.
  { form: pattern(String.raw`0(?:[67]\d{8}|7\d{9}|4\d{8}|1[5-7]\d{8,9})`) },
  // India, China.
  { form: pattern(String.raw`[6-9]\d{4}[ -]\d{5}`) },
  { form: pattern(String.raw`1[3-9]\d[ -]\d{4}[ -]\d{4}`) },
  // Spain, Poland, Portugal: nine digits.
  { form: pattern(String.raw`[2-9]\d{2}([ .-])\d{3}\1\d{3}`), mayBeSum: true },
  { form: pattern(String.raw`[6-9]\d{2}([ .-])\d{2}\1\d{2}\1\d{2}`) },
  { form: pattern(String.raw`[1-9]\d([ -])\d{3}\1\d{2}\1\d{2}`) },
  { form: pattern(String.raw`2\d[ ]\d{3}[ ]\d{4}`) },
  // Italian mobile phones.
  { form: pattern(String.raw`3[1-9]\d([ ./-])\d{6,7}`) },
  { form: pattern(String.raw`3[1-9]\d[ ]\d{2}[ ]\d{2}[ ]\d{3}`) },
  // Norway and Denmark: eight digits.
  { form: pattern(String.raw`[2-9]\d([ ])\d{2}\1\d{2}\1\d{2}`) },
  { form: pattern(String.raw`[489]\d{2}[ ]\d{2}[ ]\d{3}`) },
  // Service numbers of Australia and others.
  { form: pattern(String.raw`1[38]00[ -]\d{3}[ -]\d{3}`) },
]

/** A number with an area code that begins with 0, with or without parentheses. */
const TRUNK = new RegExp(
  String.raw`(?:\(0[1-9]\d{0,4}\)[ \n]?|0[1-9]\d{0,4}(?:[ \n]?[/-][ \n]?|[ .\n]))\d{2,8}(?:(?:[ .\n-]| - )\d{1,4}){0,4}${EXTENSION}${END}`,
  'iuy',
)

/**
 * Finds phone numbers with a country code and a valid length (ITU-T E.164), and in the usual national forms of more
 * than twenty countries.
 */
export function findPhones(text: string): Match[] {
  const ibans = findIbans(text)
  const found: Match[] = []
  let iban = 0
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])(?:[+(]|\d)/gu)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    while ((ibans[iban]?.end ?? Infinity) <= index) iban++
    if ((ibans[iban]?.start ?? Infinity) <= index || isInNumber(text, index, found.at(-1)?.end)) continue
    const end = findEnd(text, index)
    if (end !== undefined) found.push({ start: index, end })
  }
  return found
}

/** Returns whether digits before an offset belong to the same number. */
function isInNumber(text: string, at: number, lastEnd: number | undefined): boolean {
  const before = text.slice(Math.max(0, at - 2), at)
  if (/[+,.:/_=#*-]$/.test(before) && /[\p{L}\p{N}]/u.test(before.charAt(0)) && before.length === 2)
    return !/^\p{L}[.:]$/u.test(before)
  return /\d[ ]$/.test(before) && at - 1 !== lastEnd
}

function findEnd(text: string, at: number): number | undefined {
  const ends = [
    findInternational(text, at),
    findTrunk(text, at),
    ...NATIONAL.map(({ form, mayBeSum }) => findNational(text, at, form, mayBeSum)),
  ].filter(end => end !== undefined)
  return ends.length === 0 ? undefined : Math.max(...ends)
}

function matchAt(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at
  return form.exec(text)?.[0]
}

function findNational(text: string, at: number, form: RegExp, mayBeSum: boolean | undefined): number | undefined {
  const found = matchAt(form, text, at)
  if (found === undefined) return undefined
  const match = { start: at, end: at + found.length }
  if (isOtherNumber(text, match)) return undefined
  // Three groups of three digits with points may also be an amount of money.
  return mayBeSum && /^\d{3}\.\d{3}\.\d{3}$/.test(found) ? undefined : match.end
}

/** Returns the end of the longest part that ends with a group and has a valid length for its country code. */
function findInternational(text: string, at: number): number | undefined {
  const found =
    text[at] === '+' || text.startsWith('00', at) || text.startsWith('(+', at)
      ? matchAt(INTERNATIONAL, text, at)
      : undefined
  if (found === undefined) return undefined
  for (let end = found.length; end > 6; end--) {
    const part = found.slice(0, end)
    if (!/\d\)?$/.test(part) || /[\p{L}\p{N}]/u.test(text[at + end] ?? '')) continue
    // The national trunk prefix 0 may be written in parentheses.
    const digits = part.replace(/\(0\)/, '').replace(/\D/g, '').replace(/^00/, '')
    if (isInternational(digits)) return withExtension(text, at + end)
  }
  return undefined
}

function withExtension(text: string, end: number): number {
  return (
    end +
    (/^(?:[ \n]?-[ \n]?0(?!\d)|,?[ \n]?(?:x|ext\.?|extension|Durchwahl|DW)[ \n]?\d{1,5}(?!\d))/i.exec(
      text.slice(end, end + 24),
    )?.[0].length ?? 0)
  )
}

function isInternational(digits: string): boolean {
  const { code, least, most } = internationalLengths(digits)
  const count = digits.length - code.length
  return count >= least && count <= most
}

/** Returns the end of a number with an area code that begins with 0, unless it may be a date or an item number. */
function findTrunk(text: string, at: number): number | undefined {
  if (text[at] !== '0' && !text.startsWith('(0', at)) return undefined
  const found = matchAt(TRUNK, text, at)
  if (found === undefined) return undefined
  const match = { start: at, end: at + found.length }
  const number = found.replace(/,?[ \n]?(?:x|ext|DW|Durchwahl).*$/isu, '')
  return isTrunkNumber(number) && !isOtherNumber(text, match) ? match.end : undefined
}

function isTrunkNumber(number: string): boolean {
  const groups = number.match(/\d+/g) ?? []
  const count = groups.join('').length
  if (count < 7 || count > 12 || groups.length < 2) return false
  const marks = new Set(number.replace(/[()]/g, '').match(/[./-]/g) ?? [])
  // These forms are dates.
  if (/^\d{1,4}[-./][ \n]?\d{1,2}[-./][ \n]?\d{1,4}$/.test(number) || /^\d{2}[ ]\d{2}[ ]\d{4}$/.test(number))
    return false
  if (marks.has('.') && groups.length < 4) return /^0\d{1,3}\.\d{3}\.\d{4}$/.test(number)
  // Item numbers have longer groups after several hyphens.
  if (groups.length > 2 && !number.includes(' ') && !number.includes('(') && marks.has('-') && !marks.has('/'))
    return (
      groups.slice(1).every(({ length }) => length <= 4) &&
      count >= 9 &&
      (groups.at(-1)?.length !== 2 || groups.at(-2)?.length === 2)
    )
  return groups.length > 2 || (groups[1]?.length ?? 0) >= 4
}

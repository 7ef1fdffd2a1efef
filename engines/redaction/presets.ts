import { z } from 'zod'
import { ibanLengthOf, isCardNumber, isIban } from './check-digits'

/** Where a match begins, and where the text goes on behind it. */
export interface Match {
  start: number
  end: number
}

/** Kinds of data that rules can name. */
export const PRESETS = ['email', 'phone', 'iban', 'credit-card', 'ssn', 'date', 'url', 'ipv4', 'ipv6', 'vat-id', 'zip'] as const

export type Preset = (typeof PRESETS)[number]

const MONTHS =
  'jan(?:uary|uar|vier|v)?|feb(?:ruary|ruar)?|févr(?:ier)?|fév|mar(?:ch|s|zo)?|märz|mär|apr(?:il)?|avr(?:il)?|abr(?:il)?|may|mai|mayo|jun(?:e|i|io)?|juin|jul(?:y|i|io)?|juil(?:let)?|aug(?:ust)?|août|ago(?:sto)?|sep(?:tember|tembre|tiembre|t)?|oct(?:ober|obre|ubre)?|okt(?:ober)?|nov(?:ember|embre|iembre)?|dec(?:ember)?|déc(?:embre)?|dez(?:ember)?|dic(?:iembre)?|ene(?:ro)?|febrero'

const BEFORE = String.raw`(?<![\p{L}\p{N}])`
const BEHIND = String.raw`(?![\p{L}\p{N}])`

/** Every repetition in these is bounded or can end in one way only, so that none of them goes back over a text. */
const PATTERNS: Record<Exclude<Preset, 'iban' | 'ipv6'>, RegExp> = {
  email: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}][\p{L}\p{N}._%+'-]{0,63}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  phone: /(?<![\p{L}\p{N}+.,])(?:(?:\+|00)[1-9]\d{0,2}|\(\d{2,5}\)|0\d{1,5}|\d{3})[ ./-]{0,2}(?:\(\d{1,5}\)[ ./-]{0,2})?\d{1,12}(?:[ ./-]{1,2}\(?\d{1,9}\)?){0,6}(?![\p{L}\p{N}])/gu,
  'credit-card': /(?<![\p{L}\p{N}])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}])/gu,
  ssn: /(?<![\p{L}\p{N}-])\d{3}([- ])\d{2}\1\d{4}(?![\p{L}\p{N}-])/gu,
  date: new RegExp(
    [
      String.raw`${BEFORE}\d{4}([-./])\d{1,2}\1\d{1,2}${BEHIND}`,
      String.raw`${BEFORE}\d{1,2}([-./]) ?\d{1,2}\2 ?(?:\d{4}|\d{2})${BEHIND}`,
      String.raw`${BEFORE}\d{1,2}(?:st|nd|rd|th|\.|er)? (?:of |de )?(?:${MONTHS})\.?,? (?:de )?\d{4}${BEHIND}`,
      String.raw`${BEFORE}(?:${MONTHS})\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}${BEHIND}`,
    ].join('|'),
    'giu',
  ),
  url: /(?<![\p{L}\p{N}])(?:(?:https?|ftp):\/\/|www\.)[^\s<>"'()[\]{}]{2,2000}/giu,
  zip: /(?<![\p{L}\p{N}.,/-])\d{5}(?:-\d{4})?(?![\p{L}\p{N}]|[.,/-]\d)/gu,
  ipv4: /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}]|\.\d)/gu,
  'vat-id':
    /(?<![\p{L}\p{N}])(?:ATU\d{8}|BE ?[01]\d{3}\.?\d{3}\.?\d{3}|BG\d{9,10}|CY\d{8}[A-Z]|CZ\d{8,10}|DE ?\d{9}|DE \d{3} \d{3} \d{3}|DK ?\d{8}|EE\d{9}|EL ?\d{9}|ES ?[A-Z0-9]\d{7}[A-Z0-9]|FI ?\d{8}|FR ?[A-HJ-NP-Z0-9]{2} ?\d{9}|GB ?\d{9}(?:\d{3})?|GB \d{3} \d{4} \d{2}|HR ?\d{11}|HU ?\d{8}|IE ?\d[A-Z0-9+*]\d{5}[A-Z]{1,2}|IT ?\d{11}|LT ?\d{9}(?:\d{3})?|LU ?\d{8}|LV ?\d{11}|MT ?\d{8}|NL ?\d{9}B\d{2}|PL ?\d{10}|PT ?\d{9}|RO ?\d{2,10}|SE ?\d{12}|SI ?\d{8}|SK ?\d{10}|XI ?\d{9}|CHE-?\d{3}\.?\d{3}\.?\d{3}(?: ?(?:MWST|TVA|IVA))?|NO ?\d{9} ?MVA)(?![\p{L}\p{N}])/gu,
}

/** What a match must be besides of its form. */
const CHECKS: Partial<Record<Preset, (text: string) => boolean>> = {
  phone: text => isPhone(text),
  'credit-card': text => isCardNumber(text.replace(/\D/g, '')),
  ssn: text => !/^(?:000|666|9)|^...[- ]00|0000$/.test(text),
  date: text => isDate(text),
  ipv4: text => text.split('.').every(part => Number(part) <= 255),
}

/** Where data of that kind stand in a text, in order. */
export function findPreset(preset: Preset, text: string): Match[] {
  if (preset === 'iban') return findIbans(text)
  if (preset === 'ipv6') return findIpv6(text)
  const check = CHECKS[preset]
  return [...text.matchAll(PATTERNS[preset])].flatMap(({ 0: found, index }) => {
    // A mark at the end of an address is that of the sentence.
    const part = preset === 'url' || preset === 'email' ? found.replace(/[.,;:!?-]+$/, '') : found
    return part.length > 0 && (!check || check(part)) ? [{ start: index, end: index + part.length }] : []
  })
}

function findIbans(text: string): Match[] {
  const found: Match[] = []
  for (const { 0: head, index } of text.matchAll(/(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?=[ A-Z0-9])/gu)) {
    const length = ibanLengthOf(head.slice(0, 2))
    if (length === undefined) continue
    let characters = head
    let end = index + 4
    while (characters.length < length) {
      const at = text[end] === ' ' ? end + 1 : end
      const next = text[at]
      if (next === undefined || !/[A-Z0-9]/.test(next)) break
      characters += next
      end = at + 1
    }
    if (characters.length === length && !/^[\p{L}\p{N}]/u.test(text.slice(end)) && isIban(characters)) found.push({ start: index, end })
  }
  return found
}

const ipv6 = z.ipv6()

function isIpv6(text: string): boolean {
  return ipv6.safeParse(text).success
}

function findIpv6(text: string): Match[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}:.])[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?![\p{L}\p{N}])/giu)].flatMap(({ 0: found, index }) => {
    const part = isIpv6(found) ? found : found.replace(/:$/, '')
    return isIpv6(part) && part !== '::' ? [{ start: index, end: index + part.length }] : []
  })
}

/** 7 to 15 digits (ITU-T E.164), grouped or with a country code: a plain number is none, and neither is a date. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (digits.length < 7 || digits.length > 15) return false
  if (/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/.test(text)) return false
  if (/^(?:\+|00)/.test(text)) return true
  const isGrouped = /[ ./()-]/.test(text)
  return isGrouped && (/^[(0]/.test(text) || /^\d{3}[-. ]\d{3}[-. ]\d{4}$/.test(text))
}

/** Day and month must exist; whichever comes first. */
function isDate(text: string): boolean {
  const numbers = (text.match(/\d+/g) ?? []).map(Number)
  if (numbers.length < 3) return numbers.some(number => number >= 1 && number <= 31)
  const [one = 0, two = 0, three = 0] = numbers
  const [first, second] = one > 31 ? [two, three] : [one, two]
  return (first >= 1 && first <= 31 && second >= 1 && second <= 12) || (first >= 1 && first <= 12 && second >= 1 && second <= 31)
}

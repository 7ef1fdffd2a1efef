import { findEmails, findIpv4, findIpv6, findUrls } from './find-addresses'
import { findDates } from './find-dates'
import { findCards, findIbans, findSocialSecurity, findVatIds } from './find-digits'
import { findPhones } from './find-phones'

/** Where a match begins, and where the text goes on behind it. */
export interface Match {
  start: number
  end: number
}

/** Kinds of data that rules can name. */
export const PRESETS = [
  'email',
  'phone',
  'iban',
  'credit-card',
  'ssn',
  'date',
  'url',
  'ipv4',
  'ipv6',
  'vat-id',
  'zip',
] as const

export type Preset = (typeof PRESETS)[number]

/**
 * Each takes time in proportion to the text: no repetition in its expressions goes back over more than a few
 * characters.
 */
const FINDERS: Record<Preset, (text: string) => Match[]> = {
  email: findEmails,
  phone: findPhones,
  iban: findIbans,
  'credit-card': findCards,
  ssn: findSocialSecurity,
  date: findDates,
  url: findUrls,
  ipv4: findIpv4,
  ipv6: findIpv6,
  'vat-id': findVatIds,
  zip: findZips,
}

/**
 * Where data of a kind stand in a text, in order and without overlaps. The text is one that `composeText` made: spaces
 * are single, a line end is `\n`, hyphens and apostrophes are those of ASCII.
 */
export function findPreset(preset: Preset, text: string): Match[] {
  return FINDERS[preset](text)
}

function findZips(text: string): Match[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.,/-])\d{5}(?:-\n?\d{4})?(?![\p{L}\p{N}]|[.,/-]\d)/gu)].map(
    ({ 0: found, index }) => ({ start: index, end: index + found.length }),
  )
}

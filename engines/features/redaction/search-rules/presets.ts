import { findEmails, findIpv4, findIpv6, findUrls } from './find-addresses'
import { findDates } from './find-dates'
import { findCards, findIbans, findSocialSecurity, findVatIds } from './find-digits'
import { findPhones } from './find-phones'
import type { Match } from '../matching/match'

/** Kinds of data that rules can search for. */
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
 * Functions that find the matches of presets. Each takes linear time, because its expressions backtrack over a few
 * characters at most.
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
 * Returns the matches of a preset in a text, in order and without overlaps. The text must come from `composeText`:
 * spaces are single, a line end is `\n`, and hyphens and apostrophes are ASCII characters.
 */
export function findPreset(preset: Preset, text: string): Match[] {
  return FINDERS[preset](text)
}

function findZips(text: string): Match[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.,/-])\d{5}(?:-\n?\d{4})?(?![\p{L}\p{N}]|[.,/-]\d)/gu)].map(
    ({ 0: found, index }) => ({ start: index, end: index + found.length }),
  )
}

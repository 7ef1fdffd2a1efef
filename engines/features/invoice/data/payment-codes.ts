import { passesMod97 } from '../../../options/mod-97'

/** Removes spaces from an account number or reference, and converts it to uppercase. */
export function compact(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase()
}

/** Returns whether a compact text is an IBAN with valid check digits (ISO 13616). */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && passesMod97(text)
}

/** Returns whether a compact text is a bank identifier (BIC, ISO 9362). */
export function isBic(text: string): boolean {
  return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text)
}

/** Returns whether a compact text is a creditor reference `RF…` with valid check digits (ISO 11649). */
export function isCreditorReference(text: string): boolean {
  return /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && passesMod97(text)
}

const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]

/**
 * Returns whether a compact text is a Swiss QR reference: 27 digits, the last of which is a check digit (modulo 10,
 * recursive).
 */
export function isQrReference(text: string): boolean {
  if (!/^\d{27}$/.test(text)) return false
  let carry = 0
  for (const digit of text.slice(0, -1)) carry = CARRIES[(carry + Number(digit)) % 10] ?? 0
  return (10 - carry) % 10 === Number(text.at(-1))
}

/** Returns whether a Swiss IBAN is a QR-IBAN, which has a bank number from 30000 to 31999. */
export function isQrIban(iban: string): boolean {
  return /^(?:CH|LI)\d{2}3[01]/.test(iban)
}

/** Formats an IBAN in groups of four, as usual on paper. */
export function groupIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}

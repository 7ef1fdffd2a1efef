import { usesDollars } from '../data/currencies'
import type { Invoice } from '../data/invoice'

/** Prefixes of VAT numbers. No country with one of them uses US dollars. */
const VAT_PREFIX =
  /^(?:AT|BE|BG|CHE|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|XI)[\s-]?[A-Z]?\d/i

/** Returns whether the seller's address, VAT number or account is in a country that doesn't use US dollars. */
export function sellsAbroad({ from, payment }: Pick<Invoice, 'from' | 'payment'>): boolean {
  if (from.address?.country !== undefined) return !usesDollars(from.address.country)
  if (VAT_PREFIX.test(from.vatId ?? from.taxId ?? '')) return true
  return payment?.iban !== undefined && !usesDollars(payment.iban.slice(0, 2))
}

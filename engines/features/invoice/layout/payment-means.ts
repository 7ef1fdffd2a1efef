import type { LabelName } from '../data/label-texts'
import type { Labels } from '../data/labels'
import { PAYMENT_MEANS } from '../data/payment-fields'
import { isPaid } from '../data/totals'
import type { Invoice } from '../data/invoice'

/** Returns whether the page has no payment details, because everything was paid. The XML has them in any case. */
export function hidesPayment(invoice: Pick<Invoice, 'paid' | 'eInvoice'>): boolean {
  return isPaid(invoice) && !invoice.eInvoice
}

/** Labels of means of payment by code (UNTDID 4461). */
const MEANS_LABELS: Readonly<Record<string, LabelName>> = {
  '10': 'cash',
  '20': 'check',
  '30': 'creditTransfer',
  '42': 'creditTransfer',
  '48': 'card',
  '49': 'directDebit',
  '54': 'card',
  '55': 'card',
  '58': 'creditTransfer',
  '59': 'directDebit',
  '68': 'online',
  '97': 'clearing',
}

/** The means of payment in words. A mandate means a direct debit. */
export function nameMeans(payment: Invoice['payment'], labels: Labels): string | undefined {
  if (payment?.meansText?.trim()) return payment.meansText
  const means = payment?.means ?? (payment?.mandate?.trim() ? PAYMENT_MEANS['direct-debit'] : undefined)
  const label = means === undefined ? undefined : MEANS_LABELS[means]
  return label && labels[label]
}

/** The last digits of a card, and its holder. */
export function writeCard({ lastDigits, holder }: NonNullable<NonNullable<Invoice['payment']>['card']>): string {
  return [`•••• ${lastDigits}`, holder].filter(text => text?.trim()).join(', ')
}

/** How a paid invoice was paid. */
export function writeMeansAndCard(payment: Invoice['payment'], labels: Labels): string {
  return [nameMeans(payment, labels), payment?.card && writeCard(payment.card)].filter(Boolean).join(', ')
}

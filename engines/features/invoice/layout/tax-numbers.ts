import type { Draft } from './draft'

/** Labels a tax or VAT number. Swiss numbers have their own name, unless the request has a label. */
export function labelTaxNumber(
  { invoice, labels }: Pick<Draft, 'invoice' | 'labels'>,
  name: 'taxId' | 'vatId' | 'taxNumber',
  number: string | undefined,
): string | undefined {
  if (!number?.trim()) return undefined
  const label = SWISS.test(number) ? (invoice.labels?.[name] ?? labels.uid) : labels[name]
  return `${label} ${number}`
}

/** A number of the Swiss company register, such as CHE-123.456.789 MWST. */
const SWISS = /^\s*CHE[-\s]?\d{3}/i

import type * as z from 'zod'
import { digitsOf } from './currencies'
import type { Invoice } from './invoice'
import { findQrProblems } from './qr-payload'
import { computeTotals, exact } from './totals'

/** Amounts of lines and totals have at most 15 integer digits. */
const MAX_LINE = 1e15

/** Maximum length of all texts together, about 250 pages. */
const MAX_CHARACTERS = 500_000

/** Checks constraints between fields. */
export function checkInvoice(invoice: Invoice, context: z.RefinementCtx): void {
  const addIssue = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message })
  const { issueDate, dueDate, reverseCharge, pricesIncludeTax, shipping } = invoice
  if (issueDate !== undefined && dueDate !== undefined && dueDate < issueDate)
    addIssue(['dueDate'], `must not be before issueDate ${issueDate}. Got ${dueDate}.`)
  if (reverseCharge) {
    const message = 'must be 0 or omitted if reverseCharge is true, because the buyer pays the tax.'
    if (invoice.taxRate) addIssue(['taxRate'], message)
    if (shipping?.taxRate) addIssue(['shipping', 'taxRate'], message)
    for (const [index, item] of invoice.items.entries())
      if (item.taxRate) addIssue(['items', index, 'taxRate'], message)
    if (pricesIncludeTax) addIssue(['pricesIncludeTax'], 'must not be true if reverseCharge is true.')
  }
  const characters = countCharacters(invoice.items)
  if (characters > MAX_CHARACTERS)
    addIssue(
      ['items'],
      `must have at most ${MAX_CHARACTERS.toLocaleString('en')} characters in all items together. Got ` +
        `${characters.toLocaleString('en')}. Send several invoices or shorter texts.`,
    )
  let isTooLarge = false
  for (const [index, { quantity, rate }] of invoice.items.entries()) {
    if (Math.abs(quantity * rate) < MAX_LINE) continue
    isTooLarge = true
    addIssue(
      ['items', index, 'rate'],
      `quantity × rate must have at most 15 digits before the decimal point. Got ${quantity * rate}.`,
    )
  }
  if (isTooLarge) return
  compareTotals(invoice, addIssue)
  for (const { path, message } of findQrProblems(invoice)) addIssue(path, message)
}

function countCharacters(items: Invoice['items']): number {
  return items.reduce(
    (sum, { description, details = '', unit = '', sku = '' }) =>
      sum + description.length + details.length + unit.length + sku.length,
    0,
  )
}

function compareTotals(invoice: Invoice, addIssue: (path: string[], message: string) => void): void {
  const { totals: stated, currency } = invoice
  if (!stated) return
  const { subtotal, taxes, total, due } = computeTotals(invoice)
  const tax = taxes.reduce((sum, line) => sum.plus(line.tax), exact(0))
  for (const [name, computed] of Object.entries({ subtotal, tax, total, amountDue: due })) {
    const statedAmount = stated[name as keyof typeof stated] // `name` is a key of that object
    if (statedAmount === undefined || computed.eq(exact(statedAmount))) continue
    addIssue(
      ['totals', name],
      `must equal the computed amount ${computed.toFixed(digitsOf(currency))}. Got ${statedAmount}.`,
    )
  }
}

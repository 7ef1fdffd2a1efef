import type { z } from 'zod'
import { digitsOf } from './currencies'
import type { Invoice } from './invoice'
import { findQrProblems } from './qr-payload'
import { computeTotals, exact } from './totals'

/** Amounts of lines and totals have at most 15 digits before the point. */
const MAX_LINE = 1e15

/** Of all texts together: some 250 pages. */
const MAX_CHARACTERS = 500_000

/** What only the fields together can get wrong. */
export function checkInvoice(invoice: Invoice, context: z.RefinementCtx): void {
  const blame = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message })
  const { issueDate, dueDate, reverseCharge, pricesIncludeTax, shipping } = invoice
  if (issueDate !== undefined && dueDate !== undefined && dueDate < issueDate)
    blame(['dueDate'], `${dueDate} is before the issueDate, ${issueDate}`)
  if (reverseCharge) {
    const message = 'has to be 0 or left out where reverseCharge is true: the buyer pays the tax'
    if (invoice.taxRate) blame(['taxRate'], message)
    if (shipping?.taxRate) blame(['shipping', 'taxRate'], message)
    for (const [index, item] of invoice.items.entries()) if (item.taxRate) blame(['items', index, 'taxRate'], message)
    if (pricesIncludeTax) blame(['pricesIncludeTax'], 'can not be true together with reverseCharge')
  }
  const characters = countCharacters(invoice.items)
  if (characters > MAX_CHARACTERS)
    blame(
      ['items'],
      `the texts of all items have ${characters} characters together; at most ${MAX_CHARACTERS} are allowed, so ` +
        'send several invoices or shorter texts',
    )
  let isTooLarge = false
  for (const [index, { quantity, rate }] of invoice.items.entries()) {
    if (Math.abs(quantity * rate) < MAX_LINE) continue
    isTooLarge = true
    blame(
      ['items', index, 'rate'],
      `quantity × rate is ${quantity * rate}; an amount has at most 15 digits before the point`,
    )
  }
  if (isTooLarge) return
  compareTotals(invoice, blame)
  for (const { path, message } of findQrProblems(invoice)) blame(path, message)
}

function countCharacters(items: Invoice['items']): number {
  return items.reduce(
    (sum, { description, details = '', unit = '', sku = '' }) =>
      sum + description.length + details.length + unit.length + sku.length,
    0,
  )
}

function compareTotals(invoice: Invoice, blame: (path: string[], message: string) => void): void {
  const { totals: stated, currency } = invoice
  if (!stated) return
  const { subtotal, taxes, total, due } = computeTotals(invoice)
  const tax = taxes.reduce((sum, line) => sum.plus(line.tax), exact(0))
  for (const [name, ours] of Object.entries({ subtotal, tax, total, amountDue: due })) {
    const given = stated[name as keyof typeof stated] // the names of that object
    if (given === undefined || ours.eq(exact(given))) continue
    blame(['totals', name], `is ${given}, but the items come to ${ours.toFixed(digitsOf(currency))}`)
  }
}

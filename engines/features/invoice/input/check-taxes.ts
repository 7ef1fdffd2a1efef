import type { AddProblem } from '../electronic/check-electronic'
import { listTaxed } from '../data/named-taxes'
import type { Invoice } from '../data/invoice'

/** Maximum number of different taxes with names. Each has a line in the totals. */
const MAX_NAMED = 100

/** Reports taxes that exclude each other, and taxes of an invoice whose buyer owes the tax. */
export function checkTaxes(invoice: Invoice, add: AddProblem): void {
  const named = new Set<string>()
  for (const { prefix, taxed } of listTaxed(invoice)) {
    const { taxRate, taxCategory, taxes } = taxed
    if (invoice.reverseCharge && taxRate)
      add(`${prefix}taxRate`, 'must be 0 or omitted if reverseCharge is true, because the buyer pays the tax.')
    if (!taxes) continue
    if (invoice.reverseCharge)
      add(`${prefix}taxes`, 'must be omitted if reverseCharge is true, because the buyer pays the tax.')
    const other = taxRate === undefined ? (taxCategory === undefined ? undefined : 'taxCategory') : 'taxRate'
    if (other !== undefined)
      add(
        `${prefix}taxes`,
        `must be omitted, because ${other} was sent too. Send taxRate for one tax, or taxes for several.`,
      )
    for (const { name, rate } of taxes) named.add(`${rate} ${name}`)
  }
  if (named.size > MAX_NAMED)
    add('items', `must have at most ${MAX_NAMED} different taxes in all items together. Got ${named.size}.`)
}

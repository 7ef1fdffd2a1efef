import type * as z from 'zod'
import type { Problem } from '../../../errors'
import { listBankCodes } from '../data/bank-codes'
import { digitsOf } from '../data/currencies'
import { checkElectronic } from '../electronic/check-electronic'
import type { AddProblem } from '../electronic/check-electronic'
import type { Invoice } from '../data/invoice'
import { findQrProblems } from '../data/qr-payload'
import { computeTotals, exact, isPaid } from '../data/totals'
import type { Totals } from '../data/totals'
import { listTaxed } from '../data/named-taxes'

/** Amounts of lines and totals have at most 15 integer digits. */
const MAX_LINE = 1e15

/** Maximum length of all texts together, about 250 pages. */
const MAX_CHARACTERS = 500_000

/** Maximum number of problems. */
const MAX_PROBLEMS = 100

/** Adds the problems of `findInvoiceProblems` to those of a schema. */
export function checkInvoice(invoice: Invoice, context: z.RefinementCtx): void {
  for (const { param = '', message, rule } of findInvoiceProblems(invoice))
    context.addIssue({
      code: 'custom',
      path: readPath(param),
      message,
      ...(rule !== undefined && { params: { rule } }),
    })
}

/** Returns the constraints between fields that an invoice breaks, at most 100. */
export function findInvoiceProblems(invoice: Invoice): Problem[] {
  const problems: Problem[] = []
  const add: AddProblem = (param, message, rule) => {
    if (problems.length === MAX_PROBLEMS) problems.push({ message: 'and more errors' })
    if (problems.length > MAX_PROBLEMS) return
    problems.push({ param, ...(rule === undefined ? { message } : { message: `${message} Rule ${rule}.`, rule }) })
  }
  checkFields(invoice, add)
  return problems
}

function checkFields(invoice: Invoice, add: AddProblem): void {
  const { issueDate, dueDate, reverseCharge, pricesIncludeTax } = invoice
  if (issueDate !== undefined && dueDate !== undefined && dueDate < issueDate)
    add('dueDate', `must not be before issueDate ${issueDate}. Got ${dueDate}.`)
  checkTaxes(invoice, add)
  if (reverseCharge && pricesIncludeTax) add('pricesIncludeTax', 'must not be true if reverseCharge is true.')
  const characters = countCharacters(invoice.items)
  if (characters > MAX_CHARACTERS)
    add(
      'items',
      `must have at most ${MAX_CHARACTERS.toLocaleString('en')} characters in all items together. Got ` +
        `${characters.toLocaleString('en')}. Send several invoices or shorter texts.`,
    )
  let isTooLarge = false
  for (const [index, { quantity, rate, priceBase }] of invoice.items.entries()) {
    if (Math.abs((quantity * rate) / (priceBase || 1)) < MAX_LINE) continue
    isTooLarge = true
    add(
      `items[${index}].rate`,
      `quantity × rate must have at most 15 digits before the decimal point. Got ${quantity * rate}.`,
    )
  }
  checkPairs(invoice, add)
  if (isTooLarge) return
  const totals = computeTotals(invoice)
  compareTotals(invoice, totals, add)
  checkElectronic(invoice, totals, add)
  if (!isPaid(invoice)) for (const { param, message } of findQrProblems(invoice, totals.due)) add(param, message)
}

/** Reads a path such as `items[0].rate`. */
function readPath(param: string): (string | number)[] {
  return Array.from(param.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([text, index]) =>
    index === undefined ? text : Number(index),
  )
}

const NOT_BOTH = 'must be omitted, because'

/** Checks fields that exclude or need each other. */
function checkPairs(invoice: Invoice, add: AddProblem): void {
  for (const name of ['from', 'billTo', 'shipTo'] as const) {
    const party = invoice[name]
    if (party?.address && party.addressLines?.length) add(`${name}.addressLines`, `${NOT_BOTH} address was sent too.`)
  }
  for (const [param, period] of [
    ['period', invoice.period] as const,
    ...invoice.items.map((item, index) => [`items[${index}].period`, item.period] as const),
  ])
    if (period?.start !== undefined && period.end !== undefined && period.end < period.start)
      add(`${param}.end`, `must not be before start ${period.start}. Got ${period.end}.`)
  if (isPaid(invoice)) {
    if (invoice.amountPaid !== undefined) add('amountPaid', `${NOT_BOTH} paid was sent too.`)
    if (invoice.type === 'quote' || invoice.type === 'proforma')
      add('paid', `must be omitted for the type "${invoice.type}".`)
    if (invoice.qr !== 'none') add('qr', 'must be "none" or omitted if paid is sent, because nothing is due.')
  }
  for (const [index, { amount, tax = 0 }] of (invoice.prepayments ?? []).entries())
    if (Math.abs(tax) > Math.abs(amount) || tax * amount < 0)
      add(`prepayments[${index}].tax`, `must be a part of amount ${amount}. Got ${tax}.`)
  for (const [param, account] of [
    ['payment', invoice.payment] as const,
    ...(invoice.payment?.furtherAccounts ?? []).map(
      (one, index) => [`payment.furtherAccounts[${index}]`, one] as const,
    ),
  ]) {
    const [code, other] = listBankCodes(account ?? {})
    if (code && other) add(`${param}.${other.name}`, `${NOT_BOTH} ${code.name} was sent too.`)
    if (code && !account?.iban && !account?.accountNumber?.trim())
      add(`${param}.accountNumber`, `is required if ${code.name} is sent.`)
    if (code && account?.bic && invoice.eInvoice)
      add(`${param}.${code.name}`, `${NOT_BOTH} bic was sent too. An electronic invoice has one of them (BT-86).`)
  }
  const { payment, taxCurrency, exchangeRate, taxInTaxCurrency } = invoice
  if (payment?.iban && payment.accountNumber?.trim()) add('payment.accountNumber', `${NOT_BOTH} iban was sent too.`)
  if (exchangeRate !== undefined && taxInTaxCurrency !== undefined)
    add('exchangeRate', `${NOT_BOTH} taxInTaxCurrency was sent too.`)
  for (const [name, value] of Object.entries({ exchangeRate, taxInTaxCurrency }))
    if (value !== undefined && taxCurrency === undefined) add(name, 'must be sent together with taxCurrency.')
  if (taxCurrency !== undefined && exchangeRate === undefined && taxInTaxCurrency === undefined)
    add('taxCurrency', 'must be sent together with exchangeRate or taxInTaxCurrency.')
}

function countCharacters(items: Invoice['items']): number {
  return items.reduce(
    (sum, { description, details = '', unit = '', sku = '', section = '', taxes = [] }) =>
      taxes.reduce((all, { name }) => all + name.length, sum) +
      description.length +
      details.length +
      unit.length +
      sku.length +
      section.length,
    0,
  )
}

function compareTotals(
  { totals: stated, currency }: Invoice,
  { subtotal, taxes, total, due }: Totals,
  add: AddProblem,
): void {
  if (!stated) return
  const tax = taxes.reduce((sum, line) => sum.plus(line.tax), exact(0))
  for (const [name, computed] of Object.entries({ subtotal, tax, total, amountDue: due })) {
    const statedAmount = stated[name as keyof typeof stated] // `name` is a key of that object
    if (statedAmount === undefined || computed.eq(exact(statedAmount))) continue
    add(
      `totals.${name}`,
      `must equal the computed amount ${computed.toFixed(digitsOf(currency))}. Got ${statedAmount}.`,
    )
  }
}

/** Maximum number of different taxes with names. Each has a line in the totals. */
const MAX_NAMED = 100

/** Reports taxes that exclude each other, and taxes of an invoice whose buyer owes the tax. */
function checkTaxes(invoice: Invoice, add: AddProblem): void {
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

import { findBrokenRules } from '../../../standards/einvoice/format-rules/find-broken-rules'
import type { BrokenRule } from '../../../standards/einvoice/rules/rule'
import { digitsOf } from '../data/currencies'
import { listTaxed } from '../data/named-taxes'
import type { Invoice } from '../data/invoice'
import type { Totals } from '../data/totals'
import { formatOf, toElectronic } from './to-electronic'

/** Adds a problem with a field. `rule` is the ID of a rule of the format. */
export type AddProblem = (param: string, message: string, rule?: string) => void

/** Decimals of amounts (EN 16931-1, 6.4.1, BR-DEC). */
const MAX_DIGITS = 2

/** Maximum places that are reported for one rule, so that all broken rules fit into a response. */
const MAX_PLACES = 5

/** Reports what an electronic invoice can't have, and the rules of its format that it breaks. */
export function checkElectronic(invoice: Invoice, totals: Totals, add: AddProblem): void {
  const format = formatOf(invoice)
  if (!format) return
  let isConvertible = true
  const refuse: AddProblem = (param, message) => {
    isConvertible = false
    add(param, message)
  }
  checkKind(invoice, refuse)
  checkOtherTaxes(invoice, refuse)
  checkPrintedOnly(invoice, refuse)
  if (!isConvertible) return
  const issueDate = new Date().toISOString().slice(0, 10)
  const model = toElectronic(invoice, { ruleSet: format.ruleSet, issueDate, totals })
  for (const { param, message, rule } of limitPlaces(findBrokenRules(model, format))) add(param, message, rule)
}

function checkKind({ type, pricesIncludeTax, currency, taxCurrency }: Invoice, add: AddProblem): void {
  for (const [param, code] of [
    ['currency', currency],
    ['taxCurrency', taxCurrency],
  ] as const)
    if (code !== undefined && digitsOf(code) > MAX_DIGITS)
      add(
        param,
        `must be a currency with at most two decimals if eInvoice is sent, because EN 16931 allows no more. ${code} has ` +
          `${digitsOf(code)}.`,
      )
  if (type === 'quote' || type === 'proforma' || type === 'receipt')
    add('type', `must be an invoice or a credit note if eInvoice is sent. Got "${type}".`)
  if (pricesIncludeTax)
    add('pricesIncludeTax', 'must not be true if eInvoice is sent. The standard has only prices without tax.')
}

/** EN 16931 has one tax for each amount, and no tax that the buyer withholds. */
function checkOtherTaxes(invoice: Invoice, add: AddProblem): void {
  for (const { prefix, taxed } of listTaxed(invoice))
    if (taxed.taxes)
      add(
        `${prefix}taxes`,
        'must be omitted if eInvoice is sent, because EN 16931 has one VAT rate for each amount. Send VAT as taxRate, ' +
          'and other taxes as charges.',
      )
  if (invoice.withholding?.length)
    add(
      'withholding',
      'must be omitted if eInvoice is sent, because EN 16931 has no withholding tax. Describe the tax in paymentTerms.',
    )
}

/** What the page would print, but the XML has no place for. Both must say the same. */
function checkPrintedOnly(invoice: Invoice, add: AddProblem): void {
  for (const name of ['from', 'billTo'] as const) {
    const party = invoice[name]
    if (party.taxId?.trim())
      add(`${name}.taxId`, `must be sent as ${name === 'from' ? 'vatId or taxNumber' : 'vatId'} if eInvoice is sent.`)
    if (party.addressLines?.length)
      add(`${name}.addressLines`, 'must be sent as address with its parts if eInvoice is sent.')
    for (const field of ['email', 'phone'] as const)
      if (party[field] && party.contact?.[field])
        add(`${name}.${field}`, `must be omitted, because contact.${field} was sent too.`)
  }
  if (invoice.shipTo?.addressLines?.length)
    add('shipTo.addressLines', 'must be sent as address with its parts if eInvoice is sent.')
  for (const [index, { date, period }] of invoice.items.entries())
    if (date !== undefined && period) add(`items[${index}].date`, 'must be omitted, because period was sent too.')
}

function limitPlaces(broken: readonly BrokenRule[]): BrokenRule[] {
  const counts = new Map<string, number>()
  return broken.filter(({ rule }) => {
    const count = (counts.get(rule) ?? 0) + 1
    counts.set(rule, count)
    return count <= MAX_PLACES
  })
}

import { Big } from 'big.js'
import { digitsOf } from './currencies'
import type { Discount, Invoice } from './invoice'

/**
 * Decimal arithmetic with 60 decimals for non-terminating divisions, so that the error can't change a rounded digit.
 */
const Decimal = Big()
Decimal.DP = 60
Decimal.RM = Big.roundHalfUp // Rounds halves away from zero.

/** An exact decimal number of any size. */
export type Exact = Big

/** The tax of one rate. */
export interface TaxLine {
  /** The rate as a fraction. */
  rate: Exact
  /** The taxed amount without the tax. */
  base: Exact
  tax: Exact
}

/** All amounts of an invoice, rounded to the decimals of its currency. */
export interface Totals {
  /** Amounts by item: quantity × rate less the item's discount. */
  lines: Exact[]
  /** Sum of the lines. */
  subtotal: Exact
  /** The discount on the whole invoice. Undefined if there is none. */
  discount: Exact | undefined
  shipping: Exact | undefined
  /** Taxes by rate, in order of appearance. Items without a rate have no entry. */
  taxes: TaxLine[]
  /** The total with tax. */
  total: Exact
  paid: Exact | undefined
  /** The total less the paid amount. */
  due: Exact
}

type Charged = Pick<
  Invoice,
  'items' | 'currency' | 'taxRate' | 'discount' | 'shipping' | 'amountPaid' | 'pricesIncludeTax' | 'reverseCharge'
>

/** Sum of the amounts with one tax rate. An undefined rate means no tax and no tax line. */
interface Group {
  rate: number | undefined
  sum: Exact
}

/**
 * Computes the amounts of an invoice (rules in docs/invoices.md). Each line is rounded half away from zero, and the
 * lines are added up. A discount on the whole invoice is distributed over the tax rates. Tax is computed on the sum of
 * each rate and rounded once (EN 16931, BR-CO-17). With `pricesIncludeTax`, the tax is the part that each sum contains.
 */
export function computeTotals(invoice: Charged): Totals {
  const digits = digitsOf(invoice.currency)
  const round = (value: Exact): Exact => unsigned(value.round(digits, Big.roundHalfUp))
  const lines = invoice.items.map(({ quantity, rate, discount }) => {
    const gross = exact(quantity).times(exact(rate))
    return round(gross.minus(reductionOf(gross, discount)))
  })
  const subtotal = sum(lines)
  const discount = invoice.discount && round(reductionOf(subtotal, invoice.discount))
  const shipping = invoice.shipping && round(exact(invoice.shipping.amount))
  const groups = groupByRate(invoice, lines)
  if (discount) shareOut(groups, discount, { of: subtotal, round })
  if (invoice.shipping && shipping)
    addTo(groups, invoice.reverseCharge ? 0 : (invoice.shipping.taxRate ?? invoice.taxRate), shipping)
  const taxes = groups.flatMap(({ rate, sum: taxed }) =>
    rate === undefined ? [] : [taxOf(exact(rate), taxed, { isIncluded: invoice.pricesIncludeTax, round })],
  )
  const charged = sum(groups.map(group => group.sum))
  const total = invoice.pricesIncludeTax ? charged : charged.plus(sum(taxes.map(({ tax }) => tax)))
  const paid = invoice.amountPaid === undefined ? undefined : round(exact(invoice.amountPaid))
  return {
    lines,
    subtotal,
    discount,
    shipping,
    taxes,
    total: unsigned(total),
    paid,
    due: unsigned(total.minus(paid ?? 0)),
  }
}

/** Returns the exact value of a JSON number: its shortest decimal form, not its binary value. */
export function exact(value: number): Exact {
  return new Decimal(String(value))
}

/** Removes the sign of a negative zero. */
function unsigned(value: Exact): Exact {
  return value.eq(0) ? new Decimal(0) : value
}

function sum(values: readonly Exact[]): Exact {
  return values.reduce((total, value) => total.plus(value), new Decimal(0))
}

function reductionOf(whole: Exact, discount: Discount | undefined): Exact {
  if (!discount) return new Decimal(0)
  return 'rate' in discount ? whole.times(exact(discount.rate)) : exact(discount.amount)
}

function groupByRate({ items, taxRate, reverseCharge }: Charged, lines: readonly Exact[]): Group[] {
  const groups: Group[] = []
  for (const [index, item] of items.entries())
    addTo(groups, reverseCharge ? 0 : (item.taxRate ?? taxRate), lines[index] ?? new Decimal(0))
  return groups
}

function addTo(groups: Group[], rate: number | undefined, amount: Exact): void {
  const group = groups.find(candidate => candidate.rate === rate)
  if (group) group.sum = group.sum.plus(amount)
  else groups.push({ rate, sum: amount })
}

/**
 * Distributes a discount over all groups by their share of the whole. The largest group receives the rounding
 * difference.
 */
function shareOut(
  groups: Group[],
  discount: Exact,
  { of: whole, round }: { of: Exact; round: (value: Exact) => Exact },
): void {
  const largest = groups.reduce((most, group) => (group.sum.abs().gt(most.sum.abs()) ? group : most))
  let remaining = discount
  if (!whole.eq(0)) {
    for (const group of groups) {
      if (group === largest) continue
      const share = round(discount.times(group.sum).div(whole))
      group.sum = group.sum.minus(share)
      remaining = remaining.minus(share)
    }
  }
  largest.sum = largest.sum.minus(remaining)
}

function taxOf(
  rate: Exact,
  taxed: Exact,
  { isIncluded, round }: { isIncluded: boolean; round: (value: Exact) => Exact },
): TaxLine {
  if (!isIncluded) return { rate, base: unsigned(taxed), tax: round(taxed.times(rate)) }
  const tax = round(taxed.times(rate).div(rate.plus(1)))
  return { rate, base: unsigned(taxed.minus(tax)), tax }
}

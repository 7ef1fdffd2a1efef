import { Big } from 'big.js'
import { digitsOf } from './currencies'
import type { Discount, Invoice } from './invoice'

/**
 * Arithmetic of our own: 60 decimals where a division does not end, which is far beyond what could move a rounded
 * digit.
 */
const Decimal = Big()
Decimal.DP = 60
Decimal.RM = Big.roundHalfUp // away from zero where both are as near

/** A number of any size, exact. */
export type Exact = Big

/** Tax of one rate. */
export interface TaxLine {
  /** A fraction. */
  rate: Exact
  /** What is taxed, without the tax. */
  base: Exact
  tax: Exact
}

/** All amounts of an invoice, rounded to the digits of its currency. */
export interface Totals {
  /** By item: quantity × rate less the item's discount. */
  lines: Exact[]
  /** Sum of the lines. */
  subtotal: Exact
  /** What is taken off; undefined where no discount was given, as below. */
  discount: Exact | undefined
  shipping: Exact | undefined
  /** By rate, in the order in which the rates appear; none for what has no rate. */
  taxes: TaxLine[]
  /** With tax. */
  total: Exact
  paid: Exact | undefined
  /** The total less what was paid. */
  due: Exact
}

type Charged = Pick<
  Invoice,
  'items' | 'currency' | 'taxRate' | 'discount' | 'shipping' | 'amountPaid' | 'pricesIncludeTax' | 'reverseCharge'
>

/** What is taxed at one rate; undefined is a rate of its own: no tax, and no line that says so. */
interface Group {
  rate: number | undefined
  sum: Exact
}

/**
 * The amounts of an invoice (rules in docs/invoices.md): each line is rounded half away from zero, lines are summed, a
 * discount on the whole is shared out over the tax rates, and tax is computed on the sum of each rate and rounded once
 * (EN 16931, BR-CO-17). With `pricesIncludeTax` tax is what the sum of each rate holds of it.
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

/** The number that a JSON number stands for: its shortest decimal form, not its binary one. */
export function exact(value: number): Exact {
  return new Decimal(String(value))
}

/** Big.js knows a negative zero, which nobody wants to read. */
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
  const group = groups.find(one => one.rate === rate)
  if (group) group.sum = group.sum.plus(amount)
  else groups.push({ rate, sum: amount })
}

/** Takes a discount off all groups by their share of the whole; the largest one bears what rounding leaves over. */
function shareOut(
  groups: Group[],
  discount: Exact,
  { of: whole, round }: { of: Exact; round: (value: Exact) => Exact },
): void {
  const largest = groups.reduce((most, group) => (group.sum.abs().gt(most.sum.abs()) ? group : most))
  let left = discount
  if (!whole.eq(0)) {
    for (const group of groups) {
      if (group === largest) continue
      const share = round(discount.times(group.sum).div(whole))
      group.sum = group.sum.minus(share)
      left = left.minus(share)
    }
  }
  largest.sum = largest.sum.minus(left)
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

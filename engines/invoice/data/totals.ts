import { Big } from 'big.js'
import { digitsOf } from './currencies'
import type { Discount, Invoice } from '../request/invoice'
import { isUntaxed } from './tax-fields'
import type { TaxCategory } from './tax-fields'

/**
 * Decimal arithmetic with 60 decimals for non-terminating divisions, so that the error can't change a rounded digit.
 */
const Decimal = Big()
Decimal.DP = 60
Decimal.RM = Big.roundHalfUp // Rounds halves away from zero.

/** An exact decimal number of any size. */
export type Exact = Big

/** The tax of one category and rate. */
export interface TaxLine {
  /** The rate as a fraction. */
  rate: Exact
  /** The VAT category. Undefined if the invoice names none and the rate is 0. */
  category: TaxCategory | undefined
  /** The taxed amount without the tax. */
  base: Exact
  tax: Exact
}

/** An allowance or charge with its amount. */
export interface Adjusted {
  amount: Exact
  /** The amount that a rate refers to. Undefined without a rate. */
  base: Exact | undefined
}

/** The parts of an item's amount. */
export interface LineParts {
  /** Quantity × unit price, rounded. */
  worth: Exact
  /** The reduction by `discount`. Undefined if there is none. */
  discount: Exact | undefined
  allowances: Adjusted[]
  charges: Adjusted[]
}

/** The part of the invoice's discount at one tax rate. */
export interface DiscountShare extends TaxGroup {
  amount: Exact
}

/** All amounts of an invoice, rounded to the decimals of its currency. */
export interface Totals {
  /** Amounts by item: quantity × rate less discount and allowances, with charges. */
  lines: Exact[]
  /** The parts of these amounts. */
  lineParts: LineParts[]
  /** Sum of the lines. */
  subtotal: Exact
  /** The discount on the whole invoice. Undefined if there is none. */
  discount: Exact | undefined
  /** How the discount is divided over the tax rates. */
  discountShares: DiscountShare[]
  allowances: Adjusted[]
  charges: Adjusted[]
  shipping: Exact | undefined
  /** Taxes by category and rate, in order of appearance. Items without a rate and a category have no entry. */
  taxes: TaxLine[]
  /** The total with tax. */
  total: Exact
  paid: Exact | undefined
  rounding: Exact | undefined
  /** The total less the paid amount, with the rounding amount. */
  due: Exact
  /** The sum of all taxes in the tax currency. Undefined if there is none. */
  taxInTaxCurrency: Exact | undefined
}

type Charged = Pick<
  Invoice,
  | 'items'
  | 'currency'
  | 'taxRate'
  | 'taxCategory'
  | 'discount'
  | 'allowances'
  | 'charges'
  | 'shipping'
  | 'amountPaid'
  | 'roundingAmount'
  | 'taxCurrency'
  | 'exchangeRate'
  | 'taxInTaxCurrency'
  | 'pricesIncludeTax'
  | 'reverseCharge'
>

/** A category of tax and its rate. Without both, there is no tax and no tax line. */
export interface TaxGroup {
  rate: number | undefined
  category: TaxCategory | undefined
}

/** Sum of the amounts of one group. */
interface Group extends TaxGroup {
  sum: Exact
}

type Round = (value: Exact) => Exact

/**
 * Computes the amounts of an invoice (rules in docs/invoices.md). Each line is rounded half away from zero, and the
 * lines are added up. A discount on the whole invoice is distributed over the tax rates. Tax is computed on the sum of
 * each rate and rounded once (EN 16931, BR-CO-17). With `pricesIncludeTax`, the tax is the part that each sum contains.
 */
export function computeTotals(invoice: Charged): Totals {
  const round = roundTo(digitsOf(invoice.currency))
  const lineParts = invoice.items.map(item => partsOf(item, round))
  const lines = lineParts.map(({ worth, discount, allowances, charges }) =>
    unsigned(
      worth
        .minus(discount ?? 0)
        .minus(sumOf(allowances))
        .plus(sumOf(charges)),
    ),
  )
  const subtotal = sum(lines)
  const discount = invoice.discount && round(reductionOf(subtotal, invoice.discount))
  const allowances = adjust(invoice.allowances, subtotal, round)
  const charges = adjust(invoice.charges, subtotal, round)
  const shipping = invoice.shipping && round(exact(invoice.shipping.amount))
  const groups: Group[] = []
  for (const [index, item] of invoice.items.entries())
    addTo(groups, groupOf(item, invoice), lines[index] ?? new Decimal(0))
  const discountShares = discount ? shareOut(groups, discount, { of: subtotal, round }) : []
  if (invoice.shipping && shipping) addTo(groups, groupOf(invoice.shipping, invoice), shipping)
  for (const [index, allowance] of (invoice.allowances ?? []).entries())
    addTo(groups, groupOf(allowance, invoice), (allowances[index]?.amount ?? new Decimal(0)).times(-1))
  for (const [index, charge] of (invoice.charges ?? []).entries())
    addTo(groups, groupOf(charge, invoice), charges[index]?.amount ?? new Decimal(0))
  const taxes = groups.flatMap(({ rate, category, sum: taxed }) =>
    rate === undefined && category === undefined
      ? []
      : [{ category, ...taxOf(exact(rate ?? 0), taxed, { isIncluded: invoice.pricesIncludeTax, round }) }],
  )
  const charged = sum(groups.map(group => group.sum))
  const tax = sum(taxes.map(line => line.tax))
  const total = invoice.pricesIncludeTax ? charged : charged.plus(tax)
  const paid = invoice.amountPaid === undefined ? undefined : round(exact(invoice.amountPaid))
  const rounding = invoice.roundingAmount === undefined ? undefined : round(exact(invoice.roundingAmount))
  return {
    lines,
    lineParts,
    subtotal,
    discount,
    discountShares,
    allowances,
    charges,
    shipping,
    taxes,
    total: unsigned(total),
    paid,
    rounding,
    due: unsigned(total.minus(paid ?? 0).plus(rounding ?? 0)),
    taxInTaxCurrency: convertTax(invoice, tax),
  }
}

/** The category and rate of an item, a charge or an allowance. Its own values come before those of the invoice. */
export function groupOf(
  own: { taxRate?: number | undefined; taxCategory?: TaxCategory | undefined },
  invoice: Pick<Charged, 'taxRate' | 'taxCategory' | 'reverseCharge'>,
): TaxGroup {
  if (invoice.reverseCharge) return { rate: 0, category: own.taxCategory ?? invoice.taxCategory ?? 'AE' }
  const category = own.taxCategory ?? (own.taxRate ? undefined : invoice.taxCategory)
  if (isUntaxed(category)) return { rate: own.taxRate ?? 0, category }
  const rate = own.taxRate ?? invoice.taxRate
  return {
    rate,
    category: category ?? (rate ? (isUntaxed(invoice.taxCategory) ? 'S' : (invoice.taxCategory ?? 'S')) : undefined),
  }
}

/** Returns the exact value of a JSON number: its shortest decimal form, not its binary value. */
export function exact(value: number): Exact {
  return new Decimal(String(value))
}

function roundTo(digits: number): Round {
  return value => unsigned(value.round(digits, Big.roundHalfUp))
}

/** Removes the sign of a negative zero. */
function unsigned(value: Exact): Exact {
  return value.eq(0) ? new Decimal(0) : value
}

function sum(values: readonly Exact[]): Exact {
  return values.reduce((total, value) => total.plus(value), new Decimal(0))
}

function sumOf(adjusted: readonly Adjusted[]): Exact {
  return sum(adjusted.map(({ amount }) => amount))
}

/** The discount is the short form of an allowance, and is rounded like one. */
function partsOf(item: Invoice['items'][number], round: Round): LineParts {
  const worth = round(
    exact(item.quantity)
      .times(exact(item.rate))
      .div(exact(item.priceBase || 1)),
  )
  return {
    worth,
    discount: item.discount && round(reductionOf(worth, item.discount)),
    allowances: adjust(item.allowances, worth, round),
    charges: adjust(item.charges, worth, round),
  }
}

interface Adjustable {
  amount?: number | undefined
  rate?: number | undefined
  base?: number | undefined
}

function adjust(adjustments: readonly Adjustable[] | undefined, usual: Exact, round: Round): Adjusted[] {
  return (adjustments ?? []).map(({ amount, rate, base }) => {
    const stated = base === undefined ? undefined : round(exact(base))
    if (rate === undefined) return { amount: round(exact(amount ?? 0)), base: stated }
    const whole = stated ?? usual
    return { amount: round(amount === undefined ? whole.times(exact(rate)) : exact(amount)), base: whole }
  })
}

function convertTax({ taxCurrency, exchangeRate, taxInTaxCurrency }: Charged, tax: Exact): Exact | undefined {
  if (taxCurrency === undefined) return undefined
  const round = roundTo(digitsOf(taxCurrency))
  if (taxInTaxCurrency !== undefined) return round(exact(taxInTaxCurrency))
  return exchangeRate === undefined ? undefined : round(tax.times(exact(exchangeRate)))
}

function reductionOf(whole: Exact, discount: Discount | undefined): Exact {
  if (!discount) return new Decimal(0)
  return 'rate' in discount ? whole.times(exact(discount.rate)) : exact(discount.amount)
}

function addTo(groups: Group[], { rate, category }: TaxGroup, amount: Exact): void {
  const group = groups.find(candidate => candidate.rate === rate && candidate.category === category)
  if (group) group.sum = group.sum.plus(amount)
  else groups.push({ rate, category, sum: amount })
}

/**
 * Distributes a discount over all groups by their share of the whole. The largest group receives the rounding
 * difference.
 */
function shareOut(
  groups: Group[],
  discount: Exact,
  { of: whole, round }: { of: Exact; round: Round },
): DiscountShare[] {
  const largest = groups.reduce((most, group) => (group.sum.abs().gt(most.sum.abs()) ? group : most))
  const shares = new Map<Group, Exact>()
  let remaining = discount
  if (!whole.eq(0)) {
    for (const group of groups) {
      if (group === largest) continue
      const share = round(discount.times(group.sum).div(whole))
      shares.set(group, share)
      remaining = remaining.minus(share)
    }
  }
  shares.set(largest, remaining)
  for (const [group, share] of shares) group.sum = group.sum.minus(share)
  return [...shares].map(([{ rate, category }, amount]) => ({ rate, category, amount }))
}

function taxOf(
  rate: Exact,
  taxed: Exact,
  { isIncluded, round }: { isIncluded: boolean; round: Round },
): Pick<TaxLine, 'rate' | 'base' | 'tax'> {
  if (!isIncluded) return { rate, base: unsigned(taxed), tax: round(taxed.times(rate)) }
  const tax = round(taxed.times(rate).div(rate.plus(1)))
  return { rate, base: unsigned(taxed.minus(tax)), tax }
}

import { Big } from 'big.js'
import { digitsOf } from './currencies'
import type { NamedTax } from './named-taxes'
import type { Discount, Invoice } from './invoice'
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

/** The tax of one name, category and rate. */
export interface TaxLine {
  /** The name of one of several taxes. */
  name: string | undefined
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

/** A prepayment with its net amount and its tax. */
export interface Prepaid {
  amount: Exact
  net: Exact
  /** Undefined if the prepayment has no tax rate. */
  tax: Exact | undefined
  rate: number | undefined
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
  /** Taxes by name, category and rate, in order of appearance. Items without any of them have no entry. */
  taxes: TaxLine[]
  /** The total without tax. */
  withoutTax: Exact
  /** The total with tax. */
  total: Exact
  /** The taxes of `withholding` with the amounts that they refer to. */
  withheld: Adjusted[]
  prepayments: Prepaid[]
  /** The paid amount with the prepayments. */
  paid: Exact | undefined
  rounding: Exact | undefined
  /** The total less the withheld and the paid amounts, with the rounding amount. */
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
  | 'taxes'
  | 'withholding'
  | 'discount'
  | 'allowances'
  | 'charges'
  | 'shipping'
  | 'amountPaid'
  | 'prepayments'
  | 'paid'
  | 'roundingAmount'
  | 'taxCurrency'
  | 'exchangeRate'
  | 'taxInTaxCurrency'
  | 'pricesIncludeTax'
  | 'reverseCharge'
>

/** A category of tax and its rate, or several taxes. Without any of them, there is no tax and no tax line. */
export interface TaxGroup {
  rate: number | undefined
  category: TaxCategory | undefined
  taxes?: readonly NamedTax[] | undefined
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
 * Withheld taxes reduce the amount due only.
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
  const groups = new Map<string, Group>()
  for (const [index, item] of invoice.items.entries())
    addToGroup(groups, groupOf(item, invoice), lines[index] ?? new Decimal(0))
  const discountShares = discount ? shareOut([...groups.values()], discount, { of: subtotal, round }) : []
  if (invoice.shipping && shipping) addToGroup(groups, groupOf(invoice.shipping, invoice), shipping)
  for (const [index, allowance] of (invoice.allowances ?? []).entries())
    addToGroup(groups, groupOf(allowance, invoice), (allowances[index]?.amount ?? new Decimal(0)).times(-1))
  for (const [index, charge] of (invoice.charges ?? []).entries())
    addToGroup(groups, groupOf(charge, invoice), charges[index]?.amount ?? new Decimal(0))
  const taxes = computeTaxes(groups.values(), { isIncluded: invoice.pricesIncludeTax, round })
  const charged = sum(Array.from(groups.values(), group => group.sum))
  const tax = sum(taxes.map(line => line.tax))
  const total = invoice.pricesIncludeTax ? charged : charged.plus(tax)
  const withheld = adjust(invoice.withholding, total.minus(tax), round)
  const rounding = invoice.roundingAmount === undefined ? undefined : round(exact(invoice.roundingAmount))
  const prepayments = (invoice.prepayments ?? []).map(stated => prepaidOf(stated, invoice, round))
  const paid = paidOf(invoice, { prepayments, owed: total.minus(sumOf(withheld)).plus(rounding ?? 0), round })
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
    withoutTax: unsigned(total.minus(tax)),
    total: unsigned(total),
    withheld,
    prepayments,
    paid,
    rounding,
    due: unsigned(
      total
        .minus(sumOf(withheld))
        .minus(paid ?? 0)
        .plus(rounding ?? 0),
    ),
    taxInTaxCurrency: convertTax(invoice, tax),
  }
}

/** The taxes of an item, a charge or an allowance. Its own values come before those of the invoice. */
export function groupOf(
  own: Partial<Pick<Charged, 'taxRate' | 'taxCategory' | 'taxes'>>,
  invoice: Pick<Charged, 'taxRate' | 'taxCategory' | 'taxes' | 'reverseCharge'>,
): TaxGroup {
  if (invoice.reverseCharge) return { rate: 0, category: own.taxCategory ?? invoice.taxCategory ?? 'AE' }
  const hasOwnRate = own.taxRate !== undefined || own.taxCategory !== undefined
  const taxes = own.taxes ?? (hasOwnRate ? undefined : invoice.taxes)
  if (taxes) return { rate: undefined, category: undefined, ...(taxes.length > 0 && { taxes }) }
  const category = own.taxCategory ?? (own.taxRate ? undefined : invoice.taxCategory)
  if (isUntaxed(category)) return { rate: own.taxRate ?? 0, category }
  const rate = own.taxRate ?? invoice.taxRate
  return {
    rate,
    category: category ?? (rate ? (isUntaxed(invoice.taxCategory) ? 'S' : (invoice.taxCategory ?? 'S')) : undefined),
  }
}

/** Returns whether the amount due is apart from the total. */
export function hasOwnDue({ withheld, paid, rounding }: Pick<Totals, 'withheld' | 'paid' | 'rounding'>): boolean {
  return withheld.length > 0 || paid !== undefined || rounding !== undefined
}

/** A key of the taxes of an amount. Amounts with the same key are taxed together. */
export function keyOf({ rate, category, taxes }: TaxGroup): string {
  return JSON.stringify([rate, category, taxes])
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

function sumOf(adjusted: readonly Pick<Adjusted, 'amount'>[]): Exact {
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

/** Computes the tax that a prepayment contains, unless the request states it. */
function prepaidOf(
  { amount: stated, taxRate, tax: statedTax }: NonNullable<Charged['prepayments']>[number],
  invoice: Pick<Charged, 'taxRate' | 'taxCategory' | 'taxes' | 'reverseCharge'>,
  round: Round,
): Prepaid {
  const amount = round(exact(stated))
  const group = groupOf({ taxRate }, invoice)
  const rate = group.taxes ? sum(group.taxes.map(one => exact(one.rate))).toNumber() : group.rate
  const contained = rate ? amount.times(exact(rate)).div(exact(rate).plus(1)) : undefined
  const tax = statedTax === undefined ? contained && round(contained) : round(exact(statedTax))
  return { amount, net: unsigned(amount.minus(tax ?? 0)), tax, rate }
}

/** The sum of all payments. A paid invoice has nothing left of what is `owed`. */
function paidOf(
  { paid, amountPaid }: Charged,
  { prepayments, owed, round }: { prepayments: Prepaid[]; owed: Exact; round: Round },
): Exact | undefined {
  if (isPaid({ paid })) return owed
  if (amountPaid === undefined && prepayments.length === 0) return undefined
  return round(exact(amountPaid ?? 0)).plus(sumOf(prepayments))
}

/** Returns whether the whole amount was paid. */
export function isPaid({ paid }: Pick<Invoice, 'paid'>): boolean {
  return paid !== undefined && paid !== false
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

function addToGroup(groups: Map<string, Group>, taxed: TaxGroup, amount: Exact): void {
  const key = keyOf(taxed)
  const group = groups.get(key)
  if (group) group.sum = group.sum.plus(amount)
  else groups.set(key, { ...taxed, sum: amount })
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
  return [...shares].map(([{ rate, category, taxes }, amount]) => ({ rate, category, taxes, amount }))
}

/**
 * Computes the taxes of all groups. The tax of a name, category and rate is rounded once, on the sum of its groups. A tax
 * that a price includes is rounded for each group, so that the taxes of a group and the rest add up to its sum.
 */
function computeTaxes(
  groups: Iterable<Group>,
  { isIncluded, round }: { isIncluded: boolean; round: Round },
): TaxLine[] {
  const none = new Decimal(0)
  const lines = new Map<string, TaxLine>()
  for (const { rate: only, category, taxes, sum: taxed } of groups) {
    const isTaxed = only !== undefined || category !== undefined
    const rates = (taxes ?? (isTaxed ? [{ name: undefined, rate: only ?? 0 }] : [])).map(({ name, rate }) => ({
      name,
      rate: exact(rate),
    }))
    const whole = sum(rates.map(({ rate }) => rate)).plus(1)
    const included = rates.map(({ rate }) => (isIncluded ? round(taxed.times(rate).div(whole)) : none))
    const base = taxed.minus(sum(included))
    for (const [index, { name, rate }] of rates.entries()) {
      const key = JSON.stringify([name, category, rate])
      const line = lines.get(key) ?? { name, category, rate, base: none, tax: none }
      lines.set(key, { ...line, base: line.base.plus(base), tax: line.tax.plus(included[index] ?? none) })
    }
  }
  return Array.from(lines.values(), ({ base, tax, ...line }) => ({
    ...line,
    base: unsigned(base),
    tax: isIncluded ? unsigned(tax) : round(base.times(line.rate)),
  }))
}

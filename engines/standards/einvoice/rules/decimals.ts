import type { Adjustment, ElectronicInvoice } from '../model'
import { adjustmentParam } from './adjustments'
import type { Rule } from './rule'

type Amount = readonly [param: string, amount: string | undefined]

const MAX_DECIMALS = 2

/** Rules on decimals: amounts have two at most (EN 16931-1, 6.4.1, BR-DEC). */
export const DECIMAL_RULES: readonly Rule[] = [
  rule('BR-DEC-01', ({ allowances }) => amountsOf(allowances)),
  rule('BR-DEC-02', ({ allowances }) => basesOf(allowances)),
  rule('BR-DEC-05', ({ charges }) => amountsOf(charges)),
  rule('BR-DEC-06', ({ charges }) => basesOf(charges)),
  rule('BR-DEC-09', ({ totals }) => [['totals.subtotal', totals.lines]]),
  rule('BR-DEC-10', ({ totals }) => [['currency', totals.allowances]]),
  rule('BR-DEC-11', ({ totals }) => [['currency', totals.charges]]),
  rule('BR-DEC-12', ({ totals }) => [['currency', totals.withoutTax]]),
  rule('BR-DEC-13', ({ totals }) => [['totals.tax', totals.tax]]),
  rule('BR-DEC-14', ({ totals }) => [['totals.total', totals.withTax]]),
  rule('BR-DEC-15', ({ totals }) => [['taxInTaxCurrency', totals.taxInTaxCurrency]]),
  rule('BR-DEC-16', ({ totals }) => [['amountPaid', totals.paid]]),
  rule('BR-DEC-17', ({ totals }) => [['roundingAmount', totals.rounding]]),
  rule('BR-DEC-18', ({ totals }) => [['totals.amountDue', totals.due]]),
  rule('BR-DEC-19', ({ taxes }) => taxes.map(({ base }): Amount => ['currency', base])),
  rule('BR-DEC-20', ({ taxes }) => taxes.map(({ tax }): Amount => ['currency', tax])),
  rule('BR-DEC-23', ({ items }) => items.map(({ amount }, index): Amount => [`items[${index}].amount`, amount])),
  rule('BR-DEC-24', ({ items }) => items.flatMap(item => amountsOf(item.allowances))),
  rule('BR-DEC-25', ({ items }) => items.flatMap(item => basesOf(item.allowances))),
  rule('BR-DEC-27', ({ items }) => items.flatMap(item => amountsOf(item.charges))),
  rule('BR-DEC-28', ({ items }) => items.flatMap(item => basesOf(item.charges))),
]

function amountsOf(adjustments: readonly Adjustment[]): Amount[] {
  return adjustments.map(adjustment => [adjustmentParam(adjustment, 'amount'), adjustment.amount])
}

function basesOf(adjustments: readonly Adjustment[]): Amount[] {
  return adjustments.map(adjustment => [adjustmentParam(adjustment, 'base'), adjustment.base])
}

function rule(id: string, read: (invoice: ElectronicInvoice) => readonly Amount[]): Rule {
  return {
    id,
    check(invoice, report) {
      for (const [param, amount] of read(invoice))
        if ((amount?.split('.')[1]?.length ?? 0) > MAX_DECIMALS)
          report(param, `must have at most 2 decimals in an electronic invoice. Got ${amount}.`)
    },
  }
}

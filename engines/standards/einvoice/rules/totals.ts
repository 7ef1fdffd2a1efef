import { Big } from 'big.js'
import { parseDecimal } from '../decimal'
import type { DocumentTotals, ElectronicInvoice } from '../model'
import { areEqual, orZero, roundCents, sumOf } from './numbers'
import type { Rule } from './rule'

/** Parameters that state totals. The others are computed. */
const PARAMS: Readonly<Record<keyof DocumentTotals, string>> = {
  lines: 'totals.subtotal',
  allowances: 'totals',
  charges: 'totals',
  withoutTax: 'totals',
  tax: 'totals.tax',
  taxInTaxCurrency: 'taxInTaxCurrency',
  withTax: 'totals.total',
  paid: 'amountPaid',
  rounding: 'roundingAmount',
  due: 'totals.amountDue',
}

/** Rules on totals (EN 16931-1, 6.4.1 and 6.4.2). */
export const TOTAL_RULES: readonly Rule[] = [
  ...(
    [
      ['BR-12', 'lines'],
      ['BR-13', 'withoutTax'],
      ['BR-14', 'withTax'],
      ['BR-15', 'due'],
    ] as const
  ).map(([id, name]): Rule => ({
    id,
    check({ totals }, report) {
      if (totals[name] === undefined) report(PARAMS[name], 'is required.')
    },
  })),
  equation('BR-CO-10', 'lines', ({ items }) => roundCents(sumOf(items.map(({ amount }) => amount))), 'the items'),
  equation(
    'BR-CO-11',
    'allowances',
    ({ allowances }) => roundCents(sumOf(allowances.map(({ amount }) => amount))),
    'the allowances',
  ),
  equation(
    'BR-CO-12',
    'charges',
    ({ charges }) => roundCents(sumOf(charges.map(({ amount }) => amount))),
    'the charges',
  ),
  equation(
    'BR-CO-13',
    'withoutTax',
    ({ totals: { lines, allowances, charges } }) =>
      roundCents(orZero(lines).minus(orZero(allowances)).plus(orZero(charges))),
    'the items less allowances, with charges',
  ),
  equation(
    'BR-CO-14',
    'tax',
    ({ taxes, otherTaxes = [] }) => roundCents(sumOf([...taxes, ...otherTaxes].map(({ tax }) => tax))),
    'the taxes',
  ),
  equation(
    'BR-CO-15',
    'withTax',
    ({ totals: { withoutTax, tax } }) => roundCents(orZero(withoutTax).plus(orZero(tax))),
    'the total without tax, and the tax',
  ),
  equation(
    'BR-CO-16',
    'due',
    ({ totals: { withTax, paid, rounding } }) => orZero(withTax).minus(orZero(paid)).plus(orZero(rounding)),
    'the total less the paid amount, with the rounding amount',
  ),
  {
    id: 'BR-CO-18',
    check({ taxes, otherTaxes = [] }, report) {
      if (taxes.length + otherTaxes.length === 0)
        report('taxRate', 'is required. Or send taxCategory for an invoice without tax.')
    },
  },
  {
    id: 'BR-53',
    check({ taxCurrency, totals, currency }, report, { syntax }) {
      if (taxCurrency === undefined) return
      if (taxCurrency === currency) {
        if (syntax === 'cii') report('taxCurrency', 'must differ from currency.')
      } else if (totals.taxInTaxCurrency === undefined) report('taxInTaxCurrency', 'is required. Or send exchangeRate.')
    },
  },
  ...listBreakdownRules(),
]

function equation(
  id: string,
  name: keyof DocumentTotals,
  compute: (invoice: ElectronicInvoice) => Big,
  parts: string,
): Rule {
  return {
    id,
    check(invoice, report) {
      const computed = compute(invoice)
      const stated = invoice.totals[name]
      if (!areEqual(stated, computed))
        report(PARAMS[name], `must be ${computed.toFixed(2)}, the sum of ${parts}. Got ${stated ?? 'nothing'}.`)
    },
  }
}

/** Rules on each entry of the VAT breakdown. */
function listBreakdownRules(): readonly Rule[] {
  const required = (id: string, name: 'base' | 'tax' | 'category'): Rule => ({
    id,
    check({ taxes }, report) {
      for (const tax of taxes)
        if (tax[name] === undefined)
          report(name === 'category' ? 'taxCategory' : 'totals.tax', 'is required for each tax.')
    },
  })
  return [
    required('BR-45', 'base'),
    required('BR-46', 'tax'),
    required('BR-47', 'category'),
    {
      id: 'BR-48',
      check({ taxes }, report) {
        for (const { category, percent } of taxes)
          if (percent === undefined && category !== 'O') report('taxRate', 'is required, unless the category is O.')
      },
    },
    {
      id: 'BR-CO-17',
      check({ taxes }, report) {
        for (const { category, percent, base, tax } of taxes) {
          const rate = parseDecimal(percent)
          if (category === 'O' && !rate) continue
          const computed = roundCents(
            orZero(base)
              .abs()
              .times(rate ?? 0)
              .div(100),
          )
          const isZero = (rate ?? new Big(0)).round().eq(0)
          const fits = isZero ? orZero(tax).round().eq(0) : orZero(tax).abs().minus(computed).abs().lte(1)
          if (!fits) report('totals.tax', `must be ${computed.toFixed(2)} at ${percent} %. Got ${tax ?? 'nothing'}.`)
        }
      },
    },
  ]
}

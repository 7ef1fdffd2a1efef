import { parseDecimal } from '../decimal'
import type { Adjustment, ElectronicInvoice, Item } from '../model'
import { adjustmentParam } from '../rules/adjustments'
import { forEachItem } from '../rules/items'
import { orZero, sumOf } from '../rules/numbers'
import type { Rule } from '../rules/rule'

/** Means of payment that debit the buyer's account (UNTDID 4461). */
const DEBITS: ReadonlySet<string> = new Set(['49', '59'])

/** Largest difference between a stated amount and its computation. */
const SLACK = 0.02

const ID = 'PEPPOL-EN16931-'

/** The schema of CII requires this group, even if nothing is known about the delivery. */
const MAY_BE_EMPTY = /\/ApplicableHeaderTradeDelivery$/

/** The rules that Peppol BIS Billing 3 and XRechnung share. */
export function listCommonPeppolRules(): Rule[] {
  return [
    {
      id: `${ID}R001`,
      check({ businessProcess }, report) {
        if (!businessProcess) report('eInvoice', 'must have a business process.')
      },
    },
    {
      id: `${ID}R005`,
      check({ taxCurrency, currency }, report) {
        if (taxCurrency !== undefined && taxCurrency === currency) report('taxCurrency', 'must differ from currency.')
      },
    },
    {
      id: `${ID}R008`,
      check(_, report, { empty = [] }) {
        for (const path of empty) if (!MAY_BE_EMPTY.test(path)) report(path, 'must not be an empty element.')
      },
    },
    address('R010', 'billTo'),
    address('R020', 'from'),
    forEachAdjustment('R041', (adjustment, report) => {
      if (adjustment.percent !== undefined && adjustment.base === undefined)
        report('base', 'is required if rate is sent.')
    }),
    forEachAdjustment('R042', (adjustment, report) => {
      if (adjustment.base !== undefined && adjustment.percent === undefined)
        report('rate', 'is required if base is sent.')
    }),
    forEachAdjustment('R040', ({ amount, base, percent }, report) => {
      if (base === undefined || percent === undefined) return
      const computed = orZero(base).times(orZero(percent)).div(100)
      if (orZero(amount).minus(computed).abs().gt(SLACK))
        report('amount', `must be ${computed.toFixed(2)}, as rate and base say. Got ${amount ?? 'nothing'}.`)
    }),
    {
      id: `${ID}R055`,
      check({ totals: { tax, taxInTaxCurrency } }, report) {
        if (taxInTaxCurrency !== undefined && orZero(tax).times(orZero(taxInTaxCurrency)).lt(0))
          report('taxInTaxCurrency', 'must have the same sign as the tax.')
      },
    },
    {
      id: `${ID}R061`,
      check({ payments }, report) {
        for (const { meansCode, directDebit } of payments)
          if (DEBITS.has(meansCode ?? '') && !directDebit?.mandate)
            report('payment.mandate', 'is required for a direct debit.')
      },
    },
    {
      id: `${ID}R110`,
      check({ period, items }, report) {
        for (const [index, item] of items.entries())
          if (period?.start && item.period?.start && item.period.start < period.start)
            report(`items[${index}].period.start`, `must not be before the period of the invoice, ${period.start}.`)
      },
    },
    {
      id: `${ID}R111`,
      check({ period, items }, report) {
        for (const [index, item] of items.entries())
          if (period?.end && item.period?.end && item.period.end > period.end)
            report(`items[${index}].period.end`, `must not be after the period of the invoice, ${period.end}.`)
      },
    },
    forEachItem(`${ID}R046`, ({ grossPrice, priceReduction, rate }, report) => {
      if (grossPrice === undefined || priceReduction === undefined) return
      const computed = orZero(grossPrice).minus(orZero(priceReduction))
      if (!computed.eq(orZero(rate)))
        report('rate', `must be ${computed.toFixed()}, the gross price less its reduction. Got ${rate ?? 'nothing'}.`)
    }),
    forEachItem(`${ID}R121`, ({ priceBase }, report) => {
      if (priceBase !== undefined && !parseDecimal(priceBase)?.gt(0)) report('priceBase', 'must be greater than 0.')
    }),
    forEachItem(`${ID}R130`, ({ priceBase, priceBaseUnitCode, unitCode }, report) => {
      if (priceBase !== undefined && priceBaseUnitCode !== undefined && priceBaseUnitCode !== unitCode)
        report('unitCode', 'must be the unit of priceBase.')
    }),
  ]
}

/** The amount of an item follows from its parts. XRechnung only warns. */
export const LINE_AMOUNT_RULE: Rule = forEachItem(`${ID}R120`, (item, report) => {
  const computed = amountOf(item)
  if (computed.minus(orZero(item.amount)).abs().gt(SLACK))
    report('rate', `must give ${computed.toFixed(2)} with the quantity. Got ${item.amount ?? 'nothing'}.`)
})

function amountOf({ quantity, rate, priceBase, allowances, charges }: Item) {
  const base = parseDecimal(priceBase)
  const price = base?.gt(0) ? orZero(rate).div(base) : orZero(rate)
  return orZero(quantity)
    .times(price)
    .plus(sumOf(charges.map(({ amount }) => amount)))
    .minus(sumOf(allowances.map(({ amount }) => amount)))
}

function address(number: string, name: 'from' | 'billTo'): Rule {
  return {
    id: `${ID}${number}`,
    check(invoice, report) {
      if (!invoice[name].electronicAddress?.id)
        report(`${name}.electronicAddress`, 'is required, such as {"scheme": "EM", "id": "invoices@example.com"}.')
    },
  }
}

function forEachAdjustment(
  number: string,
  check: (adjustment: Adjustment, report: (field: string, message: string) => void) => void,
): Rule {
  return {
    id: `${ID}${number}`,
    check(invoice, report) {
      for (const adjustment of listAdjustments(invoice))
        check(adjustment, (field, message) => report(adjustmentParam(adjustment, field), message))
    },
  }
}

function listAdjustments({ allowances, charges, items }: ElectronicInvoice): Adjustment[] {
  return [...allowances, ...charges, ...items.flatMap(item => [...item.allowances, ...item.charges])]
}

import { Big } from 'big.js'
import { parseDecimal } from '../decimal'
import type { ElectronicInvoice, TaxBreakdown } from '../model'
import { adjustmentParam } from './adjustments'
import { orZero, roundCents } from './numbers'
import type { Report, Rule, RuleContext } from './rule'

/** A place with a VAT category: an item, an allowance or a charge. */
export interface Use {
  kind: 'item' | 'allowance' | 'charge'
  /** Amount with the sign that it has in the taxable amount. */
  amount: Big
  percent: string | undefined
  categoryParam: string
  rateParam: string
}

/** What the rules of a category require (EN 16931-1, 6.4.3). */
export interface Category {
  code: string
  /** The part of the rule IDs, such as `IC` for K. */
  name: string
  title: string
  rate: 'above 0' | '0' | 'any' | 'none'
  /** What identifies the seller, and the buyer. */
  seller: 'tax' | 'vat' | 'none'
  buyer: 'vat or legal' | 'vat' | 'none' | 'any'
  reason: 'required' | 'forbidden'
}

/** The VAT categories. */
export const CATEGORIES: readonly Category[] = [
  { code: 'S', name: 'S', title: 'S', rate: 'above 0', seller: 'tax', buyer: 'any', reason: 'forbidden' },
  { code: 'Z', name: 'Z', title: 'Z', rate: '0', seller: 'tax', buyer: 'any', reason: 'forbidden' },
  { code: 'E', name: 'E', title: 'E', rate: '0', seller: 'tax', buyer: 'any', reason: 'required' },
  { code: 'AE', name: 'AE', title: 'AE', rate: '0', seller: 'tax', buyer: 'vat or legal', reason: 'required' },
  { code: 'K', name: 'IC', title: 'K', rate: '0', seller: 'vat', buyer: 'vat', reason: 'required' },
  { code: 'G', name: 'G', title: 'G', rate: '0', seller: 'vat', buyer: 'any', reason: 'required' },
  { code: 'O', name: 'O', title: 'O', rate: 'none', seller: 'none', buyer: 'none', reason: 'required' },
  { code: 'L', name: 'AF', title: 'L', rate: 'any', seller: 'tax', buyer: 'any', reason: 'forbidden' },
  { code: 'M', name: 'AG', title: 'M', rate: 'any', seller: 'tax', buyer: 'any', reason: 'forbidden' },
]

const PARTIES = { item: '02', allowance: '03', charge: '04' } as const
const RATES = { item: '05', allowance: '06', charge: '07' } as const

/** The rules of all VAT categories. */
export const CATEGORY_RULES: readonly Rule[] = [...CATEGORIES.flatMap(listRules), ...listOtherRules()]

function listRules(category: Category): Rule[] {
  const { code, name, title } = category
  const rule = (
    number: string,
    check: (invoice: ElectronicInvoice, report: Report, found: { uses: Use[]; context: RuleContext }) => void,
  ): Rule => ({
    id: `BR-${name}-${number}`,
    check: (invoice, report, context) => {
      check(invoice, report, { uses: listUses(invoice, code), context })
    },
  })
  const breakdownsOf = ({ taxes }: ElectronicInvoice): TaxBreakdown[] => taxes.filter(tax => tax.category === code)
  return [
    rule('01', (invoice, report, { uses }) => {
      const count = breakdownsOf(invoice).length
      const isUsed = uses.length > 0
      const severalAllowed = category.rate === 'above 0' || category.rate === 'any'
      if (isUsed ? count === 0 || (count > 1 && !severalAllowed) : count > 0)
        report('taxCategory', `must have one tax for category ${title}, if an item uses it. Got ${count}.`)
    }),
    ...(['item', 'allowance', 'charge'] as const).flatMap(kind => [
      rule(PARTIES[kind], (invoice, report, { uses }) => {
        if (uses.some(use => use.kind === kind)) checkParties(category, invoice, report)
      }),
      rule(RATES[kind], (_, report, { uses, context }) => {
        const stricter: Category =
          category.code === 'L' && context.syntax === 'cii' ? { ...category, rate: 'above 0' } : category
        for (const use of uses) if (use.kind === kind) checkRate(stricter, use, report)
      }),
    ]),
    rule('08', (invoice, report, { uses }) => {
      const sumOf = sumUses(uses, category.rate === 'above 0' || category.rate === 'any')
      for (const { base, percent } of breakdownsOf(invoice)) {
        const { sum } = sumOf(percent)
        if (!orZero(base).eq(sum)) reportBase(category, { base, sum }, report)
      }
    }),
    rule('09', (invoice, report) => {
      for (const tax of breakdownsOf(invoice)) checkTax(category, tax, report)
    }),
    rule('10', (invoice, report) => {
      for (const { exemptionReason, exemptionCode } of breakdownsOf(invoice)) {
        const hasReason = Boolean(exemptionReason ?? exemptionCode)
        if (hasReason === (category.reason === 'required')) continue
        report(
          'taxExemptions',
          category.reason === 'required'
            ? `must have a reason for category ${title}.`
            : `must have no reason for category ${title}.`,
        )
      }
    }),
  ]
}

/** The items, allowances and charges that have a category. */
export function listUses({ items, allowances, charges }: ElectronicInvoice, code: string): Use[] {
  return [
    ...items.flatMap(({ taxCategory, taxPercent, amount }, index): Use[] =>
      taxCategory === code
        ? [
            {
              kind: 'item',
              amount: orZero(amount),
              percent: taxPercent,
              categoryParam: `items[${index}].taxCategory`,
              rateParam: `items[${index}].taxRate`,
            },
          ]
        : [],
    ),
    ...(
      [
        ['allowance', allowances, -1],
        ['charge', charges, 1],
      ] as const
    ).flatMap(([kind, adjustments, sign]) =>
      adjustments.flatMap((adjustment): Use[] =>
        adjustment.taxCategory === code
          ? [
              {
                kind,
                amount: orZero(adjustment.amount).times(sign),
                percent: adjustment.taxPercent,
                categoryParam: adjustmentParam(adjustment, 'taxCategory'),
                rateParam: adjustmentParam(adjustment, 'taxRate'),
              },
            ]
          : [],
      ),
    ),
  ]
}

function checkParties({ title, seller, buyer }: Category, invoice: ElectronicInvoice, report: Report): void {
  const { from, billTo, taxRepresentative } = invoice
  if (seller === 'none') {
    const named = [
      from.vatId && 'from.vatId',
      billTo.vatId && 'billTo.vatId',
      taxRepresentative?.vatId && 'taxRepresentative.vatId',
    ]
    for (const param of named) if (param) report(param, `must be omitted for category ${title}.`)
    return
  }
  const isSellerKnown = from.vatId ?? taxRepresentative?.vatId ?? (seller === 'tax' ? from.taxNumber : undefined)
  if (!isSellerKnown)
    report('from.vatId', `is required for category ${title}${seller === 'tax' ? '. Or send taxNumber.' : '.'}`)
  if (buyer === 'vat' && !billTo.vatId) report('billTo.vatId', `is required for category ${title}.`)
  if (buyer === 'vat or legal' && !billTo.vatId && !billTo.legalId)
    report('billTo.vatId', `is required for category ${title}. Or send legalId.`)
}

function checkRate({ rate, title }: Category, { percent, rateParam }: Use, report: Report): void {
  const number = parseDecimal(percent)
  if (rate === 'none') {
    if (percent !== undefined) report(rateParam, `must be omitted for category ${title}. Got ${percent} %.`)
  } else if (rate === '0') {
    if (!number?.eq(0)) report(rateParam, `must be 0 for category ${title}. Got ${percent ?? 'nothing'} %.`)
  } else if (!number || number.lt(0) || (rate === 'above 0' && number.eq(0)))
    report(rateParam, `must be above 0 for category ${title}. Got ${percent ?? 'nothing'}.`)
}

/** Reports a taxable amount that doesn't fit. */
export function reportBase(
  { title }: Category,
  { base, sum }: { base: string | undefined; sum: Big },
  report: Report,
): void {
  report(
    'totals.subtotal',
    `must have a taxable amount of ${sum.toFixed(2)} for category ${title}. Got ${base ?? 'nothing'}.`,
  )
}

/** The sum and number of amounts with a rate. If the category has no rate, all amounts count. */
export interface UseSum {
  sum: Big
  count: number
}

/** Sums up the amounts of a category, for each rate if the category has rates. */
export function sumUses(
  uses: readonly Pick<Use, 'amount' | 'percent'>[],
  hasRates: boolean,
): (percent: string | undefined) => UseSum {
  const sums = new Map<string, UseSum>()
  for (const { amount, percent } of uses) {
    const key = hasRates ? parseDecimal(percent)?.toFixed() : ''
    if (key === undefined) continue
    const known = sums.get(key)
    sums.set(key, { sum: amount.plus(known?.sum ?? 0), count: (known?.count ?? 0) + 1 })
  }
  return percent => {
    const { sum, count } = sums.get(hasRates ? orZero(percent).toFixed() : '') ?? { sum: new Big(0), count: 0 }
    return { sum: roundCents(sum), count }
  }
}

function checkTax({ rate, title }: Category, { tax, base, percent }: TaxBreakdown, report: Report): void {
  const computed =
    rate === '0' || rate === 'none' ? new Big(0) : roundCents(orZero(base).abs().times(orZero(percent)).div(100))
  const difference = orZero(tax).abs().minus(computed).abs()
  const fits = computed.eq(0) && (rate === '0' || rate === 'none') ? difference.eq(0) : difference.lt(1)
  if (!fits) report('totals.tax', `must be ${computed.toFixed(2)} for category ${title}. Got ${tax ?? 'nothing'}.`)
}

/** Rules that only one category has. */
function listOtherRules(): Rule[] {
  const has = ({ taxes }: ElectronicInvoice, code: string): boolean => taxes.some(({ category }) => category === code)
  const mixed = (id: string, isMixed: (invoice: ElectronicInvoice, context: RuleContext) => boolean): Rule => ({
    id,
    check(invoice, report, context) {
      if (has(invoice, 'O') && isMixed(invoice, context))
        report('taxCategory', 'must be O everywhere, if it is O anywhere. Send two invoices.')
    },
  })
  const differs = ({ taxCategory }: { taxCategory: string | undefined }): boolean =>
    taxCategory !== undefined && taxCategory !== 'O'
  return [
    {
      id: 'BR-IC-11',
      check(invoice, report) {
        const { deliveryDate, period } = invoice
        if (has(invoice, 'K') && !deliveryDate && !period?.start && !period?.end)
          report('deliveryDate', 'is required for category K. Or send period.')
      },
    },
    {
      id: 'BR-IC-12',
      check(invoice, report) {
        if (has(invoice, 'K') && !invoice.shipTo?.address?.country)
          report('shipTo.address.country', 'is required for category K.')
      },
    },
    // The rules for CII look at taxes and items together, and at allowances and charges.
    mixed(
      'BR-O-11',
      ({ taxes, items }, { syntax }) =>
        taxes.some(({ category }) => category !== 'O') || (syntax === 'cii' && items.some(differs)),
    ),
    mixed(
      'BR-O-12',
      ({ taxes, items }, { syntax }) =>
        items.some(differs) || (syntax === 'cii' && taxes.some(({ category }) => category !== 'O')),
    ),
    mixed(
      'BR-O-13',
      ({ allowances, charges }, { syntax }) => allowances.some(differs) || (syntax === 'cii' && charges.some(differs)),
    ),
    mixed(
      'BR-O-14',
      ({ allowances, charges }, { syntax }) => charges.some(differs) || (syntax === 'cii' && allowances.some(differs)),
    ),
  ]
}

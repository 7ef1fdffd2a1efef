import { findUnitCode } from '../../../standards/einvoice/codes/units'
import type { Adjustment, Item } from '../../../standards/einvoice/model'
import type { Invoice } from '../data/invoice'
import type { Labels } from '../data/labels'
import { groupOf } from '../data/totals'
import type { LineParts, Totals } from '../data/totals'
import { DISCOUNT, convertAdjustment, taxOf } from './adjustments'
import { convertId } from './parties'
import { decimal, filled } from './texts'
import type { Money } from './to-electronic'

/** The unit "one" of UN/ECE Recommendation 20, for items without a unit. */
const ONE = 'C62'

interface Surroundings {
  index: number
  invoice: Invoice
  totals: Totals
  labels: Labels
  money: Money
}

/** Converts an item with its computed amounts. */
export function convertItem(item: Invoice['items'][number], surroundings: Surroundings): Item {
  const { index, invoice, totals, money } = surroundings
  const parts = totals.lineParts[index]
  const amount = totals.lines[index]
  const unit = filled(item.unit)
  return {
    lineId: filled(item.lineId) ?? String(index + 1),
    note: filled(item.note),
    invoicedObject: item.invoicedObject && convertId(item.invoicedObject),
    quantity: decimal(item.quantity),
    unitCode: filled(item.unitCode)?.toUpperCase() ?? (unit === undefined ? ONE : findUnitCode(unit)),
    amount: amount && money(amount),
    orderLine: filled(item.orderLine),
    accountingReference: filled(item.accountingReference),
    period: item.period
      ? { start: item.period.start, end: item.period.end }
      : item.date === undefined
        ? undefined
        : { start: item.date, end: item.date },
    allowances: convertAllowances(item, parts, surroundings),
    charges: (item.charges ?? []).map((stated, at) =>
      convertAdjustment(stated, { adjusted: parts?.charges[at], param: `items[${index}].charges[${at}]`, money }),
    ),
    rate: decimal(item.rate),
    grossPrice: item.grossPrice === undefined ? undefined : decimal(item.grossPrice),
    priceReduction: undefined,
    priceBase: item.priceBase === undefined ? undefined : decimal(item.priceBase),
    priceBaseUnitCode: undefined,
    ...taxOf(groupOf(item, invoice)),
    description: filled(item.description),
    details: filled(item.details),
    sku: filled(item.sku),
    buyerItemId: filled(item.buyerItemId),
    standardItemId: item.standardItemId && convertId(item.standardItemId),
    classifications: (item.classifications ?? []).map(({ id, scheme, version }) => ({
      id: filled(id),
      scheme: filled(scheme),
      version: filled(version),
    })),
    originCountry: item.originCountry,
    attributes: (item.attributes ?? []).map(({ name, value }) => ({ name: filled(name), value: filled(value) })),
  }
}

function convertAllowances(
  item: Invoice['items'][number],
  parts: LineParts | undefined,
  { index, labels, money }: Surroundings,
): Adjustment[] {
  const stated = (item.allowances ?? []).map((allowance, at) =>
    convertAdjustment(allowance, {
      adjusted: parts?.allowances[at],
      param: `items[${index}].allowances[${at}]`,
      money,
    }),
  )
  if (!parts?.discount) return stated
  const rate = item.discount && 'rate' in item.discount ? item.discount.rate : undefined
  const discount = convertAdjustment(
    { rate, reason: labels.discount, reasonCode: DISCOUNT },
    {
      // A base only goes with a rate (PEPPOL-EN16931-R042).
      adjusted: { amount: parts.discount, base: rate === undefined ? undefined : parts.worth },
      param: `items[${index}].discount`,
      money,
    },
  )
  return [discount, ...stated]
}

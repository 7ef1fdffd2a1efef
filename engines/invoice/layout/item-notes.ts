import type { Draft } from './draft'
import { nameCountry } from './address-lines'
import { writePeriod } from './facts'
import { exact } from '../data/totals'
import type { Adjusted } from '../data/totals'
import type { LabelName } from '../data/label-texts'

/** A text below the description of an item. */
interface ItemNote {
  text: string
  param: string
}

/** Lists the texts below the description of an item: its details, numbers, price and adjustments. */
export function listItemNotes(draft: Draft, index: number): ItemNote[] {
  const { invoice, labels, formats } = draft
  const item = invoice.items[index]
  if (!item) return []
  const param = (field: string): string => `items[${index}].${field}`
  const note = (text: string | undefined, field: string): ItemNote[] =>
    text?.trim() ? [{ text, param: param(field) }] : []
  const labeled = (name: LabelName, value: string | undefined): string | undefined =>
    value?.trim() ? `${labels[name]}: ${value}` : undefined
  const numbers = [
    labeled('itemId', item.standardItemId?.id),
    labeled('buyerItemId', item.buyerItemId),
    labeled('orderLine', item.orderLine),
    labeled('object', item.invoicedObject?.id),
    labeled('accountingReference', item.accountingReference),
    labeled('origin', nameCountry(item.originCountry, invoice.locale)),
    ...(item.classifications ?? []).map(({ id }) => labeled('classification', id)),
  ].filter(text => text !== undefined)
  const prices = [
    item.priceBase === undefined || item.priceBase === 1
      ? undefined
      : labels.priceBase.replace('{quantity}', [formats.quantity(item.priceBase), item.unit].filter(Boolean).join(' ')),
    item.grossPrice === undefined ? undefined : `${labels.grossPrice}: ${formats.price(item.grossPrice)}`,
  ].filter(text => text !== undefined)
  return [
    ...note([item.sku, item.details].filter(text => text?.trim()).join(' · '), item.details ? 'details' : 'sku'),
    ...note(item.attributes?.map(({ name, value }) => `${name}: ${value}`).join(' · '), 'attributes'),
    ...note(numbers.join(' · '), 'standardItemId'),
    ...note(labeled('period', writePeriod(item.period, formats.day)), 'period'),
    ...note(prices.join(' · '), 'grossPrice'),
    ...(['allowances', 'charges'] as const).flatMap(kind =>
      (item[kind] ?? []).flatMap((stated, at) =>
        note(
          writeAdjustment(draft, {
            kind,
            stated,
            adjusted: draft.totals.lineParts[index]?.[kind][at],
          }),
          `${kind}[${at}].reason`,
        ),
      ),
    ),
    ...note(item.note, 'note'),
  ]
}

/** Writes an allowance or charge of an item, such as "Volume discount (5%): −€12.00". */
function writeAdjustment(
  { labels, formats }: Draft,
  {
    kind,
    stated: { reason, rate },
    adjusted,
  }: {
    kind: 'allowances' | 'charges'
    stated: { reason?: string | undefined; rate?: number | undefined }
    adjusted: Adjusted | undefined
  },
): string {
  const name = reason?.trim() || (kind === 'allowances' ? labels.allowance : labels.charge)
  const amount = adjusted?.amount ?? exact(0)
  const money = formats.money(kind === 'allowances' ? amount.times(-1) : amount)
  return `${rate === undefined ? name : `${name} (${formats.percent(rate)})`}: ${money}`
}

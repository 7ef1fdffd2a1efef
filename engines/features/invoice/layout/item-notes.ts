import type { Draft } from './draft'
import { nameCountry } from './address-lines'
import { writePeriod } from './details'
import { listItemAdjustments } from './adjustment-texts'
import { nameUnit } from './item-columns'
import { nameScheme } from '../data/scheme-names'
import { exact } from '../data/totals'
import type { LabelName } from '../data/label-texts'
import type { Invoice } from '../data/invoice'

/** Keeps a label and its value on one line. */
const NO_BREAK_SPACE = '\u00a0'

/** Separates texts. A dot never starts a line. */
const SEPARATOR = `${NO_BREAK_SPACE}· `

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
    value?.trim() ? `${labels[name]}:${NO_BREAK_SPACE}${draft.setter.isolate(value)}` : undefined
  const numbers = [
    writeStandardId(item.standardItemId, draft) ?? labeled('itemId', item.standardItemId?.id),
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
      : labels.priceBase.replace(
          '{quantity}',
          [formats.quantity(item.priceBase), nameUnit(item)].filter(Boolean).join(' '),
        ),
    labeled(
      'grossPrice',
      item.grossPrice === undefined ? undefined : writeGrossPrice(draft, item.grossPrice, item.rate),
    ),
  ].filter(text => text !== undefined)
  return [
    ...note([item.sku, item.details].filter(text => text?.trim()).join(' · '), item.details ? 'details' : 'sku'),
    ...note(
      item.attributes?.map(({ name, value }) => `${name}:${NO_BREAK_SPACE}${value}`).join(SEPARATOR),
      'attributes',
    ),
    ...note(numbers.join(SEPARATOR), 'standardItemId'),
    ...note(labeled('period', writePeriod(item.period, formats.day)), 'period'),
    ...note(prices.join(SEPARATOR), 'grossPrice'),
    ...listItemAdjustments(draft, index).flatMap(({ text, field }) => note(text, field)),
    ...note(item.note, 'note'),
  ]
}

/**
 * Writes an identifier after the name of its scheme. Not from right to left, where a line that starts with a Latin name
 * would run from left to right.
 */
function writeStandardId(standardId: Identifier, { setter }: Draft): string | undefined {
  const scheme = nameScheme(standardId?.scheme)
  return standardId && scheme && !setter.isRightToLeft ? `${scheme}${NO_BREAK_SPACE}${standardId.id}` : undefined
}

type Identifier = Invoice['items'][number]['standardItemId']

/** Writes a price before its reduction, and the reduction. */
function writeGrossPrice({ formats }: Draft, grossPrice: number, rate: number): string {
  const reduction = exact(rate).minus(exact(grossPrice)).toNumber()
  const price = formats.price(grossPrice)
  return reduction === 0 ? price : `${price} (${formats.price(reduction)})`
}

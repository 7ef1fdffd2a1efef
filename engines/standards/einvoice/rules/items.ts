import type { Item } from '../model'
import { parseDecimal } from '../decimal'
import type { Report, Rule, RuleContext } from './rule'

/** Rules on items (EN 16931-1, 6.4.1). */
export const ITEM_RULES: readonly Rule[] = [
  forEachItem('BR-21', ({ lineId }, report) => {
    if (!lineId) report('lineId', 'is required.')
  }),
  forEachItem('BR-22', ({ quantity }, report) => {
    if (quantity === undefined) report('quantity', 'is required.')
  }),
  forEachItem('BR-23', ({ unitCode }, report) => {
    if (!unitCode)
      report(
        'unitCode',
        'is required, because the unit is unknown. Send a code of UN/ECE Recommendation 20, such as C62.',
      )
  }),
  forEachItem('BR-24', ({ amount }, report) => {
    if (amount === undefined) report('amount', 'is required.')
  }),
  forEachItem('BR-25', ({ description }, report) => {
    if (!description) report('description', 'is required.')
  }),
  forEachItem('BR-26', ({ rate }, report) => {
    if (rate === undefined) report('rate', 'is required.')
  }),
  forEachItem('BR-27', ({ rate }, report) => {
    if (parseDecimal(rate)?.lt(0))
      report('rate', `must not be negative. Got ${rate}. Send a negative quantity for a refund.`)
  }),
  forEachItem('BR-28', ({ grossPrice }, report) => {
    if (parseDecimal(grossPrice)?.lt(0)) report('grossPrice', `must not be negative. Got ${grossPrice}.`)
  }),
  forEachItem('BR-54', ({ attributes }, report) => {
    for (const [index, { name, value }] of attributes.entries())
      if (!name || !value) report(`attributes[${index}]`, 'must have name and value.')
  }),
  forEachItem('BR-64', ({ standardItemId }, report) => {
    if (standardItemId && !standardItemId.scheme)
      report('standardItemId.scheme', 'is required. Send a code of ISO 6523, such as 0160 for a GTIN.')
  }),
  forEachItem('BR-65', ({ classifications }, report) => {
    for (const [index, { scheme }] of classifications.entries())
      if (!scheme) report(`classifications[${index}].scheme`, 'is required. Send a code of UNTDID 7143, such as STI.')
  }),
  forEachItem('BR-CO-04', ({ taxCategory }, report) => {
    if (!taxCategory) report('taxCategory', 'is required for an item without tax: Z, E, AE, K, G or O.')
  }),
  forEachItem('BR-30', ({ period }, report) => {
    if (period?.start && period.end && period.end < period.start)
      report('period.end', `must not be before start ${period.start}. Got ${period.end}.`)
  }),
  forEachItem('BR-CO-20', ({ period }, report) => {
    if (period && !period.start && !period.end) report('period', 'must have start or end.')
  }),
  {
    id: 'BR-29',
    check({ period }, report) {
      if (period?.start && period.end && period.end < period.start)
        report('period.end', `must not be before start ${period.start}. Got ${period.end}.`)
    },
  },
  {
    id: 'BR-CO-19',
    check({ period }, report) {
      if (period && !period.start && !period.end) report('period', 'must have start or end.')
    },
  },
]

/** A rule on each item. Its reports name fields of the item. */
export function forEachItem(id: string, check: (item: Item, report: Report, context: RuleContext) => void): Rule {
  return {
    id,
    check({ items }, report, context) {
      for (const [index, item] of items.entries())
        check(item, (field, message) => report(`items[${index}].${field}`, message), context)
    },
  }
}

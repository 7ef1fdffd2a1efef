import type { Draft } from './draft'
import { reasonOf } from '../electronic/taxes'
import type { LabelName } from '../data/label-texts'
import type { TaxCategory } from '../data/tax-fields'
import { listTaxed } from '../data/named-taxes'
import type { Invoice } from '../data/invoice'
import { groupOf, keyOf } from '../data/totals'
import type { Exact, TaxGroup } from '../data/totals'

/** A sentence about taxes below the totals. */
interface TaxNote {
  text: string
  param: string
}

const CATEGORY_LABELS: Readonly<Partial<Record<TaxCategory, LabelName>>> = {
  Z: 'zeroRate',
  E: 'exempt',
  AE: 'reverseChargeReason',
  K: 'intraCommunity',
  G: 'exportReason',
  O: 'notSubject',
}

/** Taxes of Spanish territories. Their names are the same in all languages. */
const TAX_NAMES: Readonly<Partial<Record<TaxCategory, string>>> = { L: 'IGIC', M: 'IPSI' }

/** The name of a VAT category. Undefined for the usual one. */
function nameCategory({ labels }: Pick<Draft, 'labels'>, category: TaxCategory | undefined): string | undefined {
  if (category === undefined) return undefined
  const label = CATEGORY_LABELS[category]
  return label === undefined ? TAX_NAMES[category] : labels[label]
}

/**
 * Returns a function that writes the rate of a tax. If the invoice has several taxes, the code of an unusual category
 * comes first, such as "E 0%", and a note explains it.
 */
export function openRateWriter(
  draft: Draft,
): (tax: { rate: Exact | number | undefined; category: TaxCategory | undefined }) => string {
  const { formats } = draft
  const hasCodes = showsCodes(draft)
  return ({ rate, category }) => {
    const code = hasCodes && nameCategory(draft, category) !== undefined ? category : undefined
    const percent = rate === undefined || category === 'O' ? undefined : formats.percent(rate)
    return [code, percent].filter(part => part !== undefined).join(' ')
  }
}

/** Returns a function that writes the taxes of an item. Several taxes have a line each, such as "CGST 9%". */
export function openTaxWriter(draft: Draft): (taxed: TaxGroup) => string {
  const writeRate = openRateWriter(draft)
  return ({ taxes, ...taxed }) =>
    taxes?.map(({ name, rate }) => `${name} ${draft.formats.percent(rate)}`).join('\n') ?? writeRate(taxed)
}

/** The field that names a tax, for errors. */
export function findTaxParam(invoice: Invoice, name: string | undefined): string {
  if (name === undefined) return 'labels'
  const owner = listTaxed(invoice).find(({ taxed }) => taxed.taxes?.some(tax => tax.name === name))
  return `${owner?.prefix ?? ''}taxes`
}

/** Returns whether taxes need codes to tell which note is about which of them. */
function showsCodes(draft: Draft): boolean {
  const { invoice, totals } = draft
  const groups = new Set(invoice.items.map(item => keyOf(groupOf(item, invoice))))
  const isMixed = totals.taxes.length > 1 || groups.size > 1
  return isMixed && totals.taxes.some(({ category }) => nameCategory(draft, category) !== undefined)
}

/** Lists the notes on taxes: reverse charge, and why categories have no tax. */
export function listTaxNotes(draft: Draft): TaxNote[] {
  const { invoice, labels, totals } = draft
  const stated = new Set(invoice.taxExemptions?.map(({ category }) => category))
  // An electronic invoice has the same words in its XML instead of the sentence.
  const isSentence =
    invoice.reverseCharge && !invoice.eInvoice && !stated.has('AE') && totals.taxes.every(isReverseCharge)
  if (isSentence) return [{ text: labels.reverseCharge, param: 'labels' }]
  const hasCodes = showsCodes(draft)
  return [...new Set(totals.taxes.map(({ category }) => category))].flatMap(category => {
    const name = nameCategory(draft, category)
    if (name === undefined || category === undefined) return []
    const { reason, code } = reasonOf(invoice, category, labels)
    const text = reason ?? (code === undefined ? name : `${name} (${code})`)
    return [
      { text: hasCodes ? `${category}: ${text}` : text, param: stated.has(category) ? 'taxExemptions' : 'labels' },
    ]
  })
}

function isReverseCharge({ category }: { category: TaxCategory | undefined }): boolean {
  return category === 'AE'
}

import type { Adjustment, DocumentAdjustment } from '../../../standards/einvoice/model'
import type { Invoice } from '../data/invoice'
import type { Labels } from '../data/labels'
import { exact, groupOf } from '../data/totals'
import type { Adjusted, TaxGroup, Totals } from '../data/totals'
import { filled, percent } from './texts'
import type { Money } from './to-electronic'

/** Reason code of a discount (UNTDID 5189). */
export const DISCOUNT = '95'
/** Reason code of freight (UNTDID 7161). */
const FREIGHT = 'FC'

/** The difference that an amount may have to its rate and base (PEPPOL-EN16931-R040). */
const SLACK = 0.02

interface Stated {
  amount?: number | undefined
  rate?: number | undefined
  reason?: string | undefined
  reasonCode?: string | undefined
}

/**
 * Converts an allowance or charge of the request with its computed amount. In currencies without decimals, the amount may
 * be too far from its rate. Then only the amount is written.
 */
export function convertAdjustment(
  { amount, rate, reason, reasonCode }: Stated,
  { adjusted, param, money }: { adjusted: Adjusted | undefined; param: string; money: Money },
): Adjustment {
  const computed = amount === undefined && rate !== undefined ? adjusted?.base?.times(exact(rate)) : undefined
  const isFar = adjusted !== undefined && computed !== undefined && computed.minus(adjusted.amount).abs().gt(SLACK)
  return {
    amount: adjusted && money(adjusted.amount),
    base: adjusted?.base && !isFar ? money(adjusted.base) : undefined,
    percent: rate === undefined || isFar ? undefined : percent(rate),
    reason: filled(reason),
    reasonCode: filled(reasonCode),
    param,
  }
}

/** Converts the allowances and charges of the whole invoice. The discount has an entry for each tax rate. */
export function convertDocumentAdjustments(
  invoice: Invoice,
  { totals, labels, money }: { totals: Totals; labels: Labels; money: Money },
): { allowances: DocumentAdjustment[]; charges: DocumentAdjustment[] } {
  const plain = { base: undefined, percent: undefined }
  const discounts = totals.discountShares.map(share => ({
    ...plain,
    amount: money(share.amount),
    reason: labels.discount,
    reasonCode: DISCOUNT,
    param: 'discount',
    ...taxOf(share),
  }))
  const shipping = totals.shipping && {
    ...plain,
    amount: money(totals.shipping),
    reason: labels.shipping,
    reasonCode: FREIGHT,
    param: 'shipping',
    ...taxOf(groupOf(invoice.shipping ?? {}, invoice)),
  }
  const convert = (kind: 'allowances' | 'charges'): DocumentAdjustment[] =>
    (invoice[kind] ?? []).map((stated, index) => ({
      ...convertAdjustment(stated, { adjusted: totals[kind][index], param: `${kind}[${index}]`, money }),
      ...taxOf(groupOf(stated, invoice)),
    }))
  return {
    allowances: [...discounts, ...convert('allowances')],
    charges: [...(shipping ? [shipping] : []), ...convert('charges')],
  }
}

/** The category and the rate of an item or adjustment. Category O has no rate. */
export function taxOf({ category, rate }: TaxGroup): {
  taxCategory: string | undefined
  taxPercent: string | undefined
} {
  return {
    taxCategory: category,
    taxPercent: category === 'O' || rate === undefined ? undefined : percent(rate),
  }
}

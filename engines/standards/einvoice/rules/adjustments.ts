import type { Adjustment, ElectronicInvoice } from '../model'
import type { Report, Rule } from './rule'

const REASON = 'is required. Or send reasonCode.'

type Kind = 'allowances' | 'charges'

/** The path of a field of an adjustment. `discount` and `shipping` have no fields for it. */
export function adjustmentParam({ param }: Adjustment, field: string): string {
  return param === 'discount' || param === 'shipping' || param.endsWith('.discount') ? param : `${param}.${field}`
}

/** Rules on allowances and charges (EN 16931-1, 6.4.1, 6.4.2). */
export const ADJUSTMENT_RULES: readonly Rule[] = [
  ...forDocument('allowances', { amount: 'BR-31', category: 'BR-32', reasons: ['BR-33', 'BR-CO-21'] }),
  ...forDocument('charges', { amount: 'BR-36', category: 'BR-37', reasons: ['BR-38', 'BR-CO-22'] }),
  ...forItems('allowances', { amount: 'BR-41', reasons: ['BR-42', 'BR-CO-23'] }),
  ...forItems('charges', { amount: 'BR-43', reasons: ['BR-44', 'BR-CO-24'] }),
]

function forDocument(
  kind: Kind,
  ids: { amount: string; category: string; reasons: readonly string[] },
): readonly Rule[] {
  const list = (invoice: ElectronicInvoice): readonly Adjustment[] => invoice[kind]
  return [
    rule(ids.amount, list, checkAmount),
    {
      id: ids.category,
      check(invoice, report) {
        for (const adjustment of invoice[kind])
          if (!adjustment.taxCategory) report(adjustmentParam(adjustment, 'taxCategory'), 'is required without tax.')
      },
    },
    ...ids.reasons.map(id => rule(id, list, checkReason)),
  ]
}

function forItems(kind: Kind, ids: { amount: string; reasons: readonly string[] }): readonly Rule[] {
  const list = (invoice: ElectronicInvoice): readonly Adjustment[] => invoice.items.flatMap(item => item[kind])
  return [rule(ids.amount, list, checkAmount), ...ids.reasons.map(id => rule(id, list, checkReason))]
}

function rule(
  id: string,
  list: (invoice: ElectronicInvoice) => readonly Adjustment[],
  check: (adjustment: Adjustment, report: Report) => void,
): Rule {
  return {
    id,
    check(invoice, report) {
      for (const adjustment of list(invoice)) check(adjustment, report)
    },
  }
}

function checkAmount(adjustment: Adjustment, report: Report): void {
  if (adjustment.amount === undefined) report(adjustmentParam(adjustment, 'amount'), 'is required. Or send rate.')
}

function checkReason(adjustment: Adjustment, report: Report): void {
  if (!adjustment.reason && !adjustment.reasonCode) report(adjustmentParam(adjustment, 'reason'), REASON)
}

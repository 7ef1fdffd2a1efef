import type { RuleSet } from '../../../standards/einvoice/formats'
import type { TaxBreakdown } from '../../../standards/einvoice/model'
import type { Invoice } from '../data/invoice'
import type { LabelName } from '../data/label-texts'
import type { Labels } from '../data/labels'
import type { Totals } from '../data/totals'
import { filled } from './texts'
import type { Money } from './to-electronic'

/** Reasons of categories that have only one (VATEX list). */
const USUAL_REASONS: Readonly<Record<string, { code: string; label: LabelName }>> = {
  AE: { code: 'VATEX-EU-AE', label: 'reverseChargeReason' },
  K: { code: 'VATEX-EU-IC', label: 'intraCommunity' },
  G: { code: 'VATEX-EU-G', label: 'exportReason' },
  O: { code: 'VATEX-EU-O', label: 'notSubject' },
}

/** Why a category has no tax: as the request says, or the usual reason. */
export function reasonOf(
  { taxExemptions }: Pick<Invoice, 'taxExemptions'>,
  category: string | undefined,
  labels: Labels,
): { reason: string | undefined; code: string | undefined } {
  const stated = taxExemptions?.find(exemption => exemption.category === category)
  if (stated) return { reason: filled(stated.reason), code: filled(stated.reasonCode) }
  const usual = category === undefined ? undefined : USUAL_REASONS[category]
  return { reason: usual && labels[usual.label], code: usual?.code }
}

/** Converts the taxes by category and rate. */
export function convertTaxes(
  invoice: Invoice,
  { totals: { taxes }, labels, money, ruleSet }: { totals: Totals; labels: Labels; money: Money; ruleSet: RuleSet },
): TaxBreakdown[] {
  // Category O has no rate, but these formats require one (BR-DE-14, DE-R-014).
  const untaxed = ruleSet === 'xrechnung' || ruleSet === 'peppol' ? '0' : undefined
  return taxes.map(({ category, rate, base, tax }) => {
    const { reason, code } = reasonOf(invoice, category, labels)
    return {
      base: money(base),
      tax: money(tax),
      category,
      percent: category === 'O' ? untaxed : rate.times(100).toFixed(),
      exemptionReason: reason,
      exemptionCode: code,
    }
  })
}

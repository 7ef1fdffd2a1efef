import type { TaxBreakdown } from '../../../einvoice/model'
import type { Invoice } from '../invoice'
import type { Totals } from '../totals'
import { filled } from './texts'
import type { Money } from './to-electronic'

/** Reasons of categories that have only one (VATEX list). */
const USUAL_REASONS: Readonly<Record<string, { code: string; text: string }>> = {
  AE: { code: 'VATEX-EU-AE', text: 'Reverse charge' },
  K: { code: 'VATEX-EU-IC', text: 'Intra-community supply' },
  G: { code: 'VATEX-EU-G', text: 'Export outside the EU' },
  O: { code: 'VATEX-EU-O', text: 'Not subject to VAT' },
}

/** Why a category has no tax: as the request says, or the usual reason. */
export function reasonOf(
  { taxExemptions }: Pick<Invoice, 'taxExemptions'>,
  category: string | undefined,
): { reason: string | undefined; code: string | undefined } {
  const stated = taxExemptions?.find(exemption => exemption.category === category)
  if (stated) return { reason: filled(stated.reason), code: filled(stated.reasonCode) }
  const usual = category === undefined ? undefined : USUAL_REASONS[category]
  return { reason: usual?.text, code: usual?.code }
}

/** Converts the taxes by category and rate. */
export function convertTaxes(invoice: Invoice, { taxes }: Totals, money: Money): TaxBreakdown[] {
  return taxes.map(({ category, rate, base, tax }) => {
    const { reason, code } = reasonOf(invoice, category)
    return {
      base: money(base),
      tax: money(tax),
      category,
      percent: category === 'O' ? undefined : rate.times(100).toFixed(),
      exemptionReason: reason,
      exemptionCode: code,
    }
  })
}

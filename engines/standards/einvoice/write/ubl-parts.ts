import type { Adjustment, Period } from '../model'
import { group, leaf } from './xml'
import type { Xml } from './xml'

/** Writes an amount in a currency. */
export function writeAmount(name: string, amount: string | undefined, currency: string | undefined): Xml {
  return leaf(name, amount, { currencyID: currency })
}

/** Writes a period. `code` says when the tax is due. */
export function writePeriod(period: Period | undefined, code?: string): Xml {
  return group(
    'cac:InvoicePeriod',
    leaf('cbc:StartDate', period?.start),
    leaf('cbc:EndDate', period?.end),
    leaf('cbc:DescriptionCode', code),
  )
}

interface Tax {
  taxCategory: string | undefined
  taxPercent: string | undefined
  exemptionCode?: string | undefined
  exemptionReason?: string | undefined
}

/** Writes the category and rate of VAT. */
export function writeTax(name: string, { taxCategory, taxPercent, exemptionCode, exemptionReason }: Tax): Xml {
  return group(
    name,
    leaf('cbc:ID', taxCategory),
    leaf('cbc:Percent', taxPercent),
    leaf('cbc:TaxExemptionReasonCode', exemptionCode),
    leaf('cbc:TaxExemptionReason', exemptionReason),
    group('cac:TaxScheme', leaf('cbc:ID', 'VAT')),
  )
}

/** Writes an allowance or a charge. */
export function writeAdjustment(
  adjustment: Adjustment,
  { isCharge, currency, tax = '' }: { isCharge: boolean; currency: string | undefined; tax?: Xml },
): Xml {
  return group(
    'cac:AllowanceCharge',
    leaf('cbc:ChargeIndicator', String(isCharge)),
    leaf('cbc:AllowanceChargeReasonCode', adjustment.reasonCode),
    leaf('cbc:AllowanceChargeReason', adjustment.reason),
    leaf('cbc:MultiplierFactorNumeric', adjustment.percent),
    writeAmount('cbc:Amount', adjustment.amount, currency),
    writeAmount('cbc:BaseAmount', adjustment.base, currency),
    tax,
  )
}

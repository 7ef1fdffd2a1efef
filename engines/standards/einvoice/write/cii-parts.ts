import type { Adjustment, Period } from '../model'
import { group, leaf } from './xml'
import type { Xml } from './xml'

/** Writes a date in the format 102 (`YYYYMMDD`) as the content of an element. */
export function writeDate(name: string, date: string | undefined, prefix = 'udt'): Xml {
  return group(name, leaf(`${prefix}:DateTimeString`, date?.replaceAll('-', ''), { format: '102' }))
}

/** Writes a period. */
export function writePeriod(period: Period | undefined): Xml {
  return group(
    'ram:BillingSpecifiedPeriod',
    writeDate('ram:StartDateTime', period?.start),
    writeDate('ram:EndDateTime', period?.end),
  )
}

/** Writes an allowance or a charge. */
export function writeAdjustment(kind: 'allowance' | 'charge', adjustment: Adjustment, tax: Xml = ''): Xml {
  return group(
    'ram:SpecifiedTradeAllowanceCharge',
    group('ram:ChargeIndicator', leaf('udt:Indicator', String(kind === 'charge'))),
    leaf('ram:CalculationPercent', adjustment.percent),
    leaf('ram:BasisAmount', adjustment.base),
    leaf('ram:ActualAmount', adjustment.amount),
    leaf('ram:ReasonCode', adjustment.reasonCode),
    leaf('ram:Reason', adjustment.reason),
    tax,
  )
}

/** Writes the category and rate of VAT. */
export function writeTax(
  name: string,
  { taxCategory, taxPercent }: { taxCategory: string | undefined; taxPercent: string | undefined },
): Xml {
  return group(
    name,
    leaf('ram:TypeCode', 'VAT'),
    leaf('ram:CategoryCode', taxCategory),
    leaf('ram:RateApplicablePercent', taxPercent),
  )
}

import type { Adjustment, Period } from '../model'
import { date, decimal, ifAny } from './values'
import type { XmlNode } from './xml-tree'

/** Reads a date in any of the elements that CII has for dates. */
export function readDate(node: XmlNode | undefined): string | undefined {
  return date(node?.text('DateTimeString') ?? node?.text('DateString') ?? node?.text('DateTime') ?? node?.text())
}

/** Reads a period. */
export function readPeriod(node: XmlNode | undefined): Period | undefined {
  return node && ifAny({ start: readDate(node.find('StartDateTime')), end: readDate(node.find('EndDateTime')) })
}

/** Returns whether an allowance or charge is a charge. */
export function isCharge(node: XmlNode): boolean {
  return (node.text('ChargeIndicator', 'Indicator') ?? node.text('ChargeIndicator')) === 'true'
}

/** Reads an allowance or a charge. */
export function readAdjustment(node: XmlNode, param: string): Adjustment {
  return {
    amount: decimal(node.text('ActualAmount')),
    base: decimal(node.text('BasisAmount')),
    percent: decimal(node.text('CalculationPercent')),
    reason: node.text('Reason'),
    reasonCode: node.text('ReasonCode'),
    param,
  }
}

/** Reads the category and rate of VAT. */
export function readTax(node: XmlNode | undefined): {
  taxCategory: string | undefined
  taxPercent: string | undefined
} {
  node?.text('TypeCode')
  return { taxCategory: node?.text('CategoryCode'), taxPercent: decimal(node?.text('RateApplicablePercent')) }
}

import type { Adjustment, Period } from '../model'
import { date, decimal, ifAny, readCommon } from './values'
import type { XmlNode } from './xml-tree'

/** Reads a date in any of the elements that CII has for dates. */
export function readDate(node: XmlNode | undefined): string | undefined {
  return readCommonDate([node])
}

/** Reads a date that several elements state. */
export function readCommonDate(nodes: readonly (XmlNode | undefined)[]): string | undefined {
  const leaves = nodes.flatMap(
    node => node?.find('DateTimeString') ?? node?.find('DateString') ?? node?.find('DateTime') ?? node ?? [],
  )
  return readCommon(leaves, leaf => date(leaf.peek(), leaf.attribute('format')))
}

/** Reads a period. */
export function readPeriod(node: XmlNode | undefined): Period | undefined {
  return node && ifAny({ start: readDate(node.find('StartDateTime')), end: readDate(node.find('EndDateTime')) })
}

/** Returns whether an allowance or charge is a charge. */
export function isCharge(node: XmlNode): boolean {
  return ['true', '1'].includes(node.text('ChargeIndicator', 'Indicator') ?? node.text('ChargeIndicator') ?? '')
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

/** The type of a tax, unless it is VAT. */
export function otherTypeOf(node: XmlNode): string | undefined {
  const type = node.peek('TypeCode')
  return type?.toUpperCase() === 'VAT' ? undefined : type
}

/** Reads the category and rate of VAT. Other taxes count as unread. */
export function readTax(nodes: readonly XmlNode[]): {
  taxCategory: string | undefined
  taxPercent: string | undefined
} {
  const node = nodes.find(one => otherTypeOf(one) === undefined)
  node?.skip(['VAT'], 'TypeCode')
  return { taxCategory: node?.text('CategoryCode'), taxPercent: decimal(node?.text('RateApplicablePercent')) }
}

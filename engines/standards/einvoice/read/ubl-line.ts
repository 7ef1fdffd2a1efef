import { Big } from 'big.js'
import { parseDecimal } from '../decimal'
import type { Adjustment, Item, Period } from '../model'
import { date, decimal, identifier, ifAny } from './values'
import type { XmlNode } from './xml-tree'

/** Type of a referenced document: the invoiced object (UNTDID 1001). */
const OBJECT = '130'

/** Reads an item of an invoice or of a credit note. */
export function readLine(node: XmlNode, index: number): Item {
  const quantity = node.find('InvoicedQuantity') ?? node.find('CreditedQuantity')
  const item = node.find('Item')
  const price = node.find('Price')
  const base = price?.find('BaseQuantity')
  const unitCode = quantity?.attribute('unitCode')
  const baseUnit = base?.attribute('unitCode')
  const rate = decimal(price?.text('PriceAmount'))
  const object = node.all('DocumentReference').find(one => [undefined, OBJECT].includes(one.peek('DocumentTypeCode')))
  object?.text('DocumentTypeCode')
  const adjustments = node.all('AllowanceCharge')
  return {
    lineId: node.text('ID'),
    note: node.text('Note'),
    invoicedObject: identifier(object?.find('ID')),
    quantity: decimal(quantity?.text()),
    unitCode,
    amount: decimal(node.text('LineExtensionAmount')),
    orderLine: node.text('OrderLineReference', 'LineID'),
    accountingReference: node.text('AccountingCost'),
    period: readPeriod(node.find('InvoicePeriod')),
    allowances: adjustments
      .filter(one => !isCharge(one))
      .map((one, at) => readAdjustment(one, `items[${index}].allowances[${at}]`)),
    charges: adjustments
      .filter(one => isCharge(one))
      .map((one, at) => readAdjustment(one, `items[${index}].charges[${at}]`)),
    rate,
    grossPrice: readGrossPrice(price, rate),
    priceReduction: readReduction(price),
    priceBase: decimal(base?.text()),
    priceBaseUnitCode: baseUnit === unitCode ? undefined : baseUnit,
    ...readTax(item?.all('ClassifiedTaxCategory') ?? []),
    description: item?.text('Name'),
    details: item?.text('Description'),
    sku: item?.text('SellersItemIdentification', 'ID'),
    buyerItemId: item?.text('BuyersItemIdentification', 'ID'),
    standardItemId: identifier(item?.find('StandardItemIdentification', 'ID')),
    classifications: (item?.all('CommodityClassification') ?? []).map(one => ({
      id: one.text('ItemClassificationCode'),
      scheme: one.find('ItemClassificationCode')?.attribute('listID'),
      version: one.find('ItemClassificationCode')?.attribute('listVersionID'),
    })),
    originCountry: item?.text('OriginCountry', 'IdentificationCode'),
    attributes: (item?.all('AdditionalItemProperty') ?? []).map(one => ({
      name: one.text('Name'),
      value: one.text('Value'),
    })),
  }
}

/** The difference between gross and net price, as the file states it beside a gross price. */
function readReduction(price: XmlNode | undefined): string | undefined {
  const reduction = price?.find('AllowanceCharge')
  if (reduction?.find('BaseAmount') === undefined) return undefined
  const amount = parseDecimal(decimal(reduction.peek('Amount'))) ?? new Big(0)
  return (isCharge(reduction) ? amount.times(-1) : amount).toFixed()
}

/** A reduction without a base amount implies the gross price. One that doesn't give the net price counts as unread. */
function readGrossPrice(price: XmlNode | undefined, rate: string | undefined): string | undefined {
  const reduction = price?.find('AllowanceCharge')
  if (!reduction) return undefined
  const stated = decimal(reduction.text('BaseAmount'))
  const amount = parseDecimal(decimal(reduction.peek('Amount')))
  const netPrice = parseDecimal(rate)
  if (!amount || !netPrice) return stated
  const computed = isCharge(reduction) ? netPrice.minus(amount) : netPrice.plus(amount)
  if (stated !== undefined && !parseDecimal(stated)?.eq(computed)) return stated
  reduction.text('Amount')
  return stated ?? computed.toFixed()
}

/** Reads a period. */
export function readPeriod(node: XmlNode | undefined): Period | undefined {
  return node && ifAny({ start: date(node.text('StartDate')), end: date(node.text('EndDate')) })
}

/** Returns whether an allowance or charge is a charge. */
export function isCharge(node: XmlNode): boolean {
  return ['true', '1'].includes(node.text('ChargeIndicator') ?? '')
}

/** Reads an allowance or a charge. */
export function readAdjustment(node: XmlNode, param: string): Adjustment {
  return {
    amount: decimal(node.text('Amount')),
    base: decimal(node.text('BaseAmount')),
    percent: decimal(node.text('MultiplierFactorNumeric')),
    reason: node.text('AllowanceChargeReason'),
    reasonCode: node.text('AllowanceChargeReasonCode'),
    param,
  }
}

/** The scheme of a tax, unless it is VAT. */
export function otherTypeOf(category: XmlNode | undefined): string | undefined {
  const type = category?.peek('TaxScheme', 'ID')
  return type?.toUpperCase() === 'VAT' ? undefined : type
}

/** Reads the category and rate of VAT. Other taxes count as unread. */
export function readTax(nodes: readonly XmlNode[]): {
  taxCategory: string | undefined
  taxPercent: string | undefined
} {
  const node = nodes.find(one => otherTypeOf(one) === undefined)
  node?.skip(['VAT'], 'TaxScheme', 'ID')
  // Older invoices name the code lists here, which the standard fixes.
  for (const id of [node?.find('ID'), node?.find('TaxScheme', 'ID')]) id?.attribute('schemeID')
  return { taxCategory: node?.text('ID'), taxPercent: decimal(node?.text('Percent')) }
}

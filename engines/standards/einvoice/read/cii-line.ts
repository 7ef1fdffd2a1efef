import { Big } from 'big.js'
import { parseDecimal } from '../decimal'
import type { ElectronicInvoice, InvoiceLine, Item } from '../model'
import { isCharge, readAdjustment, readPeriod, readTax } from './cii-parts'
import { decimal, identifier } from './values'
import type { XmlNode } from './xml-tree'

/** Type of a referenced document: the invoiced object (UNTDID 1001). */
const OBJECT = '130'

/** Type of a line of EXTENDED that is billed, as a line without a type is. */
const BILLED = 'DETAIL'

/**
 * Reads the lines. By the rules of EXTENDED, lines can have a type, and groups and lines for information aren't billed.
 * Otherwise, all are billed.
 */
export function readLines(nodes: readonly XmlNode[], isExtended: boolean): Pick<ElectronicInvoice, 'items' | 'lines'> {
  let count = 0
  const lines = nodes.map((node, index): InvoiceLine => {
    const document = isExtended ? node.find('AssociatedDocumentLineDocument') : undefined
    const type = document?.text('LineStatusReasonCode')
    const isBilled = type === undefined || type === BILLED
    const item = readLine(node, isBilled ? `items[${count++}]` : `lines[${index}].item`)
    return { lineId: item.lineId, parentLineId: document?.text('ParentLineID'), type, item, isBilled }
  })
  const items = lines.filter(({ isBilled }) => isBilled).map(({ item }) => item)
  return lines.some(({ type, parentLineId }) => type ?? parentLineId) ? { items, lines } : { items }
}

/** Reads an item. `path` is its own path. */
function readLine(node: XmlNode, path: string): Item {
  const document = node.find('AssociatedDocumentLineDocument')
  const product = node.find('SpecifiedTradeProduct')
  const agreement = node.find('SpecifiedLineTradeAgreement')
  const settlement = node.find('SpecifiedLineTradeSettlement')
  const quantity = node.find('SpecifiedLineTradeDelivery', 'BilledQuantity')
  const net = agreement?.find('NetPriceProductTradePrice')
  const gross = agreement?.find('GrossPriceProductTradePrice')
  const basis = net?.find('BasisQuantity') ?? gross?.find('BasisQuantity')
  const unitCode = quantity?.attribute('unitCode')
  const basisUnit = basis?.attribute('unitCode')
  skipSameBasis(gross?.find('BasisQuantity'), basis)
  const object = settlement?.all('AdditionalReferencedDocument').find(one => one.peek('TypeCode') === OBJECT)
  object?.text('TypeCode')
  const adjustments = settlement?.all('SpecifiedTradeAllowanceCharge') ?? []
  return {
    lineId: document?.text('LineID'),
    note:
      document
        ?.all('IncludedNote')
        .flatMap(note => note.text('Content') ?? [])
        .join('\n') || undefined,
    invoicedObject: object && {
      id: object.text('IssuerAssignedID') ?? object.text('ID'),
      scheme: object.text('ReferenceTypeCode'),
    },
    quantity: decimal(quantity?.text()),
    unitCode,
    amount: decimal(settlement?.text('SpecifiedTradeSettlementLineMonetarySummation', 'LineTotalAmount')),
    orderLine: agreement?.text('BuyerOrderReferencedDocument', 'LineID'),
    accountingReference: settlement?.text('ReceivableSpecifiedTradeAccountingAccount', 'ID'),
    period: readPeriod(settlement?.find('BillingSpecifiedPeriod')),
    allowances: adjustments
      .filter(one => !isCharge(one))
      .map((one, at) => readAdjustment(one, `${path}.allowances[${at}]`)),
    charges: adjustments.filter(one => isCharge(one)).map((one, at) => readAdjustment(one, `${path}.charges[${at}]`)),
    rate: readRate(net, gross),
    grossPrice: decimal(gross?.text('ChargeAmount')),
    priceReduction: gross && readReduction(gross),
    priceBase: decimal(basis?.text()),
    priceBaseUnitCode: basisUnit === unitCode ? undefined : basisUnit,
    ...readTax(settlement?.all('ApplicableTradeTax') ?? []),
    description: product?.text('Name'),
    details: product?.text('Description'),
    sku: product?.text('SellerAssignedID'),
    buyerItemId: product?.text('BuyerAssignedID'),
    standardItemId: identifier(product?.find('GlobalID')),
    classifications: (product?.all('DesignatedProductClassification') ?? []).map(one => ({
      id: one.text('ClassCode'),
      scheme: one.find('ClassCode')?.attribute('listID'),
      version: one.find('ClassCode')?.attribute('listVersionID'),
    })),
    originCountry: product?.text('OriginTradeCountry', 'ID'),
    attributes: (product?.all('ApplicableProductCharacteristic') ?? []).map(one => ({
      name: one.text('Description') ?? one.text('TypeCode'),
      value: one.text('Value') ?? readMeasure(one.find('ValueMeasure')),
    })),
  }
}

/** A value with its unit, which EXTENDED has. */
function readMeasure(node: XmlNode | undefined): string | undefined {
  const value = node?.text()
  return value && `${value} ${node?.attribute('unitCode') ?? ''}`.trim()
}

/** Both prices must have the same base quantity. */
function skipSameBasis(one: XmlNode | undefined, other: XmlNode | undefined): void {
  const unit = one?.attribute('unitCode')
  const isSameUnit = unit === undefined || unit === other?.attribute('unitCode')
  if (isSameUnit && decimal(one?.peek()) === decimal(other?.peek())) one?.text()
}

/** The difference between gross and net price, as the file states it. */
function readReduction(gross: XmlNode): string {
  const reduction = gross.find('AppliedTradeAllowanceCharge')
  const amount = parseDecimal(decimal(reduction?.peek('ActualAmount'))) ?? new Big(0)
  return (reduction && isCharge(reduction) ? amount.times(-1) : amount).toFixed()
}

/** The net price, or the gross price less its reduction. A reduction that gives the net price adds nothing to it. */
function readRate(net: XmlNode | undefined, gross: XmlNode | undefined): string | undefined {
  const stated = decimal(net?.text('ChargeAmount'))
  const price = parseDecimal(decimal(gross?.text('ChargeAmount')))
  const reduction = gross?.find('AppliedTradeAllowanceCharge')
  const amount = parseDecimal(decimal(reduction?.peek('ActualAmount')) ?? '0')
  if (!price || !amount) return stated
  const computed = reduction && isCharge(reduction) ? price.plus(amount) : price.minus(amount)
  if (stated !== undefined && !parseDecimal(stated)?.eq(computed)) return stated
  reduction?.text('ActualAmount')
  return stated ?? computed.toFixed()
}

import { Big } from 'big.js'
import type { Item } from '../model'
import { writeId } from './ubl-party'
import { writeAdjustment, writeAmount, writePeriod, writeTax } from './ubl-parts'
import { each, group, leaf } from './xml'
import type { Xml } from './xml'

/** Writes an item of an invoice or of a credit note. */
export function writeLine(
  item: Item,
  { isCredit, currency }: { isCredit: boolean; currency: string | undefined },
): Xml {
  return group(
    isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    leaf('cbc:ID', item.lineId),
    leaf('cbc:Note', item.note),
    leaf(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', item.quantity, { unitCode: item.unitCode }),
    writeAmount('cbc:LineExtensionAmount', item.amount, currency),
    leaf('cbc:AccountingCost', item.accountingReference),
    writePeriod(item.period),
    group('cac:OrderLineReference', leaf('cbc:LineID', item.orderLine)),
    item.invoicedObject
      ? group('cac:DocumentReference', writeId('cbc:ID', item.invoicedObject), leaf('cbc:DocumentTypeCode', '130'))
      : '',
    each(item.allowances, allowance => writeAdjustment(allowance, { isCharge: false, currency })),
    each(item.charges, charge => writeAdjustment(charge, { isCharge: true, currency })),
    writeItem(item),
    writePrice(item, currency),
  )
}

function writeItem(item: Item): Xml {
  return group(
    'cac:Item',
    leaf('cbc:Description', item.details),
    leaf('cbc:Name', item.description),
    group('cac:BuyersItemIdentification', leaf('cbc:ID', item.buyerItemId)),
    group('cac:SellersItemIdentification', leaf('cbc:ID', item.sku)),
    group('cac:StandardItemIdentification', writeId('cbc:ID', item.standardItemId)),
    group('cac:OriginCountry', leaf('cbc:IdentificationCode', item.originCountry)),
    each(item.classifications, ({ id, scheme, version }) =>
      group(
        'cac:CommodityClassification',
        leaf('cbc:ItemClassificationCode', id, { listID: scheme, listVersionID: version }),
      ),
    ),
    item.taxCategory === undefined ? '' : writeTax('cac:ClassifiedTaxCategory', item),
    each(item.attributes, ({ name, value }) =>
      group('cac:AdditionalItemProperty', leaf('cbc:Name', name), leaf('cbc:Value', value)),
    ),
  )
}

function writePrice(item: Item, currency: string | undefined): Xml {
  const { rate, grossPrice, priceBase } = item
  return group(
    'cac:Price',
    writeAmount('cbc:PriceAmount', rate, currency),
    leaf('cbc:BaseQuantity', priceBase, { unitCode: item.priceBaseUnitCode ?? item.unitCode }),
    grossPrice === undefined
      ? ''
      : group(
          'cac:AllowanceCharge',
          leaf('cbc:ChargeIndicator', 'false'),
          writeAmount('cbc:Amount', new Big(grossPrice).minus(rate ?? grossPrice).toFixed(), currency),
          writeAmount('cbc:BaseAmount', grossPrice, currency),
        ),
  )
}

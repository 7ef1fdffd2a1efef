import { Big } from 'big.js'
import type { Item } from '../model'
import { writeAdjustment, writePeriod, writeTax } from './cii-parts'
import { each, group, leaf } from './xml'
import type { Xml } from './xml'

/** Writes an item. */
export function writeLine(item: Item): Xml {
  return group(
    'ram:IncludedSupplyChainTradeLineItem',
    group(
      'ram:AssociatedDocumentLineDocument',
      leaf('ram:LineID', item.lineId),
      group('ram:IncludedNote', leaf('ram:Content', item.note)),
    ),
    writeProduct(item),
    writeAgreement(item),
    group('ram:SpecifiedLineTradeDelivery', leaf('ram:BilledQuantity', item.quantity, { unitCode: item.unitCode })),
    writeSettlement(item),
  )
}

function writeProduct(item: Item): Xml {
  return group(
    'ram:SpecifiedTradeProduct',
    leaf('ram:GlobalID', item.standardItemId?.id, { schemeID: item.standardItemId?.scheme }),
    leaf('ram:SellerAssignedID', item.sku),
    leaf('ram:BuyerAssignedID', item.buyerItemId),
    leaf('ram:Name', item.description),
    leaf('ram:Description', item.details),
    each(item.attributes, ({ name, value }) =>
      group('ram:ApplicableProductCharacteristic', leaf('ram:Description', name), leaf('ram:Value', value)),
    ),
    each(item.classifications, ({ id, scheme, version }) =>
      group(
        'ram:DesignatedProductClassification',
        leaf('ram:ClassCode', id, { listID: scheme, listVersionID: version }),
      ),
    ),
    group('ram:OriginTradeCountry', leaf('ram:ID', item.originCountry)),
  )
}

function writeAgreement(item: Item): Xml {
  const basis = leaf('ram:BasisQuantity', item.priceBase, { unitCode: item.priceBaseUnitCode ?? item.unitCode })
  return group(
    'ram:SpecifiedLineTradeAgreement',
    group('ram:BuyerOrderReferencedDocument', leaf('ram:LineID', item.orderLine)),
    item.grossPrice === undefined
      ? ''
      : group(
          'ram:GrossPriceProductTradePrice',
          leaf('ram:ChargeAmount', item.grossPrice),
          basis,
          writeReduction(item.grossPrice, item.rate),
        ),
    group('ram:NetPriceProductTradePrice', leaf('ram:ChargeAmount', item.rate), basis),
  )
}

/** The difference between gross and net price. */
function writeReduction(grossPrice: string, rate: string | undefined): Xml {
  const reduction = new Big(grossPrice).minus(rate ?? grossPrice)
  if (reduction.eq(0)) return ''
  return group(
    'ram:AppliedTradeAllowanceCharge',
    group('ram:ChargeIndicator', leaf('udt:Indicator', 'false')),
    leaf('ram:ActualAmount', reduction.toFixed()),
  )
}

function writeSettlement(item: Item): Xml {
  return group(
    'ram:SpecifiedLineTradeSettlement',
    writeTax('ram:ApplicableTradeTax', item),
    writePeriod(item.period),
    each(item.allowances, allowance => writeAdjustment('allowance', allowance)),
    each(item.charges, charge => writeAdjustment('charge', charge)),
    group('ram:SpecifiedTradeSettlementLineMonetarySummation', leaf('ram:LineTotalAmount', item.amount)),
    item.invoicedObject
      ? group(
          'ram:AdditionalReferencedDocument',
          leaf('ram:IssuerAssignedID', item.invoicedObject.id),
          leaf('ram:TypeCode', '130'),
          leaf('ram:ReferenceTypeCode', item.invoicedObject.scheme),
        )
      : '',
    group('ram:ReceivableSpecifiedTradeAccountingAccount', leaf('ram:ID', item.accountingReference)),
  )
}

import { SPECIFICATIONS } from '../formats'
import type { RuleSet } from '../formats'
import type { Attachment, ElectronicInvoice, Adjustment, Item, Party, Payment } from '../model'
import { writeLine } from './cii-line'
import { writeDate } from './cii-parts'
import { writeParty, writeRepresentative, writeShipTo } from './cii-party'
import { writeSettlement } from './cii-settlement'
import { each, escapeXml, group, leaf } from './xml'
import type { Xml } from './xml'

const NAMESPACES = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
}

/** Types of referenced documents (UNTDID 1001): the lot, the invoiced object, and supporting documents. */
const [LOT, OBJECT, SUPPORTING] = ['50', '130', '916']

/**
 * Writes an invoice as a Cross Industry Invoice D16B (EN 16931-3-3). Every term of the model has a place, except in
 * the profile BASIC of Factur-X. Characters that XML can't have are replaced by U+FFFD. The schema of D16B, unlike those
 * of Factur-X, has room for one preceding invoice. If there are more, all are written, and the XML isn't valid.
 */
export function writeCii(full: ElectronicInvoice, ruleSet: RuleSet): string {
  const invoice = ruleSet === 'facturx-basic' ? reduceToBasic(full) : full
  const spaces = Object.entries(NAMESPACES).map(([prefix, name]) => ` xmlns:${prefix}="${escapeXml(name)}"`)
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<rsm:CrossIndustryInvoice${spaces.join('')}>\n` +
    group(
      'rsm:ExchangedDocumentContext',
      group('ram:BusinessProcessSpecifiedDocumentContextParameter', leaf('ram:ID', invoice.businessProcess)),
      group(
        'ram:GuidelineSpecifiedDocumentContextParameter',
        leaf('ram:ID', invoice.specification ?? SPECIFICATIONS[ruleSet]),
      ),
    ) +
    group(
      'rsm:ExchangedDocument',
      leaf('ram:ID', invoice.invoiceNumber),
      leaf('ram:TypeCode', invoice.typeCode),
      writeDate('ram:IssueDateTime', invoice.issueDate),
      each(invoice.notes, ({ text, subjectCode }) =>
        group('ram:IncludedNote', leaf('ram:Content', text), leaf('ram:SubjectCode', subjectCode)),
      ),
    ) +
    group(
      'rsm:SupplyChainTradeTransaction',
      each(invoice.items, writeLine),
      writeAgreement(invoice),
      writeDelivery(invoice),
      writeSettlement(invoice),
    ) +
    '</rsm:CrossIndustryInvoice>\n'
  )
}

function writeAgreement(invoice: ElectronicInvoice): Xml {
  const { invoicedObject } = invoice
  return group(
    'ram:ApplicableHeaderTradeAgreement',
    leaf('ram:BuyerReference', invoice.buyerReference),
    writeParty('ram:SellerTradeParty', invoice.from),
    writeParty('ram:BuyerTradeParty', invoice.billTo),
    writeRepresentative(invoice.taxRepresentative),
    writeReference('ram:SellerOrderReferencedDocument', invoice.salesOrder),
    writeReference('ram:BuyerOrderReferencedDocument', invoice.purchaseOrder),
    writeReference('ram:ContractReferencedDocument', invoice.contractReference),
    each(invoice.attachments, writeAttachment),
    invoice.tenderReference === undefined
      ? ''
      : group(
          'ram:AdditionalReferencedDocument',
          leaf('ram:IssuerAssignedID', invoice.tenderReference),
          leaf('ram:TypeCode', LOT),
        ),
    invoicedObject
      ? group(
          'ram:AdditionalReferencedDocument',
          leaf('ram:IssuerAssignedID', invoicedObject.id),
          leaf('ram:TypeCode', OBJECT),
          leaf('ram:ReferenceTypeCode', invoicedObject.scheme),
        )
      : '',
    invoice.projectReference === undefined
      ? ''
      : group(
          'ram:SpecifiedProcuringProject',
          leaf('ram:ID', invoice.projectReference),
          // The schema requires a name. EN 16931 has no field for it (EN 16931-3-3).
          leaf('ram:Name', 'Project reference'),
        ),
  )
}

function writeReference(name: string, id: string | undefined): Xml {
  return group(name, leaf('ram:IssuerAssignedID', id))
}

function writeAttachment({ id, url, description, file }: Attachment): Xml {
  return group(
    'ram:AdditionalReferencedDocument',
    leaf('ram:IssuerAssignedID', id),
    leaf('ram:URIID', url),
    leaf('ram:TypeCode', SUPPORTING),
    leaf('ram:Name', description),
    leaf('ram:AttachmentBinaryObject', file?.dataBase64, { mimeCode: file?.mimeType, filename: file?.name }),
  )
}

/** The schema requires the element, even if it is empty. */
function writeDelivery(invoice: ElectronicInvoice): Xml {
  const delivery = group(
    'ram:ApplicableHeaderTradeDelivery',
    writeShipTo(invoice.shipTo),
    group('ram:ActualDeliverySupplyChainEvent', writeDate('ram:OccurrenceDateTime', invoice.deliveryDate)),
    writeReference('ram:DespatchAdviceReferencedDocument', invoice.despatchAdvice),
    writeReference('ram:ReceivingAdviceReferencedDocument', invoice.receivingAdvice),
  )
  return delivery || '<ram:ApplicableHeaderTradeDelivery/>\n'
}

/**
 * Returns an invoice without the terms that the profile BASIC of Factur-X doesn't have: contacts, further references,
 * attachments, the trading name of the buyer, details of items and of accounts. The page shows them. The amounts are
 * complete.
 */
function reduceToBasic(invoice: ElectronicInvoice): ElectronicInvoice {
  return {
    ...invoice,
    salesOrder: undefined,
    projectReference: undefined,
    tenderReference: undefined,
    receivingAdvice: undefined,
    invoicedObject: undefined,
    taxPointDate: undefined,
    attachments: [],
    from: reduceParty(invoice.from),
    billTo: { ...reduceParty(invoice.billTo), tradingName: undefined },
    payments: invoice.payments.map(reducePayment),
    totals: { ...invoice.totals, rounding: undefined },
    items: invoice.items.map(reduceItem),
  }
}

function reduceParty(party: Party): Party {
  return { ...party, contact: undefined, legalInfo: undefined }
}

function reducePayment(payment: Payment): Payment {
  return {
    ...payment,
    meansText: undefined,
    card: undefined,
    accounts: payment.accounts.map(({ id, isIban }) => ({ id, isIban, name: undefined, bic: undefined })),
  }
}

function reduceItem(item: Item): Item {
  return {
    ...item,
    details: undefined,
    sku: undefined,
    buyerItemId: undefined,
    attributes: [],
    classifications: [],
    originCountry: undefined,
    orderLine: undefined,
    invoicedObject: undefined,
    accountingReference: undefined,
    allowances: item.allowances.map(reduceAdjustment),
    charges: item.charges.map(reduceAdjustment),
  }
}

function reduceAdjustment(adjustment: Adjustment): Adjustment {
  return { ...adjustment, base: undefined, percent: undefined }
}

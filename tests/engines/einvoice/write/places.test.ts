import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { writeCii } from '../../../../engines/einvoice/write/write-cii'
import { writeUbl } from '../../../../engines/einvoice/write/write-ubl'
import { fullInvoice } from '../full-invoice'

const RAM = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100'
const SPACES = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: RAM,
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  in: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  cn: 'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2',
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
}

/** Texts at an XPath, read by libxml2. */
function textsAt(xml: string, path: string): string[] {
  const document = XmlDocument.fromString(xml)
  try {
    return document.find(path, SPACES).map(node => node.content)
  } finally {
    document.dispose()
  }
}

const TRADE = '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction'
const LINE = `${TRADE}/ram:IncludedSupplyChainTradeLineItem[1]`
const AGREEMENT = `${TRADE}/ram:ApplicableHeaderTradeAgreement`
const DELIVERY = `${TRADE}/ram:ApplicableHeaderTradeDelivery`
const SETTLEMENT = `${TRADE}/ram:ApplicableHeaderTradeSettlement`
const TOTALS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`

/** The standard places of business terms (EN 16931-3-3). */
const CII: readonly (readonly [term: string, path: string, ...texts: string[]])[] = [
  ['BT-1', '/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:ID', 'R-1'],
  ['BT-2', '//rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString[@format="102"]', '20260331'],
  ['BT-5', `${SETTLEMENT}/ram:InvoiceCurrencyCode`, 'EUR'],
  ['BT-7', `${SETTLEMENT}/ram:ApplicableTradeTax[1]/ram:TaxPointDate/udt:DateString`, '20260329'],
  ['BT-9', `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString`, '20260430'],
  ['BT-10', `${AGREEMENT}/ram:BuyerReference`, 'buyer reference'],
  ['BT-11', `${AGREEMENT}/ram:SpecifiedProcuringProject/ram:ID`, 'project'],
  ['BT-13', `${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`, 'purchase order'],
  ['BT-17', `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="50"]/ram:IssuerAssignedID`, 'tender'],
  ['BT-18', `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="130"]/ram:ReferenceTypeCode`, 'AAA'],
  ['BT-21', '//rsm:ExchangedDocument/ram:IncludedNote/ram:SubjectCode', 'REG'],
  ['BT-22', '//rsm:ExchangedDocument/ram:IncludedNote/ram:Content', 'First <note> & "more"', 'Register'],
  ['BT-26', `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime/qdt:DateTimeString`, '20260201'],
  ['BT-29', `${AGREEMENT}/ram:SellerTradeParty/ram:GlobalID[@schemeID="0088"]`, '4000001000005'],
  ['BT-31', `${AGREEMENT}/ram:SellerTradeParty/ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]`, 'DE123456789'],
  ['BT-32', `${AGREEMENT}/ram:SellerTradeParty/ram:SpecifiedTaxRegistration/ram:ID[@schemeID="FC"]`, '12/345/67890'],
  [
    'BT-34',
    `${AGREEMENT}/ram:SellerTradeParty/ram:URIUniversalCommunication/ram:URIID[@schemeID="EM"]`,
    'seller@example.com',
  ],
  ['BT-54', `${AGREEMENT}/ram:BuyerTradeParty/ram:PostalTradeAddress/ram:CountrySubDivisionName`, 'B Region'],
  ['BT-63', `${AGREEMENT}/ram:SellerTaxRepresentativeTradeParty/ram:SpecifiedTaxRegistration/ram:ID`, 'FR12345678901'],
  ['BT-72', `${DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString`, '20260328'],
  ['BT-83', `${SETTLEMENT}/ram:PaymentReference`, 'payment reference'],
  ['BT-84', `${SETTLEMENT}//ram:PayeePartyCreditorFinancialAccount/ram:IBANID`, 'DE89370400440532013000'],
  ['BT-84', `${SETTLEMENT}//ram:PayeePartyCreditorFinancialAccount/ram:ProprietaryID`, '987-654'],
  [
    'BT-92',
    `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="false"]/ram:ActualAmount`,
    '10.00',
  ],
  [
    'BT-99',
    `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="true"]/ram:ActualAmount`,
    '5.00',
  ],
  ['BT-109', `${TOTALS}/ram:TaxBasisTotalAmount`, '133.00'],
  ['BT-111', `${TOTALS}/ram:TaxTotalAmount[@currencyID="SEK"]`, '230.12'],
  ['BT-115', `${TOTALS}/ram:DuePayableAmount`, '103.72'],
  ['BT-118', `${SETTLEMENT}/ram:ApplicableTradeTax/ram:CategoryCode`, 'S', 'S'],
  ['BT-125', `${AGREEMENT}//ram:AttachmentBinaryObject[@mimeCode="text/csv"][@filename="time.csv"]`, 'YSxi'],
  ['BT-129', `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity[@unitCode="H87"]`, '250'],
  ['BT-146', `${LINE}//ram:NetPriceProductTradePrice/ram:ChargeAmount`, '40'],
  ['BT-147', `${LINE}//ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge/ram:ActualAmount`, '5.5'],
  ['BT-149', `${LINE}//ram:NetPriceProductTradePrice/ram:BasisQuantity[@unitCode="H87"]`, '100'],
  ['BT-158', `${LINE}//ram:ClassCode[@listID="TST"][@listVersionID="19"]`, '43211503'],
]

/** The standard places of business terms (EN 16931-3-2). */
const UBL: typeof CII = [
  ['BT-1', '/in:Invoice/cbc:ID', 'R-1'],
  ['BT-2', '/in:Invoice/cbc:IssueDate', '2026-03-31'],
  ['BT-9', '/in:Invoice/cbc:DueDate', '2026-04-30'],
  ['BT-11', '/in:Invoice/cac:ProjectReference/cbc:ID', 'project'],
  ['BT-14', '/in:Invoice/cac:OrderReference/cbc:SalesOrderID', 'sales order'],
  [
    'BT-18',
    '/in:Invoice/cac:AdditionalDocumentReference[cbc:DocumentTypeCode="130"]/cbc:ID[@schemeID="AAA"]',
    'object',
  ],
  ['BT-22', '/in:Invoice/cbc:Note', 'First <note> & "more"', '#REG#Register'],
  ['BT-25', '/in:Invoice/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID', 'R-0', 'R-00'],
  ['BT-27', '//cac:AccountingSupplierParty//cac:PartyLegalEntity/cbc:RegistrationName', 'Seller Ltd'],
  [
    'BT-31',
    '//cac:AccountingSupplierParty//cac:PartyTaxScheme[cac:TaxScheme/cbc:ID="VAT"]/cbc:CompanyID',
    'DE123456789',
  ],
  ['BT-33', '//cac:AccountingSupplierParty//cbc:CompanyLegalForm', 'seller legal form'],
  ['BT-49', '//cac:AccountingCustomerParty/cac:Party/cbc:EndpointID[@schemeID="0088"]', '9876543210'],
  ['BT-60', '/in:Invoice/cac:PayeeParty/cac:PartyIdentification/cbc:ID', 'payee id'],
  ['BT-71', '/in:Invoice/cac:Delivery/cac:DeliveryLocation/cbc:ID[@schemeID="0088"]', 'location'],
  ['BT-82', '/in:Invoice/cac:PaymentMeans/cbc:PaymentMeansCode/@name', 'by transfer'],
  ['BT-86', '/in:Invoice/cac:PaymentMeans//cac:FinancialInstitutionBranch/cbc:ID', 'COBADEFFXXX'],
  ['BT-94', '/in:Invoice/cac:AllowanceCharge[cbc:ChargeIndicator="false"]/cbc:MultiplierFactorNumeric', '10'],
  ['BT-110', '/in:Invoice/cac:TaxTotal[cac:TaxSubtotal]/cbc:TaxAmount[@currencyID="EUR"]', '20.71'],
  ['BT-111', '/in:Invoice/cac:TaxTotal[not(cac:TaxSubtotal)]/cbc:TaxAmount[@currencyID="SEK"]', '230.12'],
  ['BT-114', '/in:Invoice/cac:LegalMonetaryTotal/cbc:PayableRoundingAmount', '0.01'],
  ['BT-124', '/in:Invoice/cac:AdditionalDocumentReference//cac:ExternalReference/cbc:URI', 'https://example.com/a'],
  ['BT-132', '/in:Invoice/cac:InvoiceLine/cac:OrderLineReference/cbc:LineID', 'order line'],
  ['BT-148', '/in:Invoice/cac:InvoiceLine[1]/cac:Price/cac:AllowanceCharge/cbc:BaseAmount', '45.5'],
  ['BT-155', '/in:Invoice/cac:InvoiceLine//cac:SellersItemIdentification/cbc:ID', 'seller item'],
  ['BT-159', '/in:Invoice/cac:InvoiceLine//cac:OriginCountry/cbc:IdentificationCode', 'JP'],
]

describe('a term has its standard place', () => {
  const cii = writeCii(fullInvoice(), 'en16931')
  const ubl = writeUbl(fullInvoice(), 'en16931')

  it.each(CII)('in CII: %s at %s', (_, path, ...texts) => {
    expect(textsAt(cii, path)).toEqual(texts)
  })

  it.each(UBL)('in UBL: %s at %s', (_, path, ...texts) => {
    expect(textsAt(ubl, path)).toEqual(texts)
  })
})

describe('a credit note in UBL', () => {
  const xml = writeUbl({ ...fullInvoice(), typeCode: '381' }, 'en16931')

  it.each([
    ['its own root and type code', '/cn:CreditNote/cbc:CreditNoteTypeCode', ['381']],
    ['its own lines', '/cn:CreditNote/cac:CreditNoteLine/cbc:CreditedQuantity', ['250', '1']],
    ['the due date with the means of payment', '/cn:CreditNote/cac:PaymentMeans[1]/cbc:PaymentDueDate', ['2026-04-30']],
    [
      'the project as a document',
      '/cn:CreditNote/cac:AdditionalDocumentReference[cbc:DocumentTypeCode="50"]/cbc:ID',
      ['project'],
    ],
  ])('has %s', (_, path, texts) => {
    expect(textsAt(xml, path)).toEqual(texts)
  })

  it('has a due date without a means of payment', () => {
    const bare = writeUbl({ ...fullInvoice(), typeCode: '381', payments: [] }, 'en16931')
    expect(textsAt(bare, '/cn:CreditNote/cac:PaymentMeans/cbc:PaymentMeansCode')).toEqual(['1'])
  })
})

describe('written XML', () => {
  it('has no empty elements and attributes', () => {
    for (const xml of [writeCii(fullInvoice(), 'en16931'), writeUbl(fullInvoice(), 'en16931')]) {
      expect(textsAt(xml, '//*[not(*) and normalize-space()=""]')).toEqual([])
      expect(textsAt(xml, '//@*[.=""]')).toEqual([])
    }
  })

  it('replaces characters that XML cannot have, and keeps line feeds', () => {
    const paymentTerms = 'a\u0001b\ud800c\nd\u{1f69a}'
    const xml = writeCii({ ...fullInvoice(), paymentTerms }, 'en16931')
    expect(textsAt(xml, `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:Description`)).toEqual([
      'a\ufffdb\ufffdc\nd\u{1f69a}',
    ])
  })

  it('leaves out what the profile BASIC of Factur-X does not have', () => {
    const xml = writeCii(fullInvoice(), 'facturx-basic')
    for (const name of ['DefinedTradeContact', 'AdditionalReferencedDocument', 'SellerAssignedID', 'AccountName'])
      expect(textsAt(xml, `//ram:${name}`)).toEqual([])
    expect(textsAt(xml, `${TOTALS}/ram:DuePayableAmount`)).toEqual(['103.72'])
  })
})

import type { Place } from './place'

const DOCUMENT = '/rsm:CrossIndustryInvoice/rsm:ExchangedDocument'
const CONTEXT = '/rsm:CrossIndustryInvoice/rsm:ExchangedDocumentContext'
const TRADE = '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction'
const AGREEMENT = `${TRADE}/ram:ApplicableHeaderTradeAgreement`
const DELIVERY = `${TRADE}/ram:ApplicableHeaderTradeDelivery`
/** Where CII says how much is to be paid, and how. */
export const SETTLEMENT = `${TRADE}/ram:ApplicableHeaderTradeSettlement`
/** Totals of the document. */
export const TOTALS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`

const SELLER = `${AGREEMENT}/ram:SellerTradeParty`
const BUYER = `${AGREEMENT}/ram:BuyerTradeParty`
const REPRESENTATIVE = `${AGREEMENT}/ram:SellerTaxRepresentativeTradeParty`
const SHIP_TO = `${DELIVERY}/ram:ShipToTradeParty`
const PAYEE = `${SETTLEMENT}/ram:PayeeTradeParty`
const MEANS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`
const TERMS = `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms`
const TAX = `${SETTLEMENT}/ram:ApplicableTradeTax[ram:TypeCode="VAT"]`
const PRECEDING = `${SETTLEMENT}/ram:InvoiceReferencedDocument`
const REFERENCE = `${AGREEMENT}/ram:AdditionalReferencedDocument`
const LINE = `${TRADE}/ram:IncludedSupplyChainTradeLineItem[1]`
const PRODUCT = `${LINE}/ram:SpecifiedTradeProduct`
const PRICES = `${LINE}/ram:SpecifiedLineTradeAgreement`
const LINE_SETTLEMENT = `${LINE}/ram:SpecifiedLineTradeSettlement`

const ADDRESS_PARTS = [
  ['LineOne', 'Street 1'],
  ['LineTwo', 'House'],
  ['LineThree', 'Floor'],
  ['CityName', 'City'],
  ['PostcodeCode', '100'],
  ['CountrySubDivisionName', 'Region'],
] as const

/** Terms in the order street, street2, street3, city, post code, region, country. */
function address(party: string, mark: string, country: string, terms: readonly number[]): Place[] {
  const at = (name: string): string => `${party}/ram:PostalTradeAddress/ram:${name}`
  const parts = ADDRESS_PARTS.map(([name, text], index): Place => [
    `BT-${terms[index]}`,
    at(name),
    name === 'PostcodeCode' ? `${mark}-${text}` : `${mark} ${text}`,
  ])
  return [...parts, [`BT-${terms[6]}`, at('CountryID'), country]]
}

/** Terms in the order amount, base, percent, reason, reason code. */
function adjustment(parent: string, isCharge: boolean, terms: readonly number[], texts: readonly string[]): Place[] {
  const names = ['ActualAmount', 'BasisAmount', 'CalculationPercent', 'Reason', 'ReasonCode']
  const path = `${parent}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="${isCharge}"]`
  return names.map((name, index): Place => [`BT-${terms[index]}`, `${path}/ram:${name}`, texts[index] ?? ''])
}

function taxOf(isCharge: boolean, name: string): string {
  const indicator = `ram:ChargeIndicator/udt:Indicator="${isCharge}"`
  return `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[${indicator}]/ram:CategoryTradeTax[ram:TypeCode="VAT"]/ram:${name}`
}

function date(path: string, name = 'udt:DateTimeString'): string {
  return `${path}/${name}[@format="102"]`
}

/** Places of the terms of the full invoice (EN 16931-3-3). */
export const CII_PLACES: readonly Place[] = [
  ['BT-1', `${DOCUMENT}/ram:ID`, 'R-1'],
  ['BT-2', date(`${DOCUMENT}/ram:IssueDateTime`), '20260331'],
  ['BT-3', `${DOCUMENT}/ram:TypeCode`, '380'],
  ['BT-5', `${SETTLEMENT}/ram:InvoiceCurrencyCode`, 'EUR'],
  ['BT-6', `${SETTLEMENT}/ram:TaxCurrencyCode`, 'SEK'],
  ['BT-7', date(`${TAX}/ram:TaxPointDate`, 'udt:DateString'), '20260329'],
  ['BT-9', date(`${TERMS}/ram:DueDateDateTime`), '20260430'],
  ['BT-10', `${AGREEMENT}/ram:BuyerReference`, 'buyer reference'],
  ['BT-11', `${AGREEMENT}/ram:SpecifiedProcuringProject[ram:Name]/ram:ID`, 'project'],
  ['BT-12', `${AGREEMENT}/ram:ContractReferencedDocument/ram:IssuerAssignedID`, 'contract'],
  ['BT-13', `${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`, 'purchase order'],
  ['BT-14', `${AGREEMENT}/ram:SellerOrderReferencedDocument/ram:IssuerAssignedID`, 'sales order'],
  ['BT-15', `${DELIVERY}/ram:ReceivingAdviceReferencedDocument/ram:IssuerAssignedID`, 'receiving advice'],
  ['BT-16', `${DELIVERY}/ram:DespatchAdviceReferencedDocument/ram:IssuerAssignedID`, 'despatch advice'],
  ['BT-17', `${REFERENCE}[ram:TypeCode="50"]/ram:IssuerAssignedID`, 'tender'],
  ['BT-18', `${REFERENCE}[ram:TypeCode="130"][ram:ReferenceTypeCode="AAA"]/ram:IssuerAssignedID`, 'object'],
  ['BT-19', `${SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`, 'accounting'],
  ['BT-20', `${TERMS}/ram:Description`, 'Net 30'],
  ['BT-21', `${DOCUMENT}/ram:IncludedNote[ram:Content="Register"]/ram:SubjectCode`, 'REG'],
  ['BT-22', `${DOCUMENT}/ram:IncludedNote/ram:Content`, 'First <note> & "more"', 'Register'],
  [
    'BT-23',
    `${CONTEXT}/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID`,
    'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  ],
  ['BT-24', `${CONTEXT}/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID`, 'urn:cen.eu:en16931:2017'],
  ['BT-25', `${PRECEDING}/ram:IssuerAssignedID`, 'R-0', 'R-00'],
  ['BT-26', date(`${PRECEDING}[1]/ram:FormattedIssueDateTime`, 'qdt:DateTimeString'), '20260201'],
  ['BT-27', `${SELLER}/ram:Name`, 'Seller Ltd'],
  ['BT-28', `${SELLER}/ram:SpecifiedLegalOrganization/ram:TradingBusinessName`, 'Seller Shop'],
  ['BT-29', `${SELLER}/ram:ID[not(@schemeID)]`, 'seller id'],
  ['BT-29', `${SELLER}/ram:GlobalID[@schemeID="0088"]`, '4000001000005'],
  ['BT-30', `${SELLER}/ram:SpecifiedLegalOrganization/ram:ID[@schemeID="0002"]`, 'seller register'],
  ['BT-31', `${SELLER}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]`, 'DE123456789'],
  ['BT-32', `${SELLER}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID="FC"]`, '12/345/67890'],
  ['BT-33', `${SELLER}/ram:Description`, 'seller legal form'],
  ['BT-34', `${SELLER}/ram:URIUniversalCommunication/ram:URIID[@schemeID="EM"]`, 'seller@example.com'],
  ...address(SELLER, 'S', 'DE', [35, 36, 162, 37, 38, 39, 40]),
  ['BT-41', `${SELLER}/ram:DefinedTradeContact/ram:PersonName`, 'seller contact'],
  ['BT-42', `${SELLER}/ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber`, '+49 30 1'],
  ['BT-43', `${SELLER}/ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID`, 'contact@seller.example'],
  ['BT-44', `${BUYER}/ram:Name`, 'Buyer Ltd'],
  ['BT-45', `${BUYER}/ram:SpecifiedLegalOrganization/ram:TradingBusinessName`, 'Buyer Shop'],
  ['BT-46', `${BUYER}/ram:GlobalID[@schemeID="0088"]`, 'buyer id'],
  ['BT-47', `${BUYER}/ram:SpecifiedLegalOrganization/ram:ID[not(@schemeID)]`, 'buyer register'],
  ['BT-48', `${BUYER}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]`, 'AT987654321'],
  ['BT-49', `${BUYER}/ram:URIUniversalCommunication/ram:URIID[@schemeID="0088"]`, '9876543210'],
  ...address(BUYER, 'B', 'AT', [50, 51, 163, 52, 53, 54, 55]),
  ['BT-56', `${BUYER}/ram:DefinedTradeContact/ram:PersonName`, 'buyer contact'],
  ['BT-57', `${BUYER}/ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber`, '+43 1 1'],
  ['BT-58', `${BUYER}/ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID`, 'contact@buyer.example'],
  ['BT-59', `${PAYEE}/ram:Name`, 'Payee Ltd'],
  ['BT-60', `${PAYEE}/ram:GlobalID[@schemeID="0088"]`, 'payee id'],
  ['BT-61', `${PAYEE}/ram:SpecifiedLegalOrganization/ram:ID[@schemeID="0002"]`, 'payee register'],
  ['BT-62', `${REPRESENTATIVE}/ram:Name`, 'Representative Ltd'],
  ['BT-63', `${REPRESENTATIVE}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]`, 'FR12345678901'],
  ...address(REPRESENTATIVE, 'T', 'FR', [64, 65, 164, 66, 67, 68, 69]),
  ['BT-70', `${SHIP_TO}/ram:Name`, 'Warehouse'],
  ['BT-71', `${SHIP_TO}/ram:GlobalID[@schemeID="0088"]`, 'location'],
  ['BT-72', date(`${DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime`), '20260328'],
  ['BT-73', date(`${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime`), '20260301'],
  ['BT-74', date(`${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime`), '20260330'],
  ...address(SHIP_TO, 'D', 'IT', [75, 76, 165, 77, 78, 79, 80]),
  ['BT-81', `${MEANS}/ram:TypeCode`, '58', '58'],
  ['BT-82', `${MEANS}[1]/ram:Information`, 'by transfer'],
  ['BT-83', `${SETTLEMENT}/ram:PaymentReference`, 'payment reference'],
  ['BT-84', `${MEANS}[1]/ram:PayeePartyCreditorFinancialAccount/ram:IBANID`, 'DE89370400440532013000'],
  ['BT-84', `${MEANS}[2]/ram:PayeePartyCreditorFinancialAccount/ram:ProprietaryID`, '987-654'],
  ['BT-85', `${MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:AccountName`, 'account holder', 'second holder'],
  ['BT-86', `${MEANS}/ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID`, 'COBADEFFXXX'],
  ...adjustment(SETTLEMENT, false, [92, 93, 94, 97, 98], ['10.00', '100.00', '10', 'document allowance', '95']),
  ['BT-95', taxOf(false, 'CategoryCode'), 'S'],
  ['BT-96', taxOf(false, 'RateApplicablePercent'), '19'],
  [
    'BT-99',
    `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="true"]/ram:ActualAmount`,
    '5.00',
  ],
  [
    'BT-104',
    `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="true"]/ram:Reason`,
    'document charge',
  ],
  [
    'BT-105',
    `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="true"]/ram:ReasonCode`,
    'FC',
  ],
  ['BT-102', taxOf(true, 'CategoryCode'), 'S'],
  ['BT-103', taxOf(true, 'RateApplicablePercent'), '7'],
  ['BT-106', `${TOTALS}/ram:LineTotalAmount`, '138.00'],
  ['BT-107', `${TOTALS}/ram:AllowanceTotalAmount`, '10.00'],
  ['BT-108', `${TOTALS}/ram:ChargeTotalAmount`, '5.00'],
  ['BT-109', `${TOTALS}/ram:TaxBasisTotalAmount`, '133.00'],
  ['BT-110', `${TOTALS}/ram:TaxTotalAmount[@currencyID="EUR"]`, '20.71'],
  ['BT-111', `${TOTALS}/ram:TaxTotalAmount[@currencyID="SEK"]`, '230.12'],
  ['BT-112', `${TOTALS}/ram:GrandTotalAmount`, '153.71'],
  ['BT-113', `${TOTALS}/ram:TotalPrepaidAmount`, '50.00'],
  ['BT-114', `${TOTALS}/ram:RoundingAmount`, '0.01'],
  ['BT-115', `${TOTALS}/ram:DuePayableAmount`, '103.72'],
  ['BT-116', `${TAX}/ram:BasisAmount`, '95.00', '38.00'],
  ['BT-117', `${TAX}/ram:CalculatedAmount`, '18.05', '2.66'],
  ['BT-118', `${TAX}/ram:CategoryCode`, 'S', 'S'],
  ['BT-119', `${TAX}/ram:RateApplicablePercent`, '19', '7'],
  ['BT-122', `${REFERENCE}[ram:TypeCode="916"]/ram:IssuerAssignedID`, 'A-1', 'A-2'],
  ['BT-123', `${REFERENCE}[ram:IssuerAssignedID="A-1"]/ram:Name`, 'time sheet'],
  ['BT-124', `${REFERENCE}[ram:IssuerAssignedID="A-2"]/ram:URIID`, 'https://example.com/a'],
  ['BT-125', `${REFERENCE}/ram:AttachmentBinaryObject[@mimeCode="text/csv"][@filename="time.csv"]`, 'YSxi'],
  ['BT-126', `${LINE}/ram:AssociatedDocumentLineDocument/ram:LineID`, '10'],
  ['BT-127', `${LINE}/ram:AssociatedDocumentLineDocument/ram:IncludedNote/ram:Content`, 'line note'],
  [
    'BT-128',
    `${LINE_SETTLEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="130"][ram:ReferenceTypeCode="AAB"]/ram:IssuerAssignedID`,
    'line object',
  ],
  ['BT-129', `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity`, '250'],
  ['BT-130', `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode`, 'H87'],
  ['BT-131', `${LINE_SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`, '105.00'],
  ['BT-132', `${PRICES}/ram:BuyerOrderReferencedDocument/ram:LineID`, 'order line'],
  ['BT-133', `${LINE_SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`, 'line accounting'],
  ['BT-134', date(`${LINE_SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime`), '20260302'],
  ['BT-135', date(`${LINE_SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime`), '20260320'],
  ...adjustment(LINE_SETTLEMENT, false, [136, 137, 138, 139, 140], ['5.00', '100.00', '5', 'line allowance', '100']),
  ...adjustment(LINE_SETTLEMENT, true, [141, 142, 143, 144, 145], ['10.00', '80.00', '12.5', 'line charge', 'PC']),
  ['BT-146', `${PRICES}/ram:NetPriceProductTradePrice/ram:ChargeAmount`, '40'],
  [
    'BT-147',
    `${PRICES}/ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="false"]/ram:ActualAmount`,
    '5.5',
  ],
  ['BT-148', `${PRICES}/ram:GrossPriceProductTradePrice/ram:ChargeAmount`, '45.5'],
  ['BT-149', `${PRICES}/*/ram:BasisQuantity`, '100', '100'],
  ['BT-150', `${PRICES}/*/ram:BasisQuantity/@unitCode`, 'H87', 'H87'],
  ['BT-151', `${LINE_SETTLEMENT}/ram:ApplicableTradeTax[ram:TypeCode="VAT"]/ram:CategoryCode`, 'S'],
  ['BT-152', `${LINE_SETTLEMENT}/ram:ApplicableTradeTax[ram:TypeCode="VAT"]/ram:RateApplicablePercent`, '19'],
  ['BT-153', `${PRODUCT}/ram:Name`, 'item name'],
  ['BT-154', `${PRODUCT}/ram:Description`, 'item details'],
  ['BT-155', `${PRODUCT}/ram:SellerAssignedID`, 'seller item'],
  ['BT-156', `${PRODUCT}/ram:BuyerAssignedID`, 'buyer item'],
  ['BT-157', `${PRODUCT}/ram:GlobalID[@schemeID="0160"]`, '4000001000012'],
  [
    'BT-158',
    `${PRODUCT}/ram:DesignatedProductClassification/ram:ClassCode[@listID="TST"][@listVersionID="19"]`,
    '43211503',
  ],
  ['BT-159', `${PRODUCT}/ram:OriginTradeCountry/ram:ID`, 'JP'],
  ['BT-160', `${PRODUCT}/ram:ApplicableProductCharacteristic/ram:Description`, 'Color'],
  ['BT-161', `${PRODUCT}/ram:ApplicableProductCharacteristic/ram:Value`, 'Black'],
]

/** Places of the terms that the full invoice doesn't have, mostly because they exclude others. */
export const CII_VARIANT_PLACES: readonly Place[] = [
  ['BT-8', `${TAX}/ram:DueDateTypeCode`, '29', '29'],
  ['BT-87', `${MEANS}/ram:ApplicableTradeSettlementFinancialCard/ram:ID`, '4711'],
  ['BT-88', `${MEANS}/ram:ApplicableTradeSettlementFinancialCard/ram:CardholderName`, 'Erika'],
  ['BT-89', `${TERMS}/ram:DirectDebitMandateID`, 'M-1'],
  ['BT-90', `${SETTLEMENT}/ram:CreditorReferenceID`, 'DE98ZZZ09999999999'],
  ['BT-91', `${MEANS}/ram:PayerPartyDebtorFinancialAccount/ram:IBANID`, 'DE02120300000000202051'],
  [
    'BT-100',
    `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="true"]/ram:BasisAmount`,
    '25.00',
  ],
  [
    'BT-101',
    `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="true"]/ram:CalculationPercent`,
    '20',
  ],
  ['BT-120', `${TAX}/ram:ExemptionReason`, 'why'],
  ['BT-121', `${TAX}/ram:ExemptionReasonCode`, 'VATEX-EU-132'],
]

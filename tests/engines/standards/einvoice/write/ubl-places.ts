import type { Place } from './place'

const ROOT = '/in:Invoice'
const SELLER = `${ROOT}/cac:AccountingSupplierParty/cac:Party`
const BUYER = `${ROOT}/cac:AccountingCustomerParty/cac:Party`
const PAYEE = `${ROOT}/cac:PayeeParty`
const REPRESENTATIVE = `${ROOT}/cac:TaxRepresentativeParty`
const DELIVERY = `${ROOT}/cac:Delivery`
const MEANS = `${ROOT}/cac:PaymentMeans`
const REFERENCE = `${ROOT}/cac:AdditionalDocumentReference`
const PRECEDING = `${ROOT}/cac:BillingReference/cac:InvoiceDocumentReference`
const TOTALS = `${ROOT}/cac:LegalMonetaryTotal`
const TAX = `${ROOT}/cac:TaxTotal/cac:TaxSubtotal`
const TAX_CATEGORY = `${TAX}/cac:TaxCategory[cac:TaxScheme/cbc:ID="VAT"]`
const LINE = `${ROOT}/cac:InvoiceLine[1]`
const ITEM = `${LINE}/cac:Item`
const PRICE = `${LINE}/cac:Price`

/** Terms in the order street, street2, street3, city, post code, region, country. */
function address(path: string, mark: string, country: string, terms: readonly number[]): Place[] {
  const parts = [
    ['cbc:StreetName', `${mark} Street 1`],
    ['cbc:AdditionalStreetName', `${mark} House`],
    ['cac:AddressLine/cbc:Line', `${mark} Floor`],
    ['cbc:CityName', `${mark} City`],
    ['cbc:PostalZone', `${mark}-100`],
    ['cbc:CountrySubentity', `${mark} Region`],
    ['cac:Country/cbc:IdentificationCode', country],
  ] as const
  return parts.map(([name, text], index): Place => [`BT-${terms[index]}`, `${path}/${name}`, text])
}

/** Terms in the order amount, base, percent, reason, reason code. */
function adjustment(parent: string, isCharge: boolean, terms: readonly number[], texts: readonly string[]): Place[] {
  const names = [
    'cbc:Amount[@currencyID="EUR"]',
    'cbc:BaseAmount[@currencyID="EUR"]',
    'cbc:MultiplierFactorNumeric',
    'cbc:AllowanceChargeReason',
    'cbc:AllowanceChargeReasonCode',
  ]
  const path = `${parent}/cac:AllowanceCharge[cbc:ChargeIndicator="${isCharge}"]`
  return names.map((name, index): Place => [`BT-${terms[index]}`, `${path}/${name}`, texts[index] ?? ''])
}

function taxOf(isCharge: boolean, name: string): string {
  return `${ROOT}/cac:AllowanceCharge[cbc:ChargeIndicator="${isCharge}"]/cac:TaxCategory[cac:TaxScheme/cbc:ID="VAT"]/cbc:${name}`
}

function taxId(party: string, scheme: string): string {
  return `${party}/cac:PartyTaxScheme[cac:TaxScheme/cbc:ID="${scheme}"]/cbc:CompanyID`
}

/** Places of the terms of the full invoice (EN 16931-3-2). */
export const UBL_PLACES: readonly Place[] = [
  ['BT-1', `${ROOT}/cbc:ID`, 'R-1'],
  ['BT-2', `${ROOT}/cbc:IssueDate`, '2026-03-31'],
  ['BT-3', `${ROOT}/cbc:InvoiceTypeCode`, '380'],
  ['BT-5', `${ROOT}/cbc:DocumentCurrencyCode`, 'EUR'],
  ['BT-6', `${ROOT}/cbc:TaxCurrencyCode`, 'SEK'],
  ['BT-7', `${ROOT}/cbc:TaxPointDate`, '2026-03-29'],
  ['BT-9', `${ROOT}/cbc:DueDate`, '2026-04-30'],
  ['BT-10', `${ROOT}/cbc:BuyerReference`, 'buyer reference'],
  ['BT-11', `${ROOT}/cac:ProjectReference/cbc:ID`, 'project'],
  ['BT-12', `${ROOT}/cac:ContractDocumentReference/cbc:ID`, 'contract'],
  ['BT-13', `${ROOT}/cac:OrderReference/cbc:ID`, 'purchase order'],
  ['BT-14', `${ROOT}/cac:OrderReference/cbc:SalesOrderID`, 'sales order'],
  ['BT-15', `${ROOT}/cac:ReceiptDocumentReference/cbc:ID`, 'receiving advice'],
  ['BT-16', `${ROOT}/cac:DespatchDocumentReference/cbc:ID`, 'despatch advice'],
  ['BT-17', `${ROOT}/cac:OriginatorDocumentReference/cbc:ID`, 'tender'],
  ['BT-18', `${REFERENCE}[cbc:DocumentTypeCode="130"]/cbc:ID[@schemeID="AAA"]`, 'object'],
  ['BT-19', `${ROOT}/cbc:AccountingCost`, 'accounting'],
  ['BT-20', `${ROOT}/cac:PaymentTerms/cbc:Note`, 'Net 30'],
  ['BT-21', `${ROOT}/cbc:Note[starts-with(., "#REG#")]`, '#REG#Register'],
  ['BT-22', `${ROOT}/cbc:Note`, 'First <note> & "more"', '#REG#Register'],
  ['BT-23', `${ROOT}/cbc:ProfileID`, 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'],
  ['BT-24', `${ROOT}/cbc:CustomizationID`, 'urn:cen.eu:en16931:2017'],
  ['BT-25', `${PRECEDING}/cbc:ID`, 'R-0', 'R-00'],
  ['BT-26', `${PRECEDING}[cbc:ID="R-0"]/cbc:IssueDate`, '2026-02-01'],
  ['BT-27', `${SELLER}/cac:PartyLegalEntity/cbc:RegistrationName`, 'Seller Ltd'],
  ['BT-28', `${SELLER}/cac:PartyName/cbc:Name`, 'Seller Shop'],
  ['BT-29', `${SELLER}/cac:PartyIdentification/cbc:ID`, 'seller id', '4000001000005'],
  ['BT-29', `${SELLER}/cac:PartyIdentification/cbc:ID/@schemeID`, '0088'],
  ['BT-30', `${SELLER}/cac:PartyLegalEntity/cbc:CompanyID[@schemeID="0002"]`, 'seller register'],
  ['BT-31', taxId(SELLER, 'VAT'), 'DE123456789'],
  ['BT-32', taxId(SELLER, 'FC'), '12/345/67890'],
  ['BT-33', `${SELLER}/cac:PartyLegalEntity/cbc:CompanyLegalForm`, 'seller legal form'],
  ['BT-34', `${SELLER}/cbc:EndpointID[@schemeID="EM"]`, 'seller@example.com'],
  ...address(`${SELLER}/cac:PostalAddress`, 'S', 'DE', [35, 36, 162, 37, 38, 39, 40]),
  ['BT-41', `${SELLER}/cac:Contact/cbc:Name`, 'seller contact'],
  ['BT-42', `${SELLER}/cac:Contact/cbc:Telephone`, '+49 30 1'],
  ['BT-43', `${SELLER}/cac:Contact/cbc:ElectronicMail`, 'contact@seller.example'],
  ['BT-44', `${BUYER}/cac:PartyLegalEntity/cbc:RegistrationName`, 'Buyer Ltd'],
  ['BT-45', `${BUYER}/cac:PartyName/cbc:Name`, 'Buyer Shop'],
  ['BT-46', `${BUYER}/cac:PartyIdentification/cbc:ID[@schemeID="0088"]`, 'buyer id'],
  ['BT-47', `${BUYER}/cac:PartyLegalEntity/cbc:CompanyID[not(@schemeID)]`, 'buyer register'],
  ['BT-48', taxId(BUYER, 'VAT'), 'AT987654321'],
  ['BT-49', `${BUYER}/cbc:EndpointID[@schemeID="0088"]`, '9876543210'],
  ...address(`${BUYER}/cac:PostalAddress`, 'B', 'AT', [50, 51, 163, 52, 53, 54, 55]),
  ['BT-56', `${BUYER}/cac:Contact/cbc:Name`, 'buyer contact'],
  ['BT-57', `${BUYER}/cac:Contact/cbc:Telephone`, '+43 1 1'],
  ['BT-58', `${BUYER}/cac:Contact/cbc:ElectronicMail`, 'contact@buyer.example'],
  ['BT-59', `${PAYEE}/cac:PartyName/cbc:Name`, 'Payee Ltd'],
  ['BT-60', `${PAYEE}/cac:PartyIdentification/cbc:ID[@schemeID="0088"]`, 'payee id'],
  ['BT-61', `${PAYEE}/cac:PartyLegalEntity/cbc:CompanyID[@schemeID="0002"]`, 'payee register'],
  ['BT-62', `${REPRESENTATIVE}/cac:PartyName/cbc:Name`, 'Representative Ltd'],
  ['BT-63', taxId(REPRESENTATIVE, 'VAT'), 'FR12345678901'],
  ...address(`${REPRESENTATIVE}/cac:PostalAddress`, 'T', 'FR', [64, 65, 164, 66, 67, 68, 69]),
  ['BT-70', `${DELIVERY}/cac:DeliveryParty/cac:PartyName/cbc:Name`, 'Warehouse'],
  ['BT-71', `${DELIVERY}/cac:DeliveryLocation/cbc:ID[@schemeID="0088"]`, 'location'],
  ['BT-72', `${DELIVERY}/cbc:ActualDeliveryDate`, '2026-03-28'],
  ['BT-73', `${ROOT}/cac:InvoicePeriod/cbc:StartDate`, '2026-03-01'],
  ['BT-74', `${ROOT}/cac:InvoicePeriod/cbc:EndDate`, '2026-03-30'],
  ...address(`${DELIVERY}/cac:DeliveryLocation/cac:Address`, 'D', 'IT', [75, 76, 165, 77, 78, 79, 80]),
  ['BT-81', `${MEANS}/cbc:PaymentMeansCode`, '58', '58'],
  ['BT-82', `${MEANS}/cbc:PaymentMeansCode/@name`, 'by transfer'],
  ['BT-83', `${MEANS}/cbc:PaymentID`, 'payment reference', 'payment reference'],
  ['BT-84', `${MEANS}/cac:PayeeFinancialAccount/cbc:ID`, 'DE89370400440532013000', '987-654'],
  ['BT-85', `${MEANS}/cac:PayeeFinancialAccount/cbc:Name`, 'account holder', 'second holder'],
  ['BT-86', `${MEANS}/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID`, 'COBADEFFXXX'],
  ...adjustment(ROOT, false, [92, 93, 94, 97, 98], ['10.00', '100.00', '10', 'document allowance', '95']),
  ['BT-95', taxOf(false, 'ID'), 'S'],
  ['BT-96', taxOf(false, 'Percent'), '19'],
  ['BT-99', `${ROOT}/cac:AllowanceCharge[cbc:ChargeIndicator="true"]/cbc:Amount`, '5.00'],
  ['BT-104', `${ROOT}/cac:AllowanceCharge[cbc:ChargeIndicator="true"]/cbc:AllowanceChargeReason`, 'document charge'],
  ['BT-105', `${ROOT}/cac:AllowanceCharge[cbc:ChargeIndicator="true"]/cbc:AllowanceChargeReasonCode`, 'FC'],
  ['BT-102', taxOf(true, 'ID'), 'S'],
  ['BT-103', taxOf(true, 'Percent'), '7'],
  ['BT-106', `${TOTALS}/cbc:LineExtensionAmount[@currencyID="EUR"]`, '138.00'],
  ['BT-107', `${TOTALS}/cbc:AllowanceTotalAmount[@currencyID="EUR"]`, '10.00'],
  ['BT-108', `${TOTALS}/cbc:ChargeTotalAmount[@currencyID="EUR"]`, '5.00'],
  ['BT-109', `${TOTALS}/cbc:TaxExclusiveAmount[@currencyID="EUR"]`, '133.00'],
  ['BT-110', `${ROOT}/cac:TaxTotal[cac:TaxSubtotal]/cbc:TaxAmount[@currencyID="EUR"]`, '20.71'],
  ['BT-111', `${ROOT}/cac:TaxTotal[not(cac:TaxSubtotal)]/cbc:TaxAmount[@currencyID="SEK"]`, '230.12'],
  ['BT-112', `${TOTALS}/cbc:TaxInclusiveAmount[@currencyID="EUR"]`, '153.71'],
  ['BT-113', `${TOTALS}/cbc:PrepaidAmount[@currencyID="EUR"]`, '50.00'],
  ['BT-114', `${TOTALS}/cbc:PayableRoundingAmount[@currencyID="EUR"]`, '0.01'],
  ['BT-115', `${TOTALS}/cbc:PayableAmount[@currencyID="EUR"]`, '103.72'],
  ['BT-116', `${TAX}/cbc:TaxableAmount[@currencyID="EUR"]`, '95.00', '38.00'],
  ['BT-117', `${TAX}/cbc:TaxAmount[@currencyID="EUR"]`, '18.05', '2.66'],
  ['BT-118', `${TAX_CATEGORY}/cbc:ID`, 'S', 'S'],
  ['BT-119', `${TAX_CATEGORY}/cbc:Percent`, '19', '7'],
  ['BT-122', `${REFERENCE}[not(cbc:DocumentTypeCode)]/cbc:ID`, 'A-1', 'A-2'],
  ['BT-123', `${REFERENCE}[cbc:ID="A-1"]/cbc:DocumentDescription`, 'time sheet'],
  ['BT-124', `${REFERENCE}[cbc:ID="A-2"]/cac:Attachment/cac:ExternalReference/cbc:URI`, 'https://example.com/a'],
  [
    'BT-125',
    `${REFERENCE}/cac:Attachment/cbc:EmbeddedDocumentBinaryObject[@mimeCode="text/csv"][@filename="time.csv"]`,
    'YSxi',
  ],
  ['BT-126', `${LINE}/cbc:ID`, '10'],
  ['BT-127', `${LINE}/cbc:Note`, 'line note'],
  ['BT-128', `${LINE}/cac:DocumentReference[cbc:DocumentTypeCode="130"]/cbc:ID[@schemeID="AAB"]`, 'line object'],
  ['BT-129', `${LINE}/cbc:InvoicedQuantity`, '250'],
  ['BT-130', `${LINE}/cbc:InvoicedQuantity/@unitCode`, 'H87'],
  ['BT-131', `${LINE}/cbc:LineExtensionAmount[@currencyID="EUR"]`, '105.00'],
  ['BT-132', `${LINE}/cac:OrderLineReference/cbc:LineID`, 'order line'],
  ['BT-133', `${LINE}/cbc:AccountingCost`, 'line accounting'],
  ['BT-134', `${LINE}/cac:InvoicePeriod/cbc:StartDate`, '2026-03-02'],
  ['BT-135', `${LINE}/cac:InvoicePeriod/cbc:EndDate`, '2026-03-20'],
  ...adjustment(LINE, false, [136, 137, 138, 139, 140], ['5.00', '100.00', '5', 'line allowance', '100']),
  ...adjustment(LINE, true, [141, 142, 143, 144, 145], ['10.00', '80.00', '12.5', 'line charge', 'PC']),
  ['BT-146', `${PRICE}/cbc:PriceAmount[@currencyID="EUR"]`, '40'],
  ['BT-147', `${PRICE}/cac:AllowanceCharge[cbc:ChargeIndicator="false"]/cbc:Amount[@currencyID="EUR"]`, '5.5'],
  ['BT-148', `${PRICE}/cac:AllowanceCharge/cbc:BaseAmount[@currencyID="EUR"]`, '45.5'],
  ['BT-149', `${PRICE}/cbc:BaseQuantity`, '100'],
  ['BT-150', `${PRICE}/cbc:BaseQuantity/@unitCode`, 'H87'],
  ['BT-151', `${ITEM}/cac:ClassifiedTaxCategory[cac:TaxScheme/cbc:ID="VAT"]/cbc:ID`, 'S'],
  ['BT-152', `${ITEM}/cac:ClassifiedTaxCategory/cbc:Percent`, '19'],
  ['BT-153', `${ITEM}/cbc:Name`, 'item name'],
  ['BT-154', `${ITEM}/cbc:Description`, 'item details'],
  ['BT-155', `${ITEM}/cac:SellersItemIdentification/cbc:ID`, 'seller item'],
  ['BT-156', `${ITEM}/cac:BuyersItemIdentification/cbc:ID`, 'buyer item'],
  ['BT-157', `${ITEM}/cac:StandardItemIdentification/cbc:ID[@schemeID="0160"]`, '4000001000012'],
  [
    'BT-158',
    `${ITEM}/cac:CommodityClassification/cbc:ItemClassificationCode[@listID="TST"][@listVersionID="19"]`,
    '43211503',
  ],
  ['BT-159', `${ITEM}/cac:OriginCountry/cbc:IdentificationCode`, 'JP'],
  ['BT-160', `${ITEM}/cac:AdditionalItemProperty/cbc:Name`, 'Color'],
  ['BT-161', `${ITEM}/cac:AdditionalItemProperty/cbc:Value`, 'Black'],
]

/** Places of the terms that the full invoice doesn't have, mostly because they exclude others. */
export const UBL_VARIANT_PLACES: readonly Place[] = [
  ['BT-8', `${ROOT}/cac:InvoicePeriod/cbc:DescriptionCode`, '35'],
  ['BT-87', `${MEANS}/cac:CardAccount/cbc:PrimaryAccountNumberID`, '4711'],
  ['BT-88', `${MEANS}/cac:CardAccount/cbc:HolderName`, 'Erika'],
  ['BT-89', `${MEANS}/cac:PaymentMandate/cbc:ID`, 'M-1'],
  ['BT-90', `${SELLER}/cac:PartyIdentification/cbc:ID[@schemeID="SEPA"]`, 'DE98ZZZ09999999999'],
  ['BT-91', `${MEANS}/cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID`, 'DE02120300000000202051'],
  ['BT-100', `${ROOT}/cac:AllowanceCharge[cbc:ChargeIndicator="true"]/cbc:BaseAmount`, '25.00'],
  ['BT-101', `${ROOT}/cac:AllowanceCharge[cbc:ChargeIndicator="true"]/cbc:MultiplierFactorNumeric`, '20'],
  ['BT-120', `${TAX_CATEGORY}/cbc:TaxExemptionReason`, 'why'],
  ['BT-121', `${TAX_CATEGORY}/cbc:TaxExemptionReasonCode`, 'VATEX-EU-132'],
]

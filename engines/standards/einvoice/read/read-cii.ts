import { parseDecimal } from '../decimal'
import type {
  Account,
  Attachment,
  DocumentAdjustment,
  ElectronicInvoice,
  OtherTax,
  Payment,
  TaxBreakdown,
} from '../model'
import { readLines } from './cii-line'
import { isCharge, otherTypeOf, readAdjustment, readCommonDate, readDate, readPeriod, readTax } from './cii-parts'
import { readParty, readPayee, readRepresentative, readShipTo } from './cii-party'
import { findDebit, joinPayments } from './payments'
import { decimal, ifAny, ifSome, readCommon, readTerms } from './values'
import type { XmlNode } from './xml-tree'

/** CII uses codes of UNTDID 2475. EN 16931 uses UNTDID 2005. */
const TAX_POINT_CODES: Readonly<Record<string, string>> = { 5: '3', 29: '35', 72: '432' }

/** Types of referenced documents (UNTDID 1001). */
const [LOT, OBJECT, SUPPORTING] = ['50', '130', '916']
/** The name that writers give to a project. The schema requires one, and EN 16931 has no field for it. */
const PROJECT_NAME = 'Project reference'

/** Reads a Cross Industry Invoice, or an invoice of ZUGFeRD 1 with renamed elements. */
export function readCii(root: XmlNode): ElectronicInvoice {
  const context = root.find('ExchangedDocumentContext')
  const document = root.find('ExchangedDocument')
  const transaction = root.find('SupplyChainTradeTransaction')
  const agreement = transaction?.find('ApplicableHeaderTradeAgreement')
  const delivery = transaction?.find('ApplicableHeaderTradeDelivery')
  const settlement = transaction?.find('ApplicableHeaderTradeSettlement')
  const references = agreement?.all('AdditionalReferencedDocument') ?? []
  const ofType = (type: string): XmlNode | undefined => findOfType(references, type)
  const object = ofType(OBJECT)
  const taxes = settlement?.all('ApplicableTradeTax') ?? []
  const taxPointCode = readCommon(taxes.flatMap(one => one.find('DueDateTypeCode') ?? []))
  const currency = settlement?.text('InvoiceCurrencyCode')
  const taxCurrency = settlement?.text('TaxCurrencyCode')
  const adjustments = settlement?.all('SpecifiedTradeAllowanceCharge') ?? []
  const terms = settlement?.all('SpecifiedTradePaymentTerms') ?? []
  const project = agreement?.find('SpecifiedProcuringProject')
  project?.skip([PROJECT_NAME, project.peek('ID')], 'Name')
  const specification = context?.text('GuidelineSpecifiedDocumentContextParameter', 'ID')
  return {
    specification,
    businessProcess: context?.text('BusinessProcessSpecifiedDocumentContextParameter', 'ID'),
    invoiceNumber: document?.text('ID'),
    issueDate: readDate(document?.find('IssueDateTime')),
    typeCode: document?.text('TypeCode'),
    currency,
    taxCurrency,
    taxPointDate: readCommonDate(taxes.map(one => one.find('TaxPointDate'))),
    taxPointCode: taxPointCode && (TAX_POINT_CODES[taxPointCode] ?? taxPointCode),
    dueDate: readCommonDate(terms.map(one => one.find('DueDateDateTime'))),
    buyerReference: agreement?.text('BuyerReference'),
    projectReference: project?.text('ID'),
    contractReference: readReference(agreement?.find('ContractReferencedDocument')),
    purchaseOrder: readReference(agreement?.find('BuyerOrderReferencedDocument')),
    salesOrder: readReference(agreement?.find('SellerOrderReferencedDocument')),
    receivingAdvice: readReference(delivery?.find('ReceivingAdviceReferencedDocument')),
    despatchAdvice: readReference(delivery?.find('DespatchAdviceReferencedDocument')),
    tenderReference: readReference(ofType(LOT ?? '')),
    invoicedObject: object && { id: readReference(object), scheme: object.text('ReferenceTypeCode') },
    accountingReference: settlement?.text('ReceivableSpecifiedTradeAccountingAccount', 'ID'),
    paymentTerms: terms.flatMap(one => readTerms(one.find('Description')) ?? []).join('\n') || undefined,
    notes: (document?.all('IncludedNote') ?? []).flatMap(note => {
      const texts = note.all('Content').flatMap(one => one.text() ?? [])
      const text = texts.length > 0 ? texts.join('\n') : note.text('ContentCode')
      return text === undefined && note.peek('SubjectCode') === undefined
        ? []
        : [{ text, subjectCode: note.text('SubjectCode') }]
    }),
    precedingInvoices: (settlement?.all('InvoiceReferencedDocument') ?? []).map(one => ({
      number: readReference(one),
      issueDate: readDate(one.find('FormattedIssueDateTime') ?? one.find('IssueDateTime')),
    })),
    from: readParty(agreement?.find('SellerTradeParty'), 'seller'),
    billTo: readParty(agreement?.find('BuyerTradeParty'), 'buyer'),
    payee: readPayee(settlement?.find('PayeeTradeParty')),
    taxRepresentative: readRepresentative(agreement?.find('SellerTaxRepresentativeTradeParty')),
    shipTo: readShipTo(delivery?.find('ShipToTradeParty')),
    deliveryDate: readDate(delivery?.find('ActualDeliverySupplyChainEvent', 'OccurrenceDateTime')),
    period: readPeriod(settlement?.find('BillingSpecifiedPeriod')),
    payments: readPayments(settlement, terms),
    paymentReference: settlement?.find('SpecifiedTradeSettlementPaymentMeans')
      ? undefined
      : settlement?.text('PaymentReference'),
    allowances: adjustments
      .filter(one => !isCharge(one))
      .map((one, at) => readDocumentAdjustment(one, `allowances[${at}]`)),
    charges: [
      ...adjustments.filter(one => isCharge(one)),
      ...(settlement?.all('SpecifiedLogisticsServiceCharge') ?? []),
    ].map((one, at) => readDocumentAdjustment(one, `charges[${at}]`)),
    totals: readTotals(settlement, { currency, taxCurrency }),
    taxes: taxes.flatMap(one => (otherTypeOf(one) === undefined ? readVat(one) : [])),
    otherTaxes: ifSome(taxes.flatMap(one => readOtherTax(one) ?? [])),
    attachments: references
      .filter(one => !(one.peek('TypeCode') === LOT || one.peek('TypeCode') === OBJECT))
      .map(readAttachment),
    ...readLines(transaction?.all('IncludedSupplyChainTradeLineItem') ?? [], isExtended(specification)),
    collected: readCollected(settlement),
  }
}

/** Returns whether a specification is the profile EXTENDED of Factur-X, or another extension of it. */
function isExtended(specification: string | undefined): boolean {
  return specification !== undefined && /:extended\b/.test(specification)
}

/** The sum of amounts that are collected for third parties. */
function readCollected(settlement: XmlNode | undefined): string | undefined {
  const amounts = (settlement?.all('SpecifiedFinancialAdjustment') ?? []).flatMap(
    one => parseDecimal(decimal(one.peek('ActualAmount'))) ?? [],
  )
  return amounts.length > 0 ? amounts.reduce((sum, amount) => sum.plus(amount)).toFixed() : undefined
}

function findOfType(references: readonly XmlNode[], type: string): XmlNode | undefined {
  const found = references.find(one => one.peek('TypeCode') === type)
  found?.text('TypeCode')
  return found
}

function readVat(node: XmlNode): TaxBreakdown {
  const { taxCategory, taxPercent } = readTax([node])
  return {
    base: decimal(node.text('BasisAmount')),
    tax: decimal(node.text('CalculatedAmount')),
    category: taxCategory,
    percent: taxPercent,
    exemptionReason: node.text('ExemptionReason'),
    exemptionCode: node.text('ExemptionReasonCode'),
  }
}

function readOtherTax(node: XmlNode): OtherTax | undefined {
  const type = otherTypeOf(node)
  if (type === undefined) return undefined
  return {
    type: node.text('TypeCode') ?? type,
    base: decimal(node.text('BasisAmount')),
    tax: decimal(node.text('CalculatedAmount')),
    category: node.text('CategoryCode'),
    percent: decimal(node.text('RateApplicablePercent')),
  }
}

/** A charge for transport (ZUGFeRD 1, and EXTENDED of Factur-X) is a charge with a text as its reason. */
function readDocumentAdjustment(node: XmlNode, param: string): DocumentAdjustment {
  const { amount, reason, ...adjustment } = readAdjustment(node, param)
  return {
    ...adjustment,
    amount: amount ?? decimal(node.text('AppliedAmount')),
    reason: reason ?? node.text('Description'),
    ...readTax([...node.all('CategoryTradeTax'), ...node.all('AppliedTradeTax')]),
  }
}

/** ZUGFeRD 1 has the number in another element. */
function readReference(node: XmlNode | undefined): string | undefined {
  return node?.text('IssuerAssignedID') ?? node?.text('ID')
}

function readAttachment(node: XmlNode): Attachment {
  const object = node.find('AttachmentBinaryObject')
  const dataBase64 = object?.text()?.replace(/\s+/g, '')
  node.skip([SUPPORTING], 'TypeCode')
  return {
    id: readReference(node),
    description: node.text('Name'),
    url: node.text('URIID'),
    file:
      dataBase64 === undefined
        ? undefined
        : { name: object?.attribute('filename'), mimeType: object?.attribute('mimeCode'), dataBase64 },
  }
}

/** Without any means of payment, the model has no place for the creditor and the mandate. */
function readPayments(settlement: XmlNode | undefined, terms: readonly XmlNode[]): Payment[] {
  const means = settlement?.all('SpecifiedTradeSettlementPaymentMeans') ?? []
  if (!settlement || means.length === 0) return []
  const reference = settlement.text('PaymentReference')
  const creditorId = settlement.text('CreditorReferenceID')
  const mandate = readCommon(terms.flatMap(one => one.find('DirectDebitMandateID') ?? []))
  const payments = joinPayments(
    means.map(node => {
      const card = node.find('ApplicableTradeSettlementFinancialCard')
      const debitedIban = node.text('PayerPartyDebtorFinancialAccount', 'IBANID')
      return {
        meansCode: node.text('TypeCode'),
        meansText: node.text('Information'),
        reference,
        account: readAccount(node),
        card: card && { lastDigits: card.text('ID'), holder: card.text('CardholderName') },
        directDebit: debitedIban === undefined ? undefined : { mandate, creditorId, debitedIban },
      }
    }),
  )
  const debit = findDebit(payments)
  if (debit && !payments.some(one => one.directDebit))
    debit.directDebit = ifAny({ mandate, creditorId, debitedIban: undefined })
  return payments
}

function readAccount(node: XmlNode): Account | undefined {
  const account = node.find('PayeePartyCreditorFinancialAccount')
  const iban = account?.text('IBANID')
  const other = account?.text('ProprietaryID')
  const bic = node.text('PayeeSpecifiedCreditorFinancialInstitution', 'BICID')
  const name = account?.text('AccountName')
  if (iban === undefined && other === undefined && bic === undefined && name === undefined) return undefined
  return { id: iban ?? other, isIban: iban !== undefined, name, bic }
}

function readTotals(
  settlement: XmlNode | undefined,
  { currency, taxCurrency }: { currency: string | undefined; taxCurrency: string | undefined },
): ElectronicInvoice['totals'] {
  const node = settlement?.find('SpecifiedTradeSettlementHeaderMonetarySummation')
  const taxes = node?.all('TaxTotalAmount') ?? []
  const second = taxes.find(
    one => taxCurrency !== undefined && taxCurrency !== currency && one.attribute('currencyID') === taxCurrency,
  )
  return {
    lines: decimal(node?.text('LineTotalAmount')),
    allowances: decimal(node?.text('AllowanceTotalAmount')),
    charges: decimal(node?.text('ChargeTotalAmount')),
    withoutTax: decimal(node?.text('TaxBasisTotalAmount')),
    tax: decimal(taxes.find(one => one !== second)?.text()),
    taxInTaxCurrency: decimal(second?.text()),
    withTax: decimal(node?.text('GrandTotalAmount')),
    paid: decimal(node?.text('TotalPrepaidAmount')),
    rounding: decimal(node?.text('RoundingAmount')),
    due: decimal(node?.text('DuePayableAmount')),
  }
}

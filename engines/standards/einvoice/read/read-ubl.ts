import type { Account, Attachment, ElectronicInvoice, OtherTax, Payment, TaxBreakdown } from '../model'
import { isCharge, otherTypeOf, readAdjustment, readLine, readPeriod, readTax } from './ubl-line'
import { readAddress, readCreditorId, readParty, readPayee, readRepresentative } from './ubl-party'
import { findDebit, joinPayments } from './payments'
import { date, decimal, identifier, ifAny, ifSome, readCommon, readTerms } from './values'
import type { XmlNode } from './xml-tree'

/** Types of referenced documents (UNTDID 1001): the invoiced object, and the project of a credit note. */
const [OBJECT, PROJECT, SUPPORTING] = ['130', '50', '916']
/** The order number that writers use if the invoice only has a sales order number. */
const NO_ORDER = 'NA'
/** Stand for the network of a card, which the schema requires. Converters from CII write the second one. */
const UNKNOWN_NETWORKS = ['NA', 'mapped-from-cii']

/** Reads a UBL Invoice or CreditNote. */
export function readUbl(root: XmlNode): ElectronicInvoice {
  const currency = root.text('DocumentCurrencyCode')
  const taxCurrency = root.text('TaxCurrencyCode')
  const references = root.all('AdditionalDocumentReference')
  const ofType = (type: string): XmlNode | undefined => findOfType(references, type)
  const order = root.find('OrderReference')
  const salesOrder = order?.text('SalesOrderID')
  const purchaseOrder = order?.text('ID')
  const adjustments = root.all('AllowanceCharge')
  const delivery = root.find('Delivery')
  const location = delivery?.find('DeliveryLocation')
  return {
    specification: root.text('CustomizationID'),
    businessProcess: root.text('ProfileID'),
    invoiceNumber: root.text('ID'),
    issueDate: date(root.text('IssueDate')),
    typeCode: root.text('InvoiceTypeCode') ?? root.text('CreditNoteTypeCode'),
    currency,
    taxCurrency,
    taxPointDate: date(root.text('TaxPointDate')),
    taxPointCode: root.text('InvoicePeriod', 'DescriptionCode'),
    dueDate: readCommon(
      [root, ...root.all('PaymentMeans')].flatMap(one => one.find('DueDate') ?? one.find('PaymentDueDate') ?? []),
      leaf => date(leaf.peek()),
    ),
    buyerReference: root.text('BuyerReference'),
    projectReference: root.text('ProjectReference', 'ID') ?? ofType(PROJECT ?? '')?.text('ID'),
    contractReference: root.text('ContractDocumentReference', 'ID'),
    purchaseOrder: purchaseOrder === NO_ORDER && salesOrder !== undefined ? undefined : purchaseOrder,
    salesOrder,
    receivingAdvice: root.text('ReceiptDocumentReference', 'ID'),
    despatchAdvice: root.text('DespatchDocumentReference', 'ID'),
    tenderReference: root.text('OriginatorDocumentReference', 'ID'),
    invoicedObject: identifier(ofType(OBJECT ?? '')?.find('ID')),
    accountingReference: root.text('AccountingCost'),
    paymentTerms:
      root
        .all('PaymentTerms')
        .flatMap(one => readTerms(one.find('Note')) ?? [])
        .join('\n') || undefined,
    notes: root.all('Note').flatMap(note => readNote(note.text())),
    precedingInvoices: root.all('BillingReference').flatMap(one =>
      one.all('InvoiceDocumentReference').map(document => ({
        number: document.text('ID'),
        issueDate: date(document.text('IssueDate')),
      })),
    ),
    from: readParty(root.find('AccountingSupplierParty'), 'seller'),
    billTo: readParty(root.find('AccountingCustomerParty'), 'buyer'),
    payee: readPayee(root.find('PayeeParty')),
    taxRepresentative: readRepresentative(root.find('TaxRepresentativeParty')),
    shipTo:
      delivery &&
      ifAny({
        name: delivery.text('DeliveryParty', 'PartyName', 'Name'),
        id: identifier(location?.find('ID')),
        address: readAddress(location?.find('Address')),
      }),
    deliveryDate: date(delivery?.text('ActualDeliveryDate')),
    period: readPeriod(root.find('InvoicePeriod')),
    payments: readPayments(root),
    paymentReference: undefined, // The reference is a part of the means of payment.
    allowances: adjustments
      .filter(one => !isCharge(one))
      .map((one, at) => ({ ...readAdjustment(one, `allowances[${at}]`), ...readTax(one.all('TaxCategory')) })),
    charges: adjustments
      .filter(one => isCharge(one))
      .map((one, at) => ({ ...readAdjustment(one, `charges[${at}]`), ...readTax(one.all('TaxCategory')) })),
    ...readTaxesAndTotals(root, taxCurrency === currency ? undefined : taxCurrency),
    attachments: references
      .filter(one => ![OBJECT, PROJECT].includes(one.peek('DocumentTypeCode') ?? ''))
      .map(readAttachment),
    items: [...root.all('InvoiceLine'), ...root.all('CreditNoteLine')].map(readLine),
  }
}

function findOfType(references: readonly XmlNode[], type: string): XmlNode | undefined {
  const found = references.find(one => one.peek('DocumentTypeCode') === type)
  found?.text('DocumentTypeCode')
  return found
}

/** A note may begin with the code of its subject: `#AAI#Text`. */
function readNote(text: string | undefined): ElectronicInvoice['notes'] {
  if (text === undefined) return []
  const [, subjectCode, rest] = /^#([A-Z]{3})#([\s\S]*)$/.exec(text) ?? []
  return [subjectCode === undefined ? { text, subjectCode } : { text: rest?.trim(), subjectCode }]
}

function readAttachment(node: XmlNode): Attachment {
  const object = node.find('Attachment', 'EmbeddedDocumentBinaryObject')
  const dataBase64 = object?.text()?.replace(/\s+/g, '')
  node.skip([SUPPORTING], 'DocumentTypeCode')
  return {
    id: node.text('ID'),
    description: node.text('DocumentDescription'),
    url: node.text('Attachment', 'ExternalReference', 'URI'),
    file:
      dataBase64 === undefined
        ? undefined
        : { name: object?.attribute('filename'), mimeType: object?.attribute('mimeCode'), dataBase64 },
  }
}

/** Without any means of payment, the model has no place for the creditor. */
function readPayments(root: XmlNode): Payment[] {
  const means = root.all('PaymentMeans')
  if (means.length === 0) return []
  const creditorId = readCreditorId([root.find('PayeeParty'), root.find('AccountingSupplierParty', 'Party')])
  const payments = joinPayments(
    means.map(node => {
      const code = node.find('PaymentMeansCode')
      const card = node.find('CardAccount')
      const mandate = node.find('PaymentMandate')
      card?.skip(UNKNOWN_NETWORKS, 'NetworkID')
      return {
        meansCode: code?.text(),
        meansText: code?.attribute('name'),
        reference: node.text('PaymentID'),
        account: readAccount(node.find('PayeeFinancialAccount')),
        card: card && { lastDigits: card.text('PrimaryAccountNumberID'), holder: card.text('HolderName') },
        directDebit: mandate && {
          mandate: mandate.text('ID'),
          creditorId,
          debitedIban: mandate.text('PayerFinancialAccount', 'ID'),
        },
      }
    }),
  )
  const debit = findDebit(payments)
  if (debit && creditorId !== undefined && !payments.some(one => one.directDebit))
    debit.directDebit = { mandate: undefined, creditorId, debitedIban: undefined }
  return payments
}

/** An account number that looks like an IBAN is one. UBL doesn't tell them apart. */
function readAccount(node: XmlNode | undefined): Account | undefined {
  if (!node) return undefined
  const id = node.text('ID')
  return {
    id,
    isIban: /^[A-Z]{2}\d{2}[A-Z0-9 ]{11,40}$/i.test(id ?? ''),
    name: node.text('Name'),
    bic: node.text('FinancialInstitutionBranch', 'ID'),
  }
}

function readVat(node: XmlNode): TaxBreakdown {
  const category = node.find('TaxCategory')
  const { taxCategory, taxPercent } = readTax(node.all('TaxCategory'))
  return {
    base: decimal(node.text('TaxableAmount')),
    tax: decimal(node.text('TaxAmount')),
    category: taxCategory,
    percent: taxPercent,
    exemptionReason: category?.text('TaxExemptionReason'),
    exemptionCode: category?.text('TaxExemptionReasonCode'),
  }
}

function readOtherTax(node: XmlNode): OtherTax | undefined {
  const category = node.find('TaxCategory')
  const type = otherTypeOf(category)
  if (type === undefined) return undefined
  return {
    type: category?.text('TaxScheme', 'ID') ?? type,
    base: decimal(node.text('TaxableAmount')),
    tax: decimal(node.text('TaxAmount')),
    category: category?.text('ID'),
    percent: decimal(category?.text('Percent')),
  }
}

function readTaxesAndTotals(
  root: XmlNode,
  taxCurrency: string | undefined,
): Pick<ElectronicInvoice, 'taxes' | 'otherTaxes' | 'totals'> {
  const all = root.all('TaxTotal')
  const second = all.find(
    one => taxCurrency !== undefined && one.find('TaxAmount')?.attribute('currencyID') === taxCurrency,
  )
  const main = all.find(one => one !== second)
  const total = root.find('LegalMonetaryTotal')
  const subtotals = main?.all('TaxSubtotal') ?? []
  return {
    taxes: subtotals.flatMap(one => (otherTypeOf(one.find('TaxCategory')) === undefined ? readVat(one) : [])),
    otherTaxes: ifSome(subtotals.flatMap(one => readOtherTax(one) ?? [])),
    totals: {
      lines: decimal(total?.text('LineExtensionAmount')),
      allowances: decimal(total?.text('AllowanceTotalAmount')),
      charges: decimal(total?.text('ChargeTotalAmount')),
      withoutTax: decimal(total?.text('TaxExclusiveAmount')),
      tax: decimal(main?.text('TaxAmount')),
      taxInTaxCurrency: decimal(second?.text('TaxAmount')),
      withTax: decimal(total?.text('TaxInclusiveAmount')),
      paid: decimal(total?.text('PrepaidAmount')),
      rounding: decimal(total?.text('PayableRoundingAmount')),
      due: decimal(total?.text('PayableAmount')),
    },
  }
}

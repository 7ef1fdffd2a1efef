import { isCreditNote } from '../codes/codes'
import { SPECIFICATIONS } from '../formats'
import type { RuleSet } from '../formats'
import type { Attachment, ElectronicInvoice } from '../model'
import { writeLine } from './ubl-line'
import { writeCustomer, writeDelivery, writeId, writePayee, writeRepresentative, writeSupplier } from './ubl-party'
import { writePeriod } from './ubl-parts'
import { writeAdjustments, writeMeans, writeTaxes, writeTotals } from './ubl-settlement'
import { each, group, leaf } from './xml'
import type { Xml } from './xml'

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'

/** The schema requires an order number beside that of the seller (Peppol BIS Billing 3, 6.3). */
const NO_ORDER = 'NA'
/** Types of referenced documents (UNTDID 1001): the invoiced object, and the project of a credit note. */
const [OBJECT, PROJECT] = ['130', '50']

/**
 * Writes an invoice as a UBL 2.1 Invoice or CreditNote (EN 16931-3-2). Every term of the model has a place. Characters
 * that XML can't have are replaced by U+FFFD.
 */
export function writeUbl(invoice: ElectronicInvoice, ruleSet: RuleSet): string {
  const isCredit = isCreditNote(invoice.typeCode)
  const root = isCredit ? 'CreditNote' : 'Invoice'
  const directDebit = invoice.payments.find(payment => payment.directDebit)?.directDebit
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<${root} xmlns="${NAMESPACE}:${root}-2" xmlns:cac="${NAMESPACE}:CommonAggregateComponents-2" ` +
    `xmlns:cbc="${NAMESPACE}:CommonBasicComponents-2">\n` +
    writeHead(invoice, { isCredit, ruleSet }) +
    writeReferences(invoice, isCredit) +
    writeSupplier(invoice.from, directDebit?.creditorId) +
    writeCustomer(invoice.billTo) +
    writePayee(invoice.payee) +
    writeRepresentative(invoice.taxRepresentative) +
    writeDelivery(invoice) +
    writeMeans(invoice, isCredit) +
    group('cac:PaymentTerms', leaf('cbc:Note', invoice.paymentTerms)) +
    writeAdjustments(invoice) +
    writeTaxes(invoice) +
    writeTotals(invoice) +
    each(invoice.items, item => writeLine(item, { isCredit, currency: invoice.currency })) +
    `</${root}>\n`
  )
}

function writeHead(invoice: ElectronicInvoice, { isCredit, ruleSet }: { isCredit: boolean; ruleSet: RuleSet }): Xml {
  const taxPoint = leaf('cbc:TaxPointDate', invoice.taxPointDate)
  const notes = each(invoice.notes, ({ text, subjectCode }) =>
    leaf('cbc:Note', subjectCode === undefined ? text : `#${subjectCode}#${text ?? ''}`),
  )
  return (
    leaf('cbc:CustomizationID', invoice.specification ?? SPECIFICATIONS[ruleSet]) +
    leaf('cbc:ProfileID', invoice.businessProcess) +
    leaf('cbc:ID', invoice.invoiceNumber) +
    leaf('cbc:IssueDate', invoice.issueDate) +
    (isCredit
      ? taxPoint + leaf('cbc:CreditNoteTypeCode', invoice.typeCode) + notes
      : leaf('cbc:DueDate', invoice.dueDate) + leaf('cbc:InvoiceTypeCode', invoice.typeCode) + notes + taxPoint) +
    leaf('cbc:DocumentCurrencyCode', invoice.currency) +
    leaf('cbc:TaxCurrencyCode', invoice.taxCurrency) +
    leaf('cbc:AccountingCost', invoice.accountingReference) +
    leaf('cbc:BuyerReference', invoice.buyerReference) +
    writePeriod(invoice.period, invoice.taxPointCode)
  )
}

/** Invoices and credit notes have the references in different orders. */
function writeReferences(invoice: ElectronicInvoice, isCredit: boolean): Xml {
  const { purchaseOrder, salesOrder, projectReference, invoicedObject } = invoice
  const reference = (name: string, id: string | undefined): Xml => group(name, leaf('cbc:ID', id))
  const tender = reference('cac:OriginatorDocumentReference', invoice.tenderReference)
  const contract = reference('cac:ContractDocumentReference', invoice.contractReference)
  const object = invoicedObject
    ? group('cac:AdditionalDocumentReference', writeId('cbc:ID', invoicedObject), leaf('cbc:DocumentTypeCode', OBJECT))
    : ''
  const project = isCredit
    ? projectReference === undefined
      ? ''
      : group(
          'cac:AdditionalDocumentReference',
          leaf('cbc:ID', projectReference),
          leaf('cbc:DocumentTypeCode', PROJECT),
        )
    : reference('cac:ProjectReference', projectReference)
  const additional = each(invoice.attachments, writeAttachment) + object + project
  return (
    group(
      'cac:OrderReference',
      leaf('cbc:ID', purchaseOrder ?? (salesOrder === undefined ? undefined : NO_ORDER)),
      leaf('cbc:SalesOrderID', salesOrder),
    ) +
    each(invoice.precedingInvoices, ({ number, issueDate }) =>
      group(
        'cac:BillingReference',
        group('cac:InvoiceDocumentReference', leaf('cbc:ID', number), leaf('cbc:IssueDate', issueDate)),
      ),
    ) +
    reference('cac:DespatchDocumentReference', invoice.despatchAdvice) +
    reference('cac:ReceiptDocumentReference', invoice.receivingAdvice) +
    (isCredit ? contract + additional + tender : tender + contract + additional)
  )
}

function writeAttachment({ id, description, url, file }: Attachment): Xml {
  return group(
    'cac:AdditionalDocumentReference',
    leaf('cbc:ID', id),
    leaf('cbc:DocumentDescription', description),
    group(
      'cac:Attachment',
      leaf('cbc:EmbeddedDocumentBinaryObject', file?.dataBase64, { mimeCode: file?.mimeType, filename: file?.name }),
      group('cac:ExternalReference', leaf('cbc:URI', url)),
    ),
  )
}

import type {
  Adjustment,
  DocumentAdjustment,
  ElectronicInvoice,
  Identifier,
  Item,
  Party,
  PostalAddress,
} from '../../einvoice/model'
import type { invoiceSchema } from '../request/invoice'
import type * as z from 'zod'
import { isTaxCategory } from '../data/tax-fields'
import { fraction, numberOf, onLines, onOneLine, withoutMissing } from './values'
import { findBankCode } from '../data/bank-codes'
import { isIban } from '../data/payment-codes'

/** An invoice as a request. */
export type InvoiceRequest = z.input<typeof invoiceSchema>

/** Type codes of credit notes (UNTDID 1001, as in EN 16931). */
const CREDIT_NOTES: ReadonlySet<string> = new Set([
  '81',
  '83',
  '261',
  '262',
  '296',
  '308',
  '381',
  '396',
  '420',
  '458',
  '532',
])

const TYPES: Readonly<Record<string, InvoiceRequest['type']>> = {
  '380': 'invoice',
  '381': 'credit-note',
  '384': 'corrected-invoice',
  '386': 'prepayment-invoice',
}

/**
 * Writes the semantic model as the body of a request to the invoice endpoint, as far as the request has fields for it.
 * The totals are those of the model, so that a request with this body compares them.
 */
export function fromElectronic(invoice: ElectronicInvoice): Partial<InvoiceRequest> {
  const { typeCode = '380', totals, notes, shipTo, payee, taxRepresentative } = invoice
  const type = TYPES[typeCode]
  return withoutMissing({
    type: type ?? (CREDIT_NOTES.has(typeCode) ? 'credit-note' : 'invoice'),
    typeCode: type === undefined ? typeCode : undefined,
    invoiceNumber: invoice.invoiceNumber,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    currency: invoice.currency,
    taxCurrency: totals.taxInTaxCurrency === undefined ? undefined : invoice.taxCurrency,
    taxInTaxCurrency: numberOf(totals.taxInTaxCurrency),
    taxPointDate: invoice.taxPointDate,
    taxPointCode: invoice.taxPointCode,
    buyerReference: invoice.buyerReference,
    projectReference: invoice.projectReference,
    contractReference: invoice.contractReference,
    purchaseOrder: invoice.purchaseOrder,
    salesOrder: invoice.salesOrder,
    receivingAdvice: invoice.receivingAdvice,
    despatchAdvice: invoice.despatchAdvice,
    tenderReference: invoice.tenderReference,
    invoicedObject: writeId(invoice.invoicedObject),
    accountingReference: invoice.accountingReference,
    paymentTerms: onLines(invoice.paymentTerms),
    notes: joinNotes(notes),
    codedNotes: listOf(
      notes.flatMap(({ text, subjectCode }) =>
        subjectCode === undefined ? [] : [{ text: onLines(text), subjectCode }],
      ),
    ),
    precedingInvoice: listOf(
      invoice.precedingInvoices.map(({ number, issueDate }) => withoutMissing({ number, date: issueDate })),
    ),
    from: writeParty(invoice.from),
    billTo: writeParty(invoice.billTo),
    payee: payee && withoutMissing({ name: payee.name, id: writeId(payee.id), legalId: writeId(payee.legalId) }),
    taxRepresentative:
      taxRepresentative &&
      withoutMissing({
        name: taxRepresentative.name,
        vatId: taxRepresentative.vatId,
        address: writeAddress(taxRepresentative.address),
      }),
    shipTo:
      shipTo && withoutMissing({ name: shipTo.name, id: writeId(shipTo.id), address: writeAddress(shipTo.address) }),
    deliveryDate: invoice.deliveryDate,
    period: invoice.period && withoutMissing(invoice.period),
    payment: writePayments(invoice) ?? (invoice.paymentReference && { reference: invoice.paymentReference }),
    allowances: listOf(invoice.allowances.map(writeDocumentAdjustment)),
    charges: listOf(invoice.charges.map(writeDocumentAdjustment)),
    taxExemptions: listOf(writeExemptions(invoice)),
    attachments: listOf(
      invoice.attachments.map(({ id, description, url, file }) =>
        withoutMissing({ id, description, url, file: file && { name: file.name ?? id, dataBase64: file.dataBase64 } }),
      ),
    ),
    items: invoice.items.map(writeItem),
    amountPaid: numberOf(totals.paid),
    roundingAmount: numberOf(totals.rounding),
    totals: withoutMissing({
      subtotal: numberOf(totals.lines),
      tax: numberOf(totals.tax),
      total: numberOf(totals.withTax),
      amountDue: numberOf(totals.due),
    }),
    // What a file says needn't fit into the schema: the rules report what doesn't.
  }) as Partial<InvoiceRequest>
}

function listOf<Entry>(entries: Entry[]): Entry[] | undefined {
  return entries.length > 0 ? entries : undefined
}

function joinNotes(notes: ElectronicInvoice['notes']): string | undefined {
  const plain = notes.filter(({ subjectCode }) => subjectCode === undefined).map(({ text }) => text)
  return plain.length > 0 ? onLines(plain.join('\n')) : undefined
}

function writeId(id: Identifier | undefined): object | undefined {
  return id && withoutMissing({ id: id.id, scheme: id.scheme })
}

function writeAddress(address: PostalAddress | undefined): object | undefined {
  return address && withoutMissing(address)
}

function writeParty({ ids, legalId, electronicAddress, address, contact, ...texts }: Party): object {
  return withoutMissing({
    ...texts,
    name: onOneLine(texts.name),
    tradingName: onOneLine(texts.tradingName),
    legalInfo: onLines(texts.legalInfo),
    ids: listOf(ids.map(writeId)),
    legalId: writeId(legalId),
    electronicAddress: writeId(electronicAddress),
    address: writeAddress(address),
    contact: contact && withoutMissing(contact),
  })
}

/** The request has one means of payment. Further ones keep their accounts. */
function writePayments({
  payments: [first, ...others],
  currency,
}: Pick<ElectronicInvoice, 'payments' | 'currency'>): object | undefined {
  if (!first) return undefined
  const [account, ...further] = [first, ...others].flatMap(({ accounts }) => accounts)
  const writeAccount = ({ id, bic, name }: NonNullable<typeof account>): object => {
    const compact = id?.replace(/\s+/g, '').toUpperCase() ?? ''
    return withoutMissing({
      ...(isIban(compact) ? { iban: compact } : { accountNumber: id }),
      [(bic !== undefined && findBankCode(bic, currency)) || 'bic']: bic,
      accountName: onOneLine(name),
    })
  }
  return withoutMissing({
    means: first.meansCode,
    meansText: first.meansText,
    reference: first.reference,
    ...(account && writeAccount(account)),
    furtherAccounts: listOf(further.map(writeAccount)),
    card: first.card && withoutMissing(first.card),
    mandate: first.directDebit?.mandate,
    creditorId: first.directDebit?.creditorId,
    debitedIban: first.directDebit?.debitedIban,
  })
}

function writeAdjustment({ amount, base, percent, reason, reasonCode }: Adjustment): object {
  return withoutMissing({
    amount: numberOf(amount),
    base: numberOf(base),
    rate: fraction(percent),
    reason: onOneLine(reason),
    reasonCode,
  })
}

function writeDocumentAdjustment(adjustment: DocumentAdjustment): object {
  return withoutMissing({ ...writeAdjustment(adjustment), ...writeTax(adjustment) })
}

function writeTax({ taxCategory, taxPercent }: { taxCategory: string | undefined; taxPercent: string | undefined }) {
  return { taxRate: fraction(taxPercent), taxCategory }
}

function writeExemptions({ taxes }: ElectronicInvoice): object[] {
  const seen = new Set<string>()
  return taxes.flatMap(({ category, exemptionReason, exemptionCode }) => {
    if (!isTaxCategory(category) || seen.has(category) || !(exemptionReason ?? exemptionCode)) return []
    seen.add(category)
    return [withoutMissing({ category, reason: exemptionReason, reasonCode: exemptionCode })]
  })
}

function writeItem(item: Item, index: number): object {
  const { allowances, charges, period, standardItemId, classifications, attributes, invoicedObject } = item
  return withoutMissing({
    description: onLines(item.description),
    details: onLines(item.details),
    quantity: numberOf(item.quantity),
    rate: numberOf(item.rate),
    unitCode: item.unitCode,
    grossPrice: numberOf(item.grossPrice),
    priceBase: numberOf(item.priceBase),
    ...writeTax(item),
    allowances: listOf(allowances.map(writeAdjustment)),
    charges: listOf(charges.map(writeAdjustment)),
    lineId: item.lineId === String(index + 1) ? undefined : item.lineId,
    note: onLines(item.note),
    period: period && withoutMissing(period),
    orderLine: item.orderLine,
    accountingReference: item.accountingReference,
    invoicedObject: writeId(invoicedObject),
    sku: item.sku,
    buyerItemId: item.buyerItemId,
    standardItemId: writeId(standardItemId),
    classifications: listOf(classifications.map(withoutMissing)),
    originCountry: item.originCountry,
    attributes: listOf(attributes.map(withoutMissing)),
  })
}

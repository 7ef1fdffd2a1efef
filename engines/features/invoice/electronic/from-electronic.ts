import type { Adjustment, DocumentAdjustment, ElectronicInvoice, Item, Party } from '../../../standards/einvoice/model'
import type { invoiceFields } from '../data/invoice'
import type * as z from 'zod'
import { isTaxCategory } from '../data/tax-fields'
import { findBankCode } from '../data/bank-codes'
import { isIban } from '../data/payment-codes'
import { parseDecimal } from '../../../standards/einvoice/decimal'

/** An invoice as a request. */
export type InvoiceRequest = z.input<typeof invoiceFields>

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
 * The totals are those of the model, so that a request with this body compares them. Values of the model needn't fit
 * the schema of the request.
 */
export function fromElectronic(invoice: ElectronicInvoice): Partial<InvoiceRequest> {
  const { typeCode = '380', totals, notes, shipTo, payee, taxRepresentative } = invoice
  const type = TYPES[typeCode]
  return withTidyTexts<Partial<InvoiceRequest>>({
    type: type ?? (CREDIT_NOTES.has(typeCode) ? 'credit-note' : 'invoice'),
    typeCode: type === undefined ? typeCode : undefined,
    invoiceNumber: invoice.invoiceNumber,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    currency: invoice.currency,
    taxCurrency: totals.taxInTaxCurrency === undefined ? undefined : invoice.taxCurrency,
    taxInTaxCurrency: numberOrText(totals.taxInTaxCurrency),
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
    invoicedObject: invoice.invoicedObject,
    accountingReference: invoice.accountingReference,
    paymentTerms: invoice.paymentTerms,
    notes: joinNotes(notes),
    codedNotes: listOf(
      notes.flatMap(({ text, subjectCode }) =>
        subjectCode === undefined || text === undefined ? [] : [{ text, subjectCode }],
      ),
    ),
    precedingInvoice: listOf(invoice.precedingInvoices.map(({ number, issueDate }) => ({ number, date: issueDate }))),
    from: writeParty(invoice.from),
    billTo: writeParty(invoice.billTo),
    payee,
    taxRepresentative,
    shipTo,
    deliveryDate: invoice.deliveryDate,
    period: invoice.period,
    payment: writePayments(invoice) ?? (invoice.paymentReference && { reference: invoice.paymentReference }),
    allowances: listOf(invoice.allowances.map(writeDocumentAdjustment)),
    charges: listOf(invoice.charges.map(writeDocumentAdjustment)),
    taxExemptions: listOf(writeExemptions(invoice)),
    attachments: listOf(
      invoice.attachments.map(({ id, description, url, file }) => ({
        id,
        description: description?.replace(/\s+/g, ' '),
        url,
        file: file && { name: file.name ?? id, dataBase64: file.dataBase64 },
      })),
    ),
    items: invoice.items.map(writeItem),
    amountPaid: numberOrText(totals.paid),
    roundingAmount: numberOrText(totals.rounding),
    totals: {
      subtotal: numberOrText(totals.lines),
      tax: numberOrText(totals.tax),
      total: numberOrText(totals.withTax),
      amountDue: numberOrText(totals.due),
    },
  })
}

function listOf<Entry>(entries: Entry[]): Entry[] | undefined {
  return entries.length > 0 ? entries : undefined
}

function joinNotes(notes: ElectronicInvoice['notes']): string | undefined {
  const plain = notes.filter(({ subjectCode }) => subjectCode === undefined).map(({ text }) => text)
  return plain.length > 0 ? plain.join('\n') : undefined
}

function writeParty(party: Party): object {
  return { ...party, ids: listOf(party.ids) }
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
    return {
      ...(isIban(compact) ? { iban: compact } : { accountNumber: id }),
      [(bic !== undefined && findBankCode(bic, currency)) || 'bic']: bic,
      accountName: name,
    }
  }
  return {
    means: first.meansCode,
    meansText: first.meansText,
    reference: first.reference,
    ...(account && writeAccount(account)),
    furtherAccounts: listOf(further.map(writeAccount)),
    card: first.card,
    mandate: first.directDebit?.mandate,
    creditorId: first.directDebit?.creditorId,
    debitedIban: first.directDebit?.debitedIban,
  }
}

function writeAdjustment({ amount, base, percent, reason, reasonCode }: Adjustment): object {
  return {
    amount: numberOrText(amount),
    base: numberOrText(base),
    rate: fractionOrText(percent),
    reason,
    reasonCode,
  }
}

function writeDocumentAdjustment(adjustment: DocumentAdjustment): object {
  return { ...writeAdjustment(adjustment), ...writeTax(adjustment) }
}

function writeTax({ taxCategory, taxPercent }: { taxCategory: string | undefined; taxPercent: string | undefined }) {
  return { taxRate: fractionOrText(taxPercent), taxCategory }
}

function writeExemptions({ taxes }: ElectronicInvoice): object[] {
  const seen = new Set<string>()
  return taxes.flatMap(({ category, exemptionReason, exemptionCode }) => {
    if (!isTaxCategory(category) || seen.has(category) || !(exemptionReason ?? exemptionCode)) return []
    seen.add(category)
    return [{ category, reason: exemptionReason, reasonCode: exemptionCode }]
  })
}

function writeItem(item: Item, index: number): object {
  return {
    description: item.description,
    details: item.details,
    quantity: numberOrText(item.quantity),
    rate: numberOrText(item.rate),
    unitCode: item.unitCode,
    grossPrice: numberOrText(item.grossPrice),
    priceBase: numberOrText(item.priceBase),
    ...writeTax(item),
    allowances: listOf(item.allowances.map(writeAdjustment)),
    charges: listOf(item.charges.map(writeAdjustment)),
    lineId: item.lineId === String(index + 1) ? undefined : item.lineId,
    note: item.note,
    period: item.period,
    orderLine: item.orderLine,
    accountingReference: item.accountingReference,
    invoicedObject: item.invoicedObject,
    sku: item.sku,
    buyerItemId: item.buyerItemId,
    standardItemId: item.standardItemId,
    classifications: listOf(item.classifications),
    originCountry: item.originCountry,
    attributes: listOf(item.attributes),
  }
}

/** Writes a line that may not be billed, with the fields of an item. */
export function writeLine(item: Item, index: number): object {
  return withTidyTexts(writeItem(item, index))
}

/** A decimal text as a JSON number, or the text itself if it isn't a number. */
function numberOrText(text: string | undefined): number | string | undefined {
  return parseDecimal(text)?.toNumber() ?? text
}

/** A percentage as a fraction, exactly: 0.07 for `7`. The text itself if it isn't a number. */
function fractionOrText(percent: string | undefined): number | string | undefined {
  return parseDecimal(percent)?.div(100).toNumber() ?? percent
}

/** Fields of requests with several lines. All others have one. */
const FIELDS_WITH_LINES: ReadonlySet<string> = new Set([
  'notes',
  'text',
  'paymentTerms',
  'legalInfo',
  'description',
  'details',
  'note',
])

/**
 * Returns a copy without undefined members, whose texts have no tabs and other separators. The texts of most fields are
 * on one line.
 */
function withTidyTexts<Fields extends object = Record<string, unknown>>(fields: object): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[name, tidy(name, value)]],
    ),
  ) as Fields // What a file says needn't fit into a schema. Callers check that.
}

function tidy(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entry => tidy(name, entry))
  if (typeof value === 'object' && value !== null) return withTidyTexts(value)
  if (typeof value !== 'string' || name === 'dataBase64') return value
  if (!FIELDS_WITH_LINES.has(name)) return value.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]|[\u2028\u2029]/gu, ' ')
    .trimEnd()
}

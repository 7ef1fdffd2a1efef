import { PEPPOL_PROCESS, SPECIFICATIONS } from '../../../standards/einvoice/formats'
import type { RuleSet, Syntax } from '../../../standards/einvoice/formats'
import type { ElectronicInvoice, Note, Account, Payment } from '../../../standards/einvoice/model'
import { digitsOf } from '../data/currencies'
import type { Invoice } from '../data/invoice'
import { openFormats } from '../data/formats'
import { resolveLabels } from '../data/labels'
import { listPrepayments } from '../data/prepayment-texts'
import { exact } from '../data/totals'
import type { Exact, Totals } from '../data/totals'
import { convertDocumentAdjustments } from './adjustments'
import { convertItem } from './items'
import { convertAddress, convertBuyer, convertId, convertSeller } from './parties'
import { convertTaxes } from './taxes'
import { filled } from './texts'
import { listBankCodes } from '../data/bank-codes'
import { PAYMENT_MEANS } from '../data/payment-fields'

/** What an electronic invoice is written as. */
export interface ElectronicFormat {
  ruleSet: RuleSet
  syntax: Syntax
  output: 'pdf' | 'xml'
}

const TYPE_CODES: Readonly<Record<Invoice['type'], string | undefined>> = {
  invoice: '380',
  'credit-note': '381',
  'corrected-invoice': '384',
  'prepayment-invoice': '386',
  quote: undefined,
  proforma: undefined,
  receipt: undefined,
}

/** The format that a request names, with its defaults. Undefined if the invoice isn't electronic. */
export function formatOf({ eInvoice }: Pick<Invoice, 'eInvoice'>): ElectronicFormat | undefined {
  if (!eInvoice) return undefined
  const { format, profile = 'en16931', syntax = 'cii', output } = eInvoice
  switch (format) {
    case 'factur-x':
      return { ruleSet: `facturx-${profile}`, syntax: 'cii', output: output ?? 'pdf' }
    case 'xrechnung':
      return { ruleSet: 'xrechnung', syntax, output: output ?? 'xml' }
    case 'peppol':
      return { ruleSet: 'peppol', syntax: 'ubl', output: output ?? 'xml' }
  }
}

/**
 * Converts a request to the semantic model of EN 16931. `issueDate` is the date of an invoice without one, and `totals`
 * are its amounts, which the page prints too.
 */
export function toElectronic(
  invoice: Invoice,
  { ruleSet, issueDate, totals }: { ruleSet: RuleSet; issueDate: string; totals: Totals },
): ElectronicInvoice {
  const money = moneyIn(invoice.currency)
  const labels = resolveLabels(invoice.locale, invoice.labels)
  const formats = openFormats(invoice.locale, invoice.currency)
  const { shipTo, payee, taxRepresentative } = invoice
  return {
    specification: SPECIFICATIONS[ruleSet],
    businessProcess: ruleSet === 'peppol' || ruleSet === 'xrechnung' ? PEPPOL_PROCESS : undefined,
    invoiceNumber: filled(invoice.invoiceNumber),
    issueDate: invoice.issueDate ?? issueDate,
    typeCode: filled(invoice.typeCode) ?? TYPE_CODES[invoice.type],
    currency: invoice.currency,
    taxCurrency: invoice.taxCurrency,
    taxPointDate: invoice.taxPointDate,
    taxPointCode: invoice.taxPointCode,
    dueDate: invoice.dueDate,
    buyerReference: filled(invoice.buyerReference),
    projectReference: filled(invoice.projectReference),
    contractReference: filled(invoice.contractReference),
    purchaseOrder: filled(invoice.purchaseOrder),
    salesOrder: filled(invoice.salesOrder),
    receivingAdvice: filled(invoice.receivingAdvice),
    despatchAdvice: filled(invoice.despatchAdvice),
    tenderReference: filled(invoice.tenderReference),
    invoicedObject: invoice.invoicedObject && convertId(invoice.invoicedObject),
    accountingReference: filled(invoice.accountingReference),
    paymentTerms: termsOf(invoice),
    notes: notesOf(invoice, { ruleSet, prepayments: listPrepayments({ invoice, totals, labels, formats }) }),
    precedingInvoices: precedingOf(invoice),
    from: convertSeller(invoice.from),
    billTo: convertBuyer(invoice.billTo),
    payee: payee && {
      name: filled(payee.name),
      id: payee.id && convertId(payee.id),
      legalId: payee.legalId && convertId(payee.legalId),
    },
    taxRepresentative: taxRepresentative && {
      name: taxRepresentative.name,
      vatId: taxRepresentative.vatId,
      address: convertAddress(taxRepresentative.address),
    },
    shipTo: shipTo && {
      name: filled(shipTo.name),
      id: shipTo.id && convertId(shipTo.id),
      address: convertAddress(shipTo.address),
    },
    deliveryDate: invoice.deliveryDate,
    period: invoice.period && { start: undefined, end: undefined, ...invoice.period },
    payments: convertPayment(invoice),
    paymentReference: undefined,
    ...convertDocumentAdjustments(invoice, { totals, labels, money }),
    totals: convertTotals(invoice, totals, money),
    taxes: convertTaxes(invoice, { totals, labels, money, ruleSet }),
    attachments: (invoice.attachments ?? []).map(({ id, description, url, file }) => ({
      id,
      description: filled(description),
      url: filled(url),
      file: file && { name: file.name, mimeType: mimeTypeOf(file.name), dataBase64: file.dataBase64 },
    })),
    items: invoice.items.map((item, index) => convertItem(item, { index, invoice, totals, labels, money })),
  }
}

/** Writes an amount with the decimals of its currency. */
export type Money = (value: Exact) => string

function moneyIn(currency: string): Money {
  // EN 16931 permits two decimals at most (BR-DEC), and a rule reports currencies with more.
  const digits = digitsOf(currency)
  return value => value.toFixed(digits)
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  pdf: 'application/pdf',
  png: 'image/png',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
}

/** The type of a file by the extension of its name. Undefined if it is unknown. */
function mimeTypeOf(name: string): string | undefined {
  return MIME_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
}

/** A cash discount of XRechnung must end with a line break (BR-DE-18). */
function termsOf({ paymentTerms }: Invoice): string | undefined {
  const text = filled(paymentTerms)
  return text !== undefined && /(?:^|\n)#[^\n]*$/.test(text) ? `${text}\n` : text
}

/** Everything that the page prints as a note. Peppol permits one note (PEPPOL-EN16931-R002). */
function notesOf(
  { notes, codedNotes, customFields, terms }: Invoice,
  { ruleSet, prepayments }: { ruleSet: RuleSet; prepayments: ReturnType<typeof listPrepayments> },
): Note[] {
  const plain = [
    notes,
    ...(customFields ?? []).map(({ name, value }) => `${name}: ${value}`),
    prepayments
      .map(({ label, amount, detail }) => [`${label}: ${amount}`, detail && `(${detail})`].filter(Boolean).join(' '))
      .join('\n'),
    terms,
  ]
  const all = [
    ...plain.map(text => ({ text: filled(text), subjectCode: undefined })),
    ...(codedNotes ?? []).map(({ text, subjectCode }) => ({ text: filled(text), subjectCode: filled(subjectCode) })),
  ].filter(({ text }) => text !== undefined)
  if (ruleSet !== 'peppol' || all.length < 2) return all
  return [{ text: all.map(({ text }) => text).join('\n'), subjectCode: undefined }]
}

/** The invoices that this one refers to, among them those of prepayments (BG-3). */
function precedingOf({ precedingInvoice = [], prepayments = [] }: Invoice): ElectronicInvoice['precedingInvoices'] {
  const dates = new Map(precedingInvoice.map(({ number, date }) => [number, date]))
  for (const { reference, date } of prepayments) {
    const number = filled(reference)
    if (number !== undefined && !dates.has(number)) dates.set(number, date)
  }
  return Array.from(dates, ([number, issueDate]) => ({ number, issueDate }))
}

function convertTotals(invoice: Invoice, totals: Totals, money: Money): ElectronicInvoice['totals'] {
  const zero = exact(0)
  const sum = (values: readonly Exact[]): Exact => values.reduce((total, value) => total.plus(value), zero)
  const allowances = sum([totals.discount ?? zero, ...totals.allowances.map(({ amount }) => amount)])
  const charges = sum([totals.shipping ?? zero, ...totals.charges.map(({ amount }) => amount)])
  const hasAllowances = totals.discount !== undefined || totals.allowances.length > 0
  const hasCharges = totals.shipping !== undefined || totals.charges.length > 0
  const tax = sum(totals.taxes.map(line => line.tax))
  return {
    lines: money(totals.subtotal),
    allowances: hasAllowances ? money(allowances) : undefined,
    charges: hasCharges ? money(charges) : undefined,
    withoutTax: money(totals.withoutTax),
    tax: money(tax),
    taxInTaxCurrency: totals.taxInTaxCurrency?.toFixed(digitsOf(invoice.taxCurrency ?? invoice.currency)),
    withTax: money(totals.total),
    paid: totals.paid && money(totals.paid),
    rounding: totals.rounding && money(totals.rounding),
    due: money(totals.due),
  }
}

type PaymentDetails = NonNullable<Invoice['payment']>

/** Converts the payment details. Empty if nothing says how to pay. */
function convertPayment({ payment, currency }: Pick<Invoice, 'payment' | 'currency'>): Payment[] {
  if (!payment) return []
  const accounts = [payment, ...(payment.furtherAccounts ?? [])].flatMap(convertAccount)
  const meansCode = payment.means ?? usualMeans(payment, currency)
  if (meansCode === undefined) return []
  const { mandate, creditorId, debitedIban, card } = payment
  return [
    {
      meansCode,
      meansText: filled(payment.meansText),
      reference: filled(payment.reference),
      accounts,
      card: card && { lastDigits: filled(card.lastDigits), holder: filled(card.holder) },
      directDebit:
        mandate || creditorId || debitedIban
          ? { mandate: filled(mandate), creditorId: filled(creditorId), debitedIban }
          : undefined,
    },
  ]
}

function usualMeans({ iban, accountNumber, card, mandate }: PaymentDetails, currency: string): string | undefined {
  if (mandate) return PAYMENT_MEANS[currency === 'EUR' ? 'sepa-direct-debit' : 'direct-debit']
  if (card) return PAYMENT_MEANS.card
  if (iban) return PAYMENT_MEANS[currency === 'EUR' ? 'sepa-credit-transfer' : 'credit-transfer']
  return accountNumber ? PAYMENT_MEANS['credit-transfer'] : undefined
}

function convertAccount(account: PaymentDetails | NonNullable<PaymentDetails['furtherAccounts']>[number]): Account[] {
  const id = account.iban ?? filled(account.accountNumber)
  const name = filled(account.accountName)
  const bic = account.bic ?? listBankCodes(account)[0]?.code
  return id === undefined && name === undefined && bic === undefined
    ? []
    : [{ id, isIban: account.iban !== undefined, name, bic }]
}

import type { Draft } from './draft'
import { hidesPayment, writeMeansAndCard } from './payment-means'
import type { Invoice } from '../data/invoice'

/** A date, number or reference beside the parties. */
interface Detail {
  label: string
  value: string
  param: string
}

/** Lists the dates and references of an invoice in the order in which they are printed. */
export function listDetails({ invoice, labels, formats, issueDate, setter }: Draft): Detail[] {
  const day = (date: string | undefined): string | undefined => date && formats.day(date)
  const text = (label: string, value: string | undefined, param: string): Detail[] =>
    value?.trim() ? [{ label, value, param }] : []
  const { precedingInvoice = [], invoicedObject } = invoice
  return [
    ...text(labels.issueDate, formats.day(issueDate), 'issueDate'),
    ...text(invoice.type === 'quote' ? labels.validUntil : labels.dueDate, day(invoice.dueDate), 'dueDate'),
    ...text(labels.deliveryDate, day(invoice.deliveryDate), 'deliveryDate'),
    ...text(labels.period, writePeriod(invoice.period, formats.day), 'period'),
    ...text(labels.taxPoint, day(invoice.taxPointDate), 'taxPointDate'),
    ...text(labels.taxPoint, taxPointOf({ invoice, labels }), 'taxPointCode'),
    ...precedingInvoice.flatMap(({ number, date }, index) =>
      text(
        labels.precedingInvoice,
        date === undefined ? number : `${setter.isolate(number)} (${setter.isolate(formats.day(date))})`,
        precedingInvoice.length > 1 ? `precedingInvoice[${index}]` : 'precedingInvoice',
      ),
    ),
    ...text(labels.buyerReference, invoice.buyerReference, 'buyerReference'),
    ...text(labels.purchaseOrder, invoice.purchaseOrder, 'purchaseOrder'),
    ...text(labels.salesOrder, invoice.salesOrder, 'salesOrder'),
    ...text(labels.contract, invoice.contractReference, 'contractReference'),
    ...text(labels.project, invoice.projectReference, 'projectReference'),
    ...text(labels.tender, invoice.tenderReference, 'tenderReference'),
    ...text(labels.despatchAdvice, invoice.despatchAdvice, 'despatchAdvice'),
    ...text(labels.receivingAdvice, invoice.receivingAdvice, 'receivingAdvice'),
    ...text(labels.object, invoicedObject?.id, 'invoicedObject.id'),
    ...text(labels.accountingReference, invoice.accountingReference, 'accountingReference'),
    ...(hidesPayment(invoice)
      ? text(labels.paymentMeans, writeMeansAndCard(invoice.payment, labels), 'payment.means')
      : []),
    ...(hasLongTerms(invoice) ? [] : text(labels.paymentTerms, invoice.paymentTerms, 'paymentTerms')),
    ...(invoice.customFields ?? []).flatMap(({ name, value }, index) => text(name, value, `customFields[${index}]`)),
  ]
}

/** The day of the payment. Undefined if the request doesn't say that the invoice is paid, or when. */
export function dayPaid({ invoice: { paid }, formats }: Pick<Draft, 'invoice' | 'formats'>): string | undefined {
  return typeof paid === 'string' ? formats.day(paid) : undefined
}

/** Returns whether the payment terms have several lines. They are then printed with the payment details. */
export function hasLongTerms({ paymentTerms }: Pick<Invoice, 'paymentTerms'>): boolean {
  return paymentTerms?.trim().includes('\n') ?? false
}

/** Writes a period. A dash shows an open start or end. */
export function writePeriod(
  period: { start?: string | undefined; end?: string | undefined } | undefined,
  writeDay: (date: string) => string,
): string | undefined {
  const { start, end } = period ?? {}
  if (start === undefined && end === undefined) return undefined
  if (start === end) return start && writeDay(start)
  return [start, end]
    .map(day => (day === undefined ? '' : writeDay(day)))
    .join(' – ')
    .trim()
}

/** What the tax is due on, in words. */
function taxPointOf({ invoice, labels }: Pick<Draft, 'invoice' | 'labels'>): string | undefined {
  const names = { 3: labels.issueDate, 35: labels.deliveryDate, 432: labels.onPayment }
  return invoice.taxPointCode && names[invoice.taxPointCode]
}

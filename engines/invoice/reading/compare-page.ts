import type { ElectronicInvoice } from '../../einvoice/model'
import type { PdfDocument } from '../../pdf-core/document/document'
import { visitPages } from '../../pdfium/render'
import { comparable, waysToPrintDate, waysToPrintNumber, withoutSpaces } from './printed-values'

/** A value of the XML that the pages don't show. */
export interface Difference {
  /** The field, such as `totals.amountDue`. */
  param: string
  /** The value in the XML. */
  value: string
  message: string
}

type Kind = 'text' | 'number' | 'date'

interface Expected {
  param: string
  value: string | undefined
  kind: Kind
}

/** Maximum number of pages whose text is read. */
const MAX_PAGES = 200

/**
 * Compares the amounts, dates, names and numbers of an invoice with the text of the pages. A value counts as printed if
 * the text has it in any usual form. Returns undefined if the pages have no text, such as those of a scan.
 */
export async function compareWithPages(
  document: PdfDocument,
  invoice: ElectronicInvoice,
): Promise<Difference[] | undefined> {
  const spaced = comparable(await readText(document))
  const text: PageText = { spaced, solid: withoutSpaces(spaced) }
  if (text.solid === '') return undefined
  return listExpected(invoice).flatMap(({ param, value, kind }) => {
    if (value === undefined || isPrinted(text, value, kind)) return []
    return [{ param, value, message: 'The XML has this value, but the pages do not show it.' }]
  })
}

async function readText(document: PdfDocument): Promise<string> {
  const texts: string[] = []
  const pages = Array.from({ length: Math.min(document.pageCount, MAX_PAGES) }, (_, index) => index)
  for await (const { index, renderer } of visitPages(document, pages))
    texts.push(renderer.readCharacters(index, characters => characters.texts.join('')))
  return texts.join('\n')
}

/** The text of all pages, comparable: as it is, and without spaces. */
interface PageText {
  spaced: string
  solid: string
}

function isPrinted(text: PageText, value: string, kind: Kind): boolean {
  if (kind === 'text') return text.solid.includes(withoutSpaces(comparable(value)))
  const ways = kind === 'number' ? waysToPrintNumber(value) : waysToPrintDate(value)
  return ways.some(way => hasWhole(text.spaced, way))
}

/** Returns whether a text has a number or date that isn't a part of a longer number. */
function hasWhole(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const end = at + part.length
    const isCut = /\d[.,']?$/.test(text.slice(Math.max(0, at - 2), at)) || /^[.,']?\d/.test(text.slice(end, end + 2))
    if (!isCut) return true
  }
  return false
}

function listExpected(invoice: ElectronicInvoice): Expected[] {
  const { totals, from, billTo, items, taxes, period } = invoice
  const text = (param: string, value: string | undefined): Expected => ({ param, value, kind: 'text' })
  const number = (param: string, value: string | undefined): Expected => ({ param, value, kind: 'number' })
  const date = (param: string, value: string | undefined): Expected => ({ param, value, kind: 'date' })
  return [
    text('invoiceNumber', invoice.invoiceNumber),
    date('issueDate', invoice.issueDate),
    date('dueDate', invoice.dueDate),
    date('deliveryDate', invoice.deliveryDate),
    date('period.start', period?.start),
    date('period.end', period?.end),
    text('from.name', from.name),
    text('from.vatId', from.vatId),
    text('from.taxNumber', from.taxNumber),
    text('billTo.name', billTo.name),
    text('billTo.vatId', billTo.vatId),
    text('purchaseOrder', invoice.purchaseOrder),
    ...invoice.payments.flatMap(payment => payment.accounts.map(({ id }) => text('payment.iban', id))),
    ...items.flatMap((item, index) => [
      text(`items[${index}].description`, item.description),
      number(`items[${index}].amount`, item.amount),
    ]),
    ...taxes.map(({ tax }, index) => number(`taxes[${index}]`, isZero(tax) ? undefined : tax)),
    number('totals.subtotal', totals.lines),
    // Many invoices print the tax of each rate, but not their sum.
    number('totals.tax', taxes.length > 1 || isZero(totals.tax) ? undefined : totals.tax),
    number('totals.total', totals.withTax),
    number('totals.amountDue', totals.due),
  ]
}

function isZero(decimal: string | undefined): boolean {
  return decimal === undefined || Number(decimal) === 0
}

import { listUnitNames } from '../../../standards/einvoice/codes/units'
import { parseDecimal } from '../../../standards/einvoice/decimal'
import type { ElectronicInvoice, Item } from '../../../standards/einvoice/model'
import { isEngineError } from '../../../errors'
import type { PdfDocument } from '../../../pdf/document'
import { PageReader } from '../../../pdf/read-page'
import { extractText } from '../../text-extraction/extract-text'
import { writePlainText } from '../../text-extraction/writers/write-text'
import {
  comparable,
  listNumbers,
  waysToPrintCurrency,
  waysToPrintDate,
  waysToPrintNumber,
  withoutSpaces,
} from './printed-values'

/** A value of the XML that the pages don't show. */
export interface Difference {
  /** The field, such as `totals.amountDue`. */
  param: string
  /** The value in the XML. */
  value: string
  message: string
}

/** How a value is compared. Hyphens of an `id` count, except at the end of a line. */
type Kind = 'text' | 'id' | 'number' | 'date' | 'currency' | 'unit'

interface Expected {
  param: string
  /** The value, followed by others that the pages may show in its place. */
  values: readonly [string | undefined, ...(string | undefined)[]]
  kind: Kind
}

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Maximum number of pages whose text is read, and of its characters. */
const MAX_PAGES = 200
const MAX_CHARACTERS = 1_000_000

/** Maximum number of items, accounts and terms that are compared, and of characters of a value. */
const MAX_ITEMS = 1000
const MAX_VALUE = 500

/**
 * Compares the amounts, dates, names and numbers of an invoice with the text of the pages. A value counts as printed if
 * the text has it in any usual form. Returns undefined if the pages have no text, such as those of a scan.
 */
export async function compareWithPages(
  document: PdfDocument,
  invoice: ElectronicInvoice,
): Promise<Difference[] | undefined> {
  const text = prepare((await readText(document)).slice(0, MAX_CHARACTERS))
  if (text.solid === '') return undefined
  return listExpected(invoice).flatMap(({ param, values, kind }) => {
    const [value] = values
    const isShown = values.some(one => one !== undefined && isPrinted(text, one.slice(0, MAX_VALUE), kind))
    if (value === undefined || isShown) return []
    return [{ param, value, message: 'The XML has this value, but the pages do not show it.' }]
  })
}

/** Lines from right to left are also read in their logical order. */
async function readText(document: PdfDocument): Promise<string> {
  const texts: string[] = []
  const reversed: number[] = []
  const reader = new PageReader(document)
  for (let index = 0; index < Math.min(document.pageCount, MAX_PAGES); index++) {
    const text = reader
      .readWords(index)
      .map(word => word.text)
      .join(' ')
    if (RIGHT_TO_LEFT.test(text)) reversed.push(index)
    texts.push(text)
  }
  if (reversed.length > 0) texts.push(await readInOrder(document, reversed))
  return texts.join('\n')
}

async function readInOrder(document: PdfDocument, pageIndexes: readonly number[]): Promise<string> {
  try {
    const { pages, vocabulary } = await extractText(document, { pageIndexes })
    return writePlainText(pages, { vocabulary, headersFooters: 'keep' })
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return ''
    throw error
  }
}

/** The text of all pages, comparable. */
interface PageText {
  spaced: string
  /** Without spaces. Also without hyphens at the end of lines, and without any. */
  solid: string
  joined: string
  plain: string
  numbers: ReadonlySet<string>
}

/** PDFium writes a soft hyphen for a hyphen at the end of a line, whether it divides a word or belongs to it. */
const LINE_END_HYPHEN = '\u00ad'

function prepare(text: string): PageText {
  const spaced = comparable(text.replaceAll(LINE_END_HYPHEN, '-'))
  const solid = withoutSpaces(spaced)
  return {
    spaced,
    solid,
    joined: withoutSpaces(comparable(text)),
    plain: solid.replaceAll('-', ''),
    numbers: listNumbers(spaced),
  }
}

function isPrinted(text: PageText, value: string, kind: Kind): boolean {
  switch (kind) {
    case 'text':
      return text.plain.includes(withoutSpaces(comparable(value)).replaceAll('-', ''))
    case 'id': {
      const solid = withoutSpaces(comparable(value))
      return text.solid.includes(solid) || text.joined.includes(solid)
    }
    case 'number':
      return waysToPrintNumber(value).some(way => text.numbers.has(way))
    case 'date':
      return waysToPrintDate(value).some(way => hasWhole(text.spaced, way, DIGITS))
    case 'currency':
      return waysToPrintCurrency(value).some(way => hasWhole(text.spaced, way, LETTERS))
    case 'unit':
      return listUnitNames(value).some(name => hasWhole(text.spaced, comparable(name), LETTERS))
  }
}

/** What goes on before and after a part of a text, if it is cut there. */
interface Edges {
  before: RegExp
  after: RegExp
}

const DIGITS: Edges = { before: /\d[.,']?$/, after: /^[.,']?\d/ }

/** Words of other scripts may stand without spaces. */
const LETTER = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]'
const LETTERS: Edges = { before: new RegExp(`${LETTER}$`, 'u'), after: new RegExp(`^${LETTER}`, 'u') }

/** Returns whether a text has a part that isn't cut out of a longer number or word. */
function hasWhole(text: string, part: string, { before, after }: Edges): boolean {
  const [startsInside, endsInside] = [after.test(part), before.test(part)]
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const end = at + part.length
    const isCut =
      (startsInside && before.test(text.slice(Math.max(0, at - 2), at))) ||
      (endsInside && after.test(text.slice(end, end + 2)))
    if (!isCut) return true
  }
  return false
}

function listExpected(invoice: ElectronicInvoice): Expected[] {
  const { totals, from, billTo, items, taxes, period } = invoice
  const as =
    (kind: Kind) =>
    (param: string, ...values: Expected['values']): Expected => ({ param, values, kind })
  const [text, id, number, date] = [as('text'), as('id'), as('number'), as('date')]
  return [
    id('invoiceNumber', invoice.invoiceNumber),
    date('issueDate', invoice.issueDate),
    date('dueDate', invoice.dueDate),
    as('currency')('currency', invoice.currency),
    id('buyerReference', invoice.buyerReference),
    date('deliveryDate', invoice.deliveryDate),
    date('period.start', period?.start),
    date('period.end', period?.end),
    text('from.name', from.name),
    id('from.vatId', from.vatId),
    id('from.taxNumber', from.taxNumber),
    text('billTo.name', billTo.name),
    id('billTo.vatId', billTo.vatId),
    id('purchaseOrder', invoice.purchaseOrder),
    ...listTerms(invoice).map(line => text('paymentTerms', line)),
    ...invoice.payments
      .flatMap(payment => payment.accounts)
      .slice(0, MAX_ITEMS)
      .map(account => id('payment.iban', account.id)),
    ...items
      .slice(0, MAX_ITEMS)
      .flatMap((item, index) => [
        text(`items[${index}].description`, item.description),
        number(`items[${index}].quantity`, item.quantity),
        as('unit')(`items[${index}].unitCode`, knownUnit(item.unitCode)),
        number(`items[${index}].rate`, ...listPrices(item)),
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

/** The lines of the payment terms. Those of a cash discount are for programs (XRechnung 3.0, BT-20). */
function listTerms({ paymentTerms = '' }: ElectronicInvoice): string[] {
  return paymentTerms.split('\n', MAX_ITEMS).filter(line => line.trim() !== '' && !line.trim().startsWith('#'))
}

/** Only units whose names are known can be compared. */
function knownUnit(code: string | undefined): string | undefined {
  return code !== undefined && listUnitNames(code).length > 0 ? code : undefined
}

/** Pages may show the price before a reduction, the price of one unit, or a price with fewer decimals. */
function listPrices({ rate, grossPrice, priceBase }: Item): [string | undefined, ...(string | undefined)[]] {
  const price = parseDecimal(rate)
  if (!price || price.eq(0)) return [undefined]
  const base = parseDecimal(priceBase)
  const shown = base?.gt(0) ? [price, price.div(base)] : [price]
  const decimals = rate?.split('.')[1]?.length ?? 0
  const rounded = shown.flatMap(one =>
    [4, 3, 2].flatMap(count => (count < decimals || one !== price ? one.toFixed(count) : [])),
  )
  return [rate, grossPrice, ...rounded]
}

function isZero(decimal: string | undefined): boolean {
  return decimal === undefined || Number(decimal) === 0
}

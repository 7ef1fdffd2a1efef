import { digitsOf } from './currencies'
import type { Invoice } from './invoice'
import { compact, isCreditorReference, isQrIban, isQrReference } from './payment-codes'
import type { Exact } from './totals'

interface Problem {
  param: string
  message: string
}

interface SwissAddress {
  street: string
  postalCode: string
  town: string
  country: string
}

/** Maximum amount of a transfer, in both schemes. */
const MIN_TRANSFER = 0.01
const MAX_TRANSFER = 999_999_999.99

/** Returns why the requested QR code can't be created. `due` is the balance of the invoice. */
export function findQrProblems(invoice: Invoice, due: Exact): Problem[] {
  switch (invoice.qr) {
    case 'none':
      return []
    case 'url':
      return findLinkProblems(invoice.payment?.link)
    case 'epc':
      return [...findTransferProblems(invoice, due, ['EUR']), ...findEpcProblems(invoice)]
    case 'swiss':
      return [...findTransferProblems(invoice, due, ['CHF', 'EUR']), ...findSwissProblems(invoice)]
  }
}

/** Returns the content of the QR code. The invoice must have no problems. `due` is its balance. */
export function writeQrPayload(invoice: Invoice, due: Exact): string {
  if (invoice.qr === 'url') return invoice.payment?.link ?? ''
  return invoice.qr === 'epc' ? writeEpc(invoice, due) : writeSwiss(invoice, due)
}

/** Maximum size of a QR code with error correction level M (ISO/IEC 18004, table 7). */
const MAX_BYTES = 2331

function findLinkProblems(link: string | undefined): Problem[] {
  const param = 'payment.link'
  if (!link) return [{ param, message: 'is required for the code "url".' }]
  const length = Buffer.byteLength(link, 'utf8')
  if (length <= MAX_BYTES) return []
  return [
    { param, message: `must be at most ${MAX_BYTES} bytes for the code "url". Got ${length}. Send a shorter URL.` },
  ]
}

function findTransferProblems(invoice: Invoice, due: Exact, currencies: string[]): Problem[] {
  const problems: Problem[] = []
  const { qr, currency, payment } = invoice
  if (!currencies.includes(currency))
    problems.push({
      param: 'currency',
      message: `must be ${currencies.join(' or ')} for the code "${qr}". Got ${currency}.`,
    })
  if (!payment?.iban) problems.push({ param: 'payment.iban', message: `is required for the code "${qr}".` })
  if (due.lt(MIN_TRANSFER) || due.gt(MAX_TRANSFER))
    problems.push({
      param: 'qr',
      message:
        `the balance due must be ${MIN_TRANSFER} to ${MAX_TRANSFER} for the code "${qr}". Got ` +
        `${due.toFixed(digitsOf(currency))}.`,
    })
  const reference = compact(payment?.reference ?? '')
  const isMistyped =
    (/^RF\d\d/.test(reference) && !isCreditorReference(reference)) ||
    (qr === 'swiss' && /^\d{27}$/.test(reference) && !isQrReference(reference))
  if (isMistyped) problems.push({ param: 'payment.reference', message: 'must have valid check digits.' })
  return problems
}

/** Maximum lengths of names and texts in an EPC code. */
const MAX_EPC_NAME = 70
const MAX_EPC_TEXT = 140

/** Banks compare the beneficiary with the account holder (verification of payee, Regulation (EU) 2024/886). */
function beneficiaryOf({ from, payee, payment }: Invoice): { param: string; name: string } {
  const holder = payment?.accountName?.trim()
  if (holder) return { param: 'payment.accountName', name: holder }
  return payee ? { param: 'payee.name', name: payee.name } : { param: 'from.name', name: from.name }
}

function findEpcProblems(invoice: Invoice): Problem[] {
  const { payment, invoiceNumber } = invoice
  const problems: Problem[] = []
  const { param, name } = beneficiaryOf(invoice)
  if (name.length > MAX_EPC_NAME)
    problems.push({
      param,
      message: `must be at most ${MAX_EPC_NAME} characters for the code "epc". Got ${name.length}.`,
    })
  const reference = payment?.reference ?? invoiceNumber
  if (reference.length > MAX_EPC_TEXT)
    problems.push({
      param: 'payment.reference',
      message: `must be at most ${MAX_EPC_TEXT} characters for the code "epc". Got ${reference.length}.`,
    })
  return problems
}

/** Writes an EPC069-12 payload, version 002. The remittance information is either a creditor reference or a text. */
function writeEpc(invoice: Invoice, due: Exact): string {
  const { payment, invoiceNumber } = invoice
  const reference = payment?.reference ?? invoiceNumber
  const structured = isCreditorReference(compact(reference)) ? compact(reference) : ''
  const lines = [
    'BCD',
    '002',
    '1',
    'SCT',
    payment?.bic ?? '',
    beneficiaryOf(invoice).name,
    payment?.iban ?? '',
    `EUR${due.toFixed(2)}`,
    '',
    structured,
    structured ? '' : reference,
  ]
  return lines.join('\n').trimEnd()
}

/** Maximum lengths of the fields in a Swiss code. */
const MAX_SWISS_NAME = 70
const MAX_SWISS_TEXT = 140

function findSwissProblems(invoice: Invoice): Problem[] {
  const { from, payment } = invoice
  const problems: Problem[] = []
  if (invoice.pageSize !== 'A4')
    problems.push({
      param: 'pageSize',
      message: 'must be A4 for the code "swiss", because the payment slip is 210 mm wide.',
    })
  const iban = payment?.iban ?? ''
  const reference = compact(payment?.reference ?? '')
  if (iban && !/^(?:CH|LI).{19}$/.test(iban))
    problems.push({
      param: 'payment.iban',
      message: 'must be an account in Switzerland or Liechtenstein for the code "swiss".',
    })
  if (isQrIban(iban) && !isQrReference(reference))
    problems.push({
      param: 'payment.reference',
      message: 'must be a QR reference of 27 digits with a valid check digit, because payment.iban is a QR-IBAN.',
    })
  if (!isQrIban(iban) && isQrReference(reference))
    problems.push({
      param: 'payment.reference',
      message: 'is a QR reference, which requires a QR-IBAN in payment.iban.',
    })
  if (from.name.length > MAX_SWISS_NAME)
    problems.push({
      param: 'from.name',
      message: `must be at most ${MAX_SWISS_NAME} characters for the code "swiss". Got ${from.name.length}.`,
    })
  if (!readSwissAddress(from))
    problems.push({
      param: from.address ? 'from.address' : 'from.addressLines',
      message: from.address
        ? 'must have a postCode of 4 digits and a city for the code "swiss".'
        : 'must end with a line of postal code and town, such as "8001 Zürich", for the code "swiss".',
    })
  if (messageOf(invoice).length > MAX_SWISS_TEXT)
    problems.push({
      param: 'payment.reference',
      message: `the message must be at most ${MAX_SWISS_TEXT} characters for the code "swiss".`,
    })
  return problems
}

/** Writes a payload of the Swiss Implementation Guidelines QR-bill, version 2.3: 31 lines with structured addresses. */
function writeSwiss(invoice: Invoice, due: Exact): string {
  const { from, billTo, payment, currency } = invoice
  const reference = compact(payment?.reference ?? '')
  const kind = isQrReference(reference) ? 'QRR' : isCreditorReference(reference) ? 'SCOR' : 'NON'
  const payer = billTo.name.length <= MAX_SWISS_NAME ? readSwissAddress(billTo) : undefined
  return [
    'SPC',
    '0200',
    '1',
    payment?.iban ?? '',
    ...writeAddress(from.name, readSwissAddress(from)),
    ...writeAddress('', undefined),
    due.toFixed(2),
    currency,
    ...writeAddress(billTo.name, payer),
    kind,
    kind === 'NON' ? '' : reference,
    messageOf(invoice),
    'EPD',
  ].join('\n')
}

/** Returns the unstructured message: the invoice number, and a reference without a scheme. */
function messageOf({ payment, invoiceNumber }: Invoice): string {
  const reference = payment?.reference ?? ''
  const isStructured = isQrReference(compact(reference)) || isCreditorReference(compact(reference))
  return isStructured || reference === '' || reference === invoiceNumber
    ? invoiceNumber
    : `${invoiceNumber} ${reference}`
}

/**
 * Returns the lines of an address: type, name, street, building number (empty, because the street contains it), postal
 * code, town, country.
 */
function writeAddress(name: string, address: SwissAddress | undefined): string[] {
  if (!address) return ['', '', '', '', '', '', '']
  return [
    'S',
    name,
    address.street.slice(0, MAX_SWISS_NAME),
    '',
    address.postalCode,
    address.town.slice(0, 35),
    address.country,
  ]
}

/**
 * Reads an address in parts, or in lines of which the last, except for the country, is a postal code of four digits and
 * a town.
 */
function readSwissAddress({ address, addressLines: lines = [] }: Invoice['from' | 'billTo']): SwissAddress | undefined {
  if (address) {
    const { street = '', postCode = '', city = '', country } = address
    if (!/^\d{4}$/.test(postCode.trim()) || !city.trim()) return undefined
    if (country !== undefined && country !== 'CH' && country !== 'LI') return undefined
    return {
      street: street.trim(),
      postalCode: postCode.trim(),
      town: city.trim(),
      country: country ?? countryOf(postCode.trim()),
    }
  }
  const lineIndex = lines.findLastIndex(line => /^(?:(?:CH|LI)-)?\d{4}\s+\S/.test(line.trim()))
  const [, prefix, postalCode, town] = /^(?:(CH|LI)-)?(\d{4})\s+(.+)$/.exec(lines[lineIndex]?.trim() ?? '') ?? []
  if (!postalCode || !town) return undefined
  const country = prefix === 'LI' ? prefix : countryOf(postalCode)
  return { street: lines[lineIndex - 1]?.trim() ?? '', postalCode, town, country }
}

/** The country of a postal code in the shared range of Switzerland and Liechtenstein. */
function countryOf(postalCode: string): 'CH' | 'LI' {
  return /^(?:94(?:8[5-9]|9[0-8]))$/.test(postalCode) ? 'LI' : 'CH'
}

import type { Problem } from '../../engines/errors'
import { invoiceFields } from '../../engines/features/invoice/data/invoice'
import type { Body } from '../body/body'
import { MAX_SHORT_JSON, parseShortJson } from '../body/short-json'
import { listArrayKeys } from './schema-keys'

type Fields = Record<string, unknown>

/** Maps the flat fields of a form to their places in an invoice. */
const PARTY_FIELDS = {
  Name: 'name',
  Email: 'email',
  Phone: 'phone',
  AddressLines: 'addressLines',
  TaxId: 'taxId',
} as const
const PARTIES = ['from', 'billTo', 'shipTo'] as const

/** Flat field, party, and field of the party. */
const FLAT: readonly (readonly [flat: string, party: string, field: string])[] = PARTIES.flatMap(party =>
  Object.entries(PARTY_FIELDS).map(([end, field]) => [`${party}${end}`, party, field] as const),
)

const NUMBERS = ['taxRate', 'amountPaid', 'roundingAmount', 'exchangeRate', 'taxInTaxCurrency']
const SWITCHES = ['pricesIncludeTax', 'reverseCharge', 'paid', 'positionNumbers']
/** Longer texts aren't numbers. */
const MAX_NUMBER_LENGTH = 100
const TEXT_OF_NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/

/** Fields that may be repeated in a form. */
export const INVOICE_LIST_FIELDS: readonly string[] = listArrayKeys(invoiceFields)

/** Top-level names that aren't in the schema of an invoice. */
export const INVOICE_FORM_NAMES: readonly string[] = ['data', ...FLAT.map(([flat]) => flat)]

/** Fields of a form whose text is JSON. */
export const INVOICE_JSON_FIELDS: readonly string[] = [
  'items',
  'data',
  'from',
  'billTo',
  'shipTo',
  'payment',
  'customFields',
  'labels',
  'discount',
  'shipping',
  'totals',
  'eInvoice',
  'allowances',
  'charges',
  'prepayments',
  'taxExemptions',
  'taxes',
  'withholding',
  'codedNotes',
  'attachments',
  'payee',
  'taxRepresentative',
  'period',
  'invoicedObject',
]

/**
 * Returns the invoice in the fields of a body. Flat fields are moved to their places, and null counts as not sent. A
 * form has no objects, numbers or missing values, so its texts are converted, and an empty text counts as not sent.
 * `data` can contain the whole invoice instead. A list of one element may be the element alone.
 */
export function readInvoiceFields({ encoding, fields: sent }: Pick<Body, 'encoding' | 'fields'>): {
  invoice: Fields
  problems: Problem[]
} {
  const isForm = encoding === 'form'
  const { data, ...fields } = dropMissing(sent, isForm)
  if (data !== undefined) {
    const [otherField] = Object.keys(fields)
    if (otherField !== undefined)
      return {
        invoice: {},
        problems: [
          {
            param: otherField.slice(0, 200),
            message: 'was sent together with "data", which contains the whole invoice. Send only one of them.',
          },
        ],
      }
    if (isObject(data)) return { invoice: dropNulls(data), problems: [] }
    const message = `must be the invoice as an object. Got ${Array.isArray(data) ? 'an array' : `a ${typeof data}`}.`
    return { invoice: {}, problems: [{ param: 'data', message }] }
  }
  const invoice: Fields = fields
  const problems: Problem[] = []
  for (const [flat, party, field] of FLAT) {
    const value = removeField(invoice, flat)
    if (value === undefined) continue
    const holder = invoice[party] ?? {}
    invoice[party] = holder
    if (!isObject(holder) || holder[field] !== undefined)
      problems.push({ param: flat, message: `was sent together with "${party}". Send only one of them.` })
    else holder[field] = field === 'addressLines' ? readLines(value) : value
  }
  for (const name of INVOICE_LIST_FIELDS) if (isObject(invoice[name])) invoice[name] = [invoice[name]]
  if (isForm) readTexts(invoice)
  return { invoice: dropNulls(invoice), problems }
}

/** Converts the texts of a form to numbers and booleans. */
function readTexts(invoice: Fields): void {
  for (const name of NUMBERS) {
    const value = invoice[name]
    if (typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH && TEXT_OF_NUMBER.test(value))
      invoice[name] = Number(value)
  }
  for (const name of SWITCHES) {
    const value = invoice[name]
    if (value === 'true' || value === 'false') invoice[name] = value === 'true'
  }
}

/** Reads the lines of an address: a text with line breaks, or a JSON list. A text that is too long stays one line. */
function readLines(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.length > MAX_SHORT_JSON) return [value]
  if (!value.trim().startsWith('[')) return value.split(/\r\n?|\n/).filter(line => line.trim() !== '')
  return parseShortJson(value) ?? [value]
}

function removeField(fields: Fields, name: string): unknown {
  const value = fields[name]
  delete fields[name]
  return value
}

/** Returns a copy without null fields, and without empty ones in a form. */
function dropMissing(fields: Fields, isForm: boolean): Fields {
  const sentFields = Object.create(null) as Fields
  // An empty number of an invoice is refused as empty, not as missing.
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null && !(isForm && value === '' && name !== 'invoiceNumber'))
      sentFields[name] = value
  return sentFields
}

/** Removes null members at any depth. Depth and size are bounded by the limits of accepted bodies. */
function dropNulls(root: Fields): Fields {
  const pendingValues: unknown[] = [root]
  for (let value = pendingValues.pop(); value !== undefined; value = pendingValues.pop()) {
    if (Array.isArray(value)) pendingValues.push(...value.filter(isContainer))
    else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (member === null) delete value[name]
        else if (isContainer(member)) pendingValues.push(member)
      }
    }
  }
  return root
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isObject(value: unknown): value is Fields {
  return isContainer(value) && !Array.isArray(value)
}

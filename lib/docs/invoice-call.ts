import * as z from 'zod'
import { alternatives } from '../../engines/options/alternatives'
import { invoiceSchema } from '../../engines/invoice/request/invoice'
import { SMALLEST_FACTUR_X, SMALLEST_XRECHNUNG } from './electronic-bodies'

const { from, billTo, shipTo, totals, logo, ...common } = invoiceSchema.shape
const flat = (schema: z.ZodType, meaning: string) => schema.describe(meaning)
const lines = z
  .string()
  .optional()
  .describe('Postal address. Separate lines with line breaks, or send a JSON array of lines.')

/**
 * Form fields of an invoice by name. A form has no objects, so parties are flat, and any value that isn't text or a number is
 * JSON.
 */
const flatFields = {
  fromName: flat(from.shape.name, 'Name of the seller.'),
  fromEmail: from.shape.email,
  fromPhone: from.shape.phone,
  fromAddressLines: lines,
  fromTaxId: from.shape.taxId,
  billToName: flat(billTo.shape.name, 'Name of the buyer.'),
  billToEmail: billTo.shape.email,
  billToPhone: billTo.shape.phone,
  billToAddressLines: lines,
  billToTaxId: billTo.shape.taxId,
  shipToName: shipTo.unwrap().shape.name.optional().describe('Name of the recipient of the goods.'),
  shipToAddressLines: lines,
  ...common,
  items: common.items.describe('The items as a JSON array.'),
  logo: z.string().meta({ format: 'binary' }).optional().describe('Your logo as a file, PNG or JPEG, up to 10 MB.'),
  data: z
    .string()
    .optional()
    .describe('The whole invoice as JSON. Send no other form field with it, except the file `logo`.'),
}

/** Fields of an invoice form, which has either flat fields or `data`. */
export const invoiceFormFields = z
  .object(flatFields)
  .meta(
    alternatives(
      { required: [], without: ['data'] },
      { required: ['data'], without: Object.keys(flatFields).filter(name => name !== 'data' && name !== 'logo') },
    ),
  )

/** The JSON fields for the flat fields. A form may contain them too, as JSON text. */
export const invoiceFields = invoiceSchema

/** Examples of the documentation. The code samples send the first one. */
export const invoiceExamples: [
  { title: string; options: z.input<typeof invoiceFields> },
  ...{ title: string; options: z.input<typeof invoiceFields> }[],
] = [
  {
    title: 'Two items with tax',
    options: {
      invoiceNumber: 'R-2025-7',
      from: { name: 'Quill & Sons', addressLines: ['1 Paper Lane', 'Bristol'] },
      billTo: { name: 'Ada Example' },
      items: [
        { description: 'Binding', quantity: 2, rate: 40 },
        { description: 'Delivery', quantity: 1, rate: 12.5 },
      ],
      currency: 'GBP',
      taxRate: 0.2,
      dueDate: '2025-09-30',
    },
  },
  {
    title: 'In German, with two tax rates, a discount and a payment QR code',
    options: {
      invoiceNumber: 'RE-2026-0042',
      locale: 'de',
      currency: 'EUR',
      template: 'modern',
      accentColor: '#0f766e',
      from: {
        name: 'Aurora Studio GmbH',
        addressLines: ['Torstraße 1', '10119 Berlin'],
        email: 'post@aurora.example',
        taxId: 'DE123456789',
      },
      billTo: { name: 'Müller & Söhne KG', addressLines: ['Königsallee 20', '40212 Düsseldorf'] },
      items: [
        {
          description: 'Gestaltung',
          details: 'Zwei Entwürfe mit je einer Korrektur',
          quantity: 12.5,
          unit: 'Std.',
          rate: 96,
          taxRate: 0.19,
        },
        { description: 'Handbuch, gedruckt', quantity: 40, rate: 18.9, taxRate: 0.07 },
      ],
      discount: { rate: 0.05 },
      issueDate: '2026-03-02',
      dueDate: '2026-04-01',
      payment: { iban: 'DE89 3704 0044 0532 0130 00', bankName: 'Musterbank', reference: 'RE-2026-0042' },
      qr: 'epc',
    },
  },
  { title: 'Electronic: Factur-X (ZUGFeRD)', options: SMALLEST_FACTUR_X },
  { title: 'Electronic: XRechnung', options: SMALLEST_XRECHNUNG },
  {
    title: 'In Arabic, right to left, in a currency with three decimals',
    options: {
      invoiceNumber: 'KW-77',
      locale: 'ar',
      currency: 'KWD',
      from: { name: 'شركة النور للتجارة', addressLines: ['شارع الخليج العربي 12', 'مدينة الكويت'] },
      billTo: { name: 'مؤسسة البناء' },
      items: [{ description: 'تصميم هوية بصرية', quantity: 2.5, rate: 120.125 }],
      taxRate: 0.05,
      issueDate: '2026-03-02',
    },
  },
]

const FLAT_NAMES: ReadonlySet<string> = new Set(Object.keys(flatFields))
const PARTIES: ReadonlySet<string> = new Set(['from', 'billTo', 'shipTo'])

/**
 * Returns the form fields of a JSON invoice. Members of the parties become separate fields, such as `fromName`. If a
 * party has members without such a field, `data` contains the whole invoice.
 */
export function flattenParties(fields: Record<string, unknown>): Record<string, unknown> {
  const flat = Object.entries(fields).flatMap(([name, value]) =>
    PARTIES.has(name) && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, item]) => [flatName(name, key), item] as const)
      : [[name, value] as const],
  )
  if (flat.every(([name]) => FLAT_NAMES.has(name) || !startsLikeParty(name))) return Object.fromEntries(flat)
  const { logo, ...invoice } = fields
  return { ...(logo !== undefined && { logo }), data: JSON.stringify(invoice) }
}

function flatName(party: string, field: string): string {
  return `${party}${field.charAt(0).toUpperCase()}${field.slice(1)}`
}

function startsLikeParty(name: string): boolean {
  return [...PARTIES].some(party => name.startsWith(party) && name.length > party.length)
}

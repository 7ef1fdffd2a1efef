import * as z from 'zod'
import { alternatives } from '../../engines/options/alternatives'
import { invoiceSchema } from '../../engines/features/invoice/input/invoice-schema'
import type { ToolSection } from '../../engines/types'
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
    title: 'For India, with two taxes for each item',
    options: {
      invoiceNumber: 'IN/26-27/88',
      locale: 'en-IN',
      currency: 'INR',
      from: { name: 'Sharma Traders', addressLines: ['MG Road 4', 'Pune 411001'], taxId: 'GSTIN 27ABCDE1234F1Z5' },
      billTo: { name: 'Kapoor & Sons' },
      items: [
        {
          description: 'Cotton fabric',
          quantity: 120,
          unit: 'm',
          rate: 245.5,
          taxes: [
            { name: 'CGST', rate: 0.025 },
            { name: 'SGST', rate: 0.025 },
          ],
        },
        {
          description: 'Tailoring',
          quantity: 1,
          rate: 18_000,
          taxes: [
            { name: 'CGST', rate: 0.09 },
            { name: 'SGST', rate: 0.09 },
          ],
        },
      ],
      issueDate: '2026-03-02',
    },
  },
  {
    title: 'In Spanish, with withholding tax',
    options: {
      invoiceNumber: '2026-A-0056',
      locale: 'es',
      currency: 'EUR',
      from: { name: 'Marta Ruiz Diseño', addressLines: ['Calle Mayor 1', '28013 Madrid'], taxId: 'NIF 12345678Z' },
      billTo: { name: 'Bodegas del Norte, S.L.' },
      items: [{ description: 'Diseño de etiquetas', quantity: 1, rate: 1200 }],
      taxRate: 0.21,
      withholding: [{ name: 'IRPF', rate: 0.15 }],
      issueDate: '2026-03-02',
    },
  },
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

/** Sections of the page of the invoice endpoint. */
export const invoiceSections: readonly ToolSection[] = [
  {
    heading: 'Several taxes',
    paragraphs: [
      'Send `taxRate` for one tax, or `taxes` for several, such as CGST and SGST, or GST and PST. Each tax has its own ' +
        'line in the totals, with its base and its amount.',
      'An item, `shipping`, an allowance or a charge can have its own `taxes`. Otherwise it has the taxes of the invoice. ' +
        'An empty array means no tax. If an object has `taxes` beside `taxRate` or `taxCategory`, the API returns 400 ' +
        'and names `taxes`.',
      'Each tax is computed on the amount without tax. Excise is often a part of the base of VAT. ' +
        'Then send the excise in `charges` of the item.',
    ],
  },
  {
    heading: 'Withholding tax',
    paragraphs: [
      '`withholding` lists taxes that the buyer keeps and pays for you, such as IRPF, ritenuta d’acconto or TDS. They ' +
        'reduce the amount due, and the amount of the QR code. The total stays the same.',
      'By default, `rate` refers to the total without tax. Send `base` as an amount if a part of the total is exempt.',
    ],
  },
  {
    heading: 'Rounding',
    paragraphs: [
      'Sheaf computes with the decimals that you send. It rounds to the decimals of the currency, and halves away from ' +
        'zero. Each line, discount, allowance and charge is rounded once. Each tax is rounded once, on the sum of all ' +
        'amounts with its name, category and rate. Each withheld tax is rounded once. The total is the sum of these ' +
        'rounded amounts.',
      'With `pricesIncludeTax`, amounts with the same taxes are added up. Each of their taxes is rounded once. The ' +
        'amount without tax is the sum minus these taxes, so that the total stays the sum of the prices.',
    ],
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

import { z } from 'zod'
import { colorOption } from '../../options/schemas'
import { checkInvoice } from './check-invoice'
import { CURRENCY_CODES, isCurrency } from './currencies'
import {
  MAX_LONG_TEXT,
  dateField,
  discountField,
  fractionField,
  lineField,
  logoField,
  nameField,
  numberField,
  textField,
} from './fields'
import { labelFields } from './labels'
import { paymentFields } from './payment-fields'

/** The job name of invoices. An invoice isn't a tool. */
export const INVOICE_JOB = 'invoice'

const MAX_ITEMS = 1000
const MAX_ADDRESS_LINES = 20
const MAX_CUSTOM_FIELDS = 20

const email = lineField('E-mail address.').optional()
const phone = lineField('Telephone number.').optional()
const taxId = lineField('Tax or VAT number.').optional()
const addressLines = z
  .array(lineField('One line.'))
  .max(MAX_ADDRESS_LINES)
  .optional()
  .describe(`The postal address, line by line; at most ${MAX_ADDRESS_LINES}.`)

const itemFields = z
  .object({
    description: textField('What was delivered or done.'),
    quantity: numberField('How many; decimals are allowed, and negative numbers for what is taken back.'),
    rate: numberField('Price of one, in `currency`.'),
    unit: lineField('What the quantity counts, such as `h` or `kg`.').optional(),
    discount: discountField('Taken off this item.').optional(),
    taxRate: fractionField('taxRate', "Tax of this item in place of the invoice's `taxRate`.").optional(),
    details: textField('More about it, in small type under the description.').optional(),
    date: dateField('Day of the delivery or the work.').optional(),
    sku: lineField('Article number; it stands before the details.').optional(),
  })
  .describe('One line of the invoice. Its amount is `quantity` × `rate`, less its discount, rounded to the currency.')

const shippingField = z
  .union([
    numberField('An amount.').transform((amount): { amount: number; taxRate?: number | undefined } => ({ amount })),
    z.object({
      amount: numberField('The amount, in `currency`.'),
      taxRate: fractionField('taxRate', "Its tax, in place of the invoice's `taxRate`.").optional(),
    }),
  ])
  .describe('Cost of delivery: an amount, taxed at the invoice\'s `taxRate`, or `{"amount": 9, "taxRate": 0}`.')

const currencyField = z
  .string()
  .default('USD')
  .transform((value, context) => {
    const code = value.trim().toUpperCase()
    if (!isCurrency(code))
      context.addIssue({
        code: 'custom',
        message:
          `${JSON.stringify(value.slice(0, 40))} is no currency; write one of the ${CURRENCY_CODES.length} codes of ` +
          'ISO 4217, such as USD, EUR or JPY',
      })
    return code
  })
  .describe(
    'ISO 4217 code, in upper or lower case. It decides how many decimals amounts have: 2 for USD, 0 for JPY, 3 for ' +
      'KWD.',
  )

const localeField = z
  .string()
  .default('en')
  .transform((value, context) => {
    try {
      return Intl.getCanonicalLocales(value.replaceAll('_', '-'))[0] ?? 'en'
    } catch {
      context.addIssue({
        code: 'custom',
        message:
          `${JSON.stringify(value.slice(0, 40))} is no language; write a BCP 47 tag such as en, de-CH, pt-BR or ` +
          'zh-Hant',
      })
      return z.NEVER
    }
  })
  .describe(
    'Language of labels, and form of numbers and dates, as a BCP 47 tag such as `de-CH`. Labels are known in en, ' +
      'de, fr, es, it, pt, nl, pl, ja, zh, zh-Hant, ar and he, and are English elsewhere; `labels` replaces any of ' +
      'them. Arabic and Hebrew invoices run from right to left.',
  )

const totalsField = z
  .object({
    subtotal: numberField('Sum of the lines.').optional(),
    tax: numberField('All tax.').optional(),
    total: numberField('The total with tax.').optional(),
    amountDue: numberField('What is left to pay.').optional(),
  })
  .describe(
    'Amounts that you computed. They are compared with ours and never printed; where one differs the call is refused.',
  )

/** All fields of an invoice, in any script. Unknown fields are ignored. */
export const invoiceSchema = z
  .object({
    invoiceNumber: nameField('Number of the invoice; it names the file too.'),
    from: z.object({ name: nameField('Name.'), email, phone, addressLines, taxId }).describe('Who sends the invoice.'),
    billTo: z.object({ name: nameField('Name.'), email, phone, addressLines, taxId }).describe('Who pays it.'),
    items: z
      .array(itemFields)
      .min(1)
      .max(MAX_ITEMS)
      .describe(
        `What is charged, line by line; 1 to ${MAX_ITEMS.toLocaleString('en')} items, whose texts have at most ` +
          '500,000 characters together.',
      ),
    currency: currencyField,
    taxRate: fractionField('taxRate', 'Tax on everything that names no rate of its own.').optional(),
    notes: textField('Text beside the totals, or under them where it is long.', MAX_LONG_TEXT).optional(),
    dueDate: dateField('When to pay; of a quote, until when it holds.').optional(),
    issueDate: dateField('Date of the invoice. Default: today (UTC).').optional(),
    type: z
      .enum(['invoice', 'quote', 'proforma', 'receipt', 'credit-note'])
      .default('invoice')
      .describe('What the document is; it decides its heading.'),
    precedingInvoice: lineField('Number of the invoice that a credit note is about.').optional(),
    purchaseOrder: lineField("Number of the buyer's order.").optional(),
    shipTo: z
      .object({ name: nameField('Name.'), addressLines })
      .optional()
      .describe('Where the goods go, if not to the buyer.'),
    customFields: z
      .array(z.object({ name: nameField('Label.'), value: nameField('What it says.') }))
      .max(MAX_CUSTOM_FIELDS)
      .optional()
      .describe(`Further lines beside the dates; at most ${MAX_CUSTOM_FIELDS}.`),
    discount: discountField(
      'Taken off the sum of all items, before tax; with several tax rates each bears its share.',
    ).optional(),
    shipping: shippingField.optional(),
    amountPaid: numberField('What was paid already; the rest is what is due.').optional(),
    pricesIncludeTax: z
      .boolean()
      .default(false)
      .describe('Whether rates are prices with tax; tax is then shown as a part of the total.'),
    reverseCharge: z
      .boolean()
      .default(false)
      .describe('The buyer pays the tax: no tax is charged, and a sentence says so.'),
    payment: paymentFields.optional(),
    paymentTerms: lineField('When and how to pay, in a few words, such as `30 days net`.').optional(),
    terms: textField('Conditions, under everything else.', MAX_LONG_TEXT).optional(),
    totals: totalsField.optional(),
    logo: logoField().optional(),
    locale: localeField,
    labels: labelFields.optional(),
    template: z
      .enum(['classic', 'modern', 'compact'])
      .default('classic')
      .describe('The look: `classic` is quiet, `modern` has more color, `compact` has more lines on a page.'),
    accentColor: colorOption(
      'The one color of the invoice; text in it is darkened where it could not be read.',
      '#2540a8',
    ),
    pageSize: z.enum(['A4', 'Letter']).default('A4').describe('Paper size.'),
    qr: z
      .enum(['none', 'epc', 'swiss', 'url'])
      .default('none')
      .describe(
        'A code to pay with: `epc` for SEPA transfers in EUR, `swiss` for Swiss transfers in CHF or EUR (the code ' +
          'of the QR-bill in its size, without the slip around it), `url` for `payment.link`.',
      ),
  })
  .superRefine(checkInvoice)

export type Invoice = z.output<typeof invoiceSchema>

export type Discount = { rate: number } | { amount: number }

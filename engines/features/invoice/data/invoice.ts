import * as z from 'zod'
import { boundedText } from '../../../options/bounded-text'
import { conformanceOption } from '../../../options/conformance'
import { colorOption } from '../../../options/schemas'
import { CURRENCY_CODES, isCurrency } from './currencies'
import { allowancesField, chargesField } from './adjustment-fields'
import { electronicField } from './electronic-fields'
import {
  MAX_LONG_TEXT,
  dateField,
  discountField,
  fractionField,
  logoField,
  nameField,
  numberField,
  textField,
} from './fields'
import { itemFields } from './item-fields'
import { labelFields } from './labels'
import { taxesField } from './named-taxes'
import type { NamedTax } from './named-taxes'
import {
  buyerFields,
  identifierField,
  payeeFields,
  sellerFields,
  shipToFields,
  taxRepresentativeFields,
} from './party-fields'
import { paymentFields } from './payment-fields'
import { paidField, prepaymentsField } from './prepayment-fields'
import {
  attachmentsField,
  codedNotesField,
  periodField,
  precedingInvoiceField,
  referenceField,
} from './reference-fields'
import { taxCategoryField, taxExemptionsField } from './tax-fields'
import type { TaxCategory } from './tax-fields'
import { withholdingField } from './withholding'
import { inForm } from '../../../options/form-hints'

/** The job name of invoices. An invoice isn't a tool. */
export const INVOICE_JOB = 'invoice'

const MAX_ITEMS = 1000
const MAX_CUSTOM_FIELDS = 20

/** The cost of shipping, with its own tax. */
interface Shipping {
  amount: number
  taxRate?: number | undefined
  taxCategory?: TaxCategory | undefined
  taxes?: NamedTax[] | undefined
}

const shippingField = z
  .union([
    numberField('Shipping cost, in `currency`.')
      .meta(inForm({ title: 'Amount' }))
      .transform((amount): Shipping => ({ amount })),
    z
      .object({
        amount: numberField('Shipping cost, in `currency`.'),
        taxRate: fractionField('taxRate', "Tax rate of shipping. Default: the invoice's `taxRate`.").optional(),
        taxCategory: taxCategoryField("VAT category of shipping. Default: the invoice's `taxCategory`.").optional(),
        taxes: taxesField("Taxes of shipping, if there are several. Default: the invoice's `taxes`."),
      })
      .meta(inForm({ title: 'Amount and tax rate' })),
  ])
  .describe(
    'Shipping cost. Send either an amount, taxed at the invoice\'s `taxRate`, or an object such as `{"amount": 9, ' +
      '"taxRate": 0}`.',
  )

const currencyCode = boundedText(40).transform((value, context) => {
  const code = value.trim().toUpperCase()
  if (!isCurrency(code))
    context.addIssue({
      code: 'custom',
      message:
        `must be one of the ${CURRENCY_CODES.length} ISO 4217 currency codes, such as USD, EUR or JPY. Got ` +
        `${JSON.stringify(value.slice(0, 40))}.`,
    })
  return code
})

function currencyField(meaning: string) {
  return currencyCode.describe(`${meaning} ISO 4217 code, in upper or lower case.`)
}

const localeField = boundedText(100)
  .default('en')
  .transform((value, context) => {
    try {
      return Intl.getCanonicalLocales(value.replaceAll('_', '-'))[0] ?? 'en'
    } catch {
      context.addIssue({
        code: 'custom',
        message:
          'must be a BCP 47 language tag, such as en, de-CH, pt-BR or zh-Hant. Got ' +
          `${JSON.stringify(value.slice(0, 40))}.`,
      })
      return z.NEVER
    }
  })
  .describe(
    'Language of labels and format of numbers and dates, as a BCP 47 tag such as `de-CH`. Labels are available in ' +
      'en, de, fr, es, it, pt, nl, pl, ja, zh, zh-Hant, ar and he. In other languages, labels are in English. ' +
      '`labels` replaces individual labels. Arabic and Hebrew invoices run from right to left.',
  )

const totalsField = z
  .object({
    subtotal: numberField('Sum of the line items.').optional(),
    tax: numberField('Sum of all taxes.').optional(),
    total: numberField('Total including tax.').optional(),
    amountDue: numberField('Amount due: `total` minus `amountPaid`, `prepayments` and `withholding`.').optional(),
  })
  .describe(
    "Amounts that you computed. Sheaf compares them with its own amounts and doesn't print them. If they differ, " +
      'the request returns an error.',
  )

/** All fields of an invoice, in any script. Unknown fields are ignored. The engine checks constraints between fields. */
export const invoiceFields = z.object({
  invoiceNumber: nameField('Invoice number. Also used in the file name.'),
  from: sellerFields,
  billTo: buyerFields,
  items: z
    .array(itemFields)
    .min(1)
    .max(MAX_ITEMS)
    .describe('Line items. Together, all texts in the items can have up to 500,000 characters.'),
  positionNumbers: z.boolean().default(false).describe('If `true`, the first column of the items has their numbers.'),
  currency: currencyField(
    'Currency of all amounts. It sets the number of decimals: 2 for USD, 0 for JPY, 3 for KWD. Set it always: without ' +
      '`currency`, the invoice is in USD.',
  ).default('USD'),
  taxRate: fractionField('taxRate', 'Tax rate of items and shipping without their own rate.').optional(),
  taxCategory: taxCategoryField(
    'VAT category of items, charges and shipping without their own. Default: `S` for a rate above 0.',
  ).optional(),
  taxes: taxesField(
    'Taxes of items, charges and shipping without their own, if there are several. Each tax is computed on the amount ' +
      'without tax, and has its own line in the totals.',
  ),
  taxExemptions: taxExemptionsField,
  notes: textField(
    'Notes, printed next to the totals. Long notes are printed below the totals.',
    MAX_LONG_TEXT,
  ).optional(),
  codedNotes: codedNotesField,
  dueDate: dateField('Due date. For a quote, the date until which it is valid.').optional(),
  issueDate: dateField('Invoice date. Default: today (UTC).').optional(),
  type: z
    .enum(['invoice', 'quote', 'proforma', 'receipt', 'credit-note', 'corrected-invoice', 'prepayment-invoice'])
    .default('invoice')
    .describe(
      'Document type. It sets the heading and the labels of the due date and the total. Sheaf ' +
        "doesn't change the sign of amounts, not even in a credit note.",
    )
    .meta(inForm({ label: 'Document type', choices: { proforma: 'Proforma invoice' } })),
  typeCode: referenceField(
    'Code of UNTDID 1001 for an electronic invoice, such as `326` for a partial invoice. Default: the code of `type`.',
  ),
  precedingInvoice: precedingInvoiceField.optional(),
  purchaseOrder: referenceField('Order number of the buyer.'),
  buyerReference: referenceField('Reference that the buyer asked for, such as a German `Leitweg-ID`.'),
  salesOrder: referenceField('Order number of the seller.'),
  contractReference: referenceField('Number of the contract.'),
  projectReference: referenceField('Number of the project.'),
  tenderReference: referenceField('Number of the tender or lot.'),
  receivingAdvice: referenceField('Number of the receiving advice.'),
  despatchAdvice: referenceField('Number of the delivery note.'),
  accountingReference: referenceField('Cost center or account of the buyer.'),
  invoicedObject: identifierField('Object that the invoice is for, such as a meter.', 'UNTDID 1153').optional(),
  deliveryDate: dateField('Date of delivery or service.').optional(),
  period: periodField('Period that the invoice is for.'),
  taxPointDate: dateField('Date on which the tax is due, if it differs from the invoice date.').optional(),
  taxPointCode: z
    .enum(['3', '35', '432'])
    .optional()
    .describe('Event that the tax is due on: `3` invoice date, `35` delivery, `432` payment.')
    .meta(inForm({ choices: { 3: 'Invoice date', 35: 'Delivery', 432: 'Payment' } })),
  shipTo: shipToFields.optional(),
  customFields: z
    .array(z.object({ name: nameField('Label of the field.'), value: nameField('Value of the field.') }))
    .max(MAX_CUSTOM_FIELDS)
    .optional()
    .describe('Custom fields next to the dates.'),
  discount: discountField(
    'Discount on the sum of all items. Sheaf subtracts the discount before it computes tax. With several tax ' +
      'rates, Sheaf splits the discount in proportion to the amount at each rate.',
  ).optional(),
  allowances: allowancesField,
  charges: chargesField,
  shipping: shippingField.optional(),
  withholding: withholdingField,
  amountPaid: numberField('Amount already paid. It reduces the amount due.')
    .optional()
    .meta(inForm({ label: 'Amount already paid' })),
  prepayments: prepaymentsField,
  paid: paidField,
  roundingAmount: numberField('Amount that rounds the amount due, such as `0.02`. It is added.').optional(),
  taxCurrency: currencyField('Currency in which the tax must be stated too.').optional(),
  exchangeRate: numberField('Units of `taxCurrency` for one unit of `currency`.').optional(),
  taxInTaxCurrency: numberField('Sum of all taxes in `taxCurrency`, in place of `exchangeRate`.').optional(),
  pricesIncludeTax: z
    .boolean()
    .default(false)
    .describe('If `true`, unit prices include tax. The invoice shows the tax as a part of the total.'),
  reverseCharge: z
    .boolean()
    .default(false)
    .describe('If `true`, the buyer owes the tax. The invoice has no tax and says so.'),
  payment: paymentFields.optional(),
  paymentTerms: textField('Payment terms in a few words, such as `Net 30`.').optional(),
  payee: payeeFields.optional(),
  taxRepresentative: taxRepresentativeFields.optional(),
  attachments: attachmentsField,
  terms: textField(
    'Terms and conditions, printed at the end. In electronic invoices, also a note (BT-22).',
    MAX_LONG_TEXT,
  ).optional(),
  totals: totalsField.optional().meta(inForm({ label: 'Totals to check' })),
  logo: logoField().optional(),
  locale: localeField.meta(inForm({ label: 'Language' })),
  labels: labelFields.optional(),
  template: z
    .enum(['classic', 'modern', 'compact'])
    .default('classic')
    .describe('Layout. `classic` is plain, `modern` has more color, and `compact` fits more lines on a page.')
    .meta(inForm({ label: 'Layout' })),
  accentColor: colorOption(
    'Accent color of the invoice. Areas have exactly this color. If small text in it would be hard to read, that ' +
      'text is darker. The response then has the warning `accent-text-darkened`, and `X-Accent-Text-Color`.',
    '#2540a8',
  ),
  pageSize: z.enum(['A4', 'Letter']).default('A4').describe('Paper size.'),
  eInvoice: electronicField.optional(),
  conformance: conformanceOption(
    'Standards that the invoice must conform to: `pdfa-3b` for archives, `pdfua-1` for accessibility, or an array ' +
      'with both. By default, Sheaf makes both claims, and drops one that a rule would break. If you name a ' +
      "standard and the invoice can't conform, the request returns an error with each rule. Sheaf validates an " +
      'invoice if its template, a font or the kind of its logo is new to the process. Others are built in the same ' +
      'way. `[]` makes no claim. A PDF with `eInvoice` always conforms to `pdfa-3b`.',
  ),
  qr: z
    .enum(['none', 'epc', 'swiss', 'url'])
    .default('none')
    .describe(
      'Payment QR code. `epc`: code for SEPA transfers in EUR. `swiss`: Swiss QR-bill in CHF or EUR. The ' +
        'receipt and the payment part are at the foot of an A4 page. `url`: code with `payment.link`.',
    )
    .meta(
      inForm({
        label: 'Payment QR code',
        choices: { none: 'None', epc: 'SEPA transfer', swiss: 'Swiss QR-bill', url: 'Payment link' },
      }),
    ),
})

/** A valid invoice. */
export type Invoice = z.output<typeof invoiceFields>

/** A discount in percent, or as an amount. */
export type Discount = { rate: number } | { amount: number }

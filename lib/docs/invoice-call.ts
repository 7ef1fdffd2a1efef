import { z } from 'zod'

const email = z.string().optional().describe('E-mail address.')
const addressLines = z.array(z.string()).optional().describe('The postal address, line by line.')
const items = z
  .array(
    z.object({
      description: z.string().describe('What was delivered or done.'),
      quantity: z.number().describe('How many; decimals are allowed.'),
      rate: z.number().describe('Price of one, in `currency`.'),
    }),
  )
  .min(1)
  .describe('What is charged, line by line.')

const common = {
  invoiceNumber: z.string().min(1).describe('Number of the invoice; it names the file too.'),
  items,
  currency: z.string().default('USD').describe('ISO 4217 code.'),
  taxRate: z.number().min(0).max(1).optional().describe('Tax as a fraction: 0.1 is 10 %.'),
  notes: z.string().optional().describe('Text under the items.'),
  dueDate: z.iso.date().optional().describe('When to pay, YYYY-MM-DD.'),
  issueDate: z.iso.date().optional().describe('Date of the invoice, YYYY-MM-DD. Default: today (UTC).'),
}

/** Fields of an invoice in JSON. */
export const invoiceFields = z.object({
  ...common,
  from: z
    .object({ name: z.string().min(1).describe('Name.'), email, phone: z.string().optional().describe('Telephone number.'), addressLines, taxId: z.string().optional().describe('Tax or VAT number.') })
    .describe('Who sends the invoice.'),
  billTo: z.object({ name: z.string().min(1).describe('Name.'), email, addressLines }).describe('Who pays it.'),
})

/** Fields of an invoice in a form, which has no objects. */
export const invoiceFormFields = z.object({
  invoiceNumber: common.invoiceNumber,
  fromName: z.string().min(1).describe('Name of who sends the invoice.'),
  billToName: z.string().min(1).describe('Name of who pays it.'),
  items: items.describe('The items as one JSON text.'),
})

/** Calls of the documentation; the first one is what the samples send. */
export const invoiceExamples: [{ title: string; options: z.input<typeof invoiceFields> }] = [
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
]

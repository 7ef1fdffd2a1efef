import { describe, expect, it } from 'vitest'
import { writeCii } from '../../../../../engines/standards/einvoice/write/write-cii'
import { writeUbl } from '../../../../../engines/standards/einvoice/write/write-ubl'
import { readInvoiceXml } from '../../../../../engines/features/invoice/reading/read-invoice'
import { invoiceFields } from '../../../../../engines/features/invoice/data/invoice'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { FULL_BODY, SMALLEST_PEPPOL, SMALLEST_XRECHNUNG } from '../../../../../lib/docs/electronic-bodies'
import type { InvoiceBody } from '../../../../../lib/docs/electronic-bodies'
import { checkFields } from '../../../../../lib/operations/check-fields'
import { fullInvoice } from '../../../standards/einvoice/full-invoice'
import { ublWith } from '../../../standards/einvoice/read/small-invoices'
import { invoiceFile } from './invoice-file'

const UNTAXED = {
  items: [{ description: 'x', quantity: 1, rate: 10 }],
  allowances: [],
  charges: [],
  amountPaid: 0,
} satisfies Partial<InvoiceBody>

/** Reads XML, and returns the problems of its `invoice` as a request with `Prefer: handling=strict`. */
function readBack(xml: string) {
  const { invoice, ...report } = readInvoiceXml(Buffer.from(xml))
  const known = { schema: invoiceFields, fileFields: [] }
  const { problems } = checkFields({ fields: invoice, files: [] }, known, { handling: 'strict', query: [] })
  return { ...report, invoice, problems: [...problems, ...(invoiceSchema.safeParse(invoice).error?.issues ?? [])] }
}

describe('the invoice that is read is a body that the endpoint accepts', () => {
  const { roundingAmount: _, ...xrechnung } = { roundingAmount: 0, ...FULL_BODY, from: SMALLEST_XRECHNUNG.from }
  const formats: [string, InvoiceBody][] = [
    ...(['basic', 'en16931', 'extended'] as const).map((profile): [string, InvoiceBody] => [
      `Factur-X ${profile}`,
      { ...FULL_BODY, eInvoice: { format: 'factur-x', profile } },
    ]),
    ...(['cii', 'ubl'] as const).map((syntax): [string, InvoiceBody] => [
      `XRechnung in ${syntax}`,
      { ...xrechnung, eInvoice: { format: 'xrechnung', syntax } },
    ]),
    ['Peppol', { ...FULL_BODY, ...SMALLEST_PEPPOL, payment: FULL_BODY.payment, items: FULL_BODY.items }],
  ]
  const changes: [string, Partial<InvoiceBody>][] = [
    ['an invoice', {}],
    ['a credit note', { type: 'credit-note', precedingInvoice: [{ number: 'R-1', date: '2026-01-31' }] }],
    [
      'a direct debit',
      {
        payment: {
          means: 'sepa-direct-debit',
          mandate: 'M',
          creditorId: 'DE98ZZZ09999999999',
          debitedIban: 'DE02120300000000202051',
        },
      },
    ],
    ['a card', { payment: { means: 'credit-card', card: { lastDigits: '4711' } } }],
    [
      'reverse charge',
      { reverseCharge: true, taxRate: 0, billTo: { ...FULL_BODY.billTo, vatId: 'ATU12345678' }, ...UNTAXED },
    ],
    ['tax in another currency', { currency: 'SEK', taxCurrency: 'EUR', exchangeRate: 0.087 }],
    ['odd amounts', { items: [{ description: 'x', quantity: 0.333, rate: 0.123456, priceBase: 3, taxRate: 0.19 }] }],
  ]
  it.each(formats.flatMap(([format, body]) => changes.map(([name, change]) => [name, format, body, change] as const)))(
    '%s, %s',
    async (_, __, body, change) => {
      const sent = { ...body, ...change, eInvoice: { ...body.eInvoice, output: 'xml' } }
      const { problems, invalid, brokenRules } = readBack((await invoiceFile(sent as InvoiceBody)).toString('utf8'))
      expect({ problems, invalid, brokenRules }).toEqual({ problems: [], invalid: [], brokenRules: [] })
    },
  )
})

describe('what the endpoint refuses is not in the invoice', () => {
  it.each([
    ['line breaks', ' a\r\n b\t\u0085c '],
    ['a long text', 'x'.repeat(50_000)],
    ['an impossible date', '2026-13-99'],
    ['the same in CII', '20261399'],
    ['a number', '-1234567890123456789.5'],
    ['a number with a comma', '1,5'],
    ['an emoji', '\u{1f600}'],
  ])('%s in every element', (_, text) => {
    for (const write of [writeCii, writeUbl]) {
      const xml = write(fullInvoice(), 'en16931')
      const { invoice, invalid } = readBack(xml.replaceAll(/>[^<>\n]+</g, `>${text}<`))
      expect(invalid.length).toBeGreaterThan(0)
      const issues = invoiceFields.safeParse(invoice).error?.issues ?? []
      // Required fields are missing, if their value was taken away.
      const missing = /received undefined$|^Invalid input$|^must have amount or rate/
      expect(issues.filter(({ message }) => !missing.test(message))).toEqual([])
    }
  })

  it.each([
    ['issueDate', '2026-13-99', /20260331/g, '20261399', /existing date/],
    ['items[0].quantity', '1,5', />250</g, '>1,5<', /must be a number/],
    ['items[0].taxRate', '1.5', />19</g, '>150<', /fraction/],
  ])('%s, and its value is noted', (param, value, text, changed, message) => {
    const { invoice, invalid, unknown } = readBack(writeCii(fullInvoice(), 'en16931').replaceAll(text, changed))
    expect(invalid).toContainEqual({ param, value, message: expect.stringMatching(message) })
    expect(JSON.stringify(invoice)).not.toContain(value)
    expect(unknown).toEqual([])
  })

  it('keeps items that are too many, and notes their number', () => {
    const { invoice, invalid } = readInvoiceXml(Buffer.from(ublWith('<cac:InvoiceLine/>'.repeat(1001))))
    expect(invoice.items).toHaveLength(1001)
    expect(invalid).toContainEqual({
      param: 'items',
      value: '1001 entries',
      message: 'must have at most 1,000 entries.',
    })
  })
})

it('a name of an attribute with line breaks is on one line', () => {
  const full = fullInvoice()
  const [item] = full.items
  if (item) item.attributes = [{ name: 'Color\n of the\r\nframe', value: ' deep\nblack ' }]
  for (const write of [writeCii, writeUbl]) {
    const { invoice, invalid } = readBack(write(full, 'en16931'))
    expect(invoice.items?.[0]?.attributes).toEqual([{ name: 'Color of the frame', value: 'deep black' }])
    expect(invalid).toEqual([])
  }
})

import { beforeAll, describe, expect, it } from 'vitest'
import { listEndpoints } from '../../lib/docs/endpoints'
import type { InvoiceBody } from '../../lib/docs/electronic-bodies'
import { makePng } from '../fixtures/png'
import { readPageTexts } from '../support/page-texts'
import { type ApiResponse, type Client, createClient, type Part } from './client'
import { expectFile, expectRefusal, readFileName } from './expectations'
import { strictService, usualService } from '../support/shared-services'

const PATH = '/api/external/invoice-generator/pdf'
const CODE = 'invalid_invoice_payload'
const examples = (listEndpoints().find(({ slug }) => slug === 'invoice-generator')?.examples ?? []).map(
  ({ title, options }) => ({ title, options: options as InvoiceBody }), // The examples have this type.
)
const items = [{ description: 'Form item', quantity: 4, rate: 2.5 }]
const least = {
  invoiceNumber: 'F-77',
  from: { name: 'Form Sender' },
  billTo: { name: 'Form Buyer' },
  items,
  issueDate: '2026-01-02',
}
const logo = makePng({ width: 8, height: 8, colorType: 2, bits: 8, pixel: () => [200, 20, 20] })

let client: Client

beforeAll(async () => {
  const service = await usualService()
  client = createClient(service.base, await service.createKey('invoices@example.test', { credits: 500 }))
})

const textOf = async ({ bytes }: ApiResponse) => (await readPageTexts(bytes)).join(' ').replace(/\s+/g, ' ')

describe('an invoice', () => {
  it.each(examples)('$title: one file, the same again, for 1 credit each', async ({ options }) => {
    const isXml = options.eInvoice?.format === 'xrechnung'
    const before = await client.balance()
    const responses = [
      await client.sendJson(PATH, options),
      await client.sendForm(PATH, [{ name: 'data', value: JSON.stringify(options) }]),
    ]
    for (const [index, response] of responses.entries()) {
      expectFile(response, isXml ? 'application/xml' : 'application/pdf')
      expect({ charged: response.charged, balance: response.balance, warnings: response.warnings }).toEqual({
        charged: 1,
        balance: before - index - 1,
        warnings: [],
      })
    }
    expect(responses[0]?.bytes.equals(responses[1]?.bytes ?? Buffer.alloc(0))).toBe(true)
    expect(readFileName(responses[0] as ApiResponse)).toBe(
      `${options.invoiceNumber.replaceAll('/', '-')}.${isXml ? 'xml' : 'pdf'}`,
    )
  })

  it('from flat fields equals the one from JSON', async () => {
    const parts: Part[] = Object.entries({
      invoiceNumber: 'F-77',
      fromName: 'Form Sender',
      billToName: 'Form Buyer',
      items: JSON.stringify(items),
      issueDate: '2026-01-02',
    }).map(([name, value]) => ({ name, value }))
    const [form, json] = [await client.sendForm(PATH, parts), await client.sendJson(PATH, least)]
    expectFile(form, 'application/pdf')
    expect(form.bytes.equals(json.bytes)).toBe(true)
    expect(await textOf(form)).toContain('$10.00')
    const withLogo = await client.sendForm(PATH, [...parts, { name: 'logo', fileName: 'logo.png', value: logo }])
    const same = await client.sendJson(PATH, { ...least, logo: { name: 'x.png', dataBase64: logo.toString('base64') } })
    const inText = await client.sendJson(PATH, { ...least, logo: `data:image/png;base64,${logo.toString('base64')}` })
    expectFile(withLogo, 'application/pdf')
    expect([same.bytes.equals(withLogo.bytes), inText.bytes.equals(withLogo.bytes)]).toEqual([true, true])
    expect(withLogo.bytes.equals(form.bytes)).toBe(false)
  })

  it('ignores unknown fields, with a warning', async () => {
    const response = await client.sendJson(PATH, { ...least, color: 'red', billTo: { name: 'B', fax: '1' } })
    expectFile(response, 'application/pdf')
    expect(response.warnings).toEqual(['unknown-field'])
  })

  it('with 200 items is returned completely', async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      description: `Row ${index + 1}.`,
      quantity: 1,
      rate: 1,
    }))
    const text = await textOf(await client.sendJson(PATH, { ...least, items: many }))
    for (const part of ['Row 1.', 'Row 100.', 'Row 200.', '$200.00']) expect(text).toContain(part)
  })

  it('is named after its number', async () => {
    expect(readFileName(await client.sendJson(PATH, { ...least, invoiceNumber: 'R/2025:7' }))).toBe('R-2025-7.pdf')
  })
})

describe('an invoice error', () => {
  it.each([
    ['a note of 100,000 characters', { notes: 'x'.repeat(100_000) }, 'notes'],
    ['half of a surrogate pair', { notes: '\ud83d' }, 'notes'],
    ['a control character', { invoiceNumber: 'a\u0000' }, 'invoiceNumber'],
    ['a character that no font has', { items: [{ ...items[0], description: '\u{13000}' }] }, 'items[0].description'],
    ["a logo that isn't an image", { logo: { name: 'a.png', dataBase64: 'AAAA' } }, 'logo'],
    ['a date that does not exist', { dueDate: '2026-02-30' }, 'dueDate'],
    ['a tax rate in percent', { taxRate: 10 }, 'taxRate'],
  ])('in %s names the field and is free', async (_what, wrong, param) => {
    const before = await client.balance()
    const response = await client.sendJson(PATH, { ...least, ...wrong })
    expectRefusal(response, { status: 400, error: CODE, says: [param] }, before)
    expect(response.json['param']).toBe(param)
    expect(await client.balance()).toBe(before)
  })

  it('names each rule that an electronic invoice breaks, up to 100 problems, and is free', async () => {
    const before = await client.balance()
    const wrong = Array.from({ length: 1000 }, () => ({
      ...items[0],
      date: '2026-01-02',
      period: { start: '2026-01-02', end: '2026-01-01' },
    }))
    const eInvoice = { format: 'xrechnung' }
    const response = await client.sendJson(PATH, { ...least, currency: 'EUR', taxRate: 0.19, eInvoice })
    expectRefusal(response, { status: 400, error: CODE, says: ['BR-08'] }, before)
    expect(response.json['problems']).toContainEqual({
      param: 'buyerReference',
      message: expect.stringMatching(/Rule BR-DE-15\.$/) as string,
      rule: 'BR-DE-15',
    })
    const long = await client.sendJson(PATH, { ...least, items: wrong, dueDate: '2026-01-01', eInvoice })
    expectRefusal(long, { status: 400, error: CODE, says: ['dueDate'] }, before)
    const problems = long.json['problems'] as object[]
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toEqual({ message: 'and more errors.' })
    expect(await client.balance()).toBe(before)
  })

  it('lists all problems at once', async () => {
    const response = await client.sendJson(PATH, { from: {}, items: [], taxRate: -1, currency: 'nope' })
    expect(response.json['problems']).toMatchObject([
      { param: 'invoiceNumber' },
      { param: 'from.name' },
      { param: 'billTo' },
      { param: 'items' },
      { param: 'currency' },
      { param: 'taxRate' },
    ])
  })
})

it('a failed drawing is reported as ours and refunded', async () => {
  const hasty = await strictService()
  const slow = createClient(hasty.base, await hasty.createKey('hasty-invoice@example.test'))
  const before = await slow.balance()
  const many = Array.from({ length: 1000 }, (_, index) => ({ description: `Row ${index}`, quantity: 1, rate: 1 }))
  expectRefusal(
    await slow.sendJson(PATH, { ...least, items: many }),
    { status: 500, error: 'invoice_pdf_generation_failed' },
    before,
  )
  expect(await slow.balance()).toBe(before)
})

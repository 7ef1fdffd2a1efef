import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { listBrokenRules } from '../../../../support/conformance'
import { readPdf } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import type { PdfRef } from '../../../../support/pdf-syntax'
import { StrictPdf } from '../../../../support/strict-pdf'

const base = {
  invoiceNumber: 'INV-7',
  currency: 'EUR',
  issueDate: '2026-11-02',
  from: { name: 'Quill & Sons' },
  billTo: { name: 'Ada Example' },
  items: [{ description: 'Binding', quantity: 2, rate: 3312 }],
}

const run = (fields: Record<string, unknown>) =>
  runOn('invoice', [], invoiceSchema.parse({ ...base, ...fields }), { now: new Date(0) })

/** The text of each page on one line. */
async function read(fields: Record<string, unknown>): Promise<string[]> {
  const { pages } = await readPdf((await run(fields)).bytes)
  return pages.map(({ text }) => text.normalize('NFKC').replace(/\s+/g, ' '))
}

describe('totals', () => {
  it('show the total without tax below charges, and no 0% of charges alone', async () => {
    const charged = { taxRate: 0.19, charges: [{ amount: 50, reason: 'Tip', taxRate: 0 }] }
    const [text = ''] = await read(charged)
    expect(text).toContain('Tip €50.00 Total without tax €6,674.00 Tax (19% × €6,624.00) €1,258.56 Total')
    expect((await read({ taxRate: 0.19 }))[0]).not.toContain('Total without tax')
  })

  it('keep 0% if an item has it', async () => {
    const items = [...base.items, { description: 'Book', quantity: 1, rate: 10, taxRate: 0 }]
    expect((await read({ items, taxRate: 0.19 }))[0]).toContain('Tax (0% × €10.00) €0.00')
  })
})

it('prepayments have their net amount and tax below them', async () => {
  const prepayments = [{ reference: 'A-1', date: '2026-09-01', amount: 1190 }]
  expect((await read({ taxRate: 0.19, prepayments, amountPaid: 5 }))[0]).toContain(
    'Prepayment A-1 -€1,190.00 Sep 1, 2026 · Net €1,000.00 + Tax (19%) €190.00 Paid -€5.00 Amount due €6,687.56',
  )
})

it('a paid invoice has a mark and how it was paid instead of payment details', async () => {
  const payment = { iban: 'DE89370400440532013000', means: 'card', card: { lastDigits: '4242' } }
  const [text = ''] = await read({ payment, paid: '2026-11-20' })
  expect(text).toContain('INV-7 Paid · Nov 20, 2026 From')
  expect(text).toContain('Means of payment Card, •••• 4242 Amount due €0.00')
  expect(text).toContain('Paid (Nov 20, 2026) -€6,624.00 Amount due €0.00')
  expect(text).not.toContain('IBAN')
  expect((await read({ payment, paid: false }))[0]).toContain('IBAN')
})

it('items have numbers and headings of sections', async () => {
  const row = (more: object) => ({ description: 'Work', quantity: 1, rate: 5, ...more })
  const items = [
    row({ section: 'Design' }),
    row({ lineId: '1.2' }),
    row({ section: 'Design' }),
    row({ section: 'Fitting' }),
  ]
  const { bytes } = await run({ items, positionNumbers: true })
  for (const profile of ['pdfa-3b', 'pdfua-1'] as const) expect(listBrokenRules(bytes, profile)).toEqual([])
  expect((await readPdf(bytes)).pages[0]?.text.replace(/\s+/g, ' ')).toContain(
    'No. Description Qty Rate Amount Design 1 Work 1 €5.00 €5.00 1.2 Work 1 €5.00 €5.00 3 Work 1 €5.00 €5.00 ' +
      'Fitting 4 Work 1 €5.00 €5.00 Total',
  )
})

it('the heading of a section stays with its first item', async () => {
  const items = Array.from({ length: 60 }, (_, index) => ({
    description: 'Work',
    quantity: 1,
    rate: 1,
    section: `Part ${index}`,
  }))
  for (const text of await read({ items })) expect(text).not.toMatch(/Part \d+ Quill & Sons Page/)
})

it('a section sign stays with its number', async () => {
  for (const filler of Array.from({ length: 12 }, (_, index) => 'x'.repeat(index + 1))) {
    const { pages } = await readPdf((await run({ notes: `Exempt by ${filler} words of the law in § 19 UStG` })).bytes)
    expect(pages[0]?.text).toMatch(/§[ \u00a0]19/)
  }
})

describe('the accent color', () => {
  const look = async (accentColor: string, template = 'modern') => {
    const { bytes, warnings, headers } = await run({ accentColor, template })
    const { objects, pages } = new StrictPdf(bytes)
    const content = pages
      .map(({ dict }) => objects.get((dict.get('Contents') as PdfRef).number)?.data ?? Buffer.alloc(0))
      .map(data => inflateSync(data).toString('latin1'))
      .join('')
    return { warnings, used: headers['X-Accent-Text-Color'], content }
  }
  it('is exact if it can be read', async () => {
    expect(await look('#0f766e')).toMatchObject({ warnings: [], used: undefined })
  })

  it('is exact in areas, and darker in small text with a warning', async () => {
    const { warnings, used, content } = await look('#ffc400')
    expect([warnings, used]).toEqual([['accent-text-darkened'], '#8c6c00'])
    expect(content).toMatch(/1 0\.769 0 rg\n[-\d. ]+ re f/)
    expect(content).toContain('0.549 0.424 0 rg\n1 0 0 1')
    expect(content).not.toContain('1 0.769 0 rg\n1 0 0 1')
  })
})

describe('pages', () => {
  const payment = { iban: 'DE89370400440532013000', bankName: 'Musterbank', reference: 'R 7' }
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ description: `Position ${index + 1}`, quantity: 1, rate: 1 }))

  it.each([1, 2, 14, 15, 16, 17, 18, 21])('never start with payment details or short terms: %d items', async count => {
    const notes = count > 2 ? undefined : Array.from({ length: 25 }, (_, line) => `line ${line}`).join('\n')
    const pages = await read({ items: items(count), notes, payment, qr: 'epc', terms: 'Late fees apply.' })
    const [first = '', second] = pages
    expect(first).toContain('Position 1')
    if (second !== undefined) expect(second).toMatch(count > 2 ? /continued Description .*Position/ : /continued Notes/)
  })

  it('have smaller distances if one page is then enough', async () => {
    const more = {
      pageSize: 'Letter',
      template: 'modern',
      from: { name: 'Bright Fork', addressLines: ['410 W 24th Street', 'New York, NY 10011'] },
      shipTo: { name: 'Stage door', addressLines: ['87 Water Street', 'Brooklyn, NY 11201'] },
      items: items(4),
      discount: { rate: 0.05 },
      taxRate: 0.08875,
      shipping: { amount: 12, taxRate: 0 },
      charges: [{ amount: 8.5, taxRate: 0 }],
      amountPaid: 3,
      dueDate: '2026-12-20',
      payment: { link: 'https://pay.example.com/7', bankName: 'Chase', accountNumber: '1' },
      qr: 'url',
      terms: 'Late fees apply.',
    }
    expect(await read(more)).toHaveLength(1)
  })
})

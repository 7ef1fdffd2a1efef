import { describe, expect, it } from 'vitest'
import type { EngineError } from '../../../../engines/errors'
import { invoiceFields } from '../../../../engines/features/invoice/data/invoice'
import { invoiceSchema } from '../../../../engines/features/invoice/input/invoice-schema'
import { runInvoice } from '../../../../engines/features/invoice/run-invoice'
import { makePng } from '../../../fixtures/png'
import { findOverlaps, readCharacters } from '../../../support/character-boxes'
import { readPdf } from '../../../support/reader'
import { LIMITS } from '../../../support/run-on'
import { PdfDict, PdfName, PdfRef, type PdfValue } from '../../../support/pdf-syntax'
import { StrictPdf } from '../../../support/strict-pdf'

const LOGO = makePng({ width: 60, height: 30, colorType: 2, bits: 8, pixel: () => [20, 90, 80] })
const MARGIN = 39
const WIDTH = { A4: 595.28, Letter: 612 }

const base = {
  invoiceNumber: 'INV-7',
  from: {
    name: 'Quill & Sons',
    addressLines: ['1 Paper Lane', 'Bristol'],
    email: 'hello@quill.example',
    phone: '+44 1',
    taxId: 'GB1',
  },
  billTo: { name: 'Ada Example', addressLines: ['Bath'] },
  items: [
    { description: 'Binding', quantity: 2, rate: 50.25 },
    { description: 'Delivery', quantity: 3, rate: 19.99 },
  ],
  taxRate: 0.1,
  notes: 'Thank you',
  issueDate: '2025-03-01',
  dueDate: '2025-03-31',
}
const rows = (count: number, describeRow: (index: number) => string = index => `Position ${index + 1} of the list`) =>
  Array.from({ length: count }, (_, index) => ({ description: describeRow(index), quantity: index + 1, rate: 1.25 }))
const arabic = {
  ...base,
  locale: 'ar-EG',
  currency: 'KWD',
  from: { name: 'شركة النور للتجارة', addressLines: ['مدينة الكويت'], taxId: 'KW-998877' },
  billTo: { name: 'مؤسسة Globex الدولية' },
  items: [{ description: 'تصميم هوية بصرية متكاملة (نسخة PDF)', quantity: 2.5, rate: 120.125 }],
  notes: 'شكراً لتعاملكم معنا. 30 يوماً.',
}

async function draw(
  data: Record<string, unknown>,
  { logo, now = new Date(0) }: { logo?: Buffer; now?: Date } = {},
): Promise<Buffer> {
  const options = invoiceSchema.parse(data)
  const result = await runInvoice(
    { tool: 'invoice', options, files: logo ? [{ name: 'logo.png', bytes: logo }] : [], limits: LIMITS, now },
    () => undefined,
  )
  return Buffer.concat(result.chunks)
}

it('refuses an invoice whose fields contradict each other, with every problem and its rule', async () => {
  const items = Array.from({ length: 150 }, () => ({ description: 'a', quantity: 1, rate: 1, taxRate: 0.1 }))
  const options = invoiceFields.parse({ ...base, items, dueDate: '2025-02-01', reverseCharge: true })
  const work = runInvoice({ tool: 'invoice', options, files: [], limits: LIMITS }, () => undefined)
  const error = (await work.catch((thrown: unknown) => thrown)) as EngineError
  expect(error).toMatchObject({ reason: 'options_invalid', problems: { length: 101 } })
  expect(error.problems.slice(0, 3).map(({ param }) => param)).toEqual(['dueDate', 'taxRate', 'items[0].taxRate'])
  expect(error.problems.at(-1)).toEqual({ message: 'and more errors' })
  const electronic = invoiceFields.parse({ ...base, eInvoice: { format: 'xrechnung' } })
  const checked = runInvoice({ tool: 'invoice', options: electronic, files: [], limits: LIMITS }, () => undefined)
  await expect(checked).rejects.toMatchObject({ problems: [{ param: 'from.taxId' }, {}, {}] })
})

const flat = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ')

async function read(data: Record<string, unknown>): Promise<string[]> {
  return (await readPdf(await draw(data))).pages.map(page => flat(page.text))
}

/** Expects all text inside the margins and without overlaps. */
async function expectTidy(pdf: Buffer, pageSize: keyof typeof WIDTH = 'A4'): Promise<void> {
  for (const characters of await readCharacters(pdf)) {
    expect(findOverlaps(characters)).toEqual([])
    expect(Math.min(...characters.map(({ left }) => left))).toBeGreaterThan(MARGIN - 1)
    expect(Math.max(...characters.map(({ right }) => right))).toBeLessThan(WIDTH[pageSize] - MARGIN + 1)
    expect(Math.min(...characters.map(({ bottom }) => bottom))).toBeGreaterThan(15)
  }
}

describe('an invoice', () => {
  it('contains all given data, and its totals', async () => {
    const [text = ''] = await read(base)
    for (const part of [
      'INV-7',
      'Quill & Sons',
      '1 Paper Lane',
      'Bristol',
      'hello@quill.example',
      '+44 1',
      'GB1',
      'Ada Example',
      'Bath',
      'Binding',
      'Delivery',
      '$100.50',
      '$59.97',
      '$160.47',
      'Tax (10%)',
      '$16.05',
      '$176.52',
      'Thank you',
      'Mar 1, 2025',
      'Mar 31, 2025',
      'Page 1 of 1',
    ])
      expect(text).toContain(part)
  })

  it('contains all optional data', async () => {
    const more = {
      ...base,
      type: 'credit-note',
      precedingInvoice: 'INV-1',
      purchaseOrder: 'PO 9',
      paymentTerms: '30 days net',
      shipTo: { name: 'Warehouse', addressLines: ['Dock 4'] },
      customFields: [{ name: 'Project', value: 'Atlas' }],
      items: [
        {
          description: 'Paper',
          quantity: 2,
          rate: 10,
          unit: 'kg',
          discount: { rate: 0.1 },
          taxRate: 0.2,
          details: 'acid-free',
          date: '2025-02-01',
          sku: 'P-1',
        },
        { description: 'Ink', quantity: 1, rate: 5 },
      ],
      discount: 1,
      shipping: 4,
      amountPaid: 3,
      terms: 'No returns',
      payment: {
        iban: 'DE89370400440532013000',
        bic: 'COBADEFFXXX',
        bankName: 'Bank',
        reference: 'R 7',
        link: 'https://pay.example.com/7',
      },
      labels: { tax: 'VAT', page: 'Sheet {page}/{pages}' },
    }
    const pdf = await draw(more, { logo: LOGO })
    const {
      pages: [page],
    } = await readPdf(pdf)
    const text = flat(page?.text ?? '')
    for (const part of [
      'Credit note',
      'INV-1',
      'PO 9',
      '30 days net',
      'Warehouse',
      'Dock 4',
      'Project',
      'Atlas',
      'kg',
      '10%',
      '20%',
      'acid-free',
      'Feb 1, 2025',
      'P-1',
      '-$1.00',
      '$4.00',
      '-$3.00',
      'No returns',
      'DE89 3704 0044 0532 0130 00',
      'COBADEFFXXX',
      'R 7',
      'https://pay.example.com/7',
      'VAT (20%',
      'Sheet 1/1',
    ])
      expect(text).toContain(part)
    expect(page?.links).toEqual([{ uri: 'https://pay.example.com/7' }])
    await expectTidy(pdf)
  })

  it('is dated by the day of the request if it has no date', async () => {
    const pdf = await draw(
      { ...base, issueDate: undefined, dueDate: undefined },
      { now: new Date('2027-05-06T23:59:59Z') },
    )
    expect(flat((await readPdf(pdf)).pages[0]?.text ?? '')).toContain('May 6, 2027')
  })

  it('is the same for the same data, and is small', async () => {
    const [one, other] = [await draw(base), await draw(base, { now: new Date(1e12) })]
    expect(one.equals(other)).toBe(true)
    expect(one.length).toBeLessThan(30_000)
  })

  it.each(['JPY', 'KWD', 'USD', 'CLF'])('writes amounts with the digits of %s', async currency => {
    const [text = ''] = await read({
      ...base,
      currency,
      taxRate: undefined,
      items: [{ description: 'x', quantity: 3, rate: 1234.5675 }],
    })
    expect(text).toMatch(
      { JPY: /¥3,704(?!\.)/, KWD: /KWD 3,703\.703/, USD: /\$3,703\.70/, CLF: /CLF 3,703\.7025/ }[currency] ?? /^$/,
    )
  })

  it('is written in its language', async () => {
    const [german = ''] = await read({ ...base, locale: 'de', currency: 'EUR' })
    for (const part of ['Rechnung', 'Fällig am', '01.03.2025', '176,52 €', 'Seite 1 von 1'])
      expect(german).toContain(part)
    const [swedish = ''] = await read({ ...base, locale: 'sv', currency: 'SEK' })
    for (const part of ['Invoice', '176,52 kr']) expect(swedish).toContain(part)
  })
})

describe('pages', () => {
  it('repeat the header row, are numbered, and end with the totals and the last rows', async () => {
    for (const count of [21, 22, 23, 24, 40]) {
      const pages = await read({ ...base, items: rows(count), taxRate: 0 })
      expect(pages.length).toBeGreaterThan(1)
      for (const [index, text] of pages.entries()) {
        expect(text).toContain('Description')
        expect(text).toContain(`Page ${index + 1} of ${pages.length}`)
      }
      const last = pages.at(-1) ?? ''
      for (const part of ['Total', `Position ${count} of`, `Position ${count - 1} of`]) expect(last).toContain(part)
      for (let row = 1; row <= count; row++)
        expect(pages.filter(text => text.includes(`Position ${row} of`))).toHaveLength(1)
    }
  })

  it('split a row that is taller than a page, without losing a line', async () => {
    const description = Array.from({ length: 120 }, (_, index) => `tall ${index}.`).join('\n')
    const details = Array.from({ length: 120 }, (_, index) => `deep ${index}.`).join('\n')
    for (const items of [
      [{ description, details, quantity: 1, rate: 1 }],
      [...rows(9), { description, details, quantity: 1, rate: 1 }, ...rows(2)],
    ]) {
      const pdf = await draw({ ...base, items })
      await expectTidy(pdf)
      const text = (await readPdf(pdf)).pages.map(page => flat(page.text)).join(' ')
      for (let line = 0; line < 120; line++)
        for (const word of ['tall', 'deep']) expect(text.split(`${word} ${line}.`)).toHaveLength(2)
    }
  })

  it('contain up to a thousand items', async () => {
    const pages = await read({ ...base, items: rows(1000), template: 'compact' })
    for (const row of [1, 500, 999, 1000]) expect(pages.join(' ')).toContain(`Position ${row} of the list`)
    expect(pages.at(-1)).toContain('Total')
  })

  it('break long words and names, and shrink large numbers, so that nothing overlaps', async () => {
    const long = {
      ...base,
      invoiceNumber: 'N'.repeat(300),
      from: {
        name: `Messrs. ${'Featherstonehaugh '.repeat(12)}`,
        addressLines: ['W'.repeat(300)],
        email: `${'m'.repeat(200)}@example.com`,
        taxId: '9'.repeat(200),
      },
      billTo: { name: 'B'.repeat(200) },
      customFields: [{ name: 'label '.repeat(30), value: 'v'.repeat(200) }],
      labels: {
        total: 'Total of everything '.repeat(5),
        quantity: 'Quantity of things that were delivered',
        amount: 'A'.repeat(100),
        invoice: 'I'.repeat(100),
        page: 'p'.repeat(100),
      },
      items: [
        { description: 'W'.repeat(400), quantity: 123_456_789.123456, rate: 1_234_567.891234, unit: 'unit'.repeat(40) },
        { description: 'small', quantity: 1, rate: 999_999_999_999.99, discount: { amount: 88_888_888_888.88 } },
      ],
      currency: 'KWD',
      shipping: 99_999_999_999.999,
      notes: 'word '.repeat(600),
      terms: 'w'.repeat(1000),
    }
    for (const template of ['classic', 'modern', 'compact']) {
      const pdf = await draw({ ...long, template, pageSize: 'Letter' }, { logo: LOGO })
      await expectTidy(pdf, 'Letter')
      const text = (await readPdf(pdf)).pages
        .map(page => page.text)
        .join('')
        .replace(/\s/g, '')
      expect(text.split('W').length - 1).toBeGreaterThanOrEqual(700)
      expect(text.split('word').length - 1).toBe(600)
    }
  })
})

describe('scripts', () => {
  it('are all drawn, with pictographs', async () => {
    const names = ['Łódź 株式会社', 'Услуги Ωμέγα', '디자인', 'สวัสดี', 'नमस्ते', '😀']
    const text = (await read({ ...base, items: names.map(description => ({ description, quantity: 1, rate: 1 })) }))
      .join('')
      .replace(/\s/g, '')
    for (const name of ['Łódź', '株式会社', 'Услуги', 'Ωμέγα', '디자인', 'สวัสดี', '😀'])
      expect(text).toContain(name.normalize('NFKC'))
  })

  it("return an error with the field's name if no font has their characters", async () => {
    const refused = expect.objectContaining({
      reason: 'options_invalid',
      problems: [
        expect.objectContaining({
          param: 'items[1].description',
          message: expect.stringContaining('U+13000') as string,
        }),
      ] as unknown[],
    }) as Error
    await expect(
      draw({
        ...base,
        items: [
          { description: 'fine', quantity: 1, rate: 1 },
          { description: 'a \u{13000}', quantity: 1, rate: 1 },
        ],
      }),
    ).rejects.toEqual(refused)
  })

  it('return an error for labels too if no font has their characters', async () => {
    for (const name of ['invoice', 'amount', 'total', 'page', 'notes'])
      await expect(draw({ ...base, labels: { [name]: '\u{13000}' } })).rejects.toMatchObject({
        reason: 'options_invalid',
        problems: [{ param: 'labels' }],
      })
  })

  it('from right to left mirror the page', async () => {
    const pdf = await draw(arabic)
    await expectTidy(pdf)
    const [characters = []] = await readCharacters(pdf)
    const leftOf = (codes: RegExp, top: number) =>
      Math.min(...characters.filter(one => codes.test(one.text) && one.bottom < top).map(({ left }) => left))
    expect(leftOf(/[٠-٩]/, 620)).toBeLessThan(60)
    // Digits of an amount run from left to right: 363.366 with its tax, not 663.363.
    const line = characters.filter(({ text }) => /[٠-٩]/.test(text))
    const total = groupByLine(line).map(one =>
      one
        .sort((a, b) => a.left - b.left)
        .map(({ text }) => text)
        .join(''),
    )
    expect(total).toContain('٣٣٠٣٤٤')
  })
})

/** Returns characters on about the same baseline. */
function groupByLine<Seen extends { bottom: number; left: number; text: string }>(characters: Seen[]): Seen[][] {
  const lines = new Map<number, Seen[]>()
  for (const one of characters) {
    const key = [...lines.keys()].find(bottom => Math.abs(bottom - one.bottom) < 3) ?? one.bottom
    lines.set(key, [...(lines.get(key) ?? []), one])
  }
  return [...lines.values()]
}

describe('the structure', () => {
  it('is valid and contains title, author and language', async () => {
    const pdf = new StrictPdf(await draw({ ...arabic, payment: { link: 'https://pay.example.com' } }, { logo: LOGO }))
    expect({ problems: pdf.problems, malformed: pdf.malformed, dangling: pdf.dangling }).toEqual({
      problems: [],
      malformed: [],
      dangling: [],
    })
    expect(pdf.text(pdf.catalog.get('Lang'))).toBe('ar-EG')
    const info = pdf.dict(pdf.trailer.get('Info'))
    expect(
      Buffer.from(pdf.text(info.get('Author')) ?? '', 'latin1')
        .subarray(2)
        .swap16()
        .toString('utf16le'),
    ).toBe('شركة النور للتجارة')
    expect((await readPdf(pdf.bytes)).title).toBe('فاتورة INV-7')
    expect(info.has('CreationDate')).toBe(false)
    expect(pdf.dict(pdf.catalog.get('ViewerPreferences')).get('DisplayDocTitle')).toBe(true)
    const packet = pdf.objects.get((pdf.catalog.get('Metadata') as PdfRef).number)?.data?.toString('utf8')
    expect(packet).toContain('شركة النور للتجارة')
    expect((await readPdf(pdf.bytes)).isTagged).toBe(true)
  })

  it('has a table of rows and cells, also if rows continue on the next page', async () => {
    const pdf = new StrictPdf(await draw({ ...base, items: rows(60) }))
    const kinds = new Map<string, number>()
    walk(pdf, element => kinds.set(nameOf(element.get('S')), (kinds.get(nameOf(element.get('S'))) ?? 0) + 1))
    expect(Object.fromEntries(kinds)).toMatchObject({
      Document: 1,
      H1: 1,
      Table: 2,
      L: 1,
      LI: 3,
      Lbl: 3,
      LBody: 3,
      THead: 1,
      TBody: 1,
      TR: 1 + 60 + 3,
      TD: 60 * 4 + 3,
      TH: 4 + 3,
    })
  })

  it('links every piece of content to its structure element and back', async () => {
    const description = Array.from({ length: 150 }, (_, index) => `line ${index}`).join('\n')
    const pdf = new StrictPdf(
      await draw(
        { ...base, items: [{ description, quantity: 1, rate: 1 }], payment: { link: 'https://pay.example.com' } },
        { logo: LOGO },
      ),
    )
    const owners = new Map(pdf.tree(pdf.dict(pdf.catalog.get('StructTreeRoot')).get('ParentTree'), 'Nums'))
    const pageKeys = new Map(pdf.pages.map(({ number, dict }) => [number, dict.get('StructParents')]))
    let found = 0
    walk(pdf, (element, ref) => {
      const kids = element.get('K')
      for (const kid of Array.isArray(kids) ? kids : [kids ?? null]) {
        const mark =
          typeof kid === 'number'
            ? { page: element.get('Pg'), id: kid }
            : kid instanceof PdfDict && nameOf(kid.get('Type')) === 'MCR'
              ? { page: kid.get('Pg'), id: kid.get('MCID') }
              : undefined
        if (!mark) continue
        found++
        const list = pdf.array(owners.get(pageKeys.get((mark.page as PdfRef).number) as number) ?? null)
        expect((list[mark.id as number] as PdfRef).number).toBe(ref.number)
      }
    })
    expect(found).toBe(
      pdf.pages.reduce(
        (sum, { dict }) => sum + pdf.array(owners.get(dict.get('StructParents') as number) ?? null).length,
        0,
      ),
    )
    const figures: string[] = []
    walk(pdf, element => {
      if (nameOf(element.get('S')) === 'Figure') figures.push(pdf.text(element.get('Alt')) ?? '')
    })
    expect(figures).toEqual(['Quill & Sons, logo'])
  })
})

function nameOf(value: PdfValue | undefined): string {
  return value instanceof PdfName ? value.name : ''
}

function walk(pdf: StrictPdf, see: (element: PdfDict, ref: PdfRef) => void): void {
  const open = [...pdf.array(pdf.dict(pdf.catalog.get('StructTreeRoot')).get('K'))]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!(next instanceof PdfRef)) continue
    const element = pdf.dict(next)
    if (nameOf(element.get('Type')) === 'OBJR' || !element.has('S')) continue
    see(element, next)
    const kids = element.get('K')
    open.push(...(Array.isArray(kids) ? kids : [kids ?? null]))
  }
}

describe('runInvoice', () => {
  it('returns an error for a broken logo', async () => {
    await expect(draw(base, { logo: Buffer.from("isn't an image") })).rejects.toMatchObject({
      reason: 'options_invalid',
      problems: [{ param: 'logo' }],
    })
  })

  it('reports our failure if drawing fails', async () => {
    await expect(
      runInvoice({ tool: 'invoice', options: {}, files: [], limits: LIMITS }, () => undefined),
    ).rejects.toMatchObject({ reason: 'crashed' })
  })

  it('names the file after the invoice', async () => {
    const options = invoiceSchema.parse({ ...base, invoiceNumber: 'R/2025:7' })
    expect((await runInvoice({ tool: 'invoice', options, files: [], limits: LIMITS }, () => undefined)).name).toBe(
      'R-2025-7.pdf',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { findOverlaps, readCharacters } from '../../../../support/character-boxes'
import { listBrokenRules } from '../../../../support/conformance'
import { readPdfjsTexts } from '../../../../support/pdfjs-texts'
import { runOn } from '../../../../support/run-on'

const base = {
  invoiceNumber: 'R-1',
  currency: 'EUR',
  issueDate: '2026-11-02',
  dueDate: '2026-12-02',
  from: { name: 'Aurora', vatId: 'DE123456789', address: { city: 'Berlin', country: 'DE' } },
  billTo: { name: 'Lumière', vatId: 'FR12345678901', address: { city: 'Paris', country: 'FR' } },
}
const item = (fields: Record<string, unknown> = {}) => ({ description: 'Table', quantity: 1, rate: 100, ...fields })

async function run(fields: Record<string, unknown>): Promise<Buffer> {
  return (await runOn('invoice', [], invoiceSchema.parse({ ...base, ...fields }), { now: new Date(0) })).bytes
}

async function read(fields: Record<string, unknown>): Promise<string> {
  return (await readPdfjsTexts(await run(fields))).join(' ').normalize('NFKC').replace(/\s+/g, ' ')
}

describe('an invoice with one VAT category', () => {
  it.each([
    ['Z', 'Zero rate'],
    ['E', 'Exempt'],
    ['AE', 'Reverse charge'],
    ['K', 'Intra-community supply'],
    ['G', 'Export outside the EU'],
    ['O', 'Not subject to VAT'],
    ['L', 'IGIC'],
    ['M', 'IPSI'],
  ])('says what %s means, without its code', async (taxCategory, name) => {
    const text = await read({ items: [item({ taxCategory })] })
    expect(text).toContain(name)
    expect(text).not.toContain(`${taxCategory}: `)
  })

  it.each(['E', 'O'])('has no line for the tax of %s, whose note explains that there is none', async taxCategory => {
    const text = await read({ items: [item({ taxCategory })] })
    expect(text).not.toMatch(/Tax|Subtotal/)
    expect(text).toContain('Total €100.00')
    expect(await read({ items: [item({ taxCategory: 'Z' })] })).toContain('Tax (0%) €0.00')
  })

  it('of the usual kind says nothing', async () => {
    const text = await read({ items: [item({ taxRate: 0.2 })] })
    expect(text).toContain('Tax (20%) €20.00 Total €120.00 Aurora')
  })

  it('shows the code of the reason if there are no words', async () => {
    const taxExemptions = [{ category: 'E', reasonCode: 'VATEX-EU-132' }]
    expect(await read({ items: [item({ taxCategory: 'E' })], taxExemptions })).toContain('Exempt (VATEX-EU-132)')
  })
})

describe('an invoice with several VAT categories', () => {
  const items = [
    item({ taxRate: 0.2 }),
    item({ taxCategory: 'E' }),
    item({ taxCategory: 'K' }),
    item({ taxCategory: 'E' }),
  ]

  it('has a code in each row, and each reason once', async () => {
    const text = await read({ items, taxExemptions: [{ category: 'E', reason: 'Art. 135' }] })
    for (const printed of ['Tax (20% × €100.00) €20.00', 'Tax (E 0% × €200.00) €0.00', 'Tax (K 0% × €100.00) €0.00'])
      expect(text).toContain(printed)
    expect(text).toContain('E: Art. 135 K: Intra-community supply')
    expect(text.split('Art. 135')).toHaveLength(2)
    expect(text.split('E 0%')).toHaveLength(4)
  })

  it('has no codes if there are only rates', async () => {
    const text = await read({ items: [item({ taxRate: 0.2 }), item({ taxRate: 0.1 })] })
    expect(text).toContain('Tax (20% × €100.00)')
    expect(text).not.toMatch(/S \d+%/)
  })
})

describe('an invoice with several taxes on an item', () => {
  const taxes = [
    { name: 'CGST', rate: 0.09 },
    { name: 'Compensation cess', rate: 0.015 },
  ]

  it('has a line with base and amount for each, and a column if items differ', async () => {
    const text = await read({ taxes, items: [item(), item()] })
    expect(text).toContain('CGST (9% × €200.00) €18.00 Compensation cess (1.5% × €200.00) €3.00 Total €221.00')
    expect(text).not.toContain('CGST 9%')
    const mixed = await read({ items: [item({ taxes }), item({ taxRate: 0.2 }), item({ taxes: [] })] })
    for (const printed of ['CGST 9% Compensation cess 1.5% €100.00', 'Tax (20% × €100.00)'])
      expect(mixed).toContain(printed)
    expect(await read({ items: [item(), item({ taxes: [] })] })).not.toContain('Tax')
  })

  it('names taxes that prices include', async () => {
    const text = await read({ taxes, items: [item()], pricesIncludeTax: true, locale: 'de' })
    expect(text).toContain('Gesamt 100,00 € Enthalten: CGST (9 % × 90,50 €) 8,14 € Enthalten: Compensation cess')
  })

  it('shows withheld taxes between the total and the amount due, by default with the label of its language', async () => {
    const withholding = [
      { name: 'IRPF', rate: 0.15 },
      { rate: 0.01, base: 50 },
    ]
    const text = await read({ items: [item()], locale: 'es', taxRate: 0.21, withholding, type: 'receipt' })
    expect(text).toContain(
      'Total 121,00 € IRPF (15 % × 100,00 €) -15,00 € Retención (1 % × 50,00 €) -0,50 € Importe pendiente 105,50 €',
    )
    expect(text).not.toMatch(/Total 105/)
  })

  it.each(['classic', 'modern', 'compact'])('conforms, and nothing overlaps: %s', async template => {
    const more = { unit: 'boxes', date: '2026-11-01', discount: { rate: 0.1 } }
    const name = 'Provincial tax on prepared foods'.repeat(3)
    const items = [item({ taxes: [...taxes, { name, rate: 0.0875 }], ...more }), item({ taxRate: 0.2, ...more })]
    const pdf = await run({ template, items, withholding: [{ name, rate: 0.2 }] })
    for (const profile of ['pdfa-3b', 'pdfua-1'] as const) expect(listBrokenRules(pdf, profile)).toEqual([])
    for (const characters of await readCharacters(pdf)) expect(findOverlaps(characters)).toEqual([])
  })

  it.each([
    ['items[1].taxes', { items: [item(), item({ taxes: [{ name: '\u{13000}', rate: 0.1 }] })] }],
    ['taxes', { items: [item()], taxes: [{ name: '\u{13000}', rate: 0.1 }] }],
    ['withholding[0].name', { items: [item()], withholding: [{ name: '\u{13000}', rate: 0.1 }] }],
  ])('returns an error with the field if no font has its name: %s', async (param, fields) => {
    await expect(run(fields)).rejects.toMatchObject({ reason: 'options_invalid', problems: [{ param }] })
  })
})

describe('reverse charge', () => {
  const sentence = 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).'
  const reverse = { locale: 'de', reverseCharge: true, items: [item()] }

  it('keeps its sentence in a plain invoice', async () => {
    const text = await read(reverse)
    expect(text).toContain(sentence)
    expect(text.split('Steuerschuldnerschaft')).toHaveLength(2)
  })

  it('has the same words on the page and in the XML of an electronic invoice', async () => {
    const eInvoice = { format: 'factur-x' }
    const text = await read({ ...reverse, eInvoice })
    expect(text.split('Steuerschuldnerschaft des Leistungsempfängers')).toHaveLength(2)
    expect(text).not.toContain(sentence)
    const xml = (await run({ ...reverse, eInvoice: { ...eInvoice, output: 'xml' } })).toString('utf8')
    expect(xml).toContain('>Steuerschuldnerschaft des Leistungsempfängers<')
  })

  it('shows the reason of the request', async () => {
    const taxExemptions = [{ category: 'AE', reason: '§ 13b UStG' }]
    expect(await read({ ...reverse, taxExemptions })).toContain('§ 13b UStG')
  })
})

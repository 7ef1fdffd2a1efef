import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../engines/invoice/request/invoice'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { runOn } from '../../../support/run-on'

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

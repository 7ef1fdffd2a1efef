import { beforeAll, describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { FULL_INVOICE } from '../../../../fixtures/full-invoice'
import { findOverlaps, readCharacters } from '../../../../support/character-boxes'
import { listBrokenRules } from '../../../../support/conformance'
import { readPdfjsTexts } from '../../../../support/pdfjs-texts'
import { runOn } from '../../../../support/run-on'
import { IS_COMPLETE } from '../../../../support/scope'

async function draw(fields: Record<string, unknown>): Promise<Buffer> {
  const options = invoiceSchema.parse({ ...FULL_INVOICE, ...fields })
  return (await runOn('invoice', [], options, { now: new Date(0) })).bytes
}

/** The text of all pages on one line, without characters that only set the direction. */
async function read(fields: Record<string, unknown> = {}): Promise<string> {
  const text = (await readPdfjsTexts(await draw(fields))).join(' ')
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
}

describe('the page of an invoice with every field', () => {
  let text = ''
  beforeAll(async () => {
    text = await read()
  })

  it.each([
    ['type', 'Corrected invoice'],
    ['deliveryDate', 'Delivery date Oct 30, 2026'],
    ['period', 'Period Oct 1, 2026 – Oct 31, 2026'],
    ['taxPointDate', 'Tax point Oct 29, 2026'],
    ['precedingInvoice[0]', 'For invoice INV-2026-0099 (Sep 15, 2026)'],
    ['precedingInvoice[1]', 'For invoice INV-2026-0100'],
    ['buyerReference', 'Your reference 04011000-12345-34'],
    ['purchaseOrder', 'Purchase order B-5531'],
    ['salesOrder', 'Our order SO-771'],
    ['contractReference', 'Contract V-88/2025'],
    ['projectReference', 'Project PRJ-12'],
    ['tenderReference', 'Tender or lot LOT-4'],
    ['despatchAdvice', 'Delivery note LS-3310'],
    ['receivingAdvice', 'Receiving advice WE-920'],
    ['invoicedObject', 'Object METER-77'],
    ['accountingReference', 'Cost center KST 4711'],
  ])('shows %s next to the dates', (_, printed) => expect(text).toContain(printed))

  it.each([
    ['tradingName', 'Aurora Oak'],
    ['address', 'Torstraße 1 Hinterhaus Aufgang B 10119 Berlin Germany'],
    ['contact.name', 'Contact Erika Muster'],
    ['contact.email', 'post@aurora.example'],
    ['contact.phone', '+49 30 1234567'],
    ['vatId', 'VAT no. DE123456789'],
    ['taxNumber', 'Tax no. 29/123/45678'],
    ['legalId', 'Registration no. HRB 12345 B'],
    ['ids with a known scheme', 'GLN 4000001000005'],
    ['ids without a scheme', 'ID SUP-9'],
    ['legalInfo', 'Amtsgericht Charlottenburg, Geschäftsführerin Erika Muster'],
  ])('shows from.%s', (_, printed) => expect(text).toContain(printed))

  it.each([
    ['billTo.address', '22 Mill Lane Unit 4 Bath, Somerset BA1 5LZ United Kingdom'],
    ['billTo.legalId of a known scheme', 'SIRET 01234567'],
    ['billTo.ids', 'ID CUST-8831'],
    ['billTo.contact', 'Contact Accounts payable ap@marlowe.example +44 1225 496000'],
    ['shipTo', 'Ship to Marlowe warehouse 400 Pine Street Portland, OR 97204 United States GLN 5000001000001'],
    [
      'taxRepresentative',
      'Tax representative Fiscal Rep Ltd 1 Tax Row London EC1A 1BB United Kingdom VAT no. GB111222333',
    ],
    ['payee', 'Payee Factor Bank AG Registration no. HRB 999 ID FB-1'],
  ])('shows %s', (_, printed) => expect(text).toContain(printed))

  it.each([
    ['sku and details', 'R-200 · Two meters wide, oiled'],
    ['attributes', 'Color: Natural · Height: 190 cm'],
    ['standardItemId', 'GTIN 4000001000012'],
    ['buyerItemId', 'Your item no.: MB-17'],
    ['orderLine', 'Order line: 10'],
    ['invoicedObject', 'Object: OBJ-1'],
    ['accountingReference', 'Cost center: KST 1'],
    ['originCountry', 'Origin: Poland'],
    ['classifications', 'Class: 56101519'],
    ['grossPrice and the reduction', 'Price before reduction: €520.00 (-€40.00)'],
    ['allowances with a rate', 'Volume discount (5%): -€96.00'],
    ['allowances with an amount', 'Scratch: -€12.50'],
    ['charges', 'Packing: €30.00'],
    ['note', 'Delivered in two parts'],
    ['priceBase', 'Price per 100'],
    ['period', 'Period: Oct 28, 2026 – Oct 30, 2026'],
    ['an untaxed category', 'E 0%'],
  ])('shows %s of an item', (_, printed) => expect(text).toContain(printed))

  it.each([
    ['allowances with a rate', 'Loyalty discount (2%) -€59.54'],
    ['allowances without a reason', 'Allowance -€5.00'],
    ['charges', 'Freight €49.00'],
    ['charges of a base', 'Insurance (1% × €1,000.00) €10.00'],
    ['taxes', 'Tax (19% × €2,363.78) €449.12 Tax (7% × €290.81) €20.36 Tax (E 0% × €297.00) €0.00'],
    ['taxCurrency', 'Tax in GBP £403.75'],
    ['roundingAmount', 'Rounding €0.02 Amount due €2,921.09'],
    ['taxExemptions', 'E: Exempt under section 4 no. 21 UStG'],
  ])('shows %s in the totals', (_, printed) => expect(text).toContain(printed))

  it.each([
    ['means', 'Means of payment Direct debit'],
    ['the account', 'Account holder Aurora Werkstatt GmbH Bank Musterbank IBAN DE89 3704 0044 0532 0130 00'],
    ['furtherAccounts with an IBAN', 'Account holder Aurora UK IBAN GB82 WEST 1234 5698 7654 32 BIC WESTGB22'],
    ['furtherAccounts with a number', 'Account holder Aurora US Account no. 1234-567'],
    ['mandate', 'Mandate reference MAND-55'],
    ['creditorId', 'Creditor ID DE98ZZZ09999999999'],
    ['debitedIban', 'Debited account GB82 WEST 1234 5698 7654 32'],
    ['card', 'Card •••• 4242, Jo Marlowe'],
    ['paymentTerms of several lines', 'Terms of payment 2% discount within 10 days 30 days net'],
  ])('shows %s in the payment details', (_, printed) => expect(text).toContain(printed))

  it('shows notes with a code after the notes, and attachments', () => {
    expect(text).toContain('Thank you for the order. Registered in Berlin Price conditions as agreed')
    expect(text).toContain('Attachments TS-1 · Timesheet · https://example.com/ts-1 PH-2')
  })

  it('never shows the electronic address', () => {
    expect(text).not.toContain('9930')
  })
})

describe('an invoice with every field', () => {
  it.each([
    ...['classic', 'modern', 'compact'].map(template => ({ template, locale: 'en' })),
    ...(IS_COMPLETE ? ['ar', 'ja', 'de'] : ['ar']).map(locale => ({ template: 'classic', locale })),
  ])('conforms to PDF/A-3b and PDF/UA-1, and nothing overlaps: $template $locale', async look => {
    const pdf = await draw(look)
    for (const profile of ['pdfa-3b', 'pdfua-1'] as const) expect(listBrokenRules(pdf, profile)).toEqual([])
    for (const characters of await readCharacters(pdf)) {
      expect(findOverlaps(characters)).toEqual([])
      expect(Math.min(...characters.map(({ left }) => left))).toBeGreaterThan(38)
      expect(Math.max(...characters.map(({ right }) => right))).toBeLessThan(596 - 38)
    }
  })

  it('names the date of a preceding invoice in the right order in Arabic', async () => {
    const [characters = []] = await readCharacters(await draw({ locale: 'ar-EG' }))
    const at = characters.map(({ text }) => text).join('')
    const line = characters.filter(({ bottom }) => Math.abs(bottom - bottomOf(characters, at, '0099')) < 4)
    const seen = line.sort((one, other) => one.left - other.left).map(({ text }) => text.normalize('NFKC'))
    // The digits of each number run from left to right. The reader mirrors brackets.
    expect(seen.join('')).toMatch(/INV-2026-0099[()]٢٠٢٦\/٠٩\/١٥[()]/)
  })
})

function bottomOf(characters: { bottom: number }[], text: string, part: string): number {
  return characters[text.indexOf(part)]?.bottom ?? Number.NaN
}

describe('the label of the amount', () => {
  const box = (fields: Record<string, unknown>): Promise<string> =>
    read({ amountPaid: undefined, roundingAmount: undefined, ...fields })

  it('is the amount due if the document asks for a payment', async () => {
    for (const type of IS_COMPLETE ? ['invoice', 'corrected-invoice', 'prepayment-invoice'] : ['prepayment-invoice'])
      expect(await box({ type })).toContain('Amount due €3,421.07')
  })

  it('is the total in a credit note, unless something was rounded', async () => {
    expect(await box({ type: 'credit-note' })).not.toContain('Amount due')
    expect(await box({ type: 'credit-note', roundingAmount: 0.03 })).toContain('Amount due €3,421.10')
  })
})

describe('payment details', () => {
  it('name a direct debit by its mandate', async () => {
    expect(await read({ payment: { mandate: 'M-1' } })).toContain('Means of payment Direct debit Mandate reference M-1')
  })

  it('show the words of the request for the means', async () => {
    const text = await read({ payment: { means: '30', meansText: 'By wire' } })
    expect(text).toContain('Means of payment By wire')
    expect(text).not.toContain('Credit transfer')
  })

  it('keep payment terms of one line next to the dates', async () => {
    const text = await read({ paymentTerms: 'Net 30' })
    expect(text.indexOf('Terms of payment Net 30')).toBeLessThan(text.indexOf('Description'))
  })
})

describe('periods', () => {
  it.each([
    [{ start: '2026-10-01' }, 'Period Oct 1, 2026 – Tax'],
    [{ end: '2026-10-31' }, 'Period – Oct 31, 2026 Tax'],
    [{ start: '2026-10-31', end: '2026-10-31' }, 'Period Oct 31, 2026 Tax'],
  ])('have a dash at an open end: %o', async (period, printed) => expect(await read({ period })).toContain(printed))
})

describe('texts that no font has', () => {
  it.each([
    ['codedNotes[0].text', { codedNotes: [{ subjectCode: 'REG', text: '\u{13000}' }] }],
    ['charges[0].reason', { charges: [{ amount: 1, reason: '\u{13000}' }] }],
    ['taxExemptions', { taxExemptions: [{ category: 'E', reason: '\u{13000}' }] }],
    ['payment.accountName', { payment: { accountName: '\u{13000}' } }],
    ['attachments[0]', { attachments: [{ id: '\u{13000}' }] }],
    ['shipTo.id.id', { shipTo: { name: 'A', id: { id: '\u{13000}' } } }],
    [
      'items[0].allowances[0].reason',
      { items: [{ description: 'a', quantity: 1, rate: 1, allowances: [{ amount: 1, reason: '\u{13000}' }] }] },
    ],
  ])('return an error with the field: %s', async (param, fields) => {
    await expect(draw(fields)).rejects.toMatchObject({ reason: 'options_invalid', problems: [{ param }] })
  })
})

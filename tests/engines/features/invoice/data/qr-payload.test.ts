import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { writeQrPayload } from '../../../../../engines/features/invoice/data/qr-payload'
import { openQrCode } from '../../../../../engines/features/invoice/layout/qr-code'
import { computeTotals } from '../../../../../engines/features/invoice/data/totals'

const base = {
  invoiceNumber: '2026-33',
  billTo: { name: 'Pia Rutschmann', addressLines: ['Marktgasse 28', '9400 Rorschach'] },
  items: [{ description: 'x', quantity: 1, rate: 199.95 }],
}
const read = (more: Record<string, unknown>) =>
  invoiceSchema.safeParse({
    ...base,
    from: { name: 'Robert Schneider AG', addressLines: ['Rue du Lac 1268', 'CH-2501 Biel'] },
    ...more,
  })
const payloadOf = (more: Record<string, unknown>) => {
  const { data: invoice, error } = read(more)
  if (!invoice) throw error
  return writeQrPayload(invoice, computeTotals(invoice).due).split('\n')
}

const refusalOf = (more: Record<string, unknown>) => read(more).error?.issues[0]?.message

it.each([
  ['epc', 'EUR', 'DE89370400440532013000'],
  ['swiss', 'CHF', 'CH9300762011623852957'],
])('the code %j has space for a name of 70 characters', (qr, currency, iban) => {
  const withName = (name: string) =>
    refusalOf({ qr, currency, payment: { iban }, from: { name, addressLines: ['Rue du Lac 1268', '2501 Biel'] } })
  expect(withName('a'.repeat(70))).toBeUndefined()
  expect(withName('a'.repeat(71))).toMatch(/at most 70 characters .* Got 71/)
})

it.each([
  ['epc', 'EUR', 'DE89370400440532013000'],
  ['swiss', 'CHF', 'CH9300762011623852957'],
])('the code %j has space for amounts from 0.01 to 999,999,999.99', (qr, currency, iban) => {
  const withRate = (rate: number) =>
    refusalOf({ qr, currency, payment: { iban }, items: [{ description: 'x', quantity: 1, rate }] })
  for (const rate of [0.01, 999_999_999.99]) expect(withRate(rate)).toBeUndefined()
  for (const rate of [0, 1_000_000_000]) expect(withRate(rate)).toMatch(/must be 0\.01 to 999999999\.99 .* Got /)
})

it('a Swiss QR code has space for a message of 140 characters', () => {
  const withNumber = (length: number) =>
    refusalOf({
      invoiceNumber: '1'.repeat(40),
      qr: 'swiss',
      currency: 'CHF',
      payment: { iban: 'CH9300762011623852957', reference: 'a'.repeat(length - 41) },
    })
  expect(withNumber(140)).toBeUndefined()
  expect(withNumber(141)).toMatch(/the message must be at most 140 characters/)
})

describe('a SEPA QR code', () => {
  it('names the account holder, because banks compare it', () => {
    const beneficiary = (more: object) => payloadOf({ qr: 'epc', currency: 'EUR', payment: { iban, ...more } })[5]
    expect(beneficiary({})).toBe('Robert Schneider AG')
    expect(beneficiary({ accountName: 'Lena Vogt' })).toBe('Lena Vogt')
    const payee = { name: 'Factoring GmbH' }
    expect(payloadOf({ qr: 'epc', currency: 'EUR', payment: { iban }, payee })[5]).toBe('Factoring GmbH')
  })
  it('has the amount without withheld tax', () => {
    const withholding = [{ rate: 0.1, base: 100 }]
    expect(payloadOf({ qr: 'epc', currency: 'EUR', payment: { iban }, withholding })[7]).toBe('EUR189.95')
  })
  it('has space for a reference of 140 characters', () => {
    const withReference = (reference: string) => refusalOf({ qr: 'epc', currency: 'EUR', payment: { iban, reference } })
    expect(withReference('a'.repeat(140))).toBeUndefined()
    expect(withReference('a'.repeat(141))).toMatch(/at most 140 characters .* Got 141/)
  })
  const iban = 'DE89370400440532013000'
  it('contains bank, name, account, amount and text', () => {
    expect(payloadOf({ qr: 'epc', currency: 'EUR', payment: { iban, bic: 'COBADEFFXXX' } })).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'COBADEFFXXX',
      'Robert Schneider AG',
      iban,
      'EUR199.95',
      '',
      '',
      '2026-33',
    ])
  })
  it('contains a creditor reference in its own field', () => {
    expect(payloadOf({ qr: 'epc', currency: 'EUR', payment: { iban, reference: 'RF18 5390 0754 7034' } })).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      '',
      'Robert Schneider AG',
      iban,
      'EUR199.95',
      '',
      'RF18539007547034',
    ])
  })
})

describe('a Swiss QR code', () => {
  it('has the 31 lines of its standard', () => {
    const lines = payloadOf({
      qr: 'swiss',
      currency: 'CHF',
      payment: { iban: 'CH4431999123000889012', reference: '21 00000 00003 13947 14300 09017' },
    })
    expect(lines).toEqual([
      'SPC',
      '0200',
      '1',
      'CH4431999123000889012',
      'S',
      'Robert Schneider AG',
      'Rue du Lac 1268',
      '',
      '2501',
      'Biel',
      'CH',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '199.95',
      'CHF',
      'S',
      'Pia Rutschmann',
      'Marktgasse 28',
      '',
      '9400',
      'Rorschach',
      'CH',
      'QRR',
      '210000000003139471430009017',
      '2026-33',
      'EPD',
    ])
  })
  it('works without a foreign payer and without a reference', () => {
    const lines = payloadOf({
      qr: 'swiss',
      currency: 'EUR',
      billTo: { name: 'Ada', addressLines: ['London'] },
      payment: { iban: 'CH9300762011623852957', reference: 'order 7' },
    })
    expect(lines).toHaveLength(31)
    expect(lines.slice(20)).toEqual(['', '', '', '', '', '', '', 'NON', '', '2026-33 order 7', 'EPD'])
  })
  const account = { qr: 'swiss', currency: 'CHF', payment: { iban: 'CH9300762011623852957' } }
  it('reads addresses in parts', () => {
    const lines = payloadOf({
      ...account,
      from: { name: 'Atelier', address: { street: 'Rue du Lac 1268', postCode: '2501', city: 'Biel', country: 'CH' } },
      billTo: { name: 'Pia', address: { street: 'Städtle 1', postCode: '9490', city: 'Vaduz' } },
    })
    expect(lines.slice(5, 11)).toEqual(['Atelier', 'Rue du Lac 1268', '', '2501', 'Biel', 'CH'])
    expect(lines.slice(20, 27)).toEqual(['S', 'Pia', 'Städtle 1', '', '9490', 'Vaduz', 'LI'])
  })
  it.each([
    { street: 'Hafen 1', postCode: '20457', city: 'Hamburg', country: 'DE' },
    { street: 'Rue du Lac 1268', postCode: '2501', city: ' ' },
  ])('refuses an address in parts that is not Swiss or not complete: %j', address => {
    expect(read({ ...account, from: { name: 'Atelier', address } }).error?.issues).toEqual([
      expect.objectContaining({ path: ['from', 'address'], message: expect.stringContaining('postCode of 4 digits') }),
    ])
  })
})

it('contains the URL if the code is a URL', () =>
  expect(payloadOf({ qr: 'url', payment: { link: 'https://pay.example.com/7' } })).toEqual([
    'https://pay.example.com/7',
  ]))

it('a code with a URL has space for 2,331 bytes', () => {
  const withPath = (path: string) => ({ qr: 'url', payment: { link: `https://example.com/${path}` } })
  const longest = withPath(`a${'ö'.repeat(1155)}`)
  expect(openQrCode(payloadOf(longest).join('\n')).count).toBe(177)
  expect(refusalOf(withPath('ö'.repeat(1156)))).toMatch(/at most 2331 bytes .* Got 2332/)
})

import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'

const base = {
  invoiceNumber: '1',
  from: { name: 'A' },
  billTo: { name: 'B' },
  items: [{ description: 'x', quantity: 1, rate: 2 }],
}

/** Returns the path of the first error, and its message. */
function problemOf(more: Record<string, unknown>): string | undefined {
  const { error } = invoiceSchema.safeParse({ ...base, ...more })
  const [issue] = error?.issues ?? []
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

const item = (more: Record<string, unknown>) => ({ items: [{ ...base.items[0], ...more }] })

const vat = [{ name: 'VAT', rate: 0.2 }]
const manyTaxes = Array.from({ length: 101 }, (_, index) => ({
  ...base.items[0],
  taxes: [{ name: `T${index}`, rate: 0.1 }],
}))

describe('an invoice is refused', () => {
  it.each([
    [
      'for a rate of tax in percent',
      { taxRate: 10 },
      /^taxRate: must be a fraction from 0 to 1\. Got 10\. Did you mean 0\.1\?/,
    ],
    ['for a negative rate', { taxRate: -0.1 }, /^taxRate: must be a fraction from 0 to 1\. Got -0\.1/],
    ['for a tax rate of an item in percent', item({ taxRate: 19 }), /^items\.0\.taxRate: .*0\.19\?/],
    [
      'for a day that does not exist',
      { issueDate: '2026-02-30' },
      /^issueDate: must be an existing date as YYYY-MM-DD\. Got "2026-02-30"/,
    ],
    ['for a date with a time', { dueDate: '2026-02-03T00:00:00Z' }, /^dueDate: .*YYYY-MM-DD/],
    [
      'if it is due before its issue date',
      { issueDate: '2026-02-03', dueDate: '2026-02-02' },
      /^dueDate: must not be before issueDate 2026-02-03\. Got 2026-02-02\./,
    ],
    ['for a currency that does not exist', { currency: 'GALLEONS' }, /^currency: must be one of .*\. Got "GALLEONS"/],
    [
      'for an amount beyond the cap',
      item({ rate: 1e12 }),
      /^items\.0\.rate: must be .* less than 1,000,000,000,000\. Got 1000000000000\./,
    ],
    [
      'for a product beyond the cap',
      item({ quantity: 1e11, rate: 1e11 }),
      /^items\.0\.rate: quantity × rate must have at most 15 digits before the decimal point\. Got 1e\+22/,
    ],
    ['for an infinite amount', item({ quantity: Number.POSITIVE_INFINITY }), /^items\.0\.quantity: /],
    [
      'for a control character',
      item({ description: 'a\u0007b' }),
      /^items\.0\.description: must not contain the control character U\+0007/,
    ],
    ['for half of a surrogate pair', { notes: 'a\ud800b' }, /^notes: has an unpaired surrogate/],
    ['for text that is too long', item({ description: 'x'.repeat(2001) }), /^items\.0\.description: Too big/],
    ['for a note of 100,000 characters', { notes: 'x'.repeat(100_000) }, /^notes: Too big.*20000/],
    [
      'for many accents on one letter',
      { notes: `a${'\u0301'.repeat(31)}` },
      /^notes: has a letter with more than 30 accents/,
    ],
    ['for a label that is too long', { labels: { total: 'x'.repeat(101) } }, /^labels\.total: Too big/],
    [
      'for text of more than 500,000 characters',
      { items: Array.from({ length: 400 }, () => ({ ...base.items[0], description: 'x'.repeat(1300) })) },
      /^items: must have at most 500,000 characters in all items together\. Got 520,000\./,
    ],
    ['for an empty name', { from: { name: ' ' } }, /^from\.name: must not be empty/],
    ['for an ambiguous discount', { discount: 0.1 }, /^discount: .*/],
    ['for an ambiguous discount of almost 1', { discount: 0.99 }, /^discount: .*/],
    ['for a rate just above 1, with a suggestion', { taxRate: 1.5 }, /Got 1\.5\. Did you mean 0\.015\?$/],
    ['for a rate of 100, with a suggestion', { taxRate: 100 }, /Got 100\. Did you mean 1\?$/],
    ['for a rate above 100, without a suggestion', { taxRate: 100.5 }, /Got 100\.5\.$/],
    ['for an amount at the lower cap', item({ rate: -1e12 }), /^items\.0\.rate: .* Got -1000000000000\.$/],
    ['for a logo by URL', { logo: 'https://example.com/logo.png' }, /^logo: /],
    ['for tax if the buyer pays the tax', { reverseCharge: true, taxRate: 0.2 }, /^taxRate: must be 0/],
    [
      'for tax on a charge if the buyer pays the tax',
      { reverseCharge: true, charges: [{ amount: 1, taxRate: 0.2 }] },
      /^charges\.0\.taxRate: must be 0/,
    ],
    [
      'for several taxes if the buyer pays the tax',
      { reverseCharge: true, taxes: vat },
      /^taxes: must be omitted if rev/,
    ],
    [
      'for several taxes beside a rate',
      item({ taxes: vat, taxRate: 0.2 }),
      /^items\.0\.taxes: .* taxRate was sent too\./,
    ],
    ['for several taxes beside a category', { taxes: vat, taxCategory: 'S' }, /^taxes: .* taxCategory was sent too\./],
    ['for taxes of shipping beside a rate', { shipping: { amount: 1, taxes: vat, taxRate: 0 } }, /^shipping\.taxes: /],
    [
      'for a tax that is sent twice',
      item({ taxes: [...vat, ...vat] }),
      /^items\.0\.taxes\.1\.name: .* Got "VAT" twice\./,
    ],
    ['for a tax in percent', item({ taxes: [{ name: 'VAT', rate: 20 }] }), /^items\.0\.taxes\.0\.rate: .*0\.2\?/],
    [
      'for more than 100 different taxes',
      { items: manyTaxes },
      /^items: must have at most 100 different taxes .* Got 101\./,
    ],
    ['for a withholding tax in percent', { withholding: [{ rate: 15 }] }, /^withholding\.0\.rate: .*0\.15\?/],
    [
      'for totals that differ from the computed totals',
      { totals: { total: 3 } },
      /^totals\.total: must equal the computed amount 2\.00\. Got 3\./,
    ],
    [
      'for an account with wrong check digits',
      { payment: { iban: 'DE88370400440532013000' } },
      /^payment\.iban: must be an IBAN/,
    ],
    ['for an invalid link', { payment: { link: 'javascript:alert(1)' } }, /^payment\.link: must be a URL/],
    [
      'for an invalid language',
      { locale: 'not a language' },
      /^locale: must be a BCP 47 language tag.* Got "not a language"/,
    ],
    [
      'for a SEPA code in dollars',
      { qr: 'epc', payment: { iban: 'DE89370400440532013000' } },
      /^currency: must be EUR for the code "epc"\. Got USD/,
    ],
    ['for a QR code of a missing URL', { qr: 'url' }, /^payment\.link: is required/],
    [
      'for a Swiss QR code without a city',
      { qr: 'swiss', currency: 'CHF', payment: { iban: 'CH9300762011623852957' } },
      /^from\.addressLines: must end with a line of postal code/,
    ],
    [
      'for a QR reference without a QR-IBAN',
      {
        qr: 'swiss',
        currency: 'CHF',
        from: { name: 'Atelier', addressLines: ['Rue du Lac 1', '2501 Biel'] },
        payment: { iban: 'CH9300762011623852957', reference: '210000000003139471430009017' },
      },
      /^payment\.reference: is a QR reference, which requires a QR-IBAN/,
    ],
    [
      'for the name of a country',
      { billTo: { name: 'Ada', address: { country: 'Germany' } } },
      /^billTo\.address\.country: must be a country code of two letters, such as DE\. Got "Germany"/,
    ],
    [
      'for a reference with wrong check digits',
      { qr: 'epc', currency: 'EUR', payment: { iban: 'DE89370400440532013000', reference: 'RF19 5390 0754 7034' } },
      /^payment\.reference: must have valid check digits/,
    ],
  ])('%s', (_what, more, message) => expect(problemOf(more)).toMatch(message))

  it('for more than 1,000 items, and not for 1,000', () => {
    const items = (count: number) => ({ items: Array.from({ length: count }, () => base.items[0]) })
    expect(problemOf(items(1001))).toMatch(/^items: /)
    expect(problemOf(items(1000))).toBeUndefined()
  })
})

describe('an invoice', () => {
  it('takes amounts of 0 and from 1 as a discount, and rates of 0 and 1', () => {
    for (const discount of [0, 1, 1.5, { rate: 0.1 }, { amount: 0.1 }]) expect(problemOf({ discount })).toBeUndefined()
    for (const taxRate of [0, 1]) expect(problemOf({ taxRate })).toBeUndefined()
  })

  it('accepts currencies in any case, languages with an underscore, spaces in an IBAN', () => {
    const { currency, locale, payment } = invoiceSchema.parse({
      ...base,
      currency: 'kwd',
      locale: 'de_CH',
      payment: { iban: 'de89 3704 0044 0532 0130 00' },
    })
    expect({ currency, locale, iban: payment?.iban }).toEqual({
      currency: 'KWD',
      locale: 'de-CH',
      iban: 'DE89370400440532013000',
    })
  })

  it('accepts a logo as a file and as a data URL', () => {
    const dataBase64 = Buffer.from('picture').toString('base64')
    expect(invoiceSchema.parse({ ...base, logo: `data:image/png;base64,${dataBase64}` }).logo).toEqual({
      name: 'image.png',
      dataBase64,
    })
    expect(invoiceSchema.parse({ ...base, logo: { name: 'a.jpg', dataBase64 } }).logo).toEqual({
      name: 'a.jpg',
      dataBase64,
    })
  })

  it('accepts amounts and shares', () => {
    const { discount, shipping } = invoiceSchema.parse({ ...base, discount: 1, shipping: 5 })
    expect({ discount, shipping }).toEqual({ discount: { amount: 1 }, shipping: { amount: 5 } })
    expect(invoiceSchema.parse({ ...base, discount: { rate: 0.5 } }).discount).toEqual({ rate: 0.5 })
  })

  it('says how to send a discount that can be an amount or a share', () => {
    const { error } = invoiceSchema.safeParse({ ...base, discount: 0.1 })
    expect(error?.message).toContain('10 %, or')
  })

  it('accepts totals that match the computed totals', () =>
    expect(problemOf({ taxRate: 0.1, totals: { subtotal: 2, tax: 0.2, total: 2.2, amountDue: 2.2 } })).toBeUndefined())
})

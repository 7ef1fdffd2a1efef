import { describe, expect, it } from 'vitest'
import { fromElectronic } from '../../../../../engines/features/invoice/electronic/from-electronic'
import { formatOf, toElectronic } from '../../../../../engines/features/invoice/electronic/to-electronic'
import { computeTotals } from '../../../../../engines/features/invoice/data/totals'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import {
  FULL_BODY,
  type InvoiceBody,
  SMALLEST_FACTUR_X,
  SMALLEST_XRECHNUNG,
} from '../../../../../lib/docs/electronic-bodies'

function convert(body: InvoiceBody) {
  const invoice = invoiceSchema.parse(body)
  const format = formatOf(invoice)
  if (!format) throw new Error('the invoice is not electronic')
  return toElectronic(invoice, { ruleSet: format.ruleSet, issueDate: '2026-01-31', totals: computeTotals(invoice) })
}

describe('the format of an electronic invoice', () => {
  it.each([
    [{ format: 'factur-x' }, { ruleSet: 'facturx-en16931', syntax: 'cii', output: 'pdf' }],
    [
      { format: 'factur-x', profile: 'basic', output: 'xml' },
      { ruleSet: 'facturx-basic', syntax: 'cii', output: 'xml' },
    ],
    [{ format: 'xrechnung' }, { ruleSet: 'xrechnung', syntax: 'cii', output: 'xml' }],
    [
      { format: 'xrechnung', syntax: 'ubl' },
      { ruleSet: 'xrechnung', syntax: 'ubl', output: 'xml' },
    ],
    [
      { format: 'peppol', output: 'pdf' },
      { ruleSet: 'peppol', syntax: 'ubl', output: 'pdf' },
    ],
  ] as const)('of %j is %j', (eInvoice, format) => {
    expect(formatOf({ eInvoice })).toEqual(format)
  })
})

describe('a model as a request', () => {
  const exemption = { category: 'E', reason: 'Medical treatment', reasonCode: 'VATEX-EU-132' } as const
  const model = convert({ ...SMALLEST_FACTUR_X, taxRate: 0, taxCategory: 'E', taxExemptions: [exemption] })

  it('has the reasons of its tax categories', () => {
    expect(fromElectronic(model).taxExemptions).toEqual([exemption])
    const [tax] = model.taxes
    expect(fromElectronic({ ...model, taxes: [...model.taxes, ...(tax ? [tax] : [])] }).taxExemptions).toHaveLength(1)
  })

  it.each(['XX', undefined])('has no reason of the category %s, which a request can not name', category => {
    const taxes = model.taxes.map(tax => ({ ...tax, category }))
    expect(fromElectronic({ ...model, taxes }).taxExemptions).toBeUndefined()
  })
})

describe('the model of a request', () => {
  it('has the amounts that the page prints', () => {
    const { totals, taxes, items, allowances, charges } = convert(FULL_BODY)
    expect(items.map(({ amount }) => amount)).toEqual(['1824.00', '298.80', '403.00'])
    expect(allowances.map(({ amount, percent, base }) => [amount, percent, base])).toEqual([['50.52', '2', '2525.80']])
    expect(charges.map(({ amount }) => amount)).toEqual(['49.00'])
    expect(taxes.map(({ category, percent, base, tax }) => [category, percent, base, tax])).toEqual([
      ['S', '19', '2225.48', '422.84'],
      ['S', '7', '298.80', '20.92'],
    ])
    expect(totals).toEqual({
      lines: '2525.80',
      allowances: '50.52',
      charges: '49.00',
      withoutTax: '2524.28',
      tax: '443.76',
      taxInTaxCurrency: undefined,
      withTax: '2968.04',
      paid: '500.00',
      rounding: undefined,
      due: '2468.04',
    })
  })

  it('has defaults: today, SEPA transfer, line numbers, and the code of the unit', () => {
    const { issueDate, payments, items } = convert({ ...SMALLEST_XRECHNUNG, issueDate: undefined })
    expect(issueDate).toBe('2026-01-31')
    expect(payments.map(({ meansCode, accounts }) => [meansCode, accounts[0]?.id])).toEqual([
      ['58', 'DE89370400440532013000'],
    ])
    expect(items.map(({ lineId, unitCode, quantity, rate }) => [lineId, unitCode, quantity, rate])).toEqual([
      ['1', 'HUR', '3', '95'],
    ])
  })

  it('takes the email address and the phone number of a party for its contact', () => {
    const { from } = SMALLEST_XRECHNUNG
    const { contact, ...seller } = from
    const model = convert({
      ...SMALLEST_XRECHNUNG,
      from: { ...seller, contact: { name: contact?.name }, phone: '+49 1 2345', email: 'a@b.example' },
    })
    expect(model.from.contact).toEqual({ name: 'Erika Muster', phone: '+49 1 2345', email: 'a@b.example' })
  })

  it('has a discount at each rate, with the reason in the language of the invoice', () => {
    const { allowances, totals } = convert({
      ...SMALLEST_XRECHNUNG,
      locale: 'de',
      discount: { rate: 0.1 },
      items: [
        { description: 'a', quantity: 1, rate: 100, taxRate: 0.19 },
        { description: 'b', quantity: 1, rate: 50, taxRate: 0.07 },
      ],
    })
    expect(
      allowances.map(({ amount, reason, reasonCode, taxPercent, param }) => [
        amount,
        reason,
        reasonCode,
        taxPercent,
        param,
      ]),
    ).toEqual([
      ['5.00', 'Rabatt', '95', '7', 'discount'],
      ['10.00', 'Rabatt', '95', '19', 'discount'],
    ])
    expect(totals.allowances).toBe('15.00')
  })

  it('has everything that the page prints as notes, in one note for Peppol', () => {
    const body: InvoiceBody = {
      ...SMALLEST_XRECHNUNG,
      notes: 'Thank you.',
      customFields: [{ name: 'Site', value: 'North' }],
      terms: 'Goods stay ours.',
      codedNotes: [{ subjectCode: 'REG', text: 'Register' }],
    }
    expect(convert(body).notes).toEqual([
      { text: 'Thank you.', subjectCode: undefined },
      { text: 'Site: North', subjectCode: undefined },
      { text: 'Goods stay ours.', subjectCode: undefined },
      { text: 'Register', subjectCode: 'REG' },
    ])
    const invoice = invoiceSchema.parse({ ...body, eInvoice: undefined })
    expect(
      toElectronic(invoice, { ruleSet: 'peppol', issueDate: '2026-01-31', totals: computeTotals(invoice) }).notes,
    ).toEqual([{ text: 'Thank you.\nSite: North\nGoods stay ours.\nRegister', subjectCode: undefined }])
  })
})

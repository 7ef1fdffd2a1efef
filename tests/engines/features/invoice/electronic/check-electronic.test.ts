import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import {
  FULL_BODY,
  SMALLEST_FACTUR_X,
  SMALLEST_PEPPOL,
  SMALLEST_XRECHNUNG,
} from '../../../../../lib/docs/electronic-bodies'

function problemsOf(body: object): string[] {
  const { error } = invoiceSchema.safeParse(body)
  return (error?.issues ?? []).map(issue => {
    const rule = issue.code === 'custom' ? (issue.params?.['rule'] as unknown) : undefined
    return [issue.path.join('.'), ...(typeof rule === 'string' ? [rule] : [])].join(' ')
  })
}

describe('an electronic invoice', () => {
  it.each([
    ['the smallest Factur-X', SMALLEST_FACTUR_X],
    ['the smallest XRechnung', SMALLEST_XRECHNUNG],
    ['the smallest Peppol invoice', SMALLEST_PEPPOL],
    ['the full Factur-X', FULL_BODY],
    ['the full XRechnung', { ...FULL_BODY, eInvoice: { format: 'xrechnung' } }],
    ['the full XRechnung in UBL', { ...FULL_BODY, eInvoice: { format: 'xrechnung', syntax: 'ubl' } }],
    ['the full Peppol invoice', { ...FULL_BODY, eInvoice: { format: 'peppol' } }],
  ])('of the documentation breaks no rule: %s', (_, body) => {
    expect(problemsOf(body)).toEqual([])
  })

  it('names the field and the rule', () => {
    const { buyerReference, ...body } = SMALLEST_XRECHNUNG
    expect(buyerReference).toBeDefined()
    expect(problemsOf(body)).toEqual(['buyerReference BR-DE-15'])
    expect(invoiceSchema.safeParse(body).error?.issues[0]?.message).toMatch(/XRechnung.*Rule BR-DE-15\.$/)
  })

  it('reports every broken rule at once', () => {
    const { from, billTo } = SMALLEST_FACTUR_X
    const problems = problemsOf({
      ...SMALLEST_FACTUR_X,
      from: { name: from.name },
      billTo: { name: billTo.name },
      items: [{ description: 'x', quantity: 1, rate: -1 }],
      taxRate: 0,
    })
    expect(problems).toEqual(expect.arrayContaining(['items.0.rate BR-27']))
    expect(problems.join(' ')).toMatch(/BR-CO-26/)
    expect(problems.join(' ')).toMatch(/BR-CO-04/)
    expect(problems.join(' ')).toMatch(/from\.address/)
    expect(problems.join(' ')).toMatch(/billTo\.address/)
  })

  it('reports few places of one rule, so that others are seen', () => {
    const items = Array.from({ length: 500 }, () => ({ description: 'x', quantity: 1, rate: -1 }))
    const places = problemsOf({ ...SMALLEST_FACTUR_X, items }).filter(problem => problem.endsWith(' BR-27'))
    expect(places).toHaveLength(5)
  })

  it.each([
    ['XRechnung', SMALLEST_XRECHNUNG],
    ['Peppol', SMALLEST_PEPPOL],
  ])('may have a discount on an item, by amount or by rate: %s', (_, body) => {
    for (const discount of [20, { amount: 20 }, { rate: 0.1 }]) {
      const items = [{ description: 'x', quantity: 1, rate: 100, discount }]
      expect(problemsOf({ ...body, items })).toEqual([])
    }
  })

  it('has a due date or terms in the profile EXTENDED', () => {
    const { dueDate: _, payment: __, ...rest } = { dueDate: undefined, payment: undefined, ...SMALLEST_FACTUR_X }
    const body = { ...rest, eInvoice: { format: 'factur-x', profile: 'extended' } }
    expect(problemsOf(body)).toEqual(['dueDate BR-CO-25'])
    expect(problemsOf({ ...body, paymentTerms: 'At once' })).toEqual([])
    expect(problemsOf({ ...body, amountPaid: 1e6 })).not.toContain('dueDate BR-CO-25')
    expect(problemsOf({ ...body, eInvoice: { format: 'factur-x', profile: 'en16931' } })).toEqual([])
  })

  it('reports a currency with three decimals once', () => {
    expect(problemsOf({ ...SMALLEST_FACTUR_X, currency: 'KWD' })).toEqual(['currency'])
    expect(problemsOf({ ...SMALLEST_FACTUR_X, currency: 'JPY' })).toEqual([])
  })

  it.each(['factur-x', 'xrechnung', 'peppol'])('has tax in yen without decimals: %s', format => {
    const items = [{ description: 'x', quantity: 1, rate: 1005, discount: { rate: 0.05 } }]
    const base = { 'factur-x': SMALLEST_FACTUR_X, xrechnung: SMALLEST_XRECHNUNG, peppol: SMALLEST_PEPPOL }[format]
    expect(problemsOf({ ...base, currency: 'JPY', items, taxRate: 0.1 })).toEqual([])
  })

  it.each([
    ['a quote', { type: 'quote' }, 'type'],
    ['prices with tax', { pricesIncludeTax: true }, 'pricesIncludeTax'],
    ['several taxes', { taxRate: undefined, taxes: [{ name: 'VAT', rate: 0.2 }] }, 'taxes'],
    ['several taxes of a charge', { charges: [{ amount: 1, taxes: [] }] }, 'charges.0.taxes'],
    ['withholding tax', { withholding: [{ name: 'IRPF', rate: 0.15 }] }, 'withholding'],
    ['a tax ID of unknown kind', { from: { ...SMALLEST_FACTUR_X.from, taxId: 'DE1' } }, 'from.taxId'],
    ['an address in lines', { billTo: { name: 'B', addressLines: ['Berlin'] } }, 'billTo.addressLines'],
    ['a profile of another format', { eInvoice: { format: 'peppol', profile: 'basic' } }, 'eInvoice.profile'],
    ['a syntax of another format', { eInvoice: { format: 'factur-x', syntax: 'ubl' } }, 'eInvoice.syntax'],
  ])('refuses %s', (_, more, param) => {
    expect(problemsOf({ ...SMALLEST_FACTUR_X, ...more })).toContain(param)
  })
})

describe('fields that exclude each other', () => {
  it.each([
    [{ from: { name: 'A', address: { city: 'X' }, addressLines: ['X'] } }, 'from.addressLines'],
    [{ period: { start: '2026-02-02', end: '2026-02-01' } }, 'period.end'],
    [{ payment: { iban: 'DE89370400440532013000', accountNumber: '1' } }, 'payment.accountNumber'],
    [{ taxCurrency: 'USD' }, 'taxCurrency'],
    [{ exchangeRate: 1.1 }, 'exchangeRate'],
    [{ items: [{ description: 'x', quantity: 1, rate: 1, priceBase: 0 }] }, 'items.0.priceBase'],
    [{ items: [{ description: 'x', quantity: 1, rate: 1, allowances: [{ reason: 'x' }] }] }, 'items.0.allowances.0'],
  ])('are refused in plain invoices too: %j', (more, param) => {
    const { eInvoice: _, ...plain } = SMALLEST_FACTUR_X
    expect(problemsOf({ ...plain, ...more })).toEqual([param])
  })
})

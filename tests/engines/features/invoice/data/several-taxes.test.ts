import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { computeTotals } from '../../../../../engines/features/invoice/data/totals'

const parties = { invoiceNumber: '1', from: { name: 'A' }, billTo: { name: 'B' } }
const item = (rate: number, more: Record<string, unknown> = {}) => ({ description: 'x', quantity: 1, rate, ...more })
const tax = (name: string, rate: number) => ({ name, rate })
const gst = [tax('CGST', 0.09), tax('SGST', 0.09)]

function totalsOf(more: Record<string, unknown>) {
  const { taxes, total, withheld, due } = computeTotals(invoiceSchema.parse({ ...parties, ...more }))
  return {
    taxes: taxes.map(({ name, rate, base, tax: amount }) => [name, Number(rate), base.toFixed(2), amount.toFixed(2)]),
    total: total.toFixed(2),
    withheld: withheld.map(({ base, amount }) => [base?.toFixed(2), amount.toFixed(2)]),
    due: due.toFixed(2),
  }
}

describe('several taxes', () => {
  it('are each computed on the amount without tax', () => {
    expect(totalsOf({ items: [item(1000, { taxes: gst })] })).toMatchObject({
      taxes: [
        ['CGST', 0.09, '1000.00', '90.00'],
        ['SGST', 0.09, '1000.00', '90.00'],
      ],
      total: '1180.00',
      due: '1180.00',
    })
  })

  it('are grouped by name and rate, and rounded once', () => {
    const pst = tax('PST', 0.07)
    const items = [
      ...Array.from({ length: 10 }, () => item(0.05, { taxes: [tax(' GST', 0.05), pst] })),
      item(0.05, { taxes: [pst, tax('GST', 0.05)] }),
      item(10, { taxes: [tax('GST ', 0.05)] }),
      item(10, { taxes: [tax('GST', 0.1)] }),
    ]
    expect(totalsOf({ items })).toMatchObject({
      taxes: [
        ['GST', 0.05, '10.55', '0.53'],
        ['PST', 0.07, '0.55', '0.04'],
        ['GST', 0.1, '10.00', '1.00'],
      ],
      total: '22.12',
    })
  })

  it('of an item come before those of the invoice, in both directions', () => {
    const items = [item(100), item(50, { taxRate: 0.2 }), item(20, { taxes: [] }), item(10, { taxCategory: 'E' })]
    expect(totalsOf({ items, taxes: gst }).taxes).toEqual([
      ['CGST', 0.09, '100.00', '9.00'],
      ['SGST', 0.09, '100.00', '9.00'],
      [undefined, 0.2, '50.00', '10.00'],
      [undefined, 0, '10.00', '0.00'],
    ])
    expect(totalsOf({ items: [item(100), item(10, { taxes: gst })], taxRate: 0.2 }).taxes).toEqual([
      [undefined, 0.2, '100.00', '20.00'],
      ['CGST', 0.09, '10.00', '0.90'],
      ['SGST', 0.09, '10.00', '0.90'],
    ])
  })

  it('take their part of discounts, shipping, allowances and charges', () => {
    const body = {
      items: [item(100), item(50, { taxes: [tax('VAT', 0.2)] })],
      taxes: gst,
      discount: 15,
      shipping: 10,
      allowances: [{ amount: 5, taxes: [tax('VAT', 0.2)] }],
      charges: [{ amount: 3, taxes: [] }, { amount: 1 }],
    }
    expect(totalsOf(body)).toMatchObject({
      taxes: [
        ['CGST', 0.09, '101.00', '9.09'],
        ['SGST', 0.09, '101.00', '9.09'],
        ['VAT', 0.2, '40.00', '8.00'],
      ],
      total: '170.18',
    })
  })

  it('are contained in prices that include tax, without losing a cent', () => {
    const body = { items: [item(1, { taxes: gst }), item(109, { taxes: gst.slice(0, 1) })], pricesIncludeTax: true }
    expect(totalsOf(body)).toMatchObject({
      taxes: [
        ['CGST', 0.09, '100.84', '9.08'],
        ['SGST', 0.09, '0.84', '0.08'],
      ],
      total: '110.00',
    })
    for (let cents = 1; cents < 300; cents++) {
      const { taxes, total } = totalsOf({ items: [item(cents / 100)], taxes: gst, pricesIncludeTax: true })
      const [first = [], second = []] = taxes
      const whole = (text: unknown): number => Math.round(Number(text) * 100)
      expect(whole(first[2]) + whole(first[3]) + whole(second[3])).toBe(whole(total))
    }
  })
})

describe('withholding tax', () => {
  it('reduces the amount due, by default on the total without tax', () => {
    expect(totalsOf({ items: [item(1200)], taxRate: 0.21, withholding: [{ rate: 0.15 }] })).toMatchObject({
      total: '1452.00',
      withheld: [['1200.00', '180.00']],
      due: '1272.00',
    })
  })

  it('counts charges and discounts, and has its own base if there is one', () => {
    const charges = [{ rate: 0.04, reason: 'Rivalsa INPS' }]
    const withholding = [{ rate: 0.2 }, { rate: 0.01, base: 100.005 }]
    const body = { items: [item(1000)], discount: 100, taxRate: 0.22, charges, withholding }
    expect(totalsOf({ ...body, amountPaid: 10, roundingAmount: 0.2 })).toMatchObject({
      total: '1146.80',
      withheld: [
        ['940.00', '188.00'],
        ['100.01', '1.00'],
      ],
      due: '948.00',
    })
  })

  it('has the price without tax as its base if prices include tax, and the sign of its base', () => {
    const withholding = [{ rate: 0.1 }]
    expect(totalsOf({ items: [item(119)], taxRate: 0.19, pricesIncludeTax: true, withholding }).withheld).toEqual([
      ['100.00', '10.00'],
    ])
    expect(totalsOf({ items: [item(-100)], withholding })).toMatchObject({ total: '-100.00', due: '-90.00' })
  })
})

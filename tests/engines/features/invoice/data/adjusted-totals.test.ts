import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { computeTotals } from '../../../../../engines/features/invoice/data/totals'

const parties = { invoiceNumber: '1', from: { name: 'A' }, billTo: { name: 'B' }, currency: 'EUR' }

function totalsOf(more: Record<string, unknown>) {
  return computeTotals(invoiceSchema.parse({ ...parties, ...more }))
}

const item = (more: Record<string, unknown> = {}) => ({ description: 'x', quantity: 1, rate: 100, ...more })

function taxesOf(more: Record<string, unknown>): unknown[] {
  return totalsOf(more).taxes.map(({ category, rate, base, tax }) => [
    category,
    Number(rate),
    base.toFixed(2),
    tax.toFixed(2),
  ])
}

describe('an item', () => {
  it('has a price for several units', () => {
    const { lines } = totalsOf({ items: [item({ quantity: 250, rate: 9.99, priceBase: 100 })] })
    expect(lines.map(String)).toEqual(['24.98'])
  })

  it('has allowances and charges, each rounded on the rounded amount', () => {
    const { lines, lineParts } = totalsOf({
      items: [
        item({
          quantity: 3,
          rate: 33.335,
          allowances: [{ rate: 0.0333, reason: 'Loyalty' }, { amount: 1.005 }],
          charges: [{ rate: 0.015, base: 10 }],
        }),
      ],
    })
    expect(lineParts[0]?.worth.toFixed(2)).toBe('100.01')
    expect(lineParts[0]?.allowances.map(({ amount }) => amount.toFixed(2))).toEqual(['3.33', '1.01'])
    expect(lineParts[0]?.charges.map(({ amount }) => amount.toFixed(2))).toEqual(['0.15'])
    expect(lines.map(line => line.toFixed(2))).toEqual(['95.82'])
  })

  it('uses an amount that comes with its rate, and has no base for an amount without a rate', () => {
    const allowances = [{ amount: 10.01, rate: 0.1 }, { amount: 5 }, { amount: 5, base: 50 }]
    const { lineParts } = totalsOf({ items: [item({ allowances })] })
    expect(lineParts[0]?.allowances.map(({ amount, base }) => [amount.toFixed(2), base?.toFixed(2)])).toEqual([
      ['10.01', '100.00'],
      ['5.00', undefined],
      ['5.00', '50.00'],
    ])
  })
})

describe('the whole invoice', () => {
  it('has allowances and charges at their own rates', () => {
    const body = {
      taxRate: 0.19,
      items: [item(), item({ rate: 50, taxRate: 0.07 })],
      allowances: [
        { rate: 0.1, reason: 'Discount' },
        { amount: 5, taxRate: 0.07 },
      ],
      charges: [{ amount: 20, reason: 'Packing' }],
      roundingAmount: -0.02,
      amountPaid: 100,
    }
    expect(taxesOf(body)).toEqual([
      ['S', 0.19, '105.00', '19.95'],
      ['S', 0.07, '45.00', '3.15'],
    ])
    const { total, due } = totalsOf(body)
    expect([total.toFixed(2), due.toFixed(2)]).toEqual(['173.10', '73.08'])
  })

  it('has its tax in a second currency, by a rate or as it is stated', () => {
    const body = { taxRate: 0.23, items: [item()], taxCurrency: 'pln' }
    expect(totalsOf({ ...body, exchangeRate: 4.315 }).taxInTaxCurrency?.toFixed(2)).toBe('99.25')
    expect(totalsOf({ ...body, taxInTaxCurrency: 99.2 }).taxInTaxCurrency?.toFixed(2)).toBe('99.20')
  })

  it('says how a discount is divided over the rates', () => {
    const { discountShares } = totalsOf({
      items: [item({ taxRate: 0.19 }), item({ rate: 33.33, taxRate: 0.07 })],
      discount: { rate: 0.05 },
    })
    expect(discountShares.map(({ rate, amount }) => [rate, amount.toFixed(2)])).toEqual([
      [0.07, '1.67'],
      [0.19, '5.00'],
    ])
  })
})

describe('VAT categories', () => {
  it('are S for a rate above 0, and none for a rate of 0', () => {
    expect(taxesOf({ items: [item({ taxRate: 0.2 }), item({ taxRate: 0 }), item()] })).toEqual([
      ['S', 0.2, '100.00', '20.00'],
      [undefined, 0, '100.00', '0.00'],
    ])
  })

  it('separate amounts with the same rate', () => {
    expect(
      taxesOf({ items: [item({ taxCategory: 'Z' }), item({ taxCategory: 'E' }), item({ taxCategory: 'E' })] }),
    ).toEqual([
      ['Z', 0, '100.00', '0.00'],
      ['E', 0, '200.00', '0.00'],
    ])
  })

  it('of items come before that of the invoice', () => {
    expect(
      taxesOf({
        taxCategory: 'E',
        taxRate: 0.19,
        items: [item(), item({ taxRate: 0.07 }), item({ taxCategory: 'S' })],
      }),
    ).toEqual([
      ['E', 0, '100.00', '0.00'],
      ['S', 0.07, '100.00', '7.00'],
      ['S', 0.19, '100.00', '19.00'],
    ])
  })

  it('are AE if the buyer owes the tax', () => {
    expect(taxesOf({ reverseCharge: true, items: [item()] })).toEqual([['AE', 0, '100.00', '0.00']])
  })

  it('keep the rate of the Canary Islands', () => {
    expect(taxesOf({ taxCategory: 'L', items: [item({ taxRate: 0.07 })] })).toEqual([['L', 0.07, '100.00', '7.00']])
  })
})

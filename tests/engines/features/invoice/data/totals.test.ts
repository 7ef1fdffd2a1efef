import { describe, expect, it } from 'vitest'
import { digitsOf } from '../../../../../engines/features/invoice/data/currencies'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import type { Invoice } from '../../../../../engines/features/invoice/data/invoice'
import { computeTotals } from '../../../../../engines/features/invoice/data/totals'
import { createRandom } from '../../../../support/random.mjs'

const parties = { invoiceNumber: '1', from: { name: 'A' }, billTo: { name: 'B' } }

function totalsOf(more: Record<string, unknown>) {
  const invoice = invoiceSchema.parse({ ...parties, ...more })
  const digits = digitsOf(invoice.currency)
  const { lines, subtotal, discount, shipping, taxes, total, paid, due } = computeTotals(invoice)
  const write = (value: typeof subtotal | undefined) => value?.toFixed(digits)
  return {
    lines: lines.map(write),
    subtotal: write(subtotal),
    discount: write(discount),
    shipping: write(shipping),
    total: write(total),
    paid: write(paid),
    due: write(due),
    taxes: taxes.map(({ rate, base, tax }) => [Number(rate), write(base), write(tax)]),
  }
}

const one = (quantity: number, rate: number, more: Record<string, unknown> = {}) => ({
  items: [{ description: 'x', quantity, rate }],
  ...more,
})

describe('an invoice line', () => {
  it.each([
    [1, 1.005, 'USD', '1.01'],
    [1, 1.0049999, 'USD', '1.00'],
    [-1, 1.005, 'USD', '-1.01'],
    [3, 1.235, 'KWD', '3.705'],
    [0.1, 3, 'USD', '0.30'],
    [3, 1500.5, 'JPY', '4502'],
    [1, 0.0005, 'KWD', '0.001'],
    [1e-7, 1, 'USD', '0.00'],
    [-1e-7, 1, 'USD', '0.00'],
    [1, 98765432.1, 'USD', '98765432.10'],
    [999999999999, 999, 'CLF', '998999999999001.0000'],
    [0, -5, 'EUR', '0.00'],
    [1, 2.345, 'IQD', '2.345'],
  ])('of %d × %d %s is %s', (quantity, rate, currency, line) => {
    expect(totalsOf(one(quantity, rate, { currency })).lines).toEqual([line])
  })

  it.each([
    [1, 1.1, 0.05, ['1.10', '0.06', '1.04']],
    [-1, 1.1, 0.05, ['-1.10', '-0.06', '-1.04']],
    [1, 1.005, 0.5, ['1.01', '0.51', '0.50']],
    [1, 10.05, 0.1, ['10.05', '1.01', '9.04']],
  ])('of %d × %d less %d is its rounded amount less the rounded discount', (quantity, rate, discount, expected) => {
    const item = { description: 'x', quantity, rate }
    const compute = (more: object) => computeTotals(invoiceSchema.parse({ ...parties, items: [{ ...item, ...more }] }))
    const short = compute({ discount: { rate: discount } })
    const long = compute({ allowances: [{ rate: discount }] })
    const [parts] = short.lineParts
    expect([parts?.worth, parts?.discount, short.lines[0]].map(value => value?.toFixed(2))).toEqual(expected)
    expect(long.lines.map(String)).toEqual(short.lines.map(String))
    expect(long.lineParts[0]?.allowances[0]?.amount.toFixed(2)).toBe(expected[1])
  })

  it('is reduced by an amount', () => {
    const items = [{ description: 'y', quantity: 2, rate: 5, discount: 1.5 }]
    expect(totalsOf({ items }).lines).toEqual(['8.50'])
  })
})

describe('tax', () => {
  it('is computed on the sum of a rate, not line by line', () => {
    const items = Array.from({ length: 100 }, () => ({ description: 'x', quantity: 1, rate: 0.01 }))
    expect(totalsOf({ items, taxRate: 0.19 })).toMatchObject({
      subtotal: '1.00',
      taxes: [[0.19, '1.00', '0.19']],
      total: '1.19',
    })
  })

  it('has a line for each rate, and none for items without a rate', () => {
    const items = [
      { description: 'a', quantity: 1, rate: 100, taxRate: 0.19 },
      { description: 'b', quantity: 1, rate: 50, taxRate: 0.07 },
      { description: 'c', quantity: 1, rate: 10 },
    ]
    expect(totalsOf({ items })).toMatchObject({
      taxes: [
        [0.19, '100.00', '19.00'],
        [0.07, '50.00', '3.50'],
      ],
      total: '182.50',
    })
    expect(totalsOf(one(1, 10))).toMatchObject({ taxes: [], total: '10.00' })
    expect(totalsOf(one(1, 10, { taxRate: 0 }))).toMatchObject({ taxes: [[0, '10.00', '0.00']], total: '10.00' })
  })

  it('is contained in prices that include tax', () => {
    expect(totalsOf(one(1, 119, { taxRate: 0.19, pricesIncludeTax: true }))).toMatchObject({
      subtotal: '119.00',
      taxes: [[0.19, '100.00', '19.00']],
      total: '119.00',
    })
  })

  it('is absent if the buyer pays the tax', () => {
    expect(totalsOf(one(1, 100, { reverseCharge: true }))).toMatchObject({
      taxes: [[0, '100.00', '0.00']],
      total: '100.00',
    })
  })
})

describe('discount, shipping and payments', () => {
  it('follow the worked example of the documentation', () => {
    const items = [
      { description: 'a', quantity: 12.5, rate: 96, taxRate: 0.19 },
      { description: 'b', quantity: 40, rate: 18.9, taxRate: 0.07 },
    ]
    expect(
      totalsOf({
        items,
        discount: { rate: 0.05 },
        shipping: { amount: 9.9, taxRate: 0.19 },
        amountPaid: 500,
        currency: 'EUR',
      }),
    ).toEqual({
      lines: ['1200.00', '756.00'],
      subtotal: '1956.00',
      discount: '97.80',
      shipping: '9.90',
      taxes: [
        [0.19, '1149.90', '218.48'],
        [0.07, '718.20', '50.27'],
      ],
      total: '2136.85',
      paid: '500.00',
      due: '1636.85',
    })
  })

  it('are split without losing a cent', () => {
    const items = [0.19, 0.07, 0.05].map(taxRate => ({ description: 'x', quantity: 1, rate: 33.33, taxRate }))
    const { taxes, discount } = totalsOf({ items, discount: 10 })
    expect(discount).toBe('10.00')
    expect(taxes.reduce((sum, [, base]) => sum + Math.round(Number(base) * 100), 0)).toBe(9999 - 1000)
  })

  it('give the rounding difference to the group with the largest amount, be it negative', () => {
    const items = [
      { description: 'a', quantity: 1, rate: 10, taxRate: 0.19 },
      { description: 'b', quantity: -1, rate: 50, taxRate: 0.07 },
      { description: 'c', quantity: 1, rate: 10, taxRate: 0.05 },
    ]
    expect(totalsOf({ items, discount: 1 }).taxes.map(([rate, base]) => [rate, base])).toEqual([
      [0.19, '10.33'],
      [0.07, '-51.66'],
      [0.05, '10.33'],
    ])
  })

  it('take a discount from the largest group if the sum is zero, and from the first of equal groups', () => {
    const bases = (...amounts: number[]) => {
      const items = amounts.map((amount, index) => ({
        description: 'x',
        quantity: Math.sign(amount),
        rate: Math.abs(amount),
        taxRate: 0.1 + index / 10,
      }))
      return totalsOf({ items, discount: 2 }).taxes.map(([, base]) => base)
    }
    expect(bases(3, 2, -5)).toEqual(['3.00', '2.00', '-7.00'])
    expect(bases(5, -5)).toEqual(['3.00', '-5.00'])
    expect(bases(-5, 5)).toEqual(['-7.00', '5.00'])
  })

  it('round a tax in a price with tax once', () => {
    expect(totalsOf(one(1, 0.15, { taxRate: 0.5, pricesIncludeTax: true })).taxes).toEqual([[0.5, '0.10', '0.05']])
    expect(totalsOf(one(1, 0.03, { taxRate: 1, pricesIncludeTax: true })).taxes).toEqual([[1, '0.01', '0.02']])
    expect(totalsOf(one(-1, 0.03, { taxRate: 1, pricesIncludeTax: true })).taxes).toEqual([[1, '-0.01', '-0.02']])
  })

  it('work with sums of zero and below', () => {
    const items = [
      { description: 'a', quantity: 1, rate: 5 },
      { description: 'b', quantity: -1, rate: 5 },
    ]
    expect(totalsOf({ items, discount: 2, taxRate: 0.1 })).toMatchObject({
      subtotal: '0.00',
      taxes: [[0.1, '-2.00', '-0.20']],
      total: '-2.20',
    })
    expect(totalsOf(one(1, 5, { amountPaid: 5 }))).toMatchObject({ due: '0.00' })
  })
})

it('the totals of 400 invoices match a calculation in whole numbers', () => {
  const random = createRandom(7)
  for (let round = 0; round < 400; round++) {
    const currency = ['USD', 'JPY', 'KWD', 'CLF'][round % 4] ?? 'USD'
    const items = Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
      description: 'x',
      quantity: pick(random, 3),
      rate: pick(random, 5),
      taxRate: [0.19, 0.07, 0.055, 0][Math.floor(random() * 4)] ?? 0,
    }))
    const invoice = invoiceSchema.parse({ ...parties, currency, items })
    const { lines, taxes, total } = computeTotals(invoice)
    const wanted = computeWhole(invoice)
    const whole = (value: typeof total) => BigInt(value.times(10 ** digitsOf(currency)).toFixed(0))
    expect({ lines: lines.map(whole), taxes: taxes.map(({ tax }) => whole(tax)), total: whole(total) }).toEqual(wanted)
  }
})

/** Computes the same totals in the currency's smallest unit, with fractions of whole numbers read from decimal text. */
function computeWhole({ items, currency }: Invoice): { lines: bigint[]; taxes: bigint[]; total: bigint } {
  const unit = 10n ** BigInt(digitsOf(currency))
  const lines = items.map(({ quantity, rate }) => {
    const [a, b] = [readFraction(quantity), readFraction(rate)]
    return divideHalfUp(a.numerator * b.numerator * unit, a.denominator * b.denominator)
  })
  const sums = new Map<number, bigint>()
  for (const [index, { taxRate = 0 }] of items.entries())
    sums.set(taxRate, (sums.get(taxRate) ?? 0n) + (lines[index] ?? 0n))
  const taxes = [...sums].map(([rate, sum]) => {
    const { numerator, denominator } = readFraction(rate)
    return divideHalfUp(sum * numerator, denominator)
  })
  return { lines, taxes, total: [...lines, ...taxes].reduce((sum, value) => sum + value, 0n) }
}

function readFraction(value: number): { numerator: bigint; denominator: bigint } {
  const [whole = '0', decimals = ''] = String(value).split('.')
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) }
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

/** Returns a number of either sign that often ends in 5. */
function pick(random: () => number, decimals: number): number {
  const digits = String(Math.floor(random() * 10 ** (decimals + 3)))
  const text = `${digits.slice(0, -decimals) || '0'}.${digits.slice(-decimals).padStart(decimals, '0')}${random() < 0.5 ? '5' : ''}`
  return Number(random() < 0.2 ? `-${text}` : text)
}

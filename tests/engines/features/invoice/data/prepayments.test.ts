import { describe, expect, it } from 'vitest'
import { computeTotals } from '../../../../../engines/features/invoice/data/totals'
import { formatOf, toElectronic } from '../../../../../engines/features/invoice/electronic/to-electronic'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { SMALLEST_FACTUR_X } from '../../../../../lib/docs/electronic-bodies'

function convert(more: object) {
  const invoice = invoiceSchema.parse({ ...SMALLEST_FACTUR_X, ...more })
  const totals = computeTotals(invoice)
  const ruleSet = formatOf(invoice)?.ruleSet ?? 'facturx-en16931'
  return { totals, model: toElectronic(invoice, { ruleSet, issueDate: '2026-11-02', totals }) }
}

const problemsOf = (more: object) =>
  invoiceSchema
    .safeParse({ ...SMALLEST_FACTUR_X, ...more })
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)

describe('prepayments', () => {
  const prepayments = [
    { reference: 'A-1', date: '2026-09-01', amount: 119 },
    { reference: 'A-2', amount: 10.01, taxRate: 0.07 },
    { amount: 11.9, tax: 1.89 },
  ]

  it('are divided into net amount and tax, rounded once, and reduce the amount due', () => {
    const { totals } = convert({ prepayments, amountPaid: 5 })
    expect(totals.prepayments.map(({ net, tax }) => [net.toFixed(2), tax?.toFixed(2)])).toEqual([
      ['100.00', '19.00'],
      ['9.36', '0.65'],
      ['10.01', '1.89'],
    ])
    expect([totals.paid?.toFixed(2), totals.due.toFixed(2)]).toEqual(['145.91', '193.24'])
  })

  it('are the paid amount of the XML, with a note, and name preceding invoices', () => {
    const { model } = convert({ prepayments, precedingInvoice: 'A-2' })
    expect(model.totals).toMatchObject({ paid: '140.91', due: '198.24' })
    expect(model.precedingInvoices).toEqual([{ number: 'A-2' }, { number: 'A-1', issueDate: '2026-09-01' }])
    expect(model.notes[0]?.text).toBe(
      'Prepayment A-1: -€119.00 (Sep 1, 2026 · Net €100.00 + Tax (19%) €19.00)\n' +
        'Prepayment A-2: -€10.01 (Net €9.36 + Tax (7%) €0.65)\n' +
        'Prepayment: -€11.90 (Net €10.01 + Tax (19%) €1.89)',
    )
  })

  it('have no tax without a rate', () => {
    const { totals } = convert({ eInvoice: undefined, reverseCharge: true, taxRate: 0, prepayments: [{ amount: 50 }] })
    expect(totals.prepayments[0]).toMatchObject({ tax: undefined, net: totals.paid })
  })

  it('contain their tax', () => {
    for (const tax of [12, -1])
      expect(problemsOf({ prepayments: [{ amount: 11, tax }] })).toEqual([
        `prepayments.0.tax must be a part of amount 11. Got ${tax}.`,
      ])
  })
})

describe('a paid invoice', () => {
  it.each([true, '2026-11-20'])('has nothing left to pay, also with prepayments: %j', paid => {
    const { totals, model } = convert({ paid, roundingAmount: 0.01, prepayments: [{ amount: 119 }] })
    expect([totals.paid?.toFixed(2), totals.due.toFixed(2)]).toEqual(['339.16', '0.00'])
    expect(model.totals).toMatchObject({ paid: '339.16', due: '0.00' })
  })

  it.each([
    [{ amountPaid: 1 }, 'amountPaid must be omitted, because paid was sent too.'],
    [{ qr: 'url', payment: { link: 'https://example.com' } }, 'qr must be "none" or omitted if paid is sent'],
    [{ type: 'quote', eInvoice: undefined }, 'paid must be omitted for the type "quote".'],
  ])('is refused with %j', (more, message) => {
    expect(problemsOf({ paid: true, ...more })).toEqual([expect.stringContaining(message)])
    expect(problemsOf({ paid: false, ...more })).toBeUndefined()
  })
})

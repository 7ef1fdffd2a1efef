import { describe, expect, it } from 'vitest'
import { readXml } from '../../../../../engines/standards/einvoice/read/read-xml'
import { writeCii } from '../../../../../engines/standards/einvoice/write/write-cii'
import { writeUbl } from '../../../../../engines/standards/einvoice/write/write-ubl'
import type { ElectronicInvoice } from '../../../../../engines/standards/einvoice/model'
import { fullInvoice } from '../full-invoice'

const WRITERS = { cii: writeCii, ubl: writeUbl }

function roundTrip(invoice: ElectronicInvoice, syntax: keyof typeof WRITERS) {
  return readXml(Buffer.from(WRITERS[syntax](invoice, 'en16931'), 'utf8'))
}

describe.each(['cii', 'ubl'] as const)('an invoice in %s', syntax => {
  it('is the same after writing and reading', () => {
    const { invoice, unknown, syntax: found } = roundTrip(fullInvoice(), syntax)
    expect(found).toBe(syntax)
    expect(invoice).toEqual(fullInvoice())
    expect(unknown).toEqual([])
  })

  it.each([
    ['a credit note', { typeCode: '381' }],
    ['a code of the tax point', { taxPointDate: undefined, taxPointCode: '432' }],
    ['no period and no delivery', { period: undefined, deliveryDate: undefined, shipTo: undefined }],
    [
      'a direct debit',
      {
        payments: [
          {
            meansCode: '59',
            meansText: undefined,
            reference: undefined,
            accounts: [],
            card: undefined,
            directDebit: { mandate: 'M-1', creditorId: 'DE98ZZZ09999999999', debitedIban: 'DE02120300000000202051' },
          },
        ],
      },
    ],
    [
      'a card',
      {
        payments: [
          {
            meansCode: '48',
            meansText: undefined,
            reference: 'r',
            accounts: [],
            card: { lastDigits: '4711', holder: 'Erika' },
            directDebit: undefined,
          },
        ],
      },
    ],
    [
      'an exemption',
      {
        taxes: [
          {
            base: '1.00',
            tax: '0.00',
            category: 'E',
            percent: '0',
            exemptionReason: 'why',
            exemptionCode: 'VATEX-EU-132',
          },
        ],
      },
    ],
  ] as [string, Partial<ElectronicInvoice>][])('keeps %s', (_, more) => {
    const invoice = { ...fullInvoice(), ...more }
    expect(roundTrip(invoice, syntax).invoice).toEqual(invoice)
  })

  it('keeps a cash discount with its line break', () => {
    const paymentTerms = 'Net 30\n#SKONTO#TAGE=14#PROZENT=2.00#\n'
    expect(roundTrip({ ...fullInvoice(), paymentTerms }, syntax).invoice.paymentTerms).toBe(paymentTerms)
  })
})

import { describe, expect, it } from 'vitest'
import { fromElectronic } from '../../../../../engines/features/invoice/electronic/from-electronic'
import { toElectronic } from '../../../../../engines/features/invoice/electronic/to-electronic'
import { computeTotals } from '../../../../../engines/features/invoice/data/totals'
import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { SMALLEST_FACTUR_X } from '../../../../../lib/docs/electronic-bodies'
import { readPdfjsTexts } from '../../../../support/pdfjs-texts'
import { runOn } from '../../../../support/run-on'

const parse = (payment: object, more: object = {}) =>
  invoiceSchema.safeParse({ ...SMALLEST_FACTUR_X, payment: { accountNumber: '12345678', ...payment }, ...more })

const problemsOf = (payment: object, more?: object) =>
  parse(payment, more).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)

describe.each([
  ['routingNumber', '021000021', '021000021', 'Routing no. 021000021', '021000022'],
  ['sortCode', '20-00 00', '200000', 'Sort code 20-00-00', '2000001'],
  ['ifsc', 'hdfc0000123', 'HDFC0000123', 'IFSC HDFC0000123', 'HDFC1000123'],
  ['bsb', '062000', '062000', 'BSB 062-000', '06200'],
])('payment.%s', (name, sent, code, printed, wrong) => {
  it('is printed before the account number, and is the identifier of the bank in the XML', async () => {
    const currency = name === 'bsb' ? 'AUD' : 'GBP'
    const further = { accountNumber: '9', [name]: sent }
    const invoice = invoiceSchema.parse(parse({ [name]: sent, furtherAccounts: [further] }, { currency }).data)
    const model = toElectronic(invoice, {
      ruleSet: 'facturx-en16931',
      issueDate: '2026-11-02',
      totals: computeTotals(invoice),
    })
    expect(model.payments[0]?.accounts.map(({ bic }) => bic)).toEqual([code, code])
    expect(fromElectronic(model).payment).toMatchObject({ [name]: code, accountNumber: '12345678' })
    const { bytes } = await runOn('invoice', [], { ...invoice, eInvoice: undefined }, { now: new Date(0) })
    const text = (await readPdfjsTexts(bytes)).join(' ').replace(/\s+/g, ' ')
    expect(text).toContain(`${printed} Account no. 12345678`)
    expect(text).toContain(`${printed} Account no. 9`)
  })

  it('is checked', () => {
    expect(problemsOf({ [name]: wrong })).toEqual([expect.stringMatching(`^payment.${name} must be an? `)])
  })
})

it('an account has one code of a bank, and a number', () => {
  const codes = { sortCode: '200000', bsb: '062000' }
  expect(problemsOf(codes)).toEqual(['payment.bsb must be omitted, because sortCode was sent too.'])
  expect(problemsOf({ furtherAccounts: [{ bsb: '062000' }] }, { eInvoice: undefined })).toEqual([
    'payment.furtherAccounts.0.accountNumber is required if bsb is sent.',
  ])
  expect(problemsOf({ bsb: '062000', bic: 'COBADEFFXXX' })).toEqual([
    'payment.bsb must be omitted, because bic was sent too. An electronic invoice has one of them (BT-86).',
  ])
  expect(problemsOf({ bsb: '062000', bic: 'COBADEFFXXX' }, { eInvoice: undefined })).toBeUndefined()
})

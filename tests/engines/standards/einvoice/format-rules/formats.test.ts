import { describe, expect, it } from 'vitest'
import { findBrokenRules } from '../../../../../engines/standards/einvoice/format-rules/find-broken-rules'
import {
  isAustralian,
  isBelgian,
  isDanish,
  isGreek,
  isGs1,
  isNorwegian,
  isSwedish,
} from '../../../../../engines/standards/einvoice/format-rules/check-digits'
import type { ElectronicInvoice, Payment } from '../../../../../engines/standards/einvoice/model'
import type { RuleContext } from '../../../../../engines/standards/einvoice/rules/rule'
import { fullInvoice } from '../full-invoice'

type Change = (invoice: ElectronicInvoice) => void

const XRECHNUNG: RuleContext = { ruleSet: 'xrechnung', syntax: 'cii' }
const PEPPOL: RuleContext = { ruleSet: 'peppol', syntax: 'ubl' }
const BASIC: RuleContext = { ruleSet: 'facturx-basic', syntax: 'cii' }

function brokenBy(change: Change, context: RuleContext): string[] {
  const invoice = fullInvoice()
  if (context.ruleSet === 'xrechnung') invoice.precedingInvoices = invoice.precedingInvoices.slice(0, 1)
  change(invoice)
  return findBrokenRules(invoice, context).map(({ rule, param }) => `${rule} ${param}`)
}

function pay(payment: Partial<Payment>): Change {
  return invoice => {
    invoice.payments = [
      {
        meansCode: '58',
        meansText: undefined,
        reference: undefined,
        accounts: [],
        card: undefined,
        directDebit: undefined,
        ...payment,
      },
    ]
  }
}

const account = { id: 'DE89370400440532013000', isIban: true, name: undefined, bic: undefined }
const card = { lastDigits: '4711', holder: undefined }
const debit = { mandate: 'M', creditorId: 'DE98ZZZ09999999999', debitedIban: 'DE02120300000000202051' }

/** Makes the invoice one that Peppol accepts: a scheme of its own list, and a single note. */
const forPeppol: Change = invoice => {
  invoice.from.electronicAddress = { id: 'DE123456789', scheme: '9930' }
  invoice.billTo.electronicAddress = { id: '4000001000005', scheme: '0088' }
  invoice.billTo.ids = []
  invoice.payee = undefined
  invoice.notes = [{ text: 'one', subjectCode: undefined }]
}

it('XRechnung accepts a complete invoice', () => {
  expect(brokenBy(() => undefined, XRECHNUNG)).toEqual([])
})

it('Peppol accepts a complete invoice', () => {
  expect(brokenBy(forPeppol, PEPPOL)).toEqual([])
})

describe('XRechnung', () => {
  it.each<[string, Change]>([
    ['CII-D16B precedingInvoice', invoice => void invoice.precedingInvoices.push(...fullInvoice().precedingInvoices)],
    ['BR-DE-1 payment', invoice => (invoice.payments = [])],
    ['BR-DE-2 from.contact', invoice => (invoice.from.contact = undefined)],
    ['BR-DE-3 from.address.city', invoice => Object.assign(invoice.from.address ?? {}, { city: undefined })],
    ['BR-DE-4 from.address.postCode', invoice => Object.assign(invoice.from.address ?? {}, { postCode: undefined })],
    ['BR-DE-5 from.contact.name', invoice => Object.assign(invoice.from.contact ?? {}, { name: undefined })],
    ['BR-DE-6 from.contact.phone', invoice => Object.assign(invoice.from.contact ?? {}, { phone: undefined })],
    ['BR-DE-7 from.contact.email', invoice => Object.assign(invoice.from.contact ?? {}, { email: undefined })],
    ['BR-DE-8 billTo.address.city', invoice => Object.assign(invoice.billTo.address ?? {}, { city: undefined })],
    [
      'BR-DE-9 billTo.address.postCode',
      invoice => Object.assign(invoice.billTo.address ?? {}, { postCode: undefined }),
    ],
    ['BR-DE-10 shipTo.address.city', invoice => Object.assign(invoice.shipTo?.address ?? {}, { city: undefined })],
    [
      'BR-DE-11 shipTo.address.postCode',
      invoice => Object.assign(invoice.shipTo?.address ?? {}, { postCode: undefined }),
    ],
    ['BR-DE-14 taxRate', invoice => Object.assign(invoice.taxes[0] ?? {}, { percent: undefined })],
    ['BR-DE-15 buyerReference', invoice => (invoice.buyerReference = undefined)],
    [
      'BR-DE-16 from.vatId',
      invoice => {
        Object.assign(invoice.from, { vatId: undefined, taxNumber: undefined })
        invoice.taxRepresentative = undefined
      },
    ],
    ['BR-DE-18 paymentTerms', invoice => (invoice.paymentTerms = '#SKONTO#TAGE=14#PROZENT=2#\n')],
    ['BR-DE-18 paymentTerms', invoice => (invoice.paymentTerms = '#SKONTO#TAGE=14#PROZENT=2.00#')],
    [
      'BR-DE-22 attachments[1].file.name',
      invoice => (invoice.attachments = [...invoice.attachments.slice(0, 1), ...invoice.attachments.slice(0, 1)]),
    ],
    ['BR-DE-23-a payment.iban', pay({})],
    ['BR-DE-23-b payment.card', pay({ accounts: [account], card })],
    ['BR-DE-24-a payment.card', pay({ meansCode: '48' })],
    ['BR-DE-24-b payment.iban', pay({ meansCode: '54', card, accounts: [account] })],
    ['BR-DE-25-a payment.mandate', pay({ meansCode: '59' })],
    ['BR-DE-25-b payment.iban', pay({ meansCode: '59', directDebit: debit, accounts: [account] })],
    ['BR-DE-30 payment.creditorId', pay({ meansCode: '59', directDebit: { ...debit, creditorId: undefined } })],
    ['BR-DE-31 payment.debitedIban', pay({ meansCode: '59', directDebit: { ...debit, debitedIban: undefined } })],
    ['PEPPOL-EN16931-R001 eInvoice', invoice => (invoice.businessProcess = undefined)],
    ['PEPPOL-EN16931-R005 taxCurrency', invoice => (invoice.taxCurrency = 'EUR')],
    ['PEPPOL-EN16931-R010 billTo.electronicAddress', invoice => (invoice.billTo.electronicAddress = undefined)],
    ['PEPPOL-EN16931-R020 from.electronicAddress', invoice => (invoice.from.electronicAddress = undefined)],
    [
      'PEPPOL-EN16931-R040 allowances[0].amount',
      invoice => Object.assign(invoice.allowances[0] ?? {}, { base: '90.00' }),
    ],
    [
      'PEPPOL-EN16931-R041 allowances[0].base',
      invoice => Object.assign(invoice.allowances[0] ?? {}, { base: undefined }),
    ],
    ['PEPPOL-EN16931-R046 items[0].rate', invoice => Object.assign(invoice.items[0] ?? {}, { priceReduction: '5' })],
    ['PEPPOL-EN16931-R042 charges[0].rate', invoice => Object.assign(invoice.charges[0] ?? {}, { base: '9.00' })],
    ['PEPPOL-EN16931-R055 taxInTaxCurrency', invoice => (invoice.totals.taxInTaxCurrency = '-1.00')],
    ['PEPPOL-EN16931-R061 payment.mandate', pay({ meansCode: '49' })],
    [
      'PEPPOL-EN16931-R110 items[0].period.start',
      invoice => (invoice.period = { start: '2026-03-03', end: undefined }),
    ],
    ['PEPPOL-EN16931-R111 items[0].period.end', invoice => (invoice.period = { start: undefined, end: '2026-03-03' })],
    ['PEPPOL-EN16931-R121 items[0].priceBase', invoice => Object.assign(invoice.items[0] ?? {}, { priceBase: '0' })],
    [
      'PEPPOL-EN16931-R130 items[0].unitCode',
      invoice => Object.assign(invoice.items[0] ?? {}, { priceBaseUnitCode: 'KGM' }),
    ],
  ])('reports %s', (expected, change) => {
    expect(brokenBy(change, XRECHNUNG)).toContain(expected)
  })

  it('accepts a cash discount on its own line', () => {
    const broken = brokenBy(invoice => (invoice.paymentTerms = 'Net\n#SKONTO#TAGE=14#PROZENT=2.00#\n'), XRECHNUNG)
    expect(broken).toEqual([])
  })
})

describe('Peppol', () => {
  it.each<[string, Change]>([
    ['PEPPOL-EN16931-R002 notes', invoice => void invoice.notes.push({ text: 'two', subjectCode: undefined })],
    [
      'PEPPOL-EN16931-R003 buyerReference',
      invoice => Object.assign(invoice, { buyerReference: undefined, purchaseOrder: undefined, salesOrder: undefined }),
    ],
    ['PEPPOL-EN16931-R120 items[0].rate', invoice => Object.assign(invoice.items[0] ?? {}, { rate: '41' })],
    ['PEPPOL-EN16931-F001 dueDate', invoice => (invoice.dueDate = '2026-13-99')],
    ['PEPPOL-EN16931-P0100 typeCode', invoice => (invoice.typeCode = '130')],
    ['PEPPOL-EN16931-P0101 typeCode', invoice => (invoice.typeCode = '261')],
    ['PEPPOL-EN16931-P0112 type', invoice => (invoice.typeCode = '384')],
    [
      'PEPPOL-EN16931-CL008 from.electronicAddress.scheme',
      invoice => (invoice.from.electronicAddress = { id: 'a@b.example', scheme: 'EM' }),
    ],
    [
      'PEPPOL-EN16931-CL002 allowances[0].reasonCode',
      invoice => Object.assign(invoice.allowances[0] ?? {}, { reasonCode: 'FC' }),
    ],
    [
      'PEPPOL-EN16931-P0107 taxExemptions',
      invoice => Object.assign(invoice.taxes[0] ?? {}, { exemptionCode: 'VATEX-EU-AE' }),
    ],
    [
      'PEPPOL-COMMON-R040 billTo.electronicAddress.id',
      invoice => (invoice.billTo.electronicAddress = { id: '4000001000006', scheme: '0088' }),
    ],
    ['PEPPOL-COMMON-R043 from.legalId.id', invoice => (invoice.from.legalId = { id: '0403019262', scheme: '0208' })],
    ['NO-R-001 from.vatId', invoice => (invoice.from.vatId = 'NO123456789MVA')],
    ['DK-R-014 from.legalId.scheme', invoice => (invoice.from.vatId = 'DK12345678')],
    [
      'IT-R-002 from.address.street',
      invoice => {
        invoice.from.vatId = 'IT12345678901'
        Object.assign(invoice.from.address ?? {}, { street: undefined })
      },
    ],
    ['SE-R-001 from.vatId', invoice => (invoice.from.vatId = 'SE1234')],
    ['NL-R-003 from.legalId', invoice => (invoice.from.vatId = 'NL123456789B01')],
    ['IS-R-002 from.legalId', invoice => (invoice.from.vatId = 'IS12345')],
    ['GR-R-001-1 invoiceNumber', invoice => (invoice.from.vatId = 'EL094259216')],
    [
      'DE-R-015 buyerReference',
      invoice => {
        Object.assign(invoice.billTo.address ?? {}, { country: 'DE' })
        invoice.buyerReference = undefined
      },
    ],
  ])('reports %s', (expected, change) => {
    const broken = brokenBy(invoice => {
      forPeppol(invoice)
      change(invoice)
    }, PEPPOL)
    expect(broken).toContain(expected)
  })
})

it.each<[string[], string[]]>([
  [['Invoice/Note'], ['PEPPOL-EN16931-R008 Invoice/Note']],
  [['CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery'], []],
])('%j breaks %j if it is empty, except in EN 16931', (empty, expected) => {
  expect(brokenBy(() => undefined, { ...XRECHNUNG, empty })).toEqual(expected)
  expect(brokenBy(() => undefined, { ruleSet: 'en16931', syntax: 'cii', empty })).toEqual([])
})

it('Factur-X BASIC has no rounding amount', () => {
  expect(brokenBy(() => undefined, BASIC)).toEqual(['FX-BASIC roundingAmount'])
})

describe('check digits', () => {
  it.each([
    ['GLN', isGs1, '4000001000005', '4000001000004'],
    ['Norwegian', isNorwegian, '974760673', '974760674'],
    ['Danish', isDanish, 'DK12345678', '1234567'],
    ['Belgian', isBelgian, '0403019261', '0403019262'],
    ['Swedish', isSwedish, '5565475489', '5565475488'],
    ['Australian', isAustralian, '51824753556', '51824753557'],
    ['Greek', isGreek, '094259216', '094259217'],
  ])('of a %s number are verified', (_, isValid, right, wrong) => {
    expect([isValid(right), isValid(wrong), isValid('x')]).toEqual([true, false, false])
  })
})

describe('Factur-X EXTENDED', () => {
  const line = (lineId: string, parentLineId: string | undefined, type: string | undefined, amount?: string) => {
    const [first] = fullInvoice().items
    if (!first) throw new Error('the invoice has no items')
    return { lineId, parentLineId, type, isBilled: type !== 'GROUP', item: { ...first, lineId, amount } }
  }
  const tree = [
    line('1', undefined, 'GROUP', '138.00'),
    line('10', '1', 'DETAIL', '105'),
    line('20', '1', 'DETAIL', '33'),
  ]

  it.each<[string, string[], Change]>([
    ['groups of lines', [], invoice => (invoice.lines = tree)],
    ['a negative price', [], invoice => Object.assign(invoice.items[0] ?? {}, { rate: '-1', grossPrice: '-1' })],
    ['a reason for category S', [], invoice => Object.assign(invoice.taxes[0] ?? {}, { exemptionReason: 'why' })],
    ['a sum that is off by 0.01 for each line', [], invoice => Object.assign(invoice.totals, { lines: '138.02' })],
    [
      'a sum that is off by more',
      ['BR-FXEXT-CO-10 totals.subtotal'],
      invoice => Object.assign(invoice.totals, { lines: '138.03' }),
    ],
    [
      'an amount for a third party',
      [],
      invoice => {
        invoice.collected = '7'
        invoice.totals.due = '110.72'
      },
    ],
    ['a wrong amount due', ['BR-FXEXT-CO-16 totals.amountDue'], invoice => (invoice.totals.due = '103.73')],
    [
      'two taxes with one rate',
      [],
      invoice => {
        const [tax] = invoice.taxes.splice(0, 1)
        if (tax) invoice.taxes.push({ ...tax, base: '90.00', tax: '17.10' }, { ...tax, base: '5.00', tax: '0.95' })
      },
    ],
    [
      'a wrong base',
      ['BR-FXEXT-S08b totals.subtotal'],
      invoice => Object.assign(invoice.taxes[1] ?? {}, { base: '38.04' }),
    ],
    [
      'a wrong tax',
      ['BR-FXEXT-S-09b totals.tax', 'BR-CO-14 totals.tax'],
      invoice => Object.assign(invoice.taxes[1] ?? {}, { tax: '2.71' }),
    ],
    [
      'a line without a price',
      ['BR-FXEXT-BR-26 items[0].rate'],
      invoice => Object.assign(invoice.items[0] ?? {}, { rate: undefined }),
    ],
    [
      'a parent that is missing',
      ['BR-FXEXT-11 lines[0].parentLineId'],
      invoice => (invoice.lines = [line('1', '9', 'DETAIL')]),
    ],
    [
      'a parent without a type',
      ['BR-FXEXT-06 lines[1].type'],
      invoice => (invoice.lines = [line('1', undefined, 'GROUP'), line('2', '1', undefined)]),
    ],
    ['a wrong sum of a group', ['BR-FXEXT-08 lines[0].amount'], invoice => (invoice.lines = tree.slice(0, 2))],
    [
      'a group without an amount in a group',
      ['BR-FXEXT-08 lines[0].amount', 'BR-FXEXT-12 lines[0].amount'],
      invoice => (invoice.lines = [line('1', undefined, 'GROUP', '0'), line('2', '1', 'GROUP')]),
    ],
    [
      'a note without a text',
      ['BR-FXEXT-01 codedNotes[2].text'],
      invoice => void invoice.notes.push({ text: undefined, subjectCode: 'REG' }),
    ],
    [
      'a value of an attribute that is missing',
      ['BR-FXEXT-BR-54-2 items[0].attributes[0].value'],
      invoice => Object.assign(invoice.items[0] ?? {}, { attributes: [{ name: 'a', value: undefined }] }),
    ],
  ])('%s: %j', (_, expected, change) => {
    expect(brokenBy(change, { ruleSet: 'facturx-extended', syntax: 'cii' }).toSorted()).toEqual(expected.toSorted())
  })
})

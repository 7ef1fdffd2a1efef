import { describe, expect, it } from 'vitest'
import { findBrokenRules } from '../../../../../engines/standards/einvoice/format-rules/find-broken-rules'
import type { ElectronicInvoice, Item } from '../../../../../engines/standards/einvoice/model'
import type { RuleContext } from '../../../../../engines/standards/einvoice/rules/rule'
import { fullInvoice } from '../full-invoice'

type Change = (invoice: ElectronicInvoice) => void

const CII: RuleContext = { ruleSet: 'en16931', syntax: 'cii' }
const UBL: RuleContext = { ruleSet: 'en16931', syntax: 'ubl' }

/** Broken rules with their parameters, such as `BR-02 invoiceNumber`. */
function brokenBy(change: Change, context = CII): string[] {
  const invoice = fullInvoice()
  change(invoice)
  return findBrokenRules(invoice, context).map(({ rule, param }) => `${rule} ${param}`)
}

function first(invoice: ElectronicInvoice): Item {
  const [item] = invoice.items
  if (!item) throw new Error('the invoice has no items')
  return item
}

/** Gives everything one category without tax, with fitting amounts. */
function untaxed(category: string, percent: string | undefined): Change {
  return invoice => {
    for (const one of [...invoice.items, ...invoice.allowances, ...invoice.charges])
      Object.assign(one, { taxCategory: category, taxPercent: percent })
    Object.assign(invoice.totals, { tax: '0.00', taxInTaxCurrency: '0.00', withTax: '133.00', due: '83.01' })
    invoice.taxes = [
      { base: '133.00', tax: '0.00', category, percent, exemptionReason: 'why', exemptionCode: undefined },
    ]
  }
}

it.each([CII, UBL])('a complete invoice breaks no rule: %j', context => {
  expect(brokenBy(() => undefined, context)).toEqual([])
})

describe('a missing or wrong term breaks its rule', () => {
  it.each<[string, Change]>([
    ['BR-01 eInvoice', invoice => (invoice.specification = undefined)],
    ['BR-02 invoiceNumber', invoice => (invoice.invoiceNumber = undefined)],
    ['BR-03 issueDate', invoice => (invoice.issueDate = undefined)],
    ['CII-DT-097 issueDate', invoice => (invoice.issueDate = '2026-13-99')],
    ['BR-04 typeCode', invoice => (invoice.typeCode = undefined)],
    ['BR-05 currency', invoice => (invoice.currency = undefined)],
    ['BR-06 from.name', invoice => (invoice.from.name = undefined)],
    ['BR-07 billTo.name', invoice => (invoice.billTo.name = undefined)],
    ['BR-08 from.address', invoice => (invoice.from.address = undefined)],
    ['BR-09 from.address.country', invoice => Object.assign(invoice.from.address ?? {}, { country: undefined })],
    ['BR-10 billTo.address', invoice => (invoice.billTo.address = undefined)],
    ['BR-11 billTo.address.country', invoice => Object.assign(invoice.billTo.address ?? {}, { country: undefined })],
    ['BR-12 totals.subtotal', invoice => (invoice.totals.lines = undefined)],
    ['BR-13 totals', invoice => (invoice.totals.withoutTax = undefined)],
    ['BR-14 totals.total', invoice => (invoice.totals.withTax = undefined)],
    ['BR-15 totals.amountDue', invoice => (invoice.totals.due = undefined)],
    ['BR-16 items', invoice => (invoice.items = [])],
    ['BR-17 payee.name', invoice => Object.assign(invoice.payee ?? {}, { name: 'Seller Ltd' })],
    ['BR-18 taxRepresentative.name', invoice => Object.assign(invoice.taxRepresentative ?? {}, { name: undefined })],
    [
      'BR-19 taxRepresentative.address',
      invoice => Object.assign(invoice.taxRepresentative ?? {}, { address: undefined }),
    ],
    [
      'BR-20 taxRepresentative.address.country',
      invoice => Object.assign(invoice.taxRepresentative?.address ?? {}, { country: undefined }),
    ],
    ['BR-21 items[0].lineId', invoice => (first(invoice).lineId = undefined)],
    ['BR-22 items[0].quantity', invoice => (first(invoice).quantity = undefined)],
    ['BR-23 items[0].unitCode', invoice => (first(invoice).unitCode = undefined)],
    ['BR-24 items[0].amount', invoice => (first(invoice).amount = undefined)],
    ['BR-25 items[0].description', invoice => (first(invoice).description = undefined)],
    ['BR-26 items[0].rate', invoice => (first(invoice).rate = undefined)],
    ['BR-27 items[0].rate', invoice => (first(invoice).rate = '-1')],
    ['BR-28 items[0].grossPrice', invoice => (first(invoice).grossPrice = '-1')],
    ['BR-29 period.end', invoice => (invoice.period = { start: '2026-03-02', end: '2026-03-01' })],
    ['BR-30 items[0].period.end', invoice => (first(invoice).period = { start: '2026-03-02', end: '2026-03-01' })],
    ['BR-31 allowances[0].amount', invoice => Object.assign(invoice.allowances[0] ?? {}, { amount: undefined })],
    [
      'BR-32 allowances[0].taxCategory',
      invoice => Object.assign(invoice.allowances[0] ?? {}, { taxCategory: undefined }),
    ],
    [
      'BR-33 allowances[0].reason',
      invoice => Object.assign(invoice.allowances[0] ?? {}, { reason: undefined, reasonCode: undefined }),
    ],
    ['BR-36 charges[0].amount', invoice => Object.assign(invoice.charges[0] ?? {}, { amount: undefined })],
    ['BR-37 charges[0].taxCategory', invoice => Object.assign(invoice.charges[0] ?? {}, { taxCategory: undefined })],
    [
      'BR-38 charges[0].reason',
      invoice => Object.assign(invoice.charges[0] ?? {}, { reason: undefined, reasonCode: undefined }),
    ],
    [
      'BR-41 items[0].allowances[0].amount',
      invoice => Object.assign(first(invoice).allowances[0] ?? {}, { amount: undefined }),
    ],
    [
      'BR-42 items[0].allowances[0].reason',
      invoice => Object.assign(first(invoice).allowances[0] ?? {}, { reason: undefined, reasonCode: undefined }),
    ],
    [
      'BR-43 items[0].charges[0].amount',
      invoice => Object.assign(first(invoice).charges[0] ?? {}, { amount: undefined }),
    ],
    [
      'BR-44 items[0].charges[0].reason',
      invoice => Object.assign(first(invoice).charges[0] ?? {}, { reason: undefined, reasonCode: undefined }),
    ],
    ['BR-45 totals.tax', invoice => Object.assign(invoice.taxes[0] ?? {}, { base: undefined })],
    ['BR-46 totals.tax', invoice => Object.assign(invoice.taxes[0] ?? {}, { tax: undefined })],
    ['BR-47 taxCategory', invoice => Object.assign(invoice.taxes[0] ?? {}, { category: undefined })],
    ['BR-48 taxRate', invoice => Object.assign(invoice.taxes[0] ?? {}, { percent: undefined })],
    ['BR-49 payment.means', invoice => Object.assign(invoice.payments[0] ?? {}, { meansCode: undefined })],
    ['BR-50 payment.iban', invoice => Object.assign(invoice.payments[0]?.accounts[0] ?? {}, { id: undefined })],
    [
      'BR-51 payment.card.lastDigits',
      invoice =>
        Object.assign(invoice.payments[0] ?? {}, { card: { lastDigits: '4111111111111111', holder: undefined } }),
    ],
    ['BR-52 attachments[0].id', invoice => Object.assign(invoice.attachments[0] ?? {}, { id: undefined })],
    ['BR-53 taxInTaxCurrency', invoice => (invoice.totals.taxInTaxCurrency = undefined)],
    ['BR-54 items[0].attributes[0]', invoice => (first(invoice).attributes = [{ name: 'Color', value: undefined }])],
    [
      'BR-55 precedingInvoice[0].number',
      invoice => (invoice.precedingInvoices = [{ number: undefined, issueDate: undefined }]),
    ],
    ['BR-56 taxRepresentative.vatId', invoice => Object.assign(invoice.taxRepresentative ?? {}, { vatId: undefined })],
    ['BR-57 shipTo.address.country', invoice => Object.assign(invoice.shipTo?.address ?? {}, { country: undefined })],
    ['BR-61 payment.iban', invoice => Object.assign(invoice.payments[0]?.accounts[0] ?? {}, { id: undefined })],
    [
      'BR-62 from.electronicAddress.scheme',
      invoice => (invoice.from.electronicAddress = { id: 'x', scheme: undefined }),
    ],
    [
      'BR-63 billTo.electronicAddress.scheme',
      invoice => (invoice.billTo.electronicAddress = { id: 'x', scheme: undefined }),
    ],
    [
      'BR-64 items[0].standardItemId.scheme',
      invoice => (first(invoice).standardItemId = { id: '1', scheme: undefined }),
    ],
    [
      'BR-65 items[0].classifications[0].scheme',
      invoice => (first(invoice).classifications = [{ id: '1', scheme: undefined, version: undefined }]),
    ],
    ['BR-CO-03 taxPointCode', invoice => (invoice.taxPointCode = '35')],
    ['BR-CO-04 items[0].taxCategory', invoice => (first(invoice).taxCategory = undefined)],
    ['BR-CO-09 from.vatId', invoice => (invoice.from.vatId = '123456789')],
    ['BR-CO-10 totals.subtotal', invoice => (invoice.totals.lines = '138.01')],
    ['BR-CO-11 totals', invoice => (invoice.totals.allowances = '10.01')],
    ['BR-CO-12 totals', invoice => (invoice.totals.charges = '5.01')],
    ['BR-CO-13 totals', invoice => (invoice.totals.withoutTax = '133.01')],
    ['BR-CO-14 totals.tax', invoice => (invoice.totals.tax = '20.72')],
    ['BR-CO-15 totals.total', invoice => (invoice.totals.withTax = '153.72')],
    ['BR-CO-16 totals.amountDue', invoice => (invoice.totals.due = '103.71')],
    ['BR-CO-17 totals.tax', invoice => Object.assign(invoice.taxes[0] ?? {}, { tax: '19.06' })],
    ['BR-CO-18 taxRate', invoice => (invoice.taxes = [])],
    ['BR-CO-19 period', invoice => (invoice.period = { start: undefined, end: undefined })],
    ['BR-CO-20 items[0].period', invoice => (first(invoice).period = { start: undefined, end: undefined })],
    ['BR-CO-26 from', invoice => Object.assign(invoice.from, { ids: [], legalId: undefined, vatId: undefined })],
    ['BR-CL-01 typeCode', invoice => (invoice.typeCode = '1')],
    ['BR-CL-04 currency', invoice => (invoice.currency = 'XYZ')],
    ['BR-CL-05 taxCurrency', invoice => (invoice.taxCurrency = 'XYZ')],
    ['BR-CL-06 taxPointCode', invoice => (invoice.taxPointCode = '4')],
    ['BR-CL-07 invoicedObject.scheme', invoice => (invoice.invoicedObject = { id: 'x', scheme: '0' })],
    ['BR-CL-08 codedNotes[0].subjectCode', invoice => Object.assign(invoice.notes[1] ?? {}, { subjectCode: 'ZZ' })],
    ['BR-CL-10 from.ids[1].scheme', invoice => Object.assign(invoice.from.ids[1] ?? {}, { scheme: '9999' })],
    ['BR-CL-11 from.legalId.scheme', invoice => (invoice.from.legalId = { id: 'x', scheme: '9999' })],
    [
      'BR-CL-13 items[0].classifications[0].scheme',
      invoice => (first(invoice).classifications = [{ id: '1', scheme: '9', version: undefined }]),
    ],
    ['BR-CL-14 billTo.address.country', invoice => Object.assign(invoice.billTo.address ?? {}, { country: 'XX' })],
    ['BR-CL-15 items[0].originCountry', invoice => (first(invoice).originCountry = 'XX')],
    ['BR-CL-16 payment.means', invoice => Object.assign(invoice.payments[0] ?? {}, { meansCode: '999' })],
    ['BR-CL-17 taxCategory', invoice => Object.assign(invoice.taxes[0] ?? {}, { category: 'X' })],
    ['BR-CL-18 items[0].taxCategory', invoice => (first(invoice).taxCategory = 'X')],
    ['BR-CL-19 allowances[0].reasonCode', invoice => Object.assign(invoice.allowances[0] ?? {}, { reasonCode: 'FC' })],
    ['BR-CL-20 charges[0].reasonCode', invoice => Object.assign(invoice.charges[0] ?? {}, { reasonCode: '95' })],
    ['BR-CL-21 items[0].standardItemId.scheme', invoice => (first(invoice).standardItemId = { id: '1', scheme: '9' })],
    ['BR-CL-22 taxExemptions.reasonCode', invoice => Object.assign(invoice.taxes[0] ?? {}, { exemptionCode: 'VATEX' })],
    ['BR-CL-23 items[0].unitCode', invoice => (first(invoice).unitCode = 'hours')],
    [
      'BR-CL-24 attachments[0].file.name',
      invoice => Object.assign(invoice.attachments[0]?.file ?? {}, { mimeType: 'application/xml' }),
    ],
    ['BR-CL-25 from.electronicAddress.scheme', invoice => (invoice.from.electronicAddress = { id: 'x', scheme: '1' })],
    ['BR-CL-26 shipTo.id.scheme', invoice => Object.assign(invoice.shipTo ?? {}, { id: { id: '1', scheme: '9' } })],
    ['BR-DEC-09 totals.subtotal', invoice => (invoice.totals.lines = '138.000')],
    ['BR-DEC-16 amountPaid', invoice => (invoice.totals.paid = '50.000')],
    ['BR-DEC-23 items[0].amount', invoice => (first(invoice).amount = '105.000')],
  ])('%s', (expected, change) => {
    expect(brokenBy(change)).toContain(expected)
  })
})

describe('VAT categories', () => {
  it.each([
    ['Z', '0'],
    ['E', '0'],
    ['AE', '0'],
    ['K', '0'],
    ['G', '0'],
  ])('%s with fitting parties and reasons breaks no rule', (category, percent) => {
    const broken = brokenBy(invoice => {
      untaxed(category, percent)(invoice)
      if (category === 'Z') Object.assign(invoice.taxes[0] ?? {}, { exemptionReason: undefined })
    })
    expect(broken).toEqual([])
  })

  it('O breaks no rule without VAT numbers', () => {
    const broken = brokenBy(invoice => {
      untaxed('O', undefined)(invoice)
      invoice.from.vatId = undefined
      invoice.billTo.vatId = undefined
      invoice.taxRepresentative = undefined
    })
    expect(broken).toEqual([])
  })

  it.each<[string, string, Change]>([
    ['BR-S-01 taxCategory', 'S', invoice => (invoice.taxes = [])],
    ['BR-S-05 items[0].taxRate', 'S', invoice => (first(invoice).taxPercent = '0')],
    ['BR-S-08 totals.subtotal', 'S', invoice => Object.assign(invoice.taxes[0] ?? {}, { base: '95.02' })],
    ['BR-S-10 taxExemptions', 'S', invoice => Object.assign(invoice.taxes[0] ?? {}, { exemptionReason: 'x' })],
    ['BR-Z-05 items[0].taxRate', 'Z', invoice => (first(invoice).taxPercent = '7')],
    ['BR-E-09 totals.tax', 'E', invoice => Object.assign(invoice.taxes[0] ?? {}, { tax: '1.00' })],
    ['BR-E-10 taxExemptions', 'E', invoice => Object.assign(invoice.taxes[0] ?? {}, { exemptionReason: undefined })],
    ['BR-AE-02 billTo.vatId', 'AE', invoice => Object.assign(invoice.billTo, { vatId: undefined, legalId: undefined })],
    ['BR-IC-02 billTo.vatId', 'K', invoice => (invoice.billTo.vatId = undefined)],
    ['BR-IC-11 deliveryDate', 'K', invoice => Object.assign(invoice, { deliveryDate: undefined, period: undefined })],
    ['BR-IC-12 shipTo.address.country', 'K', invoice => (invoice.shipTo = undefined)],
    [
      'BR-G-02 from.vatId',
      'G',
      invoice => Object.assign(invoice, { from: { ...invoice.from, vatId: undefined }, taxRepresentative: undefined }),
    ],
    ['BR-O-02 from.vatId', 'O', () => undefined],
    ['BR-O-11 taxCategory', 'O', invoice => void invoice.taxes.push(...fullInvoice().taxes)],
  ])('%s', (expected, category, change) => {
    const broken = brokenBy(invoice => {
      if (category !== 'S') untaxed(category, category === 'O' ? undefined : '0')(invoice)
      change(invoice)
    })
    expect(broken).toContain(expected)
  })

  it('S without any tax number of the seller breaks BR-S-02', () => {
    const broken = brokenBy(invoice => {
      Object.assign(invoice.from, { vatId: undefined, taxNumber: undefined })
      invoice.taxRepresentative = undefined
    })
    expect(broken).toContain('BR-S-02 from.vatId')
  })
})

it('a message tells what to send, and names no business term', () => {
  const invoice = fullInvoice()
  Object.assign(invoice.items[0] ?? {}, { unitCode: 'hours', rate: '-1' })
  invoice.billTo.address = undefined
  for (const { message } of findBrokenRules(invoice, CII)) {
    expect(message).toMatch(/^(must|is required)/)
    expect(message).not.toMatch(/\bB[TG]-\d/)
  }
})

it('an invoice of 1,000 items is checked completely', () => {
  const invoice = fullInvoice()
  const item = first(invoice)
  invoice.items = Array.from({ length: 1000 }, (_, index) => ({ ...item, lineId: String(index) }))
  expect(findBrokenRules(invoice, CII).map(({ rule }) => rule)).toContain('BR-CO-10')
})

it('a buyer has one identifier at most in UBL, and may have several in CII', () => {
  const invoice = fullInvoice()
  invoice.billTo.ids.push(...fullInvoice().billTo.ids)
  const rulesIn = (syntax: 'cii' | 'ubl') => findBrokenRules(invoice, { ...CII, syntax }).map(({ rule }) => rule)
  expect(rulesIn('ubl')).toContain('UBL-SR-16')
  expect(rulesIn('cii')).toEqual([])
})

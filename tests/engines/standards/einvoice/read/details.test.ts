import { describe, expect, it } from 'vitest'
import { date, decimal } from '../../../../../engines/standards/einvoice/read/values'
import { readXml } from '../../../../../engines/standards/einvoice/read/read-xml'
import { ruleSetOf } from '../../../../../engines/standards/einvoice/read/rule-set'
import { ciiWith, ram, ramDate, ublWith } from './small-invoices'

const read = (xml: string) => readXml(Buffer.from(xml))

it.each([
  ['+5', '5'],
  ['007.50', '7.50'],
  ['000', '0'],
  ['-0.00', '0.00'],
  ['-.5', '-0.5'],
  ['1.', '1'],
  ['1e3', '1e3'],
  ['1,5', '1,5'],
  ['.', '.'],
])('the number %s is read as %s', (text, number) => {
  expect(decimal(text)).toBe(number)
})

it.each([
  ['20250131', '102', '2025-01-31'],
  ['202501311200', '203', '2025-01-31'],
  ['20250131120000', '204', '2025-01-31'],
  ['202501311200+0100', '205', '2025-01-31'],
  ['31012025', '4', '2025-01-31'],
  ['202501', '610', '202501'],
  ['2025-01-31T12:00:00', undefined, '2025-01-31'],
  ['2025-01-31+01:00', undefined, '2025-01-31'],
  ['2025-01-31 or so', undefined, '2025-01-31 or so'],
])('the date %s in the format %s is read as %s', (text, format, expected) => {
  expect(date(text, format)).toBe(expected)
})

it('the format of a date is read from its attribute', () => {
  expect(read(ciiWith({ document: ramDate('IssueDateTime', '31012025', '4') })).invoice.issueDate).toBe('2025-01-31')
})

describe('allowances and charges', () => {
  it.each([
    ['true', 1],
    ['1', 1],
    ['false', 0],
    ['0', 0],
  ])('the indicator %s makes %d charges', (indicator, count) => {
    const settlement = ram(
      'SpecifiedTradeAllowanceCharge',
      ram('ChargeIndicator', `<udt:Indicator>${indicator}</udt:Indicator>`),
    )
    const ubl = `<cac:AllowanceCharge><cbc:ChargeIndicator>${indicator}</cbc:ChargeIndicator></cac:AllowanceCharge>`
    for (const xml of [ciiWith({ settlement }), ublWith(ubl)]) expect(read(xml).invoice.charges).toHaveLength(count)
  })

  it('a charge for transport is a charge', () => {
    const tax = ram(
      'AppliedTradeTax',
      ram('TypeCode', 'VAT'),
      ram('CategoryCode', 'S'),
      ram('RateApplicablePercent', '19'),
    )
    const settlement = ram(
      'SpecifiedLogisticsServiceCharge',
      ram('Description', 'Freight'),
      ram('AppliedAmount', '5.80'),
      tax,
    )
    const { invoice, unknown } = read(ciiWith({ settlement }))
    expect(invoice.charges).toEqual([
      {
        amount: '5.80',
        base: undefined,
        percent: undefined,
        reason: 'Freight',
        reasonCode: undefined,
        param: 'charges[0]',
        taxCategory: 'S',
        taxPercent: '19',
      },
    ])
    expect(unknown).toEqual([])
  })

  it('each has the path of its position', () => {
    const one = (indicator: string) =>
      `<cac:AllowanceCharge><cbc:ChargeIndicator>${indicator}</cbc:ChargeIndicator></cac:AllowanceCharge>`
    const all = one('false') + one('true') + one('false')
    const { invoice } = read(ublWith(`${all}<cac:InvoiceLine/><cac:InvoiceLine>${all}</cac:InvoiceLine>`))
    expect(invoice.allowances.map(({ param }) => param)).toEqual(['allowances[0]', 'allowances[1]'])
    expect(invoice.items[1]?.allowances.map(({ param }) => param)).toEqual([
      'items[1].allowances[0]',
      'items[1].allowances[1]',
    ])
    expect(invoice.items[1]?.charges.map(({ param }) => param)).toEqual(['items[1].charges[0]'])
  })
})

describe('payments', () => {
  const account = (means: string, iban: string, text = '') =>
    ram(
      'SpecifiedTradeSettlementPaymentMeans',
      ram('TypeCode', means),
      text,
      ram('PayeePartyCreditorFinancialAccount', ram('IBANID', iban)),
    )

  it('the same means with several accounts are one payment', () => {
    const { payments } = read(
      ciiWith({ settlement: account('58', 'A') + account('30', 'B') + account('58', 'C') }),
    ).invoice
    expect(payments.map(({ meansCode, accounts }) => [meansCode, ...accounts.map(({ id }) => id)])).toEqual([
      ['58', 'A', 'C'],
      ['30', 'B'],
    ])
  })

  it('another text makes another payment', () => {
    const settlement = account('58', 'A', ram('Information', 'a')) + account('58', 'B', ram('Information', 'b'))
    const { invoice, unknown } = read(ciiWith({ settlement }))
    expect(invoice.payments.map(({ meansText }) => meansText)).toEqual(['a', 'b'])
    expect(unknown).toEqual([])
  })

  it('a mandate without an account belongs to the direct debit', () => {
    const settlement =
      ram('CreditorReferenceID', 'C') +
      account('58', 'A') +
      ram('SpecifiedTradeSettlementPaymentMeans', ram('TypeCode', '59')) +
      ram('SpecifiedTradePaymentTerms', ram('DirectDebitMandateID', 'M'))
    expect(read(ciiWith({ settlement })).invoice.payments.map(({ directDebit }) => directDebit)).toEqual([
      undefined,
      { mandate: 'M', creditorId: 'C', debitedIban: undefined },
    ])
  })
})

describe('texts', () => {
  const terms = (text: string) =>
    read(ublWith(`<cac:PaymentTerms><cbc:Note>${text}</cbc:Note></cac:PaymentTerms>`)).invoice

  it('keep line breaks inside, and no spaces around', () => {
    expect(terms('\n  Net 30\n  or later\n  ').paymentTerms).toBe('Net 30\n  or later')
  })

  it('keep the line break that ends a cash discount', () => {
    expect(terms('\n  #SKONTO#TAGE=14#PROZENT=2.00#\n  ').paymentTerms).toBe('#SKONTO#TAGE=14#PROZENT=2.00#\n')
  })
})

it('a gross price in UBL is the net price with the reduction', () => {
  const price = (indicator: string) =>
    '<cac:InvoiceLine><cac:Price><cbc:PriceAmount>8</cbc:PriceAmount><cac:AllowanceCharge>' +
    `<cbc:ChargeIndicator>${indicator}</cbc:ChargeIndicator><cbc:Amount>3</cbc:Amount></cac:AllowanceCharge>` +
    '</cac:Price></cac:InvoiceLine>'
  expect(read(ublWith(price('false'))).invoice.items[0]?.grossPrice).toBe('11')
  expect(read(ublWith(price('true'))).invoice.items[0]?.grossPrice).toBe('5')
})

it('a credit note in UBL has its project, its due date and its quantities in other places', () => {
  const { invoice, unknown } = read(
    ublWith(
      '<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode><cac:AdditionalDocumentReference><cbc:ID>P</cbc:ID>' +
        '<cbc:DocumentTypeCode>50</cbc:DocumentTypeCode></cac:AdditionalDocumentReference><cac:PaymentMeans>' +
        '<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentDueDate>2025-01-31</cbc:PaymentDueDate>' +
        '</cac:PaymentMeans><cac:CreditNoteLine><cbc:CreditedQuantity unitCode="C62">2</cbc:CreditedQuantity>' +
        '</cac:CreditNoteLine>',
      'CreditNote',
    ),
  )
  expect([invoice.typeCode, invoice.projectReference, invoice.dueDate]).toEqual(['381', 'P', '2025-01-31'])
  expect([invoice.items[0]?.quantity, invoice.items[0]?.unitCode, unknown]).toEqual(['2', 'C62', []])
})

it('the tax in the tax currency is told by its currency, in any order', () => {
  const total = (amount: string, currency: string) =>
    `<cac:TaxTotal><cbc:TaxAmount currencyID="${currency}">${amount}</cbc:TaxAmount></cac:TaxTotal>`
  const { totals } = read(
    ublWith(`<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>${total('230', 'SEK')}${total('20', 'EUR')}`),
  ).invoice
  expect([totals.tax, totals.taxInTaxCurrency]).toEqual(['20', '230'])
})

it('unknown elements of ZUGFeRD 1 have the names in the file', () => {
  const xml =
    '<r:CrossIndustryDocument xmlns:r="urn:ferd:CrossIndustryDocument:invoice:1p0" ' +
    'xmlns:m="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12">' +
    '<r:HeaderExchangedDocument><m:Name>RECHNUNG</m:Name></r:HeaderExchangedDocument></r:CrossIndustryDocument>'
  expect(read(xml).unknown).toEqual(['CrossIndustryDocument/HeaderExchangedDocument/Name'])
})

it.each([
  ['urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_1.2', 'xrechnung'],
  ['urn:cen.eu:en16931:2017:compliant:factur-x.eu:1p0:basic', 'facturx-basic'],
  ['urn:cen.eu:en16931:2017:conformant:factur-x.eu:1p0:extended', 'facturx-extended'],
  ['urn:cen.eu:en16931:2017:compliant:factur-x.eu:1p0:en16931', 'en16931'],
  ['urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:en16931', 'en16931'],
  ['urn:zugferd.de:2p0:basicwl', 'basic-wl'],
  ['urn:cen.eu:en16931:20170', undefined],
])('the specification %s names the rules %s', (specification, ruleSet) => {
  expect(ruleSetOf({ specification })).toBe(ruleSet)
})

describe('groups of lines', () => {
  const line = (id: string, parent: string, type: string, amount: string) =>
    ram(
      'IncludedSupplyChainTradeLineItem',
      ram(
        'AssociatedDocumentLineDocument',
        ram('LineID', id),
        ram('ParentLineID', parent),
        ram('LineStatusReasonCode', type),
      ),
      ram('SpecifiedTradeProduct', ram('Name', `Line ${id}`)),
      ram(
        'SpecifiedLineTradeSettlement',
        ram('SpecifiedTradeSettlementLineMonetarySummation', ram('LineTotalAmount', amount)),
      ),
    )
  const lines =
    line('1', '', 'GROUP', '5') +
    line('2', '1', 'DETAIL', '5') +
    line('3', '2', 'INFORMATION', '9') +
    line('4', '', '', '7')
  const readWith = (profile: string) =>
    read(ciiWith({ lines, context: ram('GuidelineSpecifiedDocumentContextParameter', ram('ID', profile)) })).invoice

  it('of EXTENDED are kept, but only details are items', () => {
    const invoice = readWith('urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended')
    expect(invoice.items.map(({ lineId }) => lineId)).toEqual(['2', '4'])
    expect(invoice.lines?.map(one => [one.lineId, one.parentLineId, one.type, one.isBilled, one.item.amount])).toEqual([
      ['1', undefined, 'GROUP', false, '5'],
      ['2', '1', 'DETAIL', true, '5'],
      ['3', '2', 'INFORMATION', false, '9'],
      ['4', undefined, undefined, true, '7'],
    ])
  })

  it('have no meaning in other profiles', () => {
    const { items, lines: tree } = readWith('urn:cen.eu:en16931:2017')
    expect([items.length, tree]).toEqual([4, undefined])
  })
})

describe('a tax that is not VAT', () => {
  const ciiTax = (type: string, amount: string) =>
    ram('ApplicableTradeTax', ram('CalculatedAmount', amount), ram('TypeCode', type), ram('CategoryCode', 'S'))
  const category = (name: string, scheme: string) =>
    `<cac:${name}><cbc:ID>S</cbc:ID><cac:TaxScheme><cbc:ID>${scheme}</cbc:ID></cac:TaxScheme></cac:${name}>`
  const ublTax = (scheme: string, amount: string) =>
    `<cac:TaxSubtotal><cbc:TaxAmount>${amount}</cbc:TaxAmount>${category('TaxCategory', scheme)}</cac:TaxSubtotal>`
  const ublLine = (...schemes: string[]) =>
    `<cac:InvoiceLine><cac:Item>${schemes.map(scheme => category('ClassifiedTaxCategory', scheme)).join('')}</cac:Item></cac:InvoiceLine>`
  const ciiLine = (...types: string[]) =>
    ram(
      'IncludedSupplyChainTradeLineItem',
      ram('SpecifiedLineTradeSettlement', types.map(type => ciiTax(type, '0')).join('')),
    )
  it.each([
    [
      'CII',
      ciiWith({ settlement: ciiTax('AAD', '3') + ciiTax('vat', '5'), lines: ciiLine('AAD') + ciiLine('AAD', 'VAT') }),
    ],
    [
      'UBL',
      ublWith(
        `<cac:TaxTotal>${ublTax('AAD', '3')}${ublTax('vat', '5')}</cac:TaxTotal>${ublLine('AAD')}${ublLine('AAD', 'VAT')}`,
      ),
    ],
  ])('is apart from VAT in %s', (_, xml) => {
    const { taxes, otherTaxes, items } = read(xml).invoice
    expect(taxes.map(({ tax }) => tax)).toEqual(['5'])
    expect(otherTaxes).toMatchObject([{ type: 'AAD', tax: '3', category: 'S' }])
    expect(items.map(({ taxCategory }) => taxCategory)).toEqual([undefined, 'S'])
  })
})

it('elements without text and children are listed once', () => {
  const agreement =
    ram('BuyerReference') + ram('BuyerReference', ' ') + ram('SellerTradeParty', ram('Name'), ram('ID', '1'))
  expect(read(ciiWith({ agreement, document: 'x', context: 'x', delivery: 'x' })).empty).toEqual(
    ['BuyerReference', 'SellerTradeParty/Name'].map(
      name => `CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/${name}`,
    ),
  )
})

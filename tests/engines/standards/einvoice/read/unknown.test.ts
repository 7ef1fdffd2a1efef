import { describe, expect, it } from 'vitest'
import { readXml } from '../../../../../engines/standards/einvoice/read/read-xml'
import { ciiWith, ram, ramDate, ublWith } from './small-invoices'

const read = (xml: string) => readXml(Buffer.from(xml))

/** The last parts of the paths. */
const unknownIn = (xml: string) => read(xml).unknown.map(path => path.split('/').slice(-2).join('/'))

const reduction = (amount: string) =>
  ram('AppliedTradeAllowanceCharge', ram('ChargeIndicator', '<udt:Indicator>false</udt:Indicator>'), amount)

const priced = (gross: string, net: string) =>
  ram(
    'IncludedSupplyChainTradeLineItem',
    ram(
      'SpecifiedLineTradeAgreement',
      ram('GrossPriceProductTradePrice', gross),
      ram('NetPriceProductTradePrice', net),
    ),
  )

const charged = ram('ChargeAmount', '10')

describe('CII: values without a place in the model are unknown', () => {
  it.each([
    [
      'a second due date',
      {
        settlement: ['20250101', '20250201']
          .map(day => ram('SpecifiedTradePaymentTerms', ramDate('DueDateDateTime', day)))
          .join(''),
      },
      ['DueDateDateTime/DateTimeString'],
    ],
    [
      'a second identifier of the payee',
      { settlement: ram('PayeeTradeParty', ram('ID', '1'), ram('GlobalID', '2')) },
      ['PayeeTradeParty/GlobalID'],
    ],
    [
      'a second identifier of the place of delivery',
      { delivery: ram('ShipToTradeParty', ram('ID', '1'), ram('GlobalID', '2')) },
      ['ShipToTradeParty/GlobalID'],
    ],
    [
      'a creditor and a mandate without a means of payment',
      {
        settlement:
          ram('CreditorReferenceID', 'C') + ram('SpecifiedTradePaymentTerms', ram('DirectDebitMandateID', 'M')),
      },
      ['ApplicableHeaderTradeSettlement/CreditorReferenceID', 'SpecifiedTradePaymentTerms/DirectDebitMandateID'],
    ],
    [
      'the name of a project',
      { agreement: ram('SpecifiedProcuringProject', ram('ID', 'P'), ram('Name', 'Bridge')) },
      ['SpecifiedProcuringProject/Name'],
    ],
    [
      'the type of a reference',
      { agreement: ram('AdditionalReferencedDocument', ram('IssuerAssignedID', 'A'), ram('TypeCode', '758')) },
      ['AdditionalReferencedDocument/TypeCode'],
    ],
    [
      'a tax of an item that is not VAT',
      {
        lines: ram(
          'IncludedSupplyChainTradeLineItem',
          ram('SpecifiedLineTradeSettlement', ram('ApplicableTradeTax', ram('TypeCode', 'AAD'))),
        ),
      },
      ['ApplicableTradeTax/TypeCode'],
    ],
    [
      'another base quantity of the gross price',
      {
        lines: priced(
          charged + '<ram:BasisQuantity unitCode="C62">100</ram:BasisQuantity>',
          charged + '<ram:BasisQuantity unitCode="C62">1</ram:BasisQuantity>',
        ),
      },
      ['GrossPriceProductTradePrice/BasisQuantity'],
    ],
    [
      'a reduction that does not give the net price',
      { lines: priced(charged + reduction(ram('ActualAmount', '3')), ram('ChargeAmount', '8')) },
      ['AppliedTradeAllowanceCharge/ActualAmount'],
    ],
    ['an attribute', { document: '<ram:ID schemeID="X">R</ram:ID>' }, ['ID/@schemeID']],
    [
      'an amount in another currency',
      {
        settlement: ram(
          'SpecifiedTradeSettlementHeaderMonetarySummation',
          '<ram:DuePayableAmount currencyID="USD">1</ram:DuePayableAmount>',
        ),
      },
      ['DuePayableAmount/@currencyID'],
    ],
  ])('%s', (_, parts, unknown) => {
    expect(unknownIn(ciiWith(parts))).toEqual(unknown)
  })
})

describe('CII: what says nothing more than the model is known', () => {
  it.each([
    [
      'the same tax point in each tax',
      { settlement: ram('ApplicableTradeTax', ramDate('TaxPointDate', '20250101')).repeat(2) },
    ],
    [
      'the usual name of a project',
      { agreement: ram('SpecifiedProcuringProject', ram('ID', 'P'), ram('Name', 'Project reference')) },
    ],
    [
      'the same base quantity of both prices',
      { lines: priced(charged + ram('BasisQuantity', '1.00'), charged + ram('BasisQuantity', '1.00')) },
    ],
    [
      'the currency of the invoice, and the publisher of a code list',
      {
        settlement: ram(
          'SpecifiedTradeSettlementHeaderMonetarySummation',
          '<ram:DuePayableAmount currencyID="EUR">1</ram:DuePayableAmount>',
        ),
        document: '<ram:TypeCode listAgencyID="6">380</ram:TypeCode>',
      },
    ],
  ])('%s', (_, parts) => {
    expect(unknownIn(ciiWith(parts))).toEqual([])
  })
})

it.each(['NA', 'mapped-from-cii'])('UBL: the network %s of a card stands for none, and is known', network => {
  const card = `<cac:CardAccount><cbc:NetworkID>${network}</cbc:NetworkID></cac:CardAccount>`
  expect(unknownIn(ublWith(`<cac:PaymentMeans>${card}</cac:PaymentMeans>`))).toEqual([])
})

describe('UBL: values without a place in the model are unknown', () => {
  it.each([
    [
      'a second identifier of the payee',
      '<cac:PayeeParty>' +
        ['1', '2'].map(id => `<cac:PartyIdentification><cbc:ID>${id}</cbc:ID></cac:PartyIdentification>`).join('') +
        '</cac:PayeeParty>',
      ['PartyIdentification/ID'],
    ],
    [
      'a creditor without a means of payment',
      '<cac:AccountingSupplierParty><cac:Party><cac:PartyIdentification><cbc:ID schemeID="SEPA">C</cbc:ID>' +
        '</cac:PartyIdentification></cac:Party></cac:AccountingSupplierParty>',
      ['PartyIdentification/ID'],
    ],
    [
      'the network of a card',
      '<cac:PaymentMeans><cbc:PaymentMeansCode>48</cbc:PaymentMeansCode><cac:CardAccount><cbc:NetworkID>VISA' +
        '</cbc:NetworkID></cac:CardAccount></cac:PaymentMeans>',
      ['CardAccount/NetworkID'],
    ],
    [
      'a reference of an item that is not the invoiced object',
      '<cac:InvoiceLine><cac:DocumentReference><cbc:ID>1</cbc:ID><cbc:DocumentTypeCode>916</cbc:DocumentTypeCode>' +
        '</cac:DocumentReference></cac:InvoiceLine>',
      ['DocumentReference/ID', 'DocumentReference/DocumentTypeCode'],
    ],
    [
      'a reduction that does not give the net price',
      '<cac:InvoiceLine><cac:Price><cbc:PriceAmount>8</cbc:PriceAmount><cac:AllowanceCharge>' +
        '<cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount>3</cbc:Amount><cbc:BaseAmount>10</cbc:BaseAmount>' +
        '</cac:AllowanceCharge></cac:Price></cac:InvoiceLine>',
      ['AllowanceCharge/Amount'],
    ],
    [
      'a due date of a means of payment beside another one',
      '<cbc:DueDate>2025-01-01</cbc:DueDate><cac:PaymentMeans><cbc:PaymentDueDate>2025-02-01</cbc:PaymentDueDate>' +
        '</cac:PaymentMeans>',
      ['PaymentMeans/PaymentDueDate'],
    ],
  ])('%s', (_, content, unknown) => {
    expect(unknownIn(ublWith(content))).toEqual(unknown)
  })
})

it('many elements with one path do not hide others', () => {
  const document = ram('Odd', 'x').repeat(1000) + ram('Other', 'x')
  expect(unknownIn(ciiWith({ document }))).toEqual(['ExchangedDocument/Odd', 'ExchangedDocument/Other'])
})

it('at most 100 paths are listed', () => {
  const document = Array.from({ length: 200 }, (_, index) => ram(`Odd${index}`, 'x')).join('')
  expect(read(ciiWith({ document })).unknown).toHaveLength(100)
})

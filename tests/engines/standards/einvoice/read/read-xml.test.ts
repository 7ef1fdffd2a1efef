import { describe, expect, it } from 'vitest'
import { readXml } from '../../../../../engines/standards/einvoice/read/read-xml'
import { ruleSetOf } from '../../../../../engines/standards/einvoice/read/rule-set'

const CII_SPACE = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'
const RAM_SPACE = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100'

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

/** A small invoice. `a` and `b` are unusual prefixes. */
function cii({ head = '<?xml version="1.0"?>', inside = '' } = {}): string {
  return (
    `${head}<a:CrossIndustryInvoice xmlns:a="${CII_SPACE}" xmlns:b="${RAM_SPACE}">` +
    '<a:ExchangedDocument><b:ID> R-1 </b:ID></a:ExchangedDocument>' +
    `<a:SupplyChainTradeTransaction><b:ApplicableHeaderTradeAgreement><b:SellerTradeParty><b:Name>Müller</b:Name>` +
    `</b:SellerTradeParty></b:ApplicableHeaderTradeAgreement>${inside}</a:SupplyChainTradeTransaction>` +
    '</a:CrossIndustryInvoice>'
  )
}

describe('an invoice is read', () => {
  it('with any prefixes', () => {
    const { invoice, syntax, unknown } = readXml(bytesOf(cii()))
    expect([invoice.invoiceNumber, invoice.from.name, syntax, unknown]).toEqual(['R-1', 'Müller', 'cii', []])
  })

  it.each([
    ['UTF-8 with a byte order mark', bytesOf(`\ufeff${cii()}`)],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), bytesOf(cii({ head: '' }), 'utf16le')])],
    ['Latin-1', bytesOf(cii({ head: '<?xml version="1.0" encoding="ISO-8859-1"?>' }), 'latin1')],
    ['Windows-1252', bytesOf(cii({ head: '<?xml version="1.0" encoding="windows-1252"?>' }), 'latin1')],
  ])('in %s', (_, bytes) => {
    expect(readXml(bytes).invoice.from.name).toBe('Müller')
  })

  it('with the paths of elements that have no field', () => {
    const { unknown } = readXml(bytesOf(cii({ inside: '<b:Odd><b:Thing>x</b:Thing></b:Odd>' })))
    expect(unknown).toEqual(['CrossIndustryInvoice/SupplyChainTradeTransaction/Odd/Thing'])
  })

  it('in ZUGFeRD 1', () => {
    const xml =
      '<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" ' +
      'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12" ' +
      'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15">' +
      '<rsm:SpecifiedExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter>' +
      '<ram:ID>urn:ferd:CrossIndustryDocument:invoice:1p0:comfort</ram:ID>' +
      '</ram:GuidelineSpecifiedDocumentContextParameter></rsm:SpecifiedExchangedDocumentContext>' +
      '<rsm:HeaderExchangedDocument><ram:ID>471102</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>' +
      '<udt:DateTimeString format="102">20130305</udt:DateTimeString></ram:IssueDateTime></rsm:HeaderExchangedDocument>' +
      '<rsm:SpecifiedSupplyChainTradeTransaction><ram:ApplicableSupplyChainTradeAgreement><ram:BuyerTradeParty>' +
      '<ram:Name>Kunde</ram:Name></ram:BuyerTradeParty><ram:BuyerOrderReferencedDocument><ram:ID>B-1</ram:ID>' +
      '</ram:BuyerOrderReferencedDocument></ram:ApplicableSupplyChainTradeAgreement>' +
      '<ram:ApplicableSupplyChainTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>' +
      '<ram:ApplicableTradeTax><ram:CategoryCode>S</ram:CategoryCode><ram:ApplicablePercent>19.00</ram:ApplicablePercent>' +
      '</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementMonetarySummation><ram:DuePayableAmount>529.87' +
      '</ram:DuePayableAmount></ram:SpecifiedTradeSettlementMonetarySummation>' +
      '</ram:ApplicableSupplyChainTradeSettlement><ram:IncludedSupplyChainTradeLineItem>' +
      '<ram:SpecifiedSupplyChainTradeDelivery><ram:BilledQuantity unitCode="H87">20.0000</ram:BilledQuantity>' +
      '</ram:SpecifiedSupplyChainTradeDelivery><ram:SpecifiedSupplyChainTradeSettlement>' +
      '<ram:SpecifiedTradeSettlementMonetarySummation><ram:LineTotalAmount>198.00</ram:LineTotalAmount>' +
      '</ram:SpecifiedTradeSettlementMonetarySummation></ram:SpecifiedSupplyChainTradeSettlement>' +
      '</ram:IncludedSupplyChainTradeLineItem></rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>'
    const { invoice, syntax, unknown } = readXml(bytesOf(xml))
    expect(syntax).toBe('zugferd-1')
    expect([invoice.invoiceNumber, invoice.issueDate, invoice.billTo.name, invoice.purchaseOrder]).toEqual([
      '471102',
      '2013-03-05',
      'Kunde',
      'B-1',
    ])
    expect([invoice.totals.due, invoice.taxes[0]?.percent, invoice.items[0]?.amount]).toEqual([
      '529.87',
      '19.00',
      '198.00',
    ])
    expect(unknown).toEqual([])
  })
})

describe('a file that is not an invoice is refused', () => {
  it.each([
    ['not well formed', '<a><b></a>', /not well formed/],
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${cii({ head: '' })}`, /DOCTYPE/],
    ['expanding entities', '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;">]><a>&c;</a>', /DOCTYPE/],
    ['another root', '<order xmlns="urn:example"/>', /not an invoice in a known format/],
    ['the right name without its namespace', '<CrossIndustryInvoice/>', /not an invoice in a known format/],
    ['an unknown encoding', '<?xml version="1.0" encoding="EBCDIC-CP-US"?><a/>', /encoding ebcdic/],
    ['nothing', '', /no elements|not well formed/],
    ['deep nesting', '<a>'.repeat(5000) + '</a>'.repeat(5000), /elements/],
  ])('%s', (_, text, message) => {
    expect(() => readXml(bytesOf(text))).toThrow(message)
  })

  it('invalid UTF-8', () => {
    expect(() => readXml(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x3c, 0x2f, 0x61, 0x3e]))).toThrow(/UTF-8/)
  })
})

it('a large invoice is read completely', () => {
  const notes = '<b:Note>x</b:Note>'.repeat(100_000)
  expect(readXml(bytesOf(cii({ inside: notes }))).unknown).toHaveLength(1)
})

it.each([
  ['urn:cen.eu:en16931:2017', 'en16931'],
  ['urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0', 'xrechnung'],
  ['urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3', 'xrechnung'],
  ['urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0', 'peppol'],
  ['urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic', 'facturx-basic'],
  ['urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended', 'facturx-extended'],
  ['urn:factur-x.eu:1p0:minimum', 'minimum'],
  ['urn:factur-x.eu:1p0:basicwl', 'basic-wl'],
  ['urn:ferd:CrossIndustryDocument:invoice:1p0:comfort', undefined],
  [undefined, undefined],
])('the specification %s names the rules %s', (specification, ruleSet) => {
  expect(ruleSetOf({ specification })).toBe(ruleSet)
})

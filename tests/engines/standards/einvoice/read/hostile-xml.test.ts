import { describe, expect, it } from 'vitest'
import { decimal } from '../../../../../engines/standards/einvoice/read/values'
import { readXml } from '../../../../../engines/standards/einvoice/read/read-xml'
import { ciiWith, ram, ublWith } from './small-invoices'

const read = (xml: string) => readXml(Buffer.from(xml))

/** With a quadratic algorithm, each of these takes minutes to hours. */
const LONG = 2_000_000

describe('a long text takes no longer than its length', () => {
  it('spaces within payment terms in CII', () => {
    const text = `a${' '.repeat(LONG)}b`
    const settlement = ram('SpecifiedTradePaymentTerms', ram('Description', text))
    expect(read(ciiWith({ settlement })).invoice.paymentTerms).toHaveLength(LONG + 2)
  })

  it('spaces within payment terms in UBL', () => {
    const xml = ublWith(`<cac:PaymentTerms><cbc:Note>a${' '.repeat(LONG)}b</cbc:Note></cac:PaymentTerms>`)
    expect(read(xml).invoice.paymentTerms).toHaveLength(LONG + 2)
  })

  it('zeros before a letter in a number', () => {
    const text = `${'0'.repeat(LONG)}x`
    expect(decimal(text)).toBe(text)
  })

  it('a name', () => {
    const agreement = ram('SellerTradeParty', ram('Name', 'ü'.repeat(LONG)))
    expect(read(ciiWith({ agreement })).invoice.from.name).toHaveLength(LONG)
  })
})

it('many different means of payment are read', () => {
  const means = Array.from({ length: 40_000 }, (_, index) =>
    ram('SpecifiedTradeSettlementPaymentMeans', ram('TypeCode', String(index))),
  )
  expect(read(ciiWith({ settlement: means.join('') })).invoice.payments).toHaveLength(40_000)
})

describe('the XML is refused', () => {
  it('with entities that the document does not declare', () => {
    for (const name of ['nbsp', 'constructor', '__proto__'])
      expect(() => read(ciiWith({ document: ram('ID', `&${name};`) }))).toThrow(/not well formed/)
  })

  it('if its elements are too deep, and says so', () => {
    const document = '<ram:A>'.repeat(100) + '</ram:A>'.repeat(100)
    expect(() => read(ciiWith({ document }))).toThrow(/100 levels/)
  })

  it('if it has too many elements, and says so', () => {
    expect(() => read(ciiWith({ document: '<ram:A/>'.repeat(300_001) }))).toThrow(/300,000 elements/)
  })

  it('with the name of a prefix that is not declared', () => {
    expect(() => read(ciiWith({ document: '<odd:ID>1</odd:ID>' }))).toThrow(/not well formed/)
  })
})

it('character references and CDATA are part of the text', () => {
  const document = ram('ID', '&#82;&amp;<![CDATA[<1>]]>')
  expect(read(ciiWith({ document })).invoice.invoiceNumber).toBe('R&<1>')
})

it('an element of another namespace is not taken for one of the format', () => {
  const document = `<x:ID xmlns:x="urn:other">wrong</x:ID>${ram('ID', 'right')}`
  const { invoice, unknown } = read(ciiWith({ document }))
  expect(invoice.invoiceNumber).toBe('right')
  expect(unknown).toEqual(['CrossIndustryInvoice/ExchangedDocument/ID'])
})

it('an attribute of another namespace is not taken for one of the format', () => {
  const agreement = ram('SellerTradeParty', '<ram:GlobalID xmlns:x="urn:other" x:schemeID="0088">1</ram:GlobalID>')
  expect(read(ciiWith({ agreement })).invoice.from.ids).toEqual([{ id: '1', scheme: undefined }])
})

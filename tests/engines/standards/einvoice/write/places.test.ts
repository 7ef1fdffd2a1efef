import { describe, expect, it } from 'vitest'
import type { ElectronicInvoice } from '../../../../../engines/standards/einvoice/model'
import { writeCii } from '../../../../../engines/standards/einvoice/write/write-cii'
import { writeUbl } from '../../../../../engines/standards/einvoice/write/write-ubl'
import { fullInvoice } from '../full-invoice'
import { CII_PLACES, CII_VARIANT_PLACES, SETTLEMENT, TOTALS } from './cii-places'
import { textsAt } from './place'
import { UBL_PLACES, UBL_VARIANT_PLACES } from './ubl-places'

const WRITERS = { cii: writeCii, ubl: writeUbl }
const SYNTAXES = ['cii', 'ubl'] as const
/** The standard has no BT-4. */
const ALL_TERMS = Array.from({ length: 165 }, (_, index) => index + 1).filter(term => term !== 4)

/**
 * The full invoice with the terms that exclude others: a card, a direct debit, an exemption, a tax point code. Its
 * charge has a percentage.
 */
function variant(): ElectronicInvoice {
  const [payment] = fullInvoice().payments
  const [tax, ...taxes] = fullInvoice().taxes
  if (!payment || !tax) throw new Error('The full invoice has a payment and taxes.')
  const directDebit = { mandate: 'M-1', creditorId: 'DE98ZZZ09999999999', debitedIban: 'DE02120300000000202051' }
  return {
    ...fullInvoice(),
    taxPointDate: undefined,
    taxPointCode: '35',
    payments: [{ ...payment, card: { lastDigits: '4711', holder: 'Erika' }, directDebit }],
    charges: fullInvoice().charges.map(charge => ({ ...charge, base: '25.00', percent: '20' })),
    taxes: [{ ...tax, exemptionReason: 'why', exemptionCode: 'VATEX-EU-132' }, ...taxes],
  }
}

/** The full invoice without any optional term. */
function bare(): ElectronicInvoice {
  const full = fullInvoice()
  const { invoiceNumber, issueDate, typeCode, currency, totals, taxes, items } = full
  const lists = { notes: [], precedingInvoices: [], payments: [], allowances: [], charges: [], attachments: [] }
  return {
    ...withoutTerms(full),
    ...lists,
    from: { ...withoutTerms(full.from), ids: [], name: 'S' },
    billTo: { ...withoutTerms(full.billTo), ids: [], name: 'B' },
    ...{ invoiceNumber, issueDate, typeCode, currency, totals, taxes, items: items.slice(1) },
  }
}

/** All keys of an object with undefined as value. The caller replaces those that need a value. */
function withoutTerms<Terms extends object>(terms: Terms): Terms {
  // The type is that of the keys. Only tests use it, and they set the terms that can't be undefined.
  return Object.fromEntries(Object.keys(terms).map(key => [key, undefined])) as Terms
}

describe('a term has its standard place', () => {
  const full = { cii: writeCii(fullInvoice(), 'en16931'), ubl: writeUbl(fullInvoice(), 'en16931') }
  const other = { cii: writeCii(variant(), 'en16931'), ubl: writeUbl(variant(), 'en16931') }

  it.each(CII_PLACES)('in CII: %s at %s', (_, path, ...texts) => {
    expect(textsAt(full.cii, path)).toEqual(texts)
  })

  it.each(UBL_PLACES)('in UBL: %s at %s', (_, path, ...texts) => {
    expect(textsAt(full.ubl, path)).toEqual(texts)
  })

  // One element each, although the payment has two accounts.
  it.each(CII_VARIANT_PLACES)('in CII: %s at %s once', (_, path, ...texts) => {
    expect(textsAt(other.cii, path)).toEqual(texts)
  })

  it.each(UBL_VARIANT_PLACES)('in UBL: %s at %s once', (_, path, ...texts) => {
    expect(textsAt(other.ubl, path)).toEqual(texts)
  })

  it.each([
    ['CII', [...CII_PLACES, ...CII_VARIANT_PLACES]],
    ['UBL', [...UBL_PLACES, ...UBL_VARIANT_PLACES]],
  ])('in %s for every term of the standard', (_, places) => {
    const terms = new Set(places.map(([term]) => Number(term.slice(3))))
    expect(ALL_TERMS.filter(term => !terms.has(term))).toEqual([])
  })
})

describe('a credit note in UBL', () => {
  const xml = writeUbl({ ...fullInvoice(), typeCode: '381' }, 'en16931')

  it.each([
    ['its own root and type code', '/cn:CreditNote/cbc:CreditNoteTypeCode', ['381']],
    ['its own lines', '/cn:CreditNote/cac:CreditNoteLine/cbc:CreditedQuantity', ['250', '1']],
    [
      'the due date with the first of two accounts',
      '/cn:CreditNote/cac:PaymentMeans/cbc:PaymentDueDate',
      ['2026-04-30'],
    ],
    [
      'the project as a document',
      '/cn:CreditNote/cac:AdditionalDocumentReference[cbc:DocumentTypeCode="50"]/cbc:ID',
      ['project'],
    ],
    ['no elements of invoices', '//cbc:DueDate|//cac:ProjectReference|//cac:InvoiceLine', []],
  ])('has %s', (_, path, texts) => {
    expect(textsAt(xml, path)).toEqual(texts)
  })

  it.each('81 83 261 262 296 308 381 396 420 458 502 503 532'.split(' '))('has the type code %s', typeCode => {
    const note = writeUbl({ ...fullInvoice(), typeCode }, 'en16931')
    expect(textsAt(note, '/cn:CreditNote/cbc:CreditNoteTypeCode')).toEqual([typeCode])
  })

  it('has a due date without a means of payment', () => {
    const none = writeUbl({ ...fullInvoice(), typeCode: '381', payments: [] }, 'en16931')
    expect(textsAt(none, '/cn:CreditNote/cac:PaymentMeans/cbc:PaymentMeansCode')).toEqual(['1'])
  })
})

describe.each(SYNTAXES)('written XML in %s', syntax => {
  const write = WRITERS[syntax]
  const contentOf = (xml: string) =>
    textsAt(xml, '//ram:SpecifiedTradePaymentTerms/ram:Description|//cac:PaymentTerms/*')

  it('has no empty elements and attributes', () => {
    for (const invoice of [fullInvoice(), variant()]) {
      const xml = write(invoice, 'en16931')
      expect(textsAt(xml, '//*[not(*) and normalize-space()=""]')).toEqual([])
      expect(textsAt(xml, '//@*[.=""]')).toEqual([])
    }
  })

  it('has no group for what an invoice does not have', () => {
    const xml = write(bare(), 'en16931')
    // The schema of CII requires this one.
    expect(textsAt(xml, '//*[not(*) and normalize-space()=""][not(self::ram:ApplicableHeaderTradeDelivery)]')).toEqual(
      [],
    )
    const optional =
      '//ram:PayeeTradeParty|//ram:PostalTradeAddress|//ram:SpecifiedTradePaymentTerms|//ram:ShipToTradeParty|' +
      '//ram:SpecifiedTradeSettlementPaymentMeans|//ram:BillingSpecifiedPeriod|//ram:GrossPriceProductTradePrice|' +
      '//ram:AdditionalReferencedDocument|//ram:SpecifiedProcuringProject|//cac:PayeeParty|//cac:PostalAddress|' +
      '//cac:PaymentTerms|//cac:Delivery|//cac:PaymentMeans|//cac:InvoicePeriod|//cac:Price/cac:AllowanceCharge|' +
      '//cac:AdditionalDocumentReference|//cac:ProjectReference|//cac:OrderReference|//cac:PartyTaxScheme'
    expect(textsAt(xml, optional)).toEqual([])
    expect(textsAt(write(fullInvoice(), 'en16931'), optional).length).toBeGreaterThan(8)
  })

  it('takes the specification from the rule set, unless the invoice has one', () => {
    const path = '//ram:GuidelineSpecifiedDocumentContextParameter/ram:ID|//cbc:CustomizationID'
    const xml = write({ ...fullInvoice(), specification: undefined }, 'xrechnung')
    expect(textsAt(xml, path)).toEqual(['urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'])
    expect(textsAt(write(fullInvoice(), 'xrechnung'), path)).toEqual(['urn:cen.eu:en16931:2017'])
  })

  it('replaces characters that XML cannot have, and keeps line feeds', () => {
    const paymentTerms = 'a\u0001b\ud800c\nd\u{1f69a}\te\r\nf]]>'
    const xml = write({ ...fullInvoice(), paymentTerms }, 'en16931')
    expect(contentOf(xml)).toEqual(['a\ufffdb\ufffdc\nd\u{1f69a}\te\r\nf]]>'])
  })

  it('keeps line feeds, tabs and quotes in attributes', () => {
    const name = 'a\nb\tc"<&>\'.csv'
    const file = { name, mimeType: 'text/csv', dataBase64: 'YSxi' }
    const attachments = [{ id: 'A', description: undefined, url: undefined, file }]
    expect(textsAt(write({ ...fullInvoice(), attachments }, 'en16931'), '//@filename')).toEqual([name])
  })
})

describe('CII for the profile BASIC of Factur-X', () => {
  it('leaves out what the profile does not have', () => {
    const xml = writeCii(fullInvoice(), 'facturx-basic')
    for (const name of ['DefinedTradeContact', 'AdditionalReferencedDocument', 'SellerAssignedID', 'AccountName'])
      expect(textsAt(xml, `//ram:${name}`)).toEqual([])
    expect(textsAt(xml, `${TOTALS}/ram:DuePayableAmount`)).toEqual(['103.72'])
  })

  it('has the trading name of the seller only', () => {
    const xml = writeCii(fullInvoice(), 'facturx-basic')
    expect(textsAt(xml, '//ram:TradingBusinessName')).toEqual(['Seller Shop'])
  })
})

it('CII has the date of the tax point once, although there are two rates', () => {
  const xml = writeCii(fullInvoice(), 'en16931')
  expect(textsAt(xml, `${SETTLEMENT}/ram:ApplicableTradeTax[2]/ram:TaxPointDate`)).toEqual([])
})

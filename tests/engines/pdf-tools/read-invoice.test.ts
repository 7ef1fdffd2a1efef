import { describe, expect, it } from 'vitest'
import type { InvoiceReport } from '../../../engines/invoice/reading/read-invoice'
import { FULL_BODY, type InvoiceBody, SMALLEST_PEPPOL, SMALLEST_XRECHNUNG } from '../../../lib/docs/electronic-bodies'
import { numbered } from '../../fixtures/draft'
import { runOn } from '../../support/run-on'
import { invoiceFile } from '../invoice/reading/invoice-file'

async function read(file: Uint8Array, name?: string): Promise<InvoiceReport> {
  const { bytes, contentType } = await runOn('read-invoice', file, {}, name === undefined ? {} : { name })
  expect(contentType).toBe('application/json')
  return JSON.parse(bytes.toString('utf8')) as InvoiceReport // The tool writes this type.
}

describe('read-invoice', () => {
  it('returns a request that makes the same invoice', async () => {
    const { source, invoice, brokenRules, differences, unknown } = await read(await invoiceFile(FULL_BODY))
    expect(source).toEqual({
      file: 'factur-x.xml',
      syntax: 'cii',
      specification: 'urn:cen.eu:en16931:2017',
      rules: 'en16931',
    })
    expect({ brokenRules, differences, unknown }).toEqual({ brokenRules: [], differences: [], unknown: [] })
    const again = await invoiceFile({ ...(invoice as InvoiceBody), eInvoice: { format: 'factur-x', output: 'xml' } })
    const first = await invoiceFile({ ...FULL_BODY, eInvoice: { format: 'factur-x', output: 'xml' } })
    expect(again.toString('utf8')).toBe(first.toString('utf8'))
  })

  it.each([
    ['XRechnung', SMALLEST_XRECHNUNG, 'cii', 'xrechnung'],
    [
      'XRechnung in UBL',
      { ...SMALLEST_XRECHNUNG, eInvoice: { format: 'xrechnung', syntax: 'ubl' } },
      'ubl',
      'xrechnung',
    ],
    ['Peppol', SMALLEST_PEPPOL, 'ubl', 'peppol'],
  ] as [string, InvoiceBody, string, string][])('reads XML without pages: %s', async (_, body, syntax, rules) => {
    const { source, brokenRules, differences, invoice } = await read(await invoiceFile(body), 'invoice.xml')
    expect(source).toMatchObject({ syntax, rules })
    expect(source).not.toHaveProperty('file')
    expect({ brokenRules, differences }).toEqual({ brokenRules: [], differences: null })
    expect(invoice.totals).toEqual({
      subtotal: 285,
      tax: expect.any(Number),
      total: expect.any(Number),
      amountDue: expect.any(Number),
    })
  })

  it('lists broken rules and values that the pages do not show', async () => {
    const xml = (await invoiceFile({ ...FULL_BODY, eInvoice: { format: 'factur-x', output: 'xml' } })).toString('utf8')
    const wrong = xml
      .replaceAll('2468.04', '2468.05')
      .replace('<ram:ID>RE-2026-0107</ram:ID>', '<ram:ID>RE-2026-9999</ram:ID>')
    const pdf = await invoiceFile(FULL_BODY)
    const report = await read(await attachTo(pdf, wrong))
    expect(report.brokenRules?.map(({ rule }) => rule)).toEqual(['BR-CO-16'])
    expect(report.differences?.map(({ param, value }) => [param, value])).toEqual([
      ['invoiceNumber', 'RE-2026-9999'],
      ['totals.amountDue', '2468.05'],
    ])
  })

  it('keeps the payment reference of an invoice without means of payment', async () => {
    const xml = (await invoiceFile(SMALLEST_XRECHNUNG)).toString('utf8')
    const means = /<ram:SpecifiedTradeSettlementPaymentMeans>[^]*<\/ram:SpecifiedTradeSettlementPaymentMeans>/
    const changed = xml
      .replace(means, '')
      .replace(/(<ram:InvoiceCurrencyCode>)/, '<ram:PaymentReference>R-7</ram:PaymentReference>$1')
    const { invoice, unknown } = await read(Buffer.from(changed), 'invoice.xml')
    expect(invoice.payment).toEqual({ reference: 'R-7' })
    expect(unknown).toEqual([])
  })

  it('refuses an invoice whose elements have no namespace', async () => {
    const xml = (await invoiceFile(SMALLEST_XRECHNUNG)).toString('utf8').replaceAll(/(<\/?)ram:/g, '$1')
    await expect(read(Buffer.from(xml), 'invoice.xml')).rejects.toThrow(/no number.*must be in the namespaces of CII/)
  })

  it('finds a gross price that does not give the net price', async () => {
    const items = [{ description: 'x', quantity: 1, rate: 40, grossPrice: 45.5 }]
    const xml = (await invoiceFile({ ...SMALLEST_XRECHNUNG, items })).toString('utf8')
    expect((await read(Buffer.from(xml), 'invoice.xml')).brokenRules).toEqual([])
    const reduction = /<ram:AppliedTradeAllowanceCharge>[^]*?<\/ram:AppliedTradeAllowanceCharge>/
    expect(xml).toMatch(reduction)
    const { brokenRules } = await read(Buffer.from(xml.replace(reduction, '')), 'invoice.xml')
    expect(brokenRules).toMatchObject([{ rule: 'PEPPOL-EN16931-R046', param: 'items[0].rate' }])
  })

  it('returns a body that the endpoint knows, also if the buyer has a tax number', async () => {
    const xml = (await invoiceFile(SMALLEST_XRECHNUNG)).toString('utf8')
    const registration =
      '<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">12/345</ram:ID></ram:SpecifiedTaxRegistration>'
    const changed = xml.replace('</ram:BuyerTradeParty>', `${registration}</ram:BuyerTradeParty>`)
    const { invoice, unknown } = await read(Buffer.from(changed), 'invoice.xml')
    expect(invoice.billTo).not.toHaveProperty('taxNumber')
    expect(unknown.join()).toContain('BuyerTradeParty/SpecifiedTaxRegistration')
  })

  it.each([
    ['a PDF without an invoice', numbered(), 'input.pdf', /no invoice in it/],
    ['XML that is not an invoice', Buffer.from('<a/>'), 'a.xml', /not an invoice in a known format/],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'a.png', /not valid UTF-8|not well formed/],
  ])('refuses %s', async (_, file, name, message) => {
    await expect(runOn('read-invoice', file, {}, { name })).rejects.toThrow(message)
  })
})

/** Replaces the invoice in a PDF with pdf-lib. */
async function attachTo(pdf: Buffer, xml: string): Promise<Buffer> {
  const { PDFDocument } = await import('pdf-lib')
  const source = await PDFDocument.load(pdf)
  const document = await PDFDocument.create()
  for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page)
  await document.attach(Buffer.from(xml, 'utf8'), 'factur-x.xml', { mimeType: 'text/xml' })
  return Buffer.from(await document.save())
}

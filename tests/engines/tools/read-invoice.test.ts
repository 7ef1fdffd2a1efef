import { describe, expect, it } from 'vitest'
import type { InvoiceReport } from '../../../engines/features/invoice/reading/read-invoice'
import { FULL_BODY, type InvoiceBody, SMALLEST_PEPPOL, SMALLEST_XRECHNUNG } from '../../../lib/docs/electronic-bodies'
import { numbered } from '../../fixtures/draft'
import { runOn } from '../../support/run-on'
import { ciiWith, ram } from '../standards/einvoice/read/small-invoices'
import { invoiceFile } from '../features/invoice/reading/invoice-file'

async function read(file: Uint8Array, name?: string): Promise<InvoiceReport> {
  const { bytes, contentType } = await runOn('read-invoice', file, {}, name === undefined ? {} : { name })
  expect(contentType).toBe('application/json')
  return JSON.parse(bytes.toString('utf8')) as InvoiceReport // The tool writes this type.
}

describe('read-invoice', () => {
  let pages: Buffer | undefined
  let xmlOfPages: string | undefined

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

  it.each<[string, string, string, [string, string][]]>([
    ['a price', '<ram:ChargeAmount>24.9<', '<ram:ChargeAmount>24.95<', [['items[1].rate', '24.95']]],
    ['a quantity', '>6.5</ram:BilledQuantity>', '>7.5</ram:BilledQuantity>', [['items[2].quantity', '7.5']]],
    ['a unit', 'unitCode="HUR"', 'unitCode="KGM"', [['items[2].unitCode', 'KGM']]],
    ['a currency', 'InvoiceCurrencyCode>EUR', 'InvoiceCurrencyCode>USD', [['currency', 'USD']]],
    [
      'the reference of the buyer',
      'BuyerReference>04011000',
      'BuyerReference>04011001',
      [['buyerReference', '04011001-12345-34']],
    ],
    [
      'terms',
      '>Zahlbar innerhalb von 30',
      '>Zahlbar innerhalb von 14',
      [['paymentTerms', 'Zahlbar innerhalb von 14 Tagen ohne Abzug']],
    ],
    [
      'the hyphen of a number',
      '<ram:IssuerAssignedID>B-5531',
      '<ram:IssuerAssignedID>B5531',
      [['purchaseOrder', 'B5531']],
    ],
    [
      'terms for programs, which no page has',
      '>Zahlbar innerhalb von 30 Tagen ohne Abzug',
      '>#SKONTO#TAGE=14#PROZENT=2.00#',
      [],
    ],
  ])('compares with the pages: %s', async (_, old, changed, expected) => {
    pages ??= await invoiceFile(FULL_BODY)
    xmlOfPages ??= (await invoiceFile({ ...FULL_BODY, eInvoice: { format: 'factur-x', output: 'xml' } })).toString(
      'utf8',
    )
    expect(xmlOfPages).toContain(old)
    const { differences } = await read(await attachTo(pages, xmlOfPages.replace(old, changed)))
    expect(differences?.map(({ param, value }) => [param, value])).toEqual(expected)
  })

  it.each(['ar', 'he'])('reads pages from right to left, in %s', async locale => {
    const { differences } = await read(await invoiceFile({ ...FULL_BODY, locale }))
    expect(differences).toEqual([])
  })

  it('takes a hyphen at the end of a line for one that divides a word, or that belongs to it', async () => {
    const names = ['Beamer-Deckenhalterung', 'Rechnungswesen', 'Beamer-Rechnungswesen', 'Deckenlampe']
    const items = names.map((description): InvoiceBody['items'][number] => ({ description, quantity: 1, rate: 1 }))
    const xml = await invoiceFile({ ...SMALLEST_XRECHNUNG, items })
    const { differences } = await read(
      await attach([{ name: 'xrechnung.xml', bytes: xml }], {
        lines: ['1 Beamer-', 'Deckenhalterung', '2 Rechnungs-', 'wesen', '3 Beamer-Rech-', 'nungswesen'],
      }),
    )
    expect(differences?.filter(({ param }) => param.endsWith('description')).map(({ value }) => value)).toEqual([
      'Deckenlampe',
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

describe('the invoice in a PDF', () => {
  const xml = (number: string) => Buffer.from(ciiWith({ document: ram('ID', number) }))
  const numberIn = async (files: Attached[], xmp?: string) => {
    const { invoice, source } = await read(await attach(files, { namedByXmp: xmp }))
    return [invoice.invoiceNumber, source.file, source.others]
  }

  it.each<[string, Omit<Attached, 'bytes'>]>([
    ['a name without extension', { name: 'ZUGFeRD-invoice', mimeType: 'text/xml' }],
    ['another type', { name: 'invoice.txt', mimeType: 'text/plain' }],
    ['neither', { name: 'data' }],
    ['a name and a type of another format', { name: 'invoice.pdf', mimeType: 'application/pdf' }],
    ['an annotation', { name: 'data.bin', inAnnotation: true }],
  ])('is found by its content: %s', async (_, file) => {
    expect(await numberIn([{ ...file, bytes: xml('R-1') }])).toEqual(['R-1', file.name, undefined])
  })

  it.each<[string, string, Attached[], string?]>([
    [
      'the usual name',
      'a',
      [
        { name: 'other.xml', bytes: xml('b') },
        { name: 'factur-x.xml', bytes: xml('a') },
      ],
    ],
    [
      'its relationship',
      'a',
      [
        { name: 'factur-x.xml', bytes: xml('b'), relationship: 'Supplement' },
        { name: 'other.xml', bytes: xml('a'), relationship: 'Alternative' },
      ],
    ],
    [
      'XMP',
      'a',
      [
        { name: 'factur-x.xml', bytes: xml('b'), relationship: 'Alternative' },
        { name: 'named.xml', bytes: xml('a') },
      ],
      'named.xml',
    ],
  ])('is taken by %s, and the other one is named', async (_, number, files, xmp) => {
    const [read, , others] = await numberIn(files, xmp)
    expect([read, others]).toEqual([number, [files.find(({ bytes }) => bytes.includes('>b<'))?.name]])
    const { warnings } = await runOn('read-invoice', await attach(files, { namedByXmp: xmp }))
    expect(warnings).toEqual(['several-invoices'])
  })

  it('is taken once, if a copy or another file is attached too', async () => {
    const [one, other] = [xml('a'), Buffer.from('<order/>')]
    const files = ['factur-x.xml', 'copy.xml'].map(name => ({ name, bytes: one }))
    expect(await numberIn([...files, { name: 'order.xml', bytes: other }])).toEqual(['a', 'factur-x.xml', undefined])
  })

  it('is refused with its name if it is too large', async () => {
    const bomb = await attach([{ name: 'factur-x.xml', bytes: Buffer.alloc(200_000, ' ') }])
    await expect(runOn('read-invoice', bomb, {}, { maxStreamBytes: 100_000 })).rejects.toThrow(
      /factur-x\.xml: .*more than 100,000 bytes/,
    )
  })
})

interface Attached {
  name: string
  bytes: Buffer
  mimeType?: string
  relationship?: string
  inAnnotation?: boolean
}

/** Attaches an invoice to the pages of a PDF. */
function attachTo(pdf: Buffer, xml: string): Promise<Buffer> {
  return attach([{ name: 'factur-x.xml', bytes: Buffer.from(xml), mimeType: 'text/xml' }], { pages: pdf })
}

/** Writes a PDF with attached files with pdf-lib. */
async function attach(
  files: readonly Attached[],
  { namedByXmp, pages, lines = [] }: { namedByXmp?: string | undefined; pages?: Buffer; lines?: string[] } = {},
): Promise<Buffer> {
  const { AFRelationship, PDFDocument, PDFName, PDFString } = await import('pdf-lib')
  const document = await PDFDocument.create()
  const source = pages && (await PDFDocument.load(pages))
  if (source) for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page)
  else document.addPage().drawText(lines.join('\n'), { x: 50, y: 700, size: 12 })
  for (const { name, bytes, mimeType, relationship, inAnnotation } of files) {
    if (inAnnotation) {
      const stream = document.context.register(document.context.flateStream(bytes))
      const specification = { Type: 'Filespec', F: PDFString.of(name), EF: { F: stream } }
      const annotation = { Type: 'Annot', Subtype: 'FileAttachment', Rect: [0, 0, 9, 9], FS: specification }
      document.getPage(0).node.addAnnot(document.context.register(document.context.obj(annotation)))
      continue
    }
    const afRelationship = Object.values(AFRelationship).find(one => one === relationship)
    await document.attach(bytes, name, { ...(mimeType && { mimeType }), ...(afRelationship && { afRelationship }) })
  }
  if (namedByXmp !== undefined) {
    const packet =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">' +
      `<fx:DocumentFileName>${namedByXmp}</fx:DocumentFileName></rdf:Description></rdf:RDF></x:xmpmeta>`
    const stream = document.context.stream(packet, { Type: 'Metadata', Subtype: 'XML' })
    document.catalog.set(PDFName.of('Metadata'), document.context.register(stream))
  }
  return Buffer.from(await document.save())
}

import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { invoiceSchema } from '../../../../engines/features/invoice/input/invoice-schema'
import { runInvoice } from '../../../../engines/features/invoice/run-invoice'
import {
  FULL_BODY,
  type InvoiceBody,
  SMALLEST_FACTUR_X,
  SMALLEST_PEPPOL,
  SMALLEST_XRECHNUNG,
} from '../../../../lib/docs/electronic-bodies'
import { listBrokenRules } from '../../../support/conformance'
import { LIMITS } from '../../../support/run-on'

async function make(body: InvoiceBody) {
  const { logo: _, ...options } = invoiceSchema.parse(body)
  const job = { tool: 'invoice', options, files: [], limits: LIMITS, now: new Date('2026-11-25') }
  const { chunks, ...result } = await runInvoice(job, () => undefined)
  return { ...result, bytes: Buffer.concat(chunks) }
}

/** Reads attachments and XMP with pdf.js. */
async function readAttached(bytes: Uint8Array) {
  const document = await getDocument({ data: new Uint8Array(bytes) }).promise
  const attachments = (await document.getAttachments()) as Record<string, { filename: string; content: Uint8Array }>
  const { metadata } = await document.getMetadata()
  await document.destroy()
  const files = Object.values(attachments ?? {}).map(({ filename, content }) => ({
    name: filename,
    text: Buffer.from(content).toString('utf8'),
  }))
  return { files, xmp: (metadata as { getRaw(): string } | null)?.getRaw() ?? '' }
}

describe('an electronic invoice as XML', () => {
  it.each([
    ['xrechnung', SMALLEST_XRECHNUNG, 'CrossIndustryInvoice'],
    ['xrechnung in UBL', { ...SMALLEST_XRECHNUNG, eInvoice: { format: 'xrechnung', syntax: 'ubl' } }, 'Invoice'],
    ['peppol', SMALLEST_PEPPOL, 'Invoice'],
  ] as [string, InvoiceBody, string][])('has its own content type and name: %s', async (_, body, root) => {
    const { name, contentType, bytes } = await make(body)
    expect([name, contentType]).toEqual([`${body.invoiceNumber}.xml`, 'application/xml'])
    expect(bytes.toString('utf8')).toMatch(new RegExp(`<(\\w+:)?${root}[\\s>]`))
  })

  it('is the same for the same body', async () => {
    const [one, other] = [await make(SMALLEST_PEPPOL), await make(SMALLEST_PEPPOL)]
    expect(one.bytes.equals(other.bytes)).toBe(true)
  })
})

describe('an electronic invoice as PDF', () => {
  it.each([
    ['basic', 'BASIC'],
    ['en16931', 'EN 16931'],
    ['extended', 'EXTENDED'],
  ] as const)('has the XML inside, and says so in XMP: %s', async (profile, level) => {
    const pdf = await make({ ...SMALLEST_FACTUR_X, eInvoice: { format: 'factur-x', profile } })
    const xml = await make({ ...SMALLEST_FACTUR_X, eInvoice: { format: 'factur-x', profile, output: 'xml' } })
    expect([pdf.name, pdf.contentType]).toEqual(['F-2026-1.pdf', 'application/pdf'])
    const { files, xmp } = await readAttached(pdf.bytes)
    expect(files).toEqual([{ name: 'factur-x.xml', text: xml.bytes.toString('utf8') }])
    expect(xmp).toContain(`<fx:ConformanceLevel>${level}</fx:ConformanceLevel>`)
    expect(xmp).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>')
  })

  it.each([
    ['Factur-X', FULL_BODY],
    ['XRechnung', { ...FULL_BODY, eInvoice: { format: 'xrechnung', output: 'pdf' } }],
    ['Peppol', { ...FULL_BODY, eInvoice: { format: 'peppol', output: 'pdf' } }],
  ] as [string, InvoiceBody][])('conforms to PDF/A-3b and PDF/UA-1: %s', async (_, body) => {
    const { bytes } = await make(body)
    expect(listBrokenRules(bytes, 'pdfa-3b')).toEqual([])
    expect(listBrokenRules(bytes, 'pdfua-1')).toEqual([])
  })

  it('is PDF/A-3b even if the request names no standard', async () => {
    const { bytes } = await make({ ...SMALLEST_FACTUR_X, conformance: [] })
    const { xmp } = await readAttached(bytes)
    expect(xmp).toContain('<pdfaid:part>3</pdfaid:part>')
    expect(xmp).not.toContain('<pdfuaid:part>')
    expect(listBrokenRules(bytes, 'pdfa-3b')).toEqual([])
  })
})

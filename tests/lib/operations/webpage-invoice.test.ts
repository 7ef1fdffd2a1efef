import { describe, expect, it } from 'vitest'
import { invoiceOperation } from '../../../lib/operations/invoice'
import { webpageOperation } from '../../../lib/operations/webpage'

const file = { field: 'file', name: 'a.html', chunks: [Buffer.from('x')], byteLength: 1 }
const refused = (code: string, message: RegExp) => expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error

describe('webpage to PDF', () => {
  it.each([
    [{}, [], /one of url, html and file; none was sent/],
    [{ url: null }, [], /none was sent/],
    [{ url: 'https://example.com', html: '<p>' }, [], /url and html were sent/],
    [{ html: '<p>' }, [file], /html and file were sent/],
    [{ url: 7 }, [], /^url: has to be an absolute web address/],
    [{ html: ' ' }, [], /^html: has to be a page/],
    [{}, [{ ...file, byteLength: 0 }], /^file: is empty/],
    [{}, [file, file], /^file: more than one file/],
  ])('refuses %j', (fields, files, message) => {
    expect(() => webpageOperation.parse({ fields, files })).toThrowError(refused('invalid_payload', message))
  })

  it('says that it is not available before anything is charged', () => {
    expect(() => webpageOperation.parse({ fields: { url: 'https://example.com/' }, files: [] })).toThrowError(refused('service_unavailable', /not available in this version/))
  })
})

describe('the invoice generator', () => {
  const items = [{ description: 'Work', quantity: 1, rate: 2 }]

  it('names everything that is missing', () => {
    expect(() => invoiceOperation.parse({ fields: {}, files: [] })).toThrowError(
      expect.objectContaining({ code: 'invalid_invoice_payload', problems: ['invoiceNumber', 'from.name', 'billTo.name', 'items'].map(param => expect.objectContaining({ param }) as object) }) as Error,
    )
  })

  it.each([
    { invoiceNumber: '1', from: { name: 'A' }, billTo: { name: 'B' }, items },
    { invoiceNumber: '1', fromName: 'A', billToName: 'B', items },
  ])('says that it is not available before anything is charged', fields => {
    expect(() => invoiceOperation.parse({ fields, files: [] })).toThrowError(refused('service_unavailable', /not available in this version/))
  })

  it.each([{ items: [] }, { items: '[]' }, { from: 'A' }, { billTo: { name: ' ' } }, { invoiceNumber: 7 }])('refuses %j', wrong => {
    const fields = { invoiceNumber: '1', from: { name: 'A' }, billTo: { name: 'B' }, items, ...wrong }
    expect(() => invoiceOperation.parse({ fields, files: [] })).toThrowError(refused('invalid_invoice_payload', new RegExp(`^${Object.keys(wrong)[0]}`)))
  })
})

import { describe, expect, it } from 'vitest'
import { invoiceOperation } from '../../../lib/operations/invoice'

const refused = (code: string, message: RegExp) => expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error

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

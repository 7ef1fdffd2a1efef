import { describe, expect, it } from 'vitest'
import type { BodyFile } from '../../../lib/body/body'
import { invoiceOperation } from '../../../lib/operations/invoice'
import { DEFAULT_HINTS } from '../../support/field-hints'

const items = [{ description: 'Work', quantity: 1, rate: 2 }]
const least = { invoiceNumber: '1', from: { name: 'A' }, billTo: { name: 'B' }, items }
const file = (field: string, text = 'x'): BodyFile => ({
  field,
  name: 'a.png',
  chunks: [Buffer.from(text)],
  byteLength: Buffer.byteLength(text),
})

/** A copy, because reading a body changes it. */
const parse = (fields: Record<string, unknown>, files: BodyFile[] = [], encoding: 'json' | 'form' = 'json') =>
  invoiceOperation.parse({ encoding, fields: structuredClone(fields), files }, DEFAULT_HINTS)

async function problemsOf(fields: Record<string, unknown>, files: BodyFile[] = []): Promise<unknown> {
  try {
    await parse(fields, files)
    return 'accepted'
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_invoice_payload' })
    return (error as { problems: unknown }).problems
  }
}

describe('the invoice generator', () => {
  it('names all missing fields', async () => {
    expect(await problemsOf({})).toMatchObject(['invoiceNumber', 'from', 'billTo', 'items'].map(param => ({ param })))
  })

  it.each([
    [{ items: [] }, 'items', /at least 1/],
    [{ items: '[]' }, 'items', /must be an array\. Got "\[\]"\./],
    [{ taxRate: '' }, 'taxRate', /must be a number\. Got ""\./],
    [{ shipTo: '' }, 'shipTo', /must be an object\. Got ""\./],
    [{ taxRate: '0.1' }, 'taxRate', /must be a number\. Got "0\.1"\./],
    [{ from: 'A' }, 'from', /must be an object/],
    [{ billTo: { name: ' ' } }, 'billTo.name', /must not be empty/],
    [{ invoiceNumber: 7 }, 'invoiceNumber', /must be a string\. Got 7\./],
    [{ invoiceNumber: '' }, 'invoiceNumber', /must not be empty/],
    [{ taxRate: 'ten' }, 'taxRate', /must be a number\. Got "ten"\./],
    [{ taxRate: 10 }, 'taxRate', /Did you mean 0\.1\?/],
    [{ items: [{ ...items[0], quantity: 'two' }] }, 'items[0].quantity', /must be a number\. Got "two"\./],
    [{ items: [{ ...items[0], discount: 0.1 }] }, 'items[0].discount', /Send \{"rate": 0\.1\} for 10 %/],
    [{ logo: 'http://example.com/a.png' }, 'logo', /the API doesn't fetch/],
    [{ template: 'clasic' }, 'template', /Did you mean "classic"\?/],
    [{ fromName: 'C' }, 'fromName', /sent together with "from"/],
  ])('refuses %j', async (wrong, param, message) => {
    expect(await problemsOf({ ...least, ...wrong })).toEqual([
      { param, message: expect.stringMatching(message) as string },
    ])
  })

  it.each([
    [{ from: { name: 'A', address: { country: 'DE' } } }, ['currency-assumed']],
    [{ from: { name: 'A', vatId: 'FR 12 345678901' } }, ['currency-assumed']],
    [{ from: { name: 'A', taxId: 'CHE-123.456.789' } }, ['currency-assumed']],
    [{ payment: { iban: 'DE89370400440532013000' } }, ['currency-assumed']],
    [{ from: { name: 'A', address: { country: 'DE' } }, currency: 'USD' }, []],
    [{ from: { name: 'A', address: { country: 'EC' }, vatId: 'DE123456789' } }, []],
    [{ from: { name: 'A', taxId: 'EIN 12-3456789' } }, []],
  ])('warns of dollars that nobody asked for: %j', async (fields, warnings) => {
    expect((await parse({ ...least, ...fields })).warnings).toEqual(warnings)
  })

  it('starts the message with the name of the field', async () => {
    await expect(parse({ ...least, taxRate: 10 })).rejects.toThrowError(
      /^taxRate: must be a fraction from 0 to 1\. Got 10\. Did you mean 0\.1\?$/,
    )
  })

  it('takes an object in place of an array with one', async () => {
    expect((await parse({ ...least, withholding: { rate: 0.15 } })).warnings).toEqual([])
    const wrong = { ...least, withholding: { rate: 15 } }
    expect(await problemsOf(wrong)).toMatchObject([{ param: 'withholding[0].rate' }])
  })

  it('treats null as missing, at any depth', async () => {
    const fields = { ...least, notes: null, payment: { iban: null }, items: [{ ...items[0], unit: null }] }
    expect((await parse(fields)).warnings).toEqual([])
    expect(await problemsOf({ ...least, from: null })).toMatchObject([
      { param: 'from', message: 'is required and must be an object.' },
    ])
  })

  it('ignores unknown fields, and lists their names', async () => {
    const { warnings, unknownFields } = await parse({
      ...least,
      color: 'red',
      from: { name: 'A', fax: '1' },
      items: [
        { ...items[0], weight: 1 },
        { ...items[0], weight: 2 },
      ],
    })
    expect(warnings).toEqual(['unknown-field'])
    expect(unknownFields?.toSorted()).toEqual(['color', 'from.fax', 'items.weight'])
  })
})

describe('an invoice sent as a form', () => {
  const flat = { invoiceNumber: '1', fromName: 'A', billToName: 'B', items }

  it('has flat fields, numbers and booleans as text, and empty fields', async () => {
    const form = {
      ...flat,
      fromEmail: 'a@example.com',
      fromPhone: '1',
      fromTaxId: 'T',
      fromAddressLines: 'One\r\n\r\nTwo',
      billToEmail: '',
      billToAddressLines: '["Three"]',
      shipToName: 'C',
      taxRate: '0.19',
      currency: 'eur',
      reverseCharge: 'false',
      notes: '',
      dueDate: '',
    }
    expect(await parse(form, [], 'form')).toMatchObject({ warnings: [], unknownFields: [] })
  })

  it('may contain a single item without a list', async () =>
    expect((await parse({ ...flat, items: items[0] }, [], 'form')).warnings).toEqual([]))

  it('may contain the whole invoice as data', async () => {
    expect((await parse({ data: least })).warnings).toEqual([])
    expect((await parse({ data: { ...least, weight: 1 } }, [file('logo')])).unknownFields).toEqual(['weight'])
    expect(await problemsOf({ data: least, notes: 'x' })).toMatchObject([
      { param: 'notes', message: expect.stringContaining('together with "data"') as string },
    ])
    expect(await problemsOf({ data: [] })).toMatchObject([{ param: 'data' }])
  })

  it.each([
    [[file('file')], 'file', /Send the logo in the file field "logo"/],
    [[file('logo', '')], 'logo', /is empty/],
    [[file('logo'), file('logo')], 'logo', /sent twice/],
  ])('refuses other files: %#', async (files, param, message) => {
    expect(await problemsOf(flat, files)).toEqual([{ param, message: expect.stringMatching(message) as string }])
  })
})

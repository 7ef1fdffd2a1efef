import { beforeAll, describe, expect, it } from 'vitest'
import type { RunningService } from '../../support/service'
import { type Client, createClient, sendRequest, toolPath, toFileInput, toPart, type Upload } from '../client'
import { makePdf } from '../documents'
import { expectFile } from '../expectations'
import { usualService } from '../../support/shared-services'

const TOOL = toolPath('rotate-pdf')
const INVOICE = '/api/external/invoice-generator/pdf'
const WEBPAGE = '/api/external/webpage-to-pdf/pdf'
const document: Upload = { name: 'contract.pdf', bytes: makePdf() }
const options = JSON.stringify({ angle: 90 })
const invoice = {
  invoiceNumber: 'C-1',
  from: { name: 'A' },
  billTo: { name: 'B' },
  items: [{ description: 'Work', quantity: 1, rate: 2 }],
}

let service: RunningService
let client: Client

beforeAll(async () => {
  service = await usualService()
  client = createClient(service.base, await service.createKey('clients@example.test'))
})

describe('a client that offers to continue in HTTP/2', () => {
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA' }

  it.each(['/docs', '/api/health', '/api/external/credits'])('gets its response over HTTP/1.1: GET %s', async path => {
    expect(await client.send({ path, method: 'GET', headers: offer })).toMatchObject({ status: 200 })
  })

  it('gets its response over HTTP/1.1: POST', async () => {
    const body = JSON.stringify({ file: toFileInput(document), options: { angle: 90 } })
    const headers = { ...offer, 'content-type': 'application/json' }
    expectFile(await client.send({ path: TOOL, body, headers }), 'application/pdf')
  })
})

describe('JSON in a form part with a file name', () => {
  it('is read as the field, and gives the same file as without the name', async () => {
    const file = toPart('file', document)
    const plain = await client.sendForm(TOOL, [file, { name: 'options', value: options }])
    const named = await client.sendForm(TOOL, [{ name: 'options', fileName: 'blob', value: options }, file])
    expectFile(named, 'application/pdf')
    expect(named.bytes.equals(plain.bytes)).toBe(true)
  })

  it('works for the fields of invoices and web pages', async () => {
    const parts = [
      { name: 'invoiceNumber', value: 'C-1' },
      { name: 'from', fileName: 'blob', value: '{"name": "A"}' },
      { name: 'billToName', fileName: 'blob', value: 'B' },
      { name: 'items', fileName: 'items.json', value: JSON.stringify(invoice.items) },
    ]
    const named = await client.sendForm(INVOICE, parts)
    expectFile(named, 'application/pdf')
    expect(named.bytes.equals((await client.sendJson(INVOICE, invoice)).bytes)).toBe(true)
    const page = await client.sendForm(WEBPAGE, [
      { name: 'html', value: '<p>x</p>' },
      { name: 'margin', fileName: 'blob', value: '{"topp": "1in"}' },
    ])
    expect(page).toMatchObject({ status: 400, json: { param: 'margin.topp' }, charged: 0 })
  })

  it('that is broken is named with line and column', async () => {
    const reply = await client.sendForm(TOOL, [
      toPart('file', document),
      { name: 'options', fileName: 'blob', value: '{\n  "angle": 90,\n}' },
    ])
    expect(reply).toMatchObject({ status: 422, charged: 0, json: { param: 'options' } })
    expect(reply.json['message']).toContain('line 3, column 1')
  })
})

describe('a misspelled field', () => {
  const file = toFileInput(document)

  it.each<[string, string, unknown, string, string]>([
    ['in JSON', WEBPAGE, { html: '<p>x</p>', landscpae: true }, 'landscpae', 'landscape'],
    ['in place of the options', toolPath('page-numbers'), { file, option: {} }, 'option', 'options'],
    [
      'deep inside',
      INVOICE,
      { ...invoice, items: [{ ...invoice.items[0], taxrate: 1 }] },
      'items[0].taxrate',
      'taxRate',
    ],
    ['in the query string', `${toolPath('page-numbers')}?position=top-left`, { file }, 'position', 'options.position'],
    ['of a file', toolPath('reverse-pages'), { file: { ...file, nmae: 'x' } }, 'file.nmae', 'name'],
  ])('%s is refused, free of charge', async (_, path, body, param, nearest) => {
    const reply = await client.sendJson(path, body)
    expect([400, 422]).toContain(reply.status)
    expect(reply).toMatchObject({ charged: 0, json: { param } })
    expect(reply.json['message']).toContain(`"${nearest}"`)
    const lenient = await client.sendJson(path, body, { prefer: 'handling=lenient' })
    expectFile(lenient, 'application/pdf')
    expect(lenient).toMatchObject({
      warnings: ['unknown-field'],
      headers: {
        'preference-applied': 'handling=lenient',
        'x-unknown-fields': param.replace('[0]', ''),
      },
    })
  })

  it('that resembles nothing is ignored with a warning, or refused if the client prefers that', async () => {
    const body = { html: '<p>x</p>', größe: 'A-7', 'a,b': 1 }
    const reply = await client.sendJson(WEBPAGE, body)
    expectFile(reply, 'application/pdf')
    expect(reply.headers['x-unknown-fields']).toBe('gr%C3%B6%C3%9Fe, a%2Cb')
    const strict = await client.sendJson(WEBPAGE, body, { prefer: 'handling=strict' })
    expect(strict).toMatchObject({
      status: 400,
      charged: 0,
      headers: { 'preference-applied': 'handling=strict' },
      json: { problems: [{ param: 'größe' }, { param: 'a,b' }] },
    })
  })

  it('in place of a required one is named', async () => {
    const { rate, ...item } = { description: 'Work', quantity: 1, rate: 2 }
    const reply = await client.sendJson(INVOICE, { ...invoice, items: [{ ...item, price: rate }] })
    expect(reply).toMatchObject({ status: 400, json: { param: 'items[0].rate' } })
    expect(reply.json['message']).toMatch(/You sent "price", which isn't a known field\. Did you mean "rate"\?/)
  })
})

describe('empty strings in JSON', () => {
  it.each([
    [INVOICE, { ...invoice, taxRate: '' }, 'taxRate'],
    [INVOICE, { ...invoice, shipTo: '' }, 'shipTo'],
    [WEBPAGE, { html: '<p>x</p>', scale: '' }, 'scale'],
    [toolPath('reverse-pages'), { file: toFileInput(document), options: '' }, 'options'],
  ])('are refused where a number or an object belongs: %s', async (path, body, param) => {
    expect(await client.sendJson(path, body)).toMatchObject({ charged: 0, json: { param } })
  })

  it('count as missing in form fields', async () => {
    const reply = await client.sendForm(WEBPAGE, [
      { name: 'html', value: '<p>x</p>' },
      { name: 'scale', value: '' },
      { name: 'metadata', value: '' },
    ])
    expectFile(reply, 'application/pdf')
  })
})

describe('the balance', () => {
  const path = '/api/external/credits'

  it('is read with the key, free of charge, and not listed as a request', async () => {
    const balance = await client.balance()
    const reply = await client.send({ path, method: 'GET' })
    expect(reply).toMatchObject({ status: 200, json: { creditBalance: balance }, charged: 0, balance })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(await client.send({ path, method: 'HEAD' })).toMatchObject({ status: 200 })
  })

  it('is refused without a key and with other methods', async () => {
    expect(await sendRequest(service.base, { path, method: 'GET' })).toMatchObject({
      status: 401,
      json: { error: 'invalid_api_key' },
    })
    expect(await client.send({ path, method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
      json: { error: 'method_not_allowed' },
    })
  })

  it('is rate limited for each account', async () => {
    const other = createClient(service.base, await service.createKey('balance@example.test'))
    const replies = []
    for (let count = 0; count < 61; count++) replies.push(await other.send({ path, method: 'GET' }))
    expect(replies.slice(0, 60).every(({ status }) => status === 200)).toBe(true)
    expect(replies.at(-1)).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
    expect(Number(replies.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    expect(await client.send({ path, method: 'GET' })).toMatchObject({ status: 200 })
  })
})

describe('help in errors', () => {
  it('links the section of the error in the documentation', async () => {
    const { json } = await client.callTool('rotate-pdf', document, { angle: 45 })
    expect(json['docs']).toBe(`${service.base}/docs/errors#pdf_tool_processing_failed`)
    const page = await sendRequest(service.base, { path: '/docs/errors', method: 'GET' })
    expect(page.bytes.toString()).toContain('id="pdf_tool_processing_failed"')
  })

  it('says how to call an endpoint that was opened with GET', async () => {
    const { status, json } = await client.send({ path: TOOL, method: 'GET' })
    expect(status).toBe(405)
    expect(json['message']).toContain(`See ${service.base}/docs/rotate-pdf`)
    expect(await sendRequest(service.base, { path: '/docs/rotate-pdf', method: 'GET' })).toMatchObject({ status: 200 })
  })

  it.each(['/api', '/api/nothing', '/api/account/nothing', '/api/v1/pdf-tools/merge-pdf'])(
    'is JSON for the unknown path %s',
    async path => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await sendRequest(service.base, { path, method })
        expect(reply).toMatchObject({ status: 404, json: { error: 'not_found' } })
        expect(reply.json['requestId']).toBe(reply.requestId)
      }
    },
  )

  it('names the file that is not a PDF', async () => {
    const broken = { name: 'a.pdf', bytes: Buffer.from('hello') }
    expect(await client.callTool('rotate-pdf', broken, { angle: 90 })).toMatchObject({
      status: 422,
      json: { param: 'file' },
    })
    expect(await client.callTool('merge-pdf', [document, broken], {})).toMatchObject({ json: { param: 'files[1]' } })
  })

  it('calls a truncated upload truncated', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await client.send({ path: TOOL, headers, body: '{"file": {' })).json['message']).toContain('truncated')
    const form = { 'content-type': 'multipart/form-data; boundary=b' }
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7'
    expect((await client.send({ path: TOOL, headers: form, body })).json['message']).toContain('truncated')
  })

  it('refuses metadata edits that change nothing', async () => {
    for (const changes of [{}, { outputName: 'x' }])
      expect(await client.callTool('edit-metadata', document, changes)).toMatchObject({
        status: 422,
        charged: 0,
        json: { param: 'options' },
      })
  })
})

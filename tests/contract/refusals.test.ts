import { beforeAll, describe, expect, it } from 'vitest'
import { listTools } from '../../engines/tools/registry'
import { ERROR_STATUS } from '../../lib/errors'
import { listOperations } from '../../lib/operations/all'
import { sample } from '../support/scope'
import type { RunningService } from '../support/service'
import {
  type ApiResponse,
  BOUNDARY,
  type Client,
  createClient,
  FORM_TYPE,
  type Part,
  sendRequest,
  toFileInput,
  toolPath,
  toPart,
  type Upload,
  writeToolBody,
} from './client'
import { makeDamagedPdf, makeEncryptedPdf, makePdf } from './documents'
import { expectProblem, expectFile, expectRefusal } from './expectations'
import { usualService } from '../support/shared-services'

const CODE = 'pdf_tool_processing_failed'
const TOOL = toolPath('rotate-pdf')
const JSON_TYPE = { 'content-type': 'application/json' }
const operations = listOperations().map(({ id, refusalCode }) => ({
  id,
  path: `/api/external/${id}`,
  refusalCode,
  status: ERROR_STATUS[refusalCode],
}))
/** An operation of each kind. */
const kinds = sample(operations, ({ refusalCode }) => refusalCode)
const document: Upload = { name: 'contract.pdf', bytes: makePdf() }
const file = toFileInput(document)
const options = { angle: 90 }

let service: RunningService
let client: Client

beforeAll(async () => {
  service = await usualService()
  client = createClient(service.base, await service.createKey('refusals@example.test', { credits: 500 }))
})

/** Sends a request that is refused: it is free, and the balance stays the same. */
async function expectRefused(
  send: () => Promise<ApiResponse>,
  mistake: Parameters<typeof expectRefusal>[1],
): Promise<ApiResponse> {
  const before = await client.balance()
  const response = await send()
  expectRefusal(response, mistake, before)
  expect(await client.balance()).toBe(before)
  return response
}

describe('paths and methods', () => {
  it('refuses an unknown tool and lists the existing tools', async () => {
    for (const id of ['nope', '__proto__', 'constructor', 'rotate-pdf%00', 'ROTATE-PDF']) {
      expectProblem(await client.sendJson(toolPath(id), {}), {
        status: 404,
        error: 'not_found',
        says: listTools().map(tool => tool.id),
      })
    }
  })

  it.each(['/api/external', '/api/external/nothing/here', '/api/external/pdf-tools', `${TOOL}/more`])(
    'refuses the unknown path %s and lists the operations',
    async path => {
      expectProblem(await client.sendJson(path, {}), {
        status: 404,
        error: 'not_found',
        says: operations.map(operation => operation.path),
      })
    },
  )

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])(
    'refuses %s on every operation, names POST and sends no CORS headers',
    async method => {
      for (const { path } of method === 'GET' ? operations : kinds) {
        const response = await client.send({
          path,
          method,
          headers: {
            origin: 'https://shop.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'x-api-key',
          },
        })
        expectProblem(response, { status: 405, error: 'method_not_allowed', says: [method, 'POST'] })
        expect(response.headers.allow).toBe('POST')
      }
    },
  )

  it('refuses HEAD without a body', async () => {
    for (const { path } of kinds) {
      const response = await client.send({ path, method: 'HEAD' })
      expect({ status: response.status, allow: response.headers.allow, bytes: response.bytes.length }).toEqual({
        status: 405,
        allow: 'POST',
        bytes: 0,
      })
      expect(response.requestId).toMatch(/^req_/)
    }
  })
})

describe('API keys', () => {
  const wrong: [string, (key: string) => Record<string, string>][] = [
    ['no key', () => ({})],
    ['an empty key', () => ({ 'x-api-key': '' })],
    ['a made-up word', () => ({ 'x-api-key': 'let me in' })],
    ['a key that nobody has', () => ({ 'x-api-key': 'sheaf_live_0123456789abcdefghijABCDEFGHIJ0123456789' })],
    ['a typing error', key => ({ 'x-api-key': `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}` })],
    [
      'two letters swapped for others',
      key => ({ 'x-api-key': key.replace(/.{2}(?=.{8}$)/, pair => (pair === 'xy' ? 'yx' : 'xy')) }),
    ],
    ['a very long key', () => ({ 'x-api-key': 'x'.repeat(5000) })],
    ['the key as a Bearer token', key => ({ authorization: `Bearer ${key}` })],
    ['the key under another name', key => ({ 'api-key': key })],
  ]

  it.each(wrong)('refuses %s on every operation, before reading the body', async (what, headersOf) => {
    for (const { path } of what === 'no key' ? operations : kinds) {
      const response = await sendRequest(service.base, {
        path,
        body: '{broken',
        headers: { ...JSON_TYPE, ...headersOf(client.apiKey) },
      })
      expectProblem(response, { status: 401, error: 'invalid_api_key' })
      expect({ charged: response.charged, balance: response.balance }).toEqual({
        charged: undefined,
        balance: undefined,
      })
    }
  })

  it('accepts no key in the URL', async () => {
    const response = await sendRequest(service.base, {
      path: `${TOOL}?x-api-key=${client.apiKey}`,
      body: '{}',
      headers: JSON_TYPE,
    })
    expectProblem(response, { status: 401, error: 'invalid_api_key' })
  })

  it('refuses a rotated key, and the account and its balance continue with the new key', async () => {
    const email = 'rotated@example.test'
    const old = createClient(service.base, await service.createKey(email))
    expectFile(await old.callTool('rotate-pdf', document, options))
    const renewed = createClient(service.base, await service.createKey(email))
    expectProblem(await old.callTool('rotate-pdf', document, options), { status: 401, error: 'invalid_api_key' })
    expect((await renewed.callTool('rotate-pdf', document, options)).balance).toBe(98)
  })
})

describe.each(kinds)('the body of $id', ({ path, refusalCode, status }) => {
  it.each(['text/plain', 'application/pdf', 'application/x-www-form-urlencoded', 'application/json-seq', ''])(
    'may not have the type %j',
    async type => {
      await expectRefused(
        () => client.send({ path, body: 'hello', headers: type === '' ? {} : { 'content-type': type } }),
        { status: 415, error: 'unsupported_media_type', says: ['application/json', 'multipart/form-data'] },
      )
    },
  )

  it.each(['gzip', 'br', 'deflate, gzip'])('may not have the encoding %s', async encoding => {
    await expectRefused(
      () => client.send({ path, body: '{}', headers: { ...JSON_TYPE, 'content-encoding': encoding } }),
      { status: 415, error: 'unsupported_media_type' },
    )
  })

  const readable = [
    'Application/JSON; charset=utf-8',
    'application/json;charset="UTF-8"',
    `Multipart/Form-Data; Boundary=${BOUNDARY}`,
    `multipart/form-data; charset=utf-8; boundary="${BOUNDARY}"`,
  ]

  it.each(readable)('may have the type %s', async type => {
    const body = type.toLowerCase().includes('json') ? '{}' : `--${BOUNDARY}--\r\n`
    await expectRefused(() => client.send({ path, body, headers: { 'content-type': type } }), {
      status,
      error: refusalCode,
      says: [/required|Got none/],
    })
  })

  const malformed: [string, string | Buffer, string?][] = [
    ['nothing', ''],
    ['broken JSON', '{"options": '],
    ['two JSON values', '{} {}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"options"'],
    ['invalid UTF-8', Buffer.from('{"name": "\xff\xfe"}', 'latin1')],
    ['JSON nested 1,000 deep', `{"options": ${'['.repeat(1000)}${']'.repeat(1000)}}`],
    ['JSON of 200,000 values', `{"options": [${'1,'.repeat(200_000)}1]}`],
    ['a form without a boundary', 'x', 'multipart/form-data'],
    [
      'a form that is cut off',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="options"\r\n\r\n{"angle"`,
      FORM_TYPE,
    ],
    ['a form that has none of its boundaries', 'nothing of it', FORM_TYPE],
    ['a form with a part without a head', `--${BOUNDARY}\r\nno head\r\n--${BOUNDARY}--\r\n`, FORM_TYPE],
    [
      'a form of 10,000 parts',
      Buffer.from(
        `${Array.from({ length: 10_000 }, (_, index) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="p${index}"\r\n\r\nx\r\n`).join('')}--${BOUNDARY}--\r\n`,
      ),
      FORM_TYPE,
    ],
  ]

  it.each(malformed)('may not be %s', async (_what, body, type = 'application/json') => {
    await expectRefused(() => client.send({ path, body, headers: { 'content-type': type } }), {
      status,
      error: refusalCode,
    })
  })
})

describe('files of a tool', () => {
  const inJson: [string, unknown, ...(string | RegExp)[]][] = [
    ['no file', { options }, 'file'],
    ['null as file', { file: null, options }, 'file'],
    ['a file that is a text', { file: file.dataBase64, options }, 'file'],
    ['a file without a name', { file: { dataBase64: file.dataBase64 }, options }, 'file.name'],
    ['a name that is a number', { file: { ...file, name: 7 }, options }, 'file.name'],
    ['a file without its bytes', { file: { name: 'a.pdf' }, options }, 'file.dataBase64'],
    ['an empty file', { file: { ...file, dataBase64: '' }, options }, 'file', /empty/],
    [
      'url-safe base64',
      {
        file: { ...file, dataBase64: Buffer.from('%PDF-1.7 \xfb\xff\xfe?>', 'latin1').toString('base64url') },
        options,
      },
      'file.dataBase64',
    ],
    [
      'base64 with a foreign character in it',
      { file: { ...file, dataBase64: `${file.dataBase64.slice(0, 40)}*${file.dataBase64.slice(41)}` }, options },
      'file.dataBase64',
    ],
    [
      'base64 that ends within a byte',
      { file: { ...file, dataBase64: file.dataBase64.slice(0, 41) }, options },
      'file.dataBase64',
    ],
    ['`file` and `files` together', { file, files: [file], options }, 'files', 'file'],
    ['two files for a tool of one', { files: [file, file], options }, 'files', '2'],
    ['`files` that is no list', { files: file, options }, 'files'],
    ['an option outside of `options`', { file, options: {}, angle: 90 }, 'angle', 'options'],
  ]

  it.each(inJson)('refuses %s in JSON', async (_what, body, ...says) => {
    await expectRefused(() => client.sendJson(TOOL, body), { status: 422, error: CODE, says })
  })

  const part = toPart('file', document)
  const right: Part = { name: 'options', value: JSON.stringify(options) }
  const inForms: [string, Part[], ...(string | RegExp)[]][] = [
    ['no file', [right], 'file'],
    ['an empty file', [{ ...part, value: '' }, right], 'file', /empty/],
    ['two `options`', [part, right, right], 'options', /twice/],
    ['`file` and `files` together', [part, { ...part, name: 'files' }, right], 'files', 'file'],
    ['two files for a tool of one', [{ ...part, name: 'files' }, { ...part, name: 'files' }, right], 'files', '2'],
    ['`file` twice', [part, part, right], 'file', '2'],
    ['a file under a foreign name', [{ ...part, name: 'document' }, right], 'document', 'file'],
    ['a file as a text', [{ name: 'file', value: document.bytes }, right], 'file'],
    ['a part without a name', [part, right, { value: 'x' }], /name/],
    ['`options` that are broken JSON', [part, { name: 'options', value: '{"angle": ' }], 'options', /JSON/],
    [
      '`options` that are no UTF-8',
      [part, { name: 'options', value: Buffer.from('{"angle": 90, "outputName": "\xff"}', 'latin1') }],
      'options',
      /UTF-8/,
    ],
    [
      '`options` nested 1,000 deep',
      [part, { name: 'options', value: `{"pages": ${'['.repeat(1000)}${']'.repeat(1000)}}` }],
      'options',
      /deep/,
    ],
  ]

  it.each(inForms)('refuses %s in a form', async (_what, parts, ...says) => {
    await expectRefused(() => client.sendForm(TOOL, parts), { status: 422, error: CODE, says })
  })

  it('accepts 100 files beside the options, and refuses 101', async () => {
    const files = Array.from({ length: 101 }, () => document)
    expectFile(await client.callToolAsForm('merge-pdf', files.slice(0, 100), { bookmarks: 'keep' }), 'application/pdf')
    await expectRefused(() => client.callTool('merge-pdf', files, {}), { status: 422, error: CODE, says: ['100'] })
    await expectRefused(() => client.callToolAsForm('merge-pdf', files, {}), {
      status: 422,
      error: CODE,
      says: ['100'],
    })
  })

  it.each([
    ['one file', [document]],
    ['`file`', document],
    ['no file', []],
  ] as [string, Upload | Upload[]][])('refuses to merge %s', async (_what, files) => {
    for (const send of [client.callTool, client.callToolAsForm])
      await expectRefused(() => send('merge-pdf', files, {}), { status: 422, error: CODE, says: ['files'] })
  })

  it('accepts base64 as a data: URL and with line breaks', async () => {
    const wrapped = `data:application/pdf;base64,${file.dataBase64.replace(/.{76}/g, '$&\r\n')}`
    const response = await client.sendJson(TOOL, { file: { name: 'a.pdf', dataBase64: wrapped }, options })
    expectFile(response, 'application/pdf')
    expect(response.bytes.equals((await client.callTool('rotate-pdf', document, options)).bytes)).toBe(true)
  })

  const unreadable: [string, Buffer, ...(string | RegExp)[]][] = [
    ['an encrypted PDF', makeEncryptedPdf(), /encrypt|password/i],
    ['something that only begins like a PDF', makeDamagedPdf()],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['half a PDF without a page', makePdf({ pages: 1 }).subarray(0, 60)],
  ]

  it.each(unreadable)('refuses %s after the charge, and refunds the credit', async (_what, bytes, ...says) => {
    const tools = sample(listTools(), tool => `${tool.files} ${tool.accepts}`)
    for (const { id, files: count, accepts, examples } of tools) {
      const bad = { name: 'bad.pdf', bytes }
      const files = accepts === 'images' ? [bad] : count === 'many' ? [document, bad] : bad
      await expectRefused(() => client.callTool(id, files, examples[0]?.options), {
        status: 422,
        error: CODE,
        says: accepts === 'images' ? [/files\[0\]/] : count === 'many' ? [...says, /files\[1\]/] : says,
      })
    }
  })
})

it('refuses a redaction rule with an invalid expression after the charge, and refunds the credit', async () => {
  const call = () => client.callTool('pdf-redaction', document, { search: [{ regex: 'a' }, { regex: '(' }] })
  const response = await expectRefused(call, { status: 422, error: CODE, says: [/regex/] })
  expect(response.json['param']).toBe('options.search[1].regex')
})

describe('options of a tool', () => {
  it.each([undefined, null, {}])('may be missing or empty: %j', async given => {
    expectFile(await client.sendJson(toolPath('reverse-pages'), { file, options: given }))
  })

  it.each([
    [],
    [{ name: 'options', value: '' }],
    [{ name: 'options', value: ' \r\n' }],
    [{ name: 'options', value: 'null' }],
    [{ name: 'options', value: '{}' }],
  ])('may be missing or empty in a form: %j', async (...parts) => {
    expectFile(await client.sendForm(toolPath('reverse-pages'), [toPart('file', document), ...parts]))
  })

  it('are read from UTF-8 with a byte order mark, and beside unknown fields', async () => {
    const body = `\uFEFF ${JSON.stringify({ file, options, color: 'blue' })}`
    const response = await client.send({ path: TOOL, body, headers: JSON_TYPE })
    expectFile(response, 'application/pdf')
    expect(response.warnings).toEqual(['unknown-field'])
  })

  const bad: [string, unknown, string, ...(string | RegExp)[]][] = [
    ['rotate-pdf', { angle: 45 }, 'options.angle', '45', '90, 180 or 270'],
    ['rotate-pdf', { angle: '90' }, 'options.angle', /without quotes/],
    ['rotate-pdf', {}, 'options.angle', /required/],
    ['rotate-pdf', { angle: 90, pages: [6] }, 'options.pages[0]', 'page 6', '5-page'],
    ['rotate-pdf', { angle: 90, pages: [1, 0] }, 'options.pages[1]'],
    ['rotate-pdf', { angle: 90, pages: [1.5] }, 'options.pages[0]', '1.5'],
    ['rotate-pdf', { angle: 90, pages: '2-9' }, 'options.pages', '9', '5-page'],
    ['rotate-pdf', { angle: 90, pages: { a: 1 } }, 'options.pages'],
    ['rotate-pdf', { angle: 90, pagse: [1] }, 'options.pagse', '"pages"'],
    ['rotate-pdf', [], 'options', /an array|\[\]/],
    ['rotate-pdf', 'angle', 'options', 'an object'],
    ['delete-pages', {}, 'options.pages', /required/],
    ['delete-pages', { pages: [] }, 'options.pages'],
    ['delete-pages', { pages: 'all' }, 'options.pages'],
    ['extract-pages', { pages: 'nonsense' }, 'options.pages', 'nonsense'],
    ['organize-pdf', { pageOrder: [1, 12] }, 'options.pageOrder[1]', 'page 12', '5-page'],
    ['split-pdf', { mode: 'sideways', ranges: [] }, 'options.mode', 'sideways'],
    ['split-pdf', { ranges: [{ start: 4, end: 9 }] }, 'options.ranges[0].end', 'page 9', '5-page'],
    ['reverse-pages', JSON.parse('{"__proto__": {"a": 1}}'), 'options', '__proto__'],
  ]

  it.each(bad)('of %s may not be %j', async (id, given, param, ...says) => {
    const { json } = await expectRefused(() => client.callTool(id, document, given), { status: 422, error: CODE, says })
    // The documented error body.
    const problems = (json['problems'] ?? [{ param: json['param'] }]) as { param: string }[]
    expect(problems.map(problem => problem.param)).toContainEqual(
      expect.stringMatching(new RegExp(`^${param.replace(/[[\].]/g, '\\$&')}`)),
    )
  })

  it('report all their errors at once, each with its position', async () => {
    const { json } = await expectRefused(
      () => client.sendJson(TOOL, { options: { angle: 45, pages: [0], pagse: 1 } }),
      { status: 422, error: CODE },
    )
    expect(json['problems']).toEqual([
      { param: 'file', message: expect.stringContaining('required') },
      { param: 'options.angle', message: expect.stringContaining('45') },
      { param: 'options.pages[0]', message: expect.any(String) },
      { param: 'options.pagse', message: expect.stringContaining('"pages"') },
    ])
    expect(json['param']).toBeUndefined()
  })
})

describe('other operations', () => {
  it('list all missing fields of a web page', async () => {
    for (const body of [{}, { url: 'https://example.com/', html: '<p>' }, { url: '' }]) {
      await expectRefused(() => client.sendJson('/api/external/webpage-to-pdf/pdf', body), {
        status: 400,
        error: 'invalid_payload',
        says: ['url'],
      })
    }
  })

  it('list every missing field of an invoice', async () => {
    const { json } = await expectRefused(() => client.sendJson('/api/external/invoice-generator/pdf', {}), {
      status: 400,
      error: 'invalid_invoice_payload',
    })
    expect(json['problems']).toMatchObject([
      { param: 'invoiceNumber' },
      { param: 'from' },
      { param: 'billTo' },
      { param: 'items' },
    ])
  })
})

describe('an Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['blank', ' '],
    ['256 characters long', 'x'.repeat(256)],
    ['of non-ASCII letters', 'schlüssel'],
  ])('may not be %s', async (_what, key) => {
    const send = () => client.sendJson(TOOL, writeToolBody(document, options), { 'idempotency-key': key })
    await expectRefused(send, { status: 422, error: CODE, says: ['Idempotency-Key', '255'] })
  })
})

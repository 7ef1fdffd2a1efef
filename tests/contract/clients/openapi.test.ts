import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { flattenParties } from '../../../lib/docs/invoice-endpoint'
import { listEndpoints, type Endpoint } from '../../../lib/docs/endpoints'
import { startService, type Service } from '../../support/service'
import { startSite, type TestSite } from '../../support/site'
import {
  type ApiResponse,
  type Client,
  createClient,
  type Part,
  toFileInput,
  toolPath,
  toPart,
  type Upload,
  writeToolBody,
} from '../client'
import { makeEncryptedPdf, makeFilesFor, makePdf } from '../documents'

interface Described {
  headers: Record<string, { $ref: string }>
  content: Record<string, { schema: unknown; examples?: Record<string, unknown> }>
}

interface OpenApi {
  paths: Record<
    string,
    {
      post: {
        requestBody: {
          content: Record<string, { examples?: Record<string, { summary: string; value: Record<string, unknown> }> }>
        }
        responses: Record<string, Described>
      }
    }
  >
  components: {
    headers: Record<string, { required: boolean }>
    schemas: Record<string, Record<string, unknown>>
    examples: Record<string, { value: unknown }>
  }
}

/** Headers of HTTP itself, and headers of every response of the site. */
const ORDINARY = new Set([
  'connection',
  'keep-alive',
  'date',
  'content-type',
  'content-length',
  'vary',
  'referrer-policy',
  'x-frame-options',
  'content-security-policy',
])
/** Codes whose documented message is the message of the test's request. */
const EXACT = [
  'invalid_api_key',
  'method_not_allowed',
  'insufficient_credits',
  'idempotency_key_reused',
  'unsupported_media_type',
]
/** The web page that the examples print. The tests replace it with their own page. */
const EXAMPLE_SITE = 'https://example.com'

let site: TestSite
let service: Service
let client: Client
let openApi: OpenApi

beforeAll(async () => {
  const page = '<!doctype html><title>Report</title><h1>Report</h1><p id="charts" class="ready">Drawn</p>'
  site = await startSite({ '/': page, '/report': page })
  service = await startService({ env: { WEBPAGE_ALLOWED_HOSTS: site.host, MAX_BODY_BYTES: '3000000' } })
  client = createClient(service.base, await service.createKey('openapi@example.test', { credits: 1000 }))
  openApi = (await (await fetch(`${service.base}/openapi.json`)).json()) as OpenApi
})
afterAll(async () => {
  await service?.stop()
  await site?.close()
})

const calls = listEndpoints().map(call => [call.path, call] as const)

describe('every example of the OpenAPI document', () => {
  it.each(calls)('gets its documented response, as JSON or as a form: %s', async (path, call) => {
    const examples = Object.values(openApi.paths[path]?.post.requestBody.content['application/json']?.examples ?? {})
    expect(examples.length).toBe(call.examples.length)
    for (const [index, { summary, value }] of examples.entries()) {
      const real = makeReal(value, call)
      const ways = [() => client.sendJson(path, real), () => client.sendForm(path, writeParts(real, call))]
      // The first example is sent both ways, and the others in turn.
      for (const send of index === 0 ? ways : ways.slice(index % 2, (index % 2) + 1)) {
        const response = await send()
        expect(response.status, `${summary}: ${response.bytes.toString('utf8').slice(0, 300)}`).toBe(200)
        expectDocumented(path, response)
      }
    }
  })
})

describe('every error that a test can cause', () => {
  const upload = { name: 'report.pdf', bytes: makePdf() }
  const rotate = toolPath('rotate-pdf')
  const body = writeToolBody(upload, { angle: 90 })
  const cases: [string, () => Promise<ApiResponse>][] = [
    ['invalid_api_key', () => createClient(service.base, '').sendJson(rotate, body)],
    ['not_found', () => client.sendJson(toolPath('no-such-tool'), body)],
    ['method_not_allowed', () => client.send({ path: rotate, method: 'GET' })],
    ['insufficient_credits', spendAll],
    ['idempotency_key_reused', () => repeat({ angle: 90 }, { angle: 180 })],
    [
      'payload_too_large',
      () =>
        client.sendJson(
          rotate,
          writeToolBody({ ...upload, bytes: makePdf({ ballastBytes: 4_000_000 }) }, { angle: 90 }),
        ),
    ],
    [
      'unsupported_media_type',
      () => client.send({ path: rotate, body: 'x', headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'pdf_tool_processing_failed',
      () => client.sendJson(rotate, writeToolBody(upload, { angle: 45, pages: [9], color: 1 })),
    ],
    [
      'pdf_tool_processing_failed',
      () => client.sendJson(rotate, writeToolBody({ ...upload, bytes: makeEncryptedPdf() }, { angle: 90 })),
    ],
    ['invalid_payload', () => client.sendJson('/api/external/webpage-to-pdf/pdf', { url: 'ftp://x', scale: 9 })],
    [
      'conversion_failed',
      () => client.sendJson('/api/external/webpage-to-pdf/pdf', { url: `${site.base}/nothing-here` }),
    ],
    ['invalid_invoice_payload', () => client.sendJson('/api/external/invoice-generator/pdf', { invoiceNumber: 7 })],
  ]

  it.each(cases)('gets its documented response: %s', async (code, bringAbout) => {
    const response = await bringAbout()
    expect(response.json['error']).toBe(code)
    const path =
      code === 'invalid_invoice_payload'
        ? '/api/external/invoice-generator/pdf'
        : /payload$|conversion/.test(code)
          ? '/api/external/webpage-to-pdf/pdf'
          : rotate
    expectDocumented(path, response)
    expect(
      Object.keys(openApi.paths[path]?.post.responses[response.status]?.content['application/json']?.examples ?? {}),
    ).toContain(code)
    const example = openApi.components.examples[code]?.value as { message: string }
    if (EXACT.includes(code)) expect(response.json['message']).toBe(example.message)
    expect(readErrorSchema().safeParse(response.json).error).toBeUndefined()
    expect(
      Object.keys(response.json).filter(
        name => !Object.keys(openApi.components.schemas['ErrorBody']?.['properties'] ?? {}).includes(name),
      ),
    ).toEqual([])
  })

  it('has an example that matches its own schema', () => {
    for (const { value } of Object.values(openApi.components.examples))
      expect(readErrorSchema().safeParse(value).error).toBeUndefined()
    expect(readErrorSchema().safeParse({ error: 'no_such_code', message: 'm', requestId: 'r' }).success).toBe(false)
  })

  async function spendAll(): Promise<ApiResponse> {
    const poor = createClient(service.base, await service.createKey('poor@example.test'))
    for (let calls = 0; calls < 1000; calls += 1) {
      const response = await poor.sendJson(rotate, body)
      if (response.status !== 200) return response
    }
    throw new Error('the credits of a new account never end')
  }

  async function repeat(...options: unknown[]): Promise<ApiResponse> {
    const documented: ApiResponse[] = []
    for (const one of options)
      documented.push(
        await client.sendJson(rotate, writeToolBody(upload, one), { 'idempotency-key': 'openapi-round-trip' }),
      )
    return documented.at(-1) as ApiResponse // There is one operation for each of them.
  }
})

/** An error body as the document describes it. */
function readErrorSchema(): z.ZodType {
  return z.fromJSONSchema(openApi.components.schemas['ErrorBody'] ?? false)
}

/** Expects the documented status, content type and headers, with every header that the document promises. */
function expectDocumented(path: string, { status, headers, json }: ApiResponse): void {
  const described = openApi.paths[path]?.post.responses[String(status)]
  if (!described) throw new Error(`${path} documents no ${status}: ${JSON.stringify(json)}`)
  const [type] = String(headers['content-type']).split(';')
  const types = Object.keys(described.content)
  expect(types).toContain(type)
  const documented = Object.keys(described.headers)
  const known = new Set(documented.map(name => name.toLowerCase()))
  expect(Object.keys(headers).filter(name => !known.has(name) && !ORDINARY.has(name))).toEqual([])
  expect(
    documented.filter(name => openApi.components.headers[name]?.required && headers[name.toLowerCase()] === undefined),
  ).toEqual([])
}

/** The documented body with real files, and with a reachable site. */
function makeReal(value: Record<string, unknown>, call: Endpoint): Record<string, unknown> {
  const fill = (file: unknown) => toFileInput(makeUpload((file as { name: string }).name, call))
  const real = JSON.parse(JSON.stringify(value).replaceAll(EXAMPLE_SITE, site.base)) as Record<string, unknown>
  if (real['file'] !== undefined) real['file'] = fill(real['file'])
  if (Array.isArray(real['files'])) real['files'] = real['files'].map(fill)
  return real
}

function makeUpload(name: string, { slug }: Endpoint): Upload {
  const files = makeFilesFor(slug)
  const { bytes } = files.find(file => file.name === name) ?? files[0] ?? { bytes: makePdf() }
  return { name, bytes }
}

/** The same body as a form. */
function writeParts({ file, files, ...values }: Record<string, unknown>, { formSchema }: Endpoint): Part[] {
  const upload = (field: string, input: unknown) => {
    const { name, dataBase64 } = input as { name: string; dataBase64: string } // The format that makeReal writes.
    return toPart(field, { name, bytes: Buffer.from(dataBase64, 'base64') })
  }
  const uploads = [
    ...(file === undefined ? [] : [upload('file', file)]),
    ...(Array.isArray(files) ? files.map(one => upload('files', one)) : []),
  ]
  const fields = formSchema ? flattenParties(values) : values
  return [
    ...uploads,
    ...Object.entries(fields).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  ]
}

import { beforeAll, describe, expect, it } from 'vitest'
import { listOperations } from '../../lib/operations/all'
import type { RunningService } from '../support/service'
import {
  type ApiResponse,
  BOUNDARY,
  createClient,
  eventually,
  FORM_TYPE,
  sendRequest,
  SHARED_DATABASES,
  writeToolBody,
} from './client'
import { makeDamagedPdf, makePdf } from './documents'
import { expectFile } from './expectations'
import { fullService, usualService } from '../support/shared-services'

const PASSWORD = 'correct horse battery'
const JSON_TYPE = { 'content-type': 'application/json' }
const ROTATE = '/api/account/playground/pdf-tools/rotate-pdf'
const document = { name: 'contract.pdf', bytes: makePdf() }
const rotateBody = (file = document) => JSON.stringify(writeToolBody(file, { angle: 90 }))

/** A signed-in browser: its cookie and the headers of its pages' requests. */
interface Visitor {
  email: string
  get(path: string): Promise<ApiResponse>
  post(path: string, body: string | Buffer, headers?: Record<string, string>): Promise<ApiResponse>
}

/** Signs in as next-auth's form does. */
async function signIn(service: Pick<RunningService, 'base' | 'account'>, email: string): Promise<Visitor> {
  await service.account(email, { password: PASSWORD })
  const csrf = await sendRequest(service.base, { path: '/api/auth/csrf', method: 'GET' })
  const form = new URLSearchParams({
    csrfToken: String(csrf.json['csrfToken']),
    email,
    password: PASSWORD,
    json: 'true',
  })
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    cookie: readCookies(csrf),
    origin: service.base,
  }
  const response = await sendRequest(service.base, {
    path: '/api/auth/callback/credentials',
    headers,
    body: form.toString(),
  })
  const sessionHeaders = { cookie: readCookies(response), origin: service.base }
  return {
    email,
    get: path => sendRequest(service.base, { path, method: 'GET', headers: { cookie: sessionHeaders.cookie } }),
    post: (path, body, more) =>
      sendRequest(service.base, { path, body, headers: { ...sessionHeaders, ...JSON_TYPE, ...more } }),
  }
}

const readCookies = ({ headers }: ApiResponse) =>
  (headers['set-cookie'] ?? []).map(cookie => cookie.split(';')[0]).join('; ')
const latestOf = async (visitor: Visitor) =>
  (await visitor.get('/api/account/latest-call?after=2020-01-01T00:00:00Z')).json['call'] as Record<
    string,
    unknown
  > | null

let service: RunningService
beforeAll(async () => {
  service = await usualService()
})

describe('the playground', () => {
  it('runs a request for its session at the price of a request with a key, and logs it', async () => {
    const visitor = await signIn(service, 'playground@example.test')
    const response = await visitor.post(ROTATE, rotateBody())
    expectFile(response, 'application/pdf')
    expect(response).toMatchObject({ charged: 1, balance: 99, warnings: [] })
    const call = await eventually(
      () => latestOf(visitor),
      found => found !== null,
    )
    expect(call).toMatchObject({
      requestId: response.requestId,
      operation: 'pdf-tools/rotate-pdf',
      via: 'playground',
      status: 200,
    })
  })

  it('accepts a body of 13 MB', async () => {
    const visitor = await signIn(service, 'large@example.test')
    const bytes = makePdf({ pages: 3, ballastBytes: 13_000_000 })
    const head =
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: ` +
      `application/pdf\r\n\r\n`
    const body = Buffer.concat([
      Buffer.from(head),
      bytes,
      Buffer.from(
        `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; ` +
          `name="options"\r\n\r\n{"angle":90}\r\n--${BOUNDARY}--\r\n`,
      ),
    ])
    const response = await visitor.post(ROTATE, body, { 'content-type': FORM_TYPE })
    expectFile(response, 'application/pdf')
    expect(response.bytes.length).toBeGreaterThan(13_000_000)
  })

  it('outlines where a tool draws, without a charge', async () => {
    const visitor = await signIn(service, 'outline@example.test')
    const request = {
      tool: 'page-numbers',
      options: { position: 'bottom-center' },
      pages: [
        [595, 842],
        [595, 842],
      ],
      pageIndex: 1,
      fileName: 'report.pdf',
      metadata: { title: '', author: '', subject: '' },
    }
    const outline = (change: object) => visitor.post('/api/account/outline', JSON.stringify({ ...request, ...change }))
    const response = await outline({})
    expect(response.status).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json).toMatchObject({ places: [{ text: 'Page 2 of 2', opacity: 1 }] })
    expect((await outline({ options: { fontSize: 1 } })).json).toEqual({
      problem: expect.stringContaining('options.fontSize must'),
    })
    expect((await outline({ options: { pages: '9' } })).json).toEqual({
      problem: expect.stringContaining('options.pages'),
    })
    for (const change of [{ tool: 'merge-pdf' }, { pages: [] }, { pages: [[0, 5]] }, { options: null }])
      expect((await outline(change)).status).toBe(400)
    expect((await visitor.post(ROTATE, rotateBody())).balance).toBe(99)
    const stranger = { path: '/api/account/outline', body: JSON.stringify(request) }
    expect((await sendRequest(service.base, { ...stranger, headers: { origin: service.base } })).status).toBe(401)
    expect((await sendRequest(service.base, { ...stranger, headers: { origin: 'https://other.test' } })).status).toBe(
      403,
    )
  })

  it('serves every operation, and no other path', async () => {
    const visitor = await signIn(service, 'paths@example.test')
    for (const { id } of listOperations())
      expect([
        id,
        (await visitor.post(`/api/account/playground/${id}`, 'x', { 'content-type': 'text/plain' })).status,
      ]).toEqual([id, 415])
    for (const path of ['pdf-tools/none', 'pdf-tools', 'invoice-generator', 'pdf-tools/rotate-pdf/more'])
      expect((await visitor.post(`/api/account/playground/${path}`, '{}')).status).toBe(404)
  })

  it('refuses pages of other sites, visitors without a session, and API keys instead of a session', async () => {
    const visitor = await signIn(service, 'origin@example.test')
    const key = await service.createKey('origin@example.test')
    const body = rotateBody()
    const foreigners: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: service.base, 'sec-fetch-site': 'same-site' },
    ]
    for (const foreign of foreigners) {
      expect(await visitor.post(ROTATE, body, foreign)).toMatchObject({
        status: 403,
        json: { error: 'foreign_origin' },
      })
    }
    const withKey = { ...JSON_TYPE, 'x-api-key': key }
    expect(await sendRequest(service.base, { path: ROTATE, body, headers: withKey })).toMatchObject({ status: 403 })
    expect(
      await sendRequest(service.base, { path: ROTATE, body, headers: { ...withKey, origin: service.base } }),
    ).toMatchObject({ status: 401, json: { error: 'not_signed_in' } })
    expect(await createClient(service.base, key).balance()).toBe(100)
  })

  it('refunds failed requests and refuses requests without credits, and logs both', async () => {
    const visitor = await signIn(service, 'refund@example.test')
    expect(await visitor.post(ROTATE, rotateBody({ name: 'a.pdf', bytes: makeDamagedPdf() }))).toMatchObject({
      status: 422,
      charged: 0,
      balance: 100,
    })
    expect(
      await eventually(
        () => latestOf(visitor),
        found => found !== null,
      ),
    ).toMatchObject({ status: 422, error: 'pdf_tool_processing_failed' })
    await Promise.all(Array.from({ length: 100 }, () => visitor.post(ROTATE, rotateBody())))
    expect(await visitor.post(ROTATE, rotateBody())).toMatchObject({
      status: 402,
      json: { error: 'insufficient_credits' },
    })
    expect(
      await eventually(
        () => latestOf(visitor),
        found => found?.['status'] === 402,
      ),
    ).toMatchObject({ error: 'insufficient_credits' })
  })
})

describe('account downloads', () => {
  it("contain the requests and the ledger, for the account's session only, without caching", async () => {
    const visitor = await signIn(service, 'csv@example.test')
    const response = await visitor.post(ROTATE, rotateBody())
    await eventually(
      () => latestOf(visitor),
      found => found !== null,
    )
    for (const [path, columns] of [
      ['calls', 39],
      ['ledger', 8],
    ] as const) {
      const file = await visitor.get(`/api/account/${path}.csv`)
      expect(file).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'no-store', 'content-type': expect.stringMatching(/^text\/csv/) },
      })
      expect(file.headers['content-disposition']).toMatch(
        new RegExp(`^attachment; filename="sheaf-${path}-\\d{4}-\\d\\d-\\d\\d\\.csv"`),
      )
      const lines = file.bytes.toString().trim().split('\r\n')
      expect(lines[0]?.split(',')).toHaveLength(columns)
      expect(lines[1]).toContain(response.requestId)
      expect(await sendRequest(service.base, { path: `/api/account/${path}.csv`, method: 'GET' })).toMatchObject({
        status: 401,
        headers: { 'cache-control': 'no-store' },
      })
    }
  })
})

describe('a deleted account', () => {
  it('is removed with its key and its session, and its email can sign up again without a second grant', async () => {
    const visitor = await signIn(service, 'deleted@example.test')
    const client = createClient(service.base, await service.createKey(visitor.email))
    expect((await client.callTool('rotate-pdf', document, { angle: 90 })).status).toBe(200)
    expect(await visitor.post('/api/account/delete', JSON.stringify({ password: 'a wrong password' }))).toMatchObject({
      status: 403,
      json: { error: 'wrong_password' },
    })
    expect(
      await visitor.post('/api/account/delete', JSON.stringify({ password: PASSWORD }), {
        origin: 'https://evil.example',
      }),
    ).toMatchObject({ status: 403 })
    expect(await visitor.post('/api/account/delete', JSON.stringify({ password: PASSWORD }))).toMatchObject({
      status: 200,
      json: { ok: true },
    })
    expect((await client.callTool('rotate-pdf', document, { angle: 90 })).status).toBe(401)
    expect((await visitor.get('/api/account/calls.csv')).status).toBe(401)
    expect((await visitor.post(ROTATE, rotateBody())).status).toBe(401)
    if (SHARED_DATABASES.length > 0) return // On Postgres, a new account must verify its email first.
    const again = { email: visitor.email, password: PASSWORD }
    expect(
      (
        await sendRequest(service.base, {
          path: '/api/account/sign-up',
          body: JSON.stringify(again),
          headers: { ...JSON_TYPE, origin: service.base },
        })
      ).status,
    ).toBe(200)
    expect((await service.account(visitor.email)).creditBalance).toBe(0)
  })

  it('can set its low-balance threshold', async () => {
    const visitor = await signIn(service, 'threshold@example.test')
    expect(await visitor.post('/api/account/low-balance', '{"threshold":"150"}')).toMatchObject({
      status: 200,
      json: { lowBalanceAt: 150 },
    })
    expect(await visitor.post('/api/account/low-balance', '{"threshold":"many"}')).toMatchObject({
      status: 400,
      json: { error: 'invalid_threshold' },
    })
  })
})

describe('the request log', () => {
  it('has one line for a pipeline, with its steps', async () => {
    const visitor = await signIn(service, 'steps@example.test')
    const client = createClient(service.base, await service.createKey(visitor.email))
    const steps = [{ tool: 'rotate-pdf', options: { angle: 90 } }, { tool: 'page-numbers' }]
    const files = [{ name: document.name, dataBase64: document.bytes.toString('base64') }]
    expect((await client.sendJson('/api/external/pipeline', { files, steps })).status).toBe(200)
    const csv = async () => String((await visitor.get('/api/account/calls.csv')).bytes)
    const text = await eventually(csv, found => found.includes('pipeline'))
    expect(text.trim().split('\r\n')).toEqual([
      expect.stringContaining('steps'),
      expect.stringMatching(/,pipeline,api,200,.*"rotate-pdf,page-numbers"/),
    ])
  })

  it('has the size of a body, also of a form', async () => {
    const visitor = await signIn(service, 'sizes@example.test')
    const client = createClient(service.base, await service.createKey(visitor.email))
    expect((await client.callToolAsForm('rotate-pdf', document, { angle: 90 })).status).toBe(200)
    const rows = async () =>
      (await visitor.get('/api/account/calls.csv')).bytes
        .toString()
        .trim()
        .split('\r\n')
        .map(line => line.split(','))
    const [head, row] = await eventually(rows, found => found.length === 2)
    const size = Number(row?.[head?.indexOf('bytes_in') ?? -1])
    expect(size).toBeGreaterThan(document.bytes.length)
    expect(size).toBeLessThan(document.bytes.length + 1000)
  })
})

describe.each(SHARED_DATABASES)('the request log on %s', () => {
  it('is shared by two services', async () => {
    const other = await fullService()
    const visitor = await signIn(service, 'both@example.test')
    const key = await service.createKey(visitor.email)
    await Promise.all(
      [service, other].flatMap(one =>
        Array.from({ length: 20 }, () => createClient(one.base, key).callTool('rotate-pdf', document, { angle: 90 })),
      ),
    )
    const lines = async () =>
      (await visitor.get('/api/account/calls.csv')).bytes.toString().trim().split('\r\n').length - 1
    expect(await eventually(lines, count => count >= 40)).toBe(40)
  })
})

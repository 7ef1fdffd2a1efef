import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type ClientSettings,
  Sheaf,
  SheafConnectionError,
  SheafForeignResponseError,
  SheafTimeoutError,
} from '../../../clients/typescript/src/sheaf'
import { retryDelayMs } from '../../../clients/typescript/src/send'
import {
  cutOff,
  endless,
  FILE,
  type FlakyServer,
  hangUp,
  ignore,
  refuse,
  respond,
  respondWith,
  stalled,
  stallFile,
  startFlakyServer,
  type Step,
  wantLogin,
} from '../../support/flaky-server'

const BYTES = new Uint8Array([37, 80, 68, 70])
const NOW = { 'retry-after': '0' }

let server: FlakyServer | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-client-'))
})
afterEach(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(steps: readonly [Step, ...Step[]], settings: ClientSettings = {}): Promise<Sheaf> {
  server = await startFlakyServer(steps)
  return new Sheaf({ apiKey: 'sk_test', baseUrl: server.base, ...settings })
}

const listKeys = () => new Set(server?.seen.map(({ headers }) => headers['idempotency-key']))

it.each<[string, Step]>([
  ['429', refuse(429, 'rate_limited', NOW)],
  ['500', refuse(500, 'internal_error', NOW)],
  ['503', refuse(503, 'service_unavailable', NOW)],
  ['502 of a proxy', response => void response.writeHead(502).end('<html>')],
  ['409 request_in_progress', refuse(409, 'request_in_progress', NOW)],
  ['a lost connection', hangUp],
])('retries after %s with the same idempotency key and the same body', async (_, step) => {
  const sheaf = await start([step, respond])
  const result = await sheaf.rotatePdf(BYTES, { angle: 90 })
  expect(Buffer.from(await result.bytes())).toEqual(FILE)
  expect(server?.seen).toHaveLength(2)
  expect(listKeys().size).toBe(1)
  expect(server?.seen[0]?.body).toEqual(server?.seen[1]?.body)
})

it.each<[string, Step, string]>([
  ['422', refuse(422, 'pdf_tool_processing_failed'), 'pdf_tool_processing_failed'],
  ['409 idempotency_key_reused', refuse(409, 'idempotency_key_reused'), 'idempotency_key_reused'],
  ['401', refuse(401, 'invalid_api_key'), 'invalid_api_key'],
])('does not retry after %s', async (_, step, code) => {
  const sheaf = await start([step, respond])
  await expect(sheaf.rotatePdf(BYTES, { angle: 90 })).rejects.toMatchObject({ code, requestId: 'req_refused' })
  expect(server?.seen).toHaveLength(1)
})

it('stops after the maximum number of retries', async () => {
  const sheaf = await start([refuse(503, 'service_unavailable', NOW)], { maxRetries: 2 })
  await expect(sheaf.reversePages(BYTES)).rejects.toMatchObject({ status: 503, retryAfter: 0 })
  expect(server?.seen).toHaveLength(3)
})

it('sends the key of the caller', async () => {
  const sheaf = await start([respond])
  await sheaf.reversePages(BYTES, {}, { idempotencyKey: 'order-7', strict: true })
  expect(server?.seen[0]?.headers).toMatchObject({
    'idempotency-key': 'order-7',
    prefer: 'handling=strict',
    'x-api-key': 'sk_test',
    'user-agent': expect.stringMatching(/^sheaf-typescript\//) as string,
  })
})

it('does not retry a stream, and says why', async () => {
  const sheaf = await start([refuse(503, 'service_unavailable', NOW), respond])
  await expect(sheaf.reversePages(new Blob([BYTES]).stream())).rejects.toThrow('a stream can be sent only once')
  expect(server?.seen).toHaveLength(1)
  expect(server?.seen[0]?.body.toString('latin1')).toContain('\r\n\r\n%PDF\r\n')
})

it('repeats a download that was cut off', async () => {
  const sheaf = await start([cutOff, respond])
  expect(Buffer.from(await (await sheaf.reversePages(BYTES)).bytes())).toEqual(FILE)
  expect(listKeys().size).toBe(1)
})

it.each<[string, Step, ClientSettings, typeof SheafConnectionError]>([
  ['is cut off twice', cutOff, {}, SheafConnectionError],
  ['stops twice', stallFile, { timeoutMs: 300 }, SheafTimeoutError],
])('a download that %s ends with the key for its free repetition', async (_, step, settings, kind) => {
  const sheaf = await start([step], settings)
  const failure: unknown = await (await sheaf.reversePages(BYTES)).bytes().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(kind)
  const [key] = listKeys()
  expect(failure).toMatchObject({
    idempotencyKey: key,
    message: expect.stringContaining(`key ${String(key)} costs nothing`) as string,
  })
  expect(server?.seen).toHaveLength(2)
  expect(listKeys().size).toBe(1)
})

it('repeats a download that stopped, and ends a stream that stops', async () => {
  const sheaf = await start([stallFile, respond, stallFile], { timeoutMs: 300 })
  expect(Buffer.from(await (await sheaf.reversePages(BYTES)).bytes())).toEqual(FILE)
  const stream = (await sheaf.reversePages(BYTES)).stream()
  await expect(new Response(stream).arrayBuffer()).rejects.toThrow(SheafTimeoutError)
})

it.each<[string, Step]>([
  ['the page of a proxy', wantLogin],
  ['another content type', respondWith({ 'content-type': 'text/html' })],
  ['no request ID', respondWith({ 'x-request-id': undefined })],
  ['no balance', respondWith({ 'x-credit-balance': undefined })],
])('refuses a successful response with %s, and does not repeat it', async (_, step) => {
  const sheaf = await start([step])
  const failure = sheaf.reversePages(BYTES)
  await expect(failure).rejects.toThrow(SheafForeignResponseError)
  await expect(failure).rejects.toThrow('A proxy may have responded')
  expect(server?.seen).toHaveLength(1)
})

it('refuses a balance that is the page of a proxy', async () => {
  const sheaf = await start([wantLogin])
  await expect(sheaf.credits()).rejects.toThrow(SheafForeignResponseError)
})

it('waits as the server says, but at most a minute', () => {
  expect(retryDelayMs(0, 7)).toBe(7000)
  expect(retryDelayMs(0, 3600)).toBe(60_000)
  expect(retryDelayMs(9, undefined)).toBeLessThan(60_000)
})

it('saves a complete file or nothing', async () => {
  const sheaf = await start([cutOff, respond])
  const path = await (await sheaf.reversePages(BYTES)).save(`${folder}/`)
  expect(path).toBe(`${folder}/a-rotated.pdf`)
  expect(await readFile(path)).toEqual(FILE)
  expect(await readdir(folder)).toEqual(['a-rotated.pdf'])

  await server?.close()
  const other = await start([cutOff])
  const result = await other.reversePages(BYTES)
  await expect(result.save(path)).rejects.toThrow(/./)
  expect(await readFile(path)).toEqual(FILE)
  expect(await readdir(folder)).toEqual(['a-rotated.pdf'])
})

it('says that a folder is missing, and sends no request twice for it', async () => {
  const sheaf = await start([respond])
  const result = await sheaf.reversePages(BYTES)
  await expect(result.save(join(folder, 'none/a.pdf'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(server?.seen).toHaveLength(1)
})

it('reads a file once as a stream', async () => {
  const sheaf = await start([respond])
  const result = await sheaf.reversePages(BYTES)
  expect(Buffer.from(await new Response(result.stream()).arrayBuffer())).toEqual(FILE)
  expect(() => result.stream()).toThrow('already read')
})

it('ends after its timeout, or when it is aborted', async () => {
  const sheaf = await start([ignore], { maxRetries: 0 })
  await expect(sheaf.reversePages(BYTES, {}, { timeoutMs: 200 })).rejects.toThrow(SheafTimeoutError)
  const abort = new AbortController()
  setTimeout(() => abort.abort(new Error('changed my mind')), 100)
  await expect(sheaf.reversePages(BYTES, {}, { signal: abort.signal })).rejects.toThrow('changed my mind')
})

it.each<[string, Step]>([
  ['never ends', endless],
  ['stops', stalled],
])('reports the status of an error whose body %s', async (_, step) => {
  const sheaf = await start([step], { maxRetries: 0, timeoutMs: 500 })
  await expect(sheaf.reversePages(BYTES)).rejects.toMatchObject({ status: 500, code: 'unknown' })
})

it('says which server did not respond', async () => {
  const sheaf = await start([respond], { maxRetries: 0 })
  await server?.close()
  const failure = sheaf.reversePages(BYTES)
  await expect(failure).rejects.toThrow(SheafConnectionError)
  await expect(failure).rejects.toThrow(`The connection to ${server?.base} failed`)
})

it('calls the global fetch as a function, as Workers require', async () => {
  const sheaf = await start([respond])
  const original = globalThis.fetch
  globalThis.fetch = function (this: unknown, ...args) {
    if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation')
    return original(...args)
  }
  try {
    expect((await sheaf.reversePages(BYTES)).creditBalance).toBe(41)
  } finally {
    globalThis.fetch = original
  }
})

it('sends a file by its path with its length, and follows links', async () => {
  await writeFile(join(folder, 'März.pdf'), BYTES)
  await symlink(join(folder, 'März.pdf'), join(folder, 'link.pdf'))
  const sheaf = await start([respond])
  await sheaf.mergePdf([join(folder, 'März.pdf'), join(folder, 'link.pdf')])
  const { headers, body } = server?.seen[0] ?? {}
  expect(Number(headers?.['content-length'])).toBe(body?.length)
  expect(body?.toString()).toContain('name="files"; filename="März.pdf"')
})

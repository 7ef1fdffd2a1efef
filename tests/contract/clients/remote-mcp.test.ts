import { readFile } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listClientOperations } from '../../../lib/clients/operations'
import { type ClientExample, firstExample, listClientExamples, startExampleSite } from '../../support/client-examples'
import { beginHold } from '../../support/hold'
import { sample } from '../../support/scope'
import type { RunningService } from '../../support/service'
import type { TestSite } from '../../support/site'
import { createClient, eventually, sendRequest } from '../client'
import { makePdf } from '../documents'
import { openWire, writeHead } from '../wire'
import { usualService } from '../../support/shared-services'

let service: RunningService
let site: TestSite
let examples: ClientExample[]
let apiKey: string
let agent: Client

beforeAll(async () => {
  site = await startExampleSite()
  service = await usualService()
  examples = listClientExamples(site)
  apiKey = await service.createKey('remote@example.test', { credits: 1000 })
  agent = await connect({ 'x-api-key': apiKey })
})
afterAll(async () => {
  await agent?.close()
  await site?.close()
})

async function connect(headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${service.base}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  return client
}

async function use(name: string, args: Record<string, unknown>, client = agent): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult
}

const textOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : '')
const inline = (bytes: Buffer, name = 'a.pdf') => ({ name, dataBase64: bytes.toString('base64') })
const ACCEPT = 'application/json, text/event-stream'
const readBalance = () => createClient(service.base, apiKey).balance()

it('lists a tool for each endpoint, with the limit, in less than 14,000 tokens', async () => {
  const { tools } = await agent.listTools()
  const names = listClientOperations().map(({ id }) => id.replaceAll('-', '_'))
  expect(tools.map(({ name }) => name)).toEqual([...names, 'read_docs'])
  for (const { description } of tools.slice(0, -1)) expect(description).toContain('1 MB')
  expect(JSON.stringify(tools).length).toBeLessThan(14_000 * 3.8)
})

it('has the documentation as resources and by a tool', async () => {
  const { resources } = await agent.listResources()
  expect(resources.length).toBeGreaterThan(24)
  const { contents } = await agent.readResource({ uri: 'sheaf://docs/rotate-pdf' })
  expect(JSON.stringify(contents)).toContain('angle')
  await expect(agent.readResource({ uri: 'sheaf://docs/none' })).rejects.toThrow('There is no page')
  expect(textOf(await use('read_docs', { page: 'pdf_redaction/areas' }))).toContain('`page`')
  expect(await use('read_docs', { page: 'none' })).toMatchObject({ isError: true })
})

it.each<[string, Record<string, unknown>, string]>([
  ['an option beside options', { angle: 90 }, 'unknown argument "angle". Send it in options.'],
  ['a misspelled argument', { fiel: {} }, 'unknown argument "fiel". Did you mean "file"?'],
  ['a path as a file', { file: 'a.pdf' }, 'file must be an object. Got a text.'],
  ['no file', { file: undefined }, 'file is required.'],
])('refuses %s, and charges nothing', async (_, args, message) => {
  const before = await readBalance()
  const result = await use('rotate_pdf', { file: inline(makePdf()), ...args })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(message)
  expect(await readBalance()).toBe(before)
})

// The contract tests of the command and of the client for Python send every example.
it.each(sample(listClientOperations(), ({ files }) => files))('$id works with its first example', async ({ id }) => {
  const { operation, files, options } = firstExample(examples, id)
  const inputs = await Promise.all(files.map(async path => inline(await readFile(path))))
  const input = operation.files === 'many' ? { files: inputs } : inputs[0] ? { file: inputs[0] } : {}
  const result = await use(id.replaceAll('-', '_'), { ...input, options })
  expect(result.isError, textOf(result)).toBeUndefined()
  expect(textOf(result)).toMatch(/^\S.* bytes\)\. [^]*\d+ credits left\.$/)
  expect(result.content).toHaveLength(2)
})

it('runs a pipeline, without files too, and names the step and the options of its tool', async () => {
  const page = { webpage: { html: '<h1>Note</h1>' } }
  expect(textOf(await use('pipeline', { options: { steps: [page] } }))).toMatch(/application\/pdf, 1 page/)
  const merge = [{ tool: 'merge-pdf', files: ['b.pdf', 'a.pdf'] }]
  const files = [inline(makePdf()), inline(makePdf({ pages: 2 }), 'b.pdf')]
  expect(textOf(await use('pipeline', { files, options: { steps: merge } }))).toMatch(/application\/pdf, 7 pages/)
  const wrong = [...merge, { tool: 'rotate-pdf', options: { angel: 90 } }]
  const text = textOf(await use('pipeline', { files, options: { steps: wrong } }))
  expect(text).toMatch(/steps\[1\]\.options[^]*not charged\)\nOptions: angle, pages[^]*\/docs\/rotate-pdf\.md/)
  const misspelled = await use('pipeline', { options: { steps: [{ webpage: { htm: 'x' } }] } })
  expect(textOf(misspelled)).toMatch(/steps\[0\]\.webpage[^]*Options: url, html,[^]*page "webpage-to-pdf"/)
})

it('charges a result once, and an error nothing', async () => {
  const before = await readBalance()
  await use('reverse_pages', { file: inline(makePdf()) })
  await eventually(readBalance, balance => balance === before - 1)
  const wrong = await use('rotate_pdf', { file: inline(makePdf()), options: { angel: 90 } })
  expect(wrong.isError).toBe(true)
  expect(textOf(wrong)).toMatch(/"angle"[^]*not charged[^]*Options: angle, pages[^]*\/docs\/rotate-pdf\.md/)
  expect(await readBalance()).toBe(before - 1)
})

it('refuses a result that is too large, refunds it, and names the local server', async () => {
  const before = await readBalance()
  const files = [inline(makePdf({ ballastBytes: 700_000 })), inline(makePdf({ ballastBytes: 700_000 }), 'b.pdf')]
  const result = await use('merge_pdf', { files })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('sheaf mcp')
  await eventually(readBalance, balance => balance === before)
})

it('refuses a request that is too large', async () => {
  const sent = use('reverse_pages', { file: inline(makePdf({ ballastBytes: 3e6 })) })
  expect(await sent.catch(String)).toMatch(/at most 2 MB[^]*sheaf mcp/)
})

it('refunds a result that its client does not wait for', async () => {
  const before = await readBalance()
  const hold = beginHold()
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'reverse_pages',
      arguments: { file: inline(makePdf(), hold.name), options: {} },
    },
  })
  const wire = await openWire(service.base)
  await wire.write(
    writeHead('/mcp', {
      'x-api-key': apiKey,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }) + body,
  )
  await eventually(readBalance, balance => balance === before - 1)
  wire.hangUp()
  expect(await eventually(readBalance, balance => balance === before)).toBe(before)
  hold.release()
})

it('refunds a result that its client cancels with a message, and ends the work', async () => {
  const before = await readBalance()
  const canceling = new AbortController()
  const hold = beginHold()
  const args = { file: inline(makePdf(), hold.name) }
  const used = agent.callTool({ name: 'reverse_pages', arguments: args }, undefined, { signal: canceling.signal })
  const refused = expect(used).rejects.toThrow(/abort/i)
  await eventually(readBalance, balance => balance === before - 1)
  canceling.abort()
  await refused
  expect(await eventually(readBalance, balance => balance === before)).toBe(before)
  hold.release()
})

it('refuses batches, which the protocol no longer has', async () => {
  const before = await readBalance()
  const message = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', accept: ACCEPT }
  const response = await fetch(`${service.base}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify([message(1), message(2)]),
  })
  expect(response.status).toBe(400)
  expect(JSON.stringify(await response.json())).toMatch(
    /must be a JSON object. Got an array. Send one JSON-RPC message/,
  )
  expect(await readBalance()).toBe(before)
})

it('needs a key for results, but not for the list', async () => {
  const stranger = await connect({})
  expect((await stranger.listTools()).tools.length).toBeGreaterThan(20)
  const result = await use('reverse_pages', { file: inline(makePdf()) }, stranger)
  expect(textOf(result)).toMatch(/invalid_api_key/)
  await stranger.close()
})

it('reads a large message only with a key', async () => {
  const stranger = await connect({ 'x-api-key': `${apiKey.slice(0, -1)}_` })
  const sent = use('reverse_pages', { file: inline(makePdf({ ballastBytes: 100_000 })) }, stranger)
  expect(await sent.catch(String)).toMatch(/x-api-key/)
  await stranger.close()
  expect((await use('reverse_pages', { file: inline(makePdf({ ballastBytes: 100_000 })) })).isError).toBeUndefined()
})

it('refuses other methods, pages of other sites, and broken messages', async () => {
  const url = `${service.base}/mcp`
  expect((await fetch(url)).status).toBe(405)
  const headers = { 'content-type': 'application/json', accept: ACCEPT }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const foreign = { ...headers, origin: 'https://evil.example' }
  expect((await fetch(url, { method: 'POST', headers: foreign, body })).status).toBe(403)
  // A page whose host resolves to this server has the same origin and host.
  const rebound = { ...foreign, host: 'evil.example' }
  expect((await sendRequest(service.base, { path: '/mcp', headers: rebound, body })).status).toBe(403)
  const broken = await fetch(url, { method: 'POST', headers, body: '{' })
  expect(broken.status).toBe(400)
  expect(await broken.json()).toMatchObject({ error: { code: -32700 } })
})

it('limits how often a network may send messages without a key', async () => {
  const headers = { 'content-type': 'application/json', accept: ACCEPT, 'x-forwarded-for': '198.18.0.1' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const send = (more: Record<string, string> = {}) =>
    sendRequest(service.base, { path: '/mcp', headers: { ...headers, ...more }, body })
  const responses = []
  for (let sent = 0; sent < 121; sent++) responses.push(await send())
  expect(responses.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) as string } })
  expect((await send({ 'x-api-key': `${apiKey.slice(0, -1)}_` })).status).toBe(429)
  expect((await send({ 'x-api-key': apiKey })).status).toBe(200)
})

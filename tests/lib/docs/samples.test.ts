import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, findEndpoint, listEndpoints } from '../../../lib/docs/endpoints'
import { type Sample, writeFormSamples, writeSamples, writeShortSample } from '../../../lib/docs/samples'
import { isRequestError } from '../../../lib/errors'
import { CHAIN_SAMPLES, endpointOf } from '../../../lib/docs/pages/chain-samples'
import type { Body } from '../../../lib/body/body'
import { createRefusal } from '../../../lib/refusal'
import { createJsonReader } from '../../../lib/body/json-body'
import { createMultipartReader } from '../../../lib/body/multipart-body'
import { canRunSample, runSample } from '../../support/run-sample'
import { DEFAULT_HINTS } from '../../support/field-hints'
import { IS_COMPLETE, sample } from '../../support/scope'

const LIMITS = { maxFiles: 10, maxParts: 100, findUrlProblem: () => undefined }
const REFUSAL = '{"error":"pdf_tool_processing_failed","message":"page 12 is not in this document"}'
const STYLES = ['form', 'json'] as const
const LANGUAGES = ['curl', 'node', 'python', 'php', 'go', 'csharp']
/** Operations with different kinds of bodies, several files first. */
const KINDS = ['merge-pdf', 'form-filler', 'webpage-to-pdf', 'invoice-generator'].map(getCall)

/** Every character sequence that some language would interpret. */
const TRICKY = {
  text: 'it\'s "quoted" \\ back\\\\slash `tick` $HOME $(id) ${x} %s {x} #{y} """ <?php EOF',
  lines: 'one\ntwo\ttab\r\nthree',
  script: 'Żółw 山田 😀 \u2028 \u0007',
  words: [true, false, null, 0.1, -5, 1e21, 40],
  empty: [{}, [], ''],
  nested: { '0': 'a', '1': 'b', 'a-b': { deep: ['x'.repeat(100)] }, class: 1 },
}

function getCall(slug: string): Endpoint {
  const call = findEndpoint(slug)
  if (!call) throw new Error(`${slug} has no page`)
  return call
}

let folder: string
/** The files that samples send. */
const INPUTS = [...new Set(listEndpoints().flatMap(({ sampleFiles }) => sampleFiles))]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-samples-'))
  await Promise.all(INPUTS.map(name => copyFile(`public/samples/${name}`, join(folder, name))))
})
afterEach(async () => {
  const others = (await readdir(folder)).filter(name => !INPUTS.includes(name))
  await Promise.all(others.map(name => rm(join(folder, name), { recursive: true })))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The rows for a language. Each kind of operation runs with curl and Node. */
function listCases(id: string) {
  const isQuick = id === 'curl' || id === 'node'
  const calls = isQuick && IS_COMPLETE ? listEndpoints() : KINDS
  const cases = calls.flatMap(call => STYLES.map(style => [call.slug, style, call] as const))
  return isQuick ? cases : sample(cases, ([, style]) => style)
}

const isThere = new Map(await Promise.all(LANGUAGES.map(async id => [id, await canRunSample(id)] as const)))

describe.each(LANGUAGES)('the samples in %s', id => {
  const cases = listCases(id)
  const isReady = isThere.get(id) ?? false

  it.runIf(isReady).each(cases)('run unchanged: %s as %s', async (_, style, call) => {
    const { received, run } = await send(call, style, id)
    expect({ ...received, ...run }).toMatchObject({
      path: call.path,
      apiKey: 'key of the environment',
      outcome: 'accepted',
      fileNames: call.sampleFiles,
      code: 0,
      said: expect.stringContaining(id === 'curl' ? 'x-credit-balance: 41' : '41 credits left') as string,
    })
    expect(await readFile(join(folder, call.responseName), 'utf8')).toBe('the answer')
  })

  it.runIf(isReady).each(CHAIN_SAMPLES.map(chain => [chain.title, endpointOf(chain)] as const))(
    'run unchanged in the guide to chains: %s',
    async (_, call) => {
      const { received, run } = await send(call, 'form', id)
      expect({ ...received, ...run }).toMatchObject({ outcome: 'accepted', fileNames: call.sampleFiles, code: 0 })
      expect(received.body?.fields).toMatchObject(call.examples[0]?.options ?? {})
      expect(await readFile(join(folder, call.responseName), 'utf8')).toBe('the answer')
    },
  )

  it.runIf(isReady).each(STYLES)('send any value intact, as %s', async style => {
    const call = getCall('rotate-pdf')
    const { received } = await send({ ...call, examples: [{ title: 'Tricky', options: TRICKY }] }, style, id)
    expect(received.body?.fields['options']).toEqual(TRICKY)
  })

  it.runIf(isReady).each(STYLES)('send any text intact, as %s', async style => {
    const html = TRICKY.text + TRICKY.script.replace('\u0007', '')
    const { received } = await send(
      { ...getCall('webpage-to-pdf'), examples: [{ title: 'Tricky', options: { html } }] },
      style,
      id,
    )
    expect(received.body?.fields['html']).toBe(html)
  })

  it.runIf(isReady).each(STYLES)('show an error and save nothing, as %s', async style => {
    const call = getCall('rotate-pdf')
    const { run } = await send(call, style, id, 422)
    expect(run.code).not.toBe(0)
    expect(run.said).toContain('422')
    expect(run.said).toContain(REFUSAL)
    expect(existsSync(join(folder, call.responseName))).toBe(false)
    expect((await readdir(folder)).filter(name => /\.(pdf|jpg|png)$/.test(name)).sort()).toEqual(INPUTS.toSorted())
  })
})

describe.runIf(isThere.get('curl'))('the short command', () => {
  const runShort = (call: Endpoint, status?: number) =>
    sendSample(call, origin => ({ id: 'curl', name: 'curl', text: writeShortSample(call, origin) }), status)

  const calls = IS_COMPLETE ? listEndpoints() : KINDS
  it.each(calls.map(call => [call.slug, call] as const))('runs unchanged: %s', async (_, call) => {
    const { received, run } = await runShort(call)
    expect({ ...received, ...run }).toMatchObject({
      path: call.path,
      apiKey: 'key of the environment',
      outcome: 'accepted',
      fileNames: call.sampleFiles,
      code: 0,
    })
    expect(await readFile(join(folder, call.responseName), 'utf8')).toBe('the answer')
  })

  it('exits with an error and saves the error, as the page says', async () => {
    const call = getCall('rotate-pdf')
    const { run } = await runShort(call, 422)
    expect(run.code).not.toBe(0)
    expect(await readFile(join(folder, call.responseName), 'utf8')).toBe(REFUSAL)
  })
})

describe('the samples of an operation', () => {
  it('are in six languages for either encoding, and show the body in JSON', () => {
    for (const call of listEndpoints()) {
      const { form, json } = writeSamples(call, 'https://api.example.com')
      expect(form.map(({ name }) => name)).toEqual(['curl', 'Node', 'Python', 'PHP', 'Go', 'C#'])
      expect(json.map(({ name }) => name)).toEqual(['curl', 'Node', 'Python', 'PHP', 'Go', 'C#', 'JSON'])
      for (const { name, text } of [...form, ...json.slice(0, -1)])
        expect(text, name).toContain(`https://api.example.com${call.path}`)
    }
  })

  it('contain no character that ends a line of C# in the middle of a string', () => {
    const call = {
      ...getCall('rotate-pdf'),
      examples: [{ title: 'Tricky', options: { text: 'one\u2028two\u2029three' } }],
    }
    for (const samples of Object.values(writeSamples(call, 'https://api.example.com'))) {
      const text = samples.find(({ id }: { id: string }) => id === 'csharp')?.text
      expect(text).toContain('one\\u2028two\\u2029three')
      expect(text).not.toMatch(/[\u2028\u2029]/)
    }
  })

  it('read the key from the environment, or contain the given key', () => {
    const request = {
      url: 'https://api.example.com/',
      files: { field: 'files', names: ['a.pdf', 'b.pdf'] },
      values: {},
      responseName: 'c.pdf',
    }
    for (const { text } of writeFormSamples({ ...request, apiKey: undefined })) expect(text).toContain('SHEAF_API_KEY')
    for (const { text } of writeFormSamples({ ...request, apiKey: 'sheaf_live_1' })) {
      expect(text).toContain('sheaf_live_1')
      expect(text).not.toMatch(/SHEAF_API_KEY|import os$/m)
    }
  })
})

interface Received {
  path?: string | undefined
  apiKey?: unknown
  outcome?: string
  fileNames?: string[]
  body?: Body
}

function send(call: Endpoint, style: (typeof STYLES)[number], id: string, status?: number) {
  return sendSample(call, origin => writeSamples(call, origin)[style].find(one => one.id === id), status)
}

/** Runs a sample against a server that reads requests as the service does. */
async function sendSample(call: Endpoint, write: (origin: string) => Sample | undefined, status = 200) {
  const received: Received = {}
  const server = createServer((req, res) => {
    void read(call, req).then(result => {
      Object.assign(received, { path: req.url, apiKey: req.headers['x-api-key'], ...result })
      res.writeHead(status, { 'x-credit-balance': '41' }).end(status === 200 ? 'the answer' : REFUSAL)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo // A TCP server has an address of this type.
    const sample = write(`http://127.0.0.1:${port}`)
    if (!sample) throw new Error('there is no such sample')
    return { received, run: await runSample(sample, folder) }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function read({ operation }: Endpoint, req: IncomingMessage): Promise<Received> {
  const { bodyRules, refusalCode } = operation
  const type = req.headers['content-type'] ?? ''
  const refuse = (message: string, param?: string) =>
    createRefusal(refusalCode, [{ message, ...(param === undefined ? {} : { param }) }])
  const reader = type.startsWith('multipart/')
    ? createMultipartReader(type, bodyRules, { ...LIMITS, refuse })
    : createJsonReader(bodyRules, LIMITS, refuse)
  try {
    for await (const chunk of req) reader.write(chunk as Buffer)
    const body = await reader.end()
    const seen = { body, fileNames: body.files.map(({ name }) => name) }
    try {
      await operation.parse(body, DEFAULT_HINTS)
      return { ...seen, outcome: 'accepted' }
    } catch (error) {
      return { ...seen, outcome: isRequestError(error) ? error.message : String(error) }
    }
  } catch (error) {
    return { outcome: isRequestError(error) ? error.message : String(error) }
  }
}

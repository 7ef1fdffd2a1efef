import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DocumentedCall, findCall, listCalls } from '../../../lib/docs/calls'
import { writeSamples } from '../../../lib/docs/samples'
import { isCallError } from '../../../lib/errors'
import { createRefusal } from '../../../lib/http/call-refusal'
import { createJsonReader } from '../../../lib/http/json-body'
import { createMultipartReader } from '../../../lib/http/multipart-body'

const ORIGIN = 'https://api.example.com'
const LIMITS = { maxFiles: 10, maxParts: 10 }

const sample = (call: DocumentedCall, id: string, origin = ORIGIN) => writeSamples(call, origin).find(one => one.id === id)?.text ?? ''

describe('the samples of a call', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sheaf-samples-'))
    for (const [from, to] of [['letter', 'letter'], ['terms', 'terms'], ['letter', 'report']]) await cp(`public/samples/${from}.pdf`, join(folder, `${to}.pdf`))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it.each(listCalls().map(call => [call.slug, call] as const))('in Node is accepted as it stands: %s', async (_, call) => {
    const received = await receive(call, origin => runNode(sample(call, 'node', origin), folder))
    expect(received).toEqual({ path: call.path, apiKey: 'key of the environment', outcome: 'accepted', said: '41 credits left\n' })
    expect(await readFile(join(folder, call.answerName), 'utf8')).toBe('the answer')
  })

  it('send forms with curl, and options as they are', () => {
    const rotate = findCall('rotate-pdf')
    if (!rotate) throw new Error('rotate-pdf has no page')
    expect(sample(rotate, 'curl')).toContain(`--form-string options='{"angle":90,"pages":[1,3]}'`)
    const text = sample({ ...rotate, examples: [{ title: 'Quotes', options: { text: "it's" } }] }, 'curl')
    expect(text).toContain(`options='{"text":"it'\\''s"}'`)
  })

  it('spell values as Python does', () => {
    const rotate = findCall('rotate-pdf')
    if (!rotate) throw new Error('rotate-pdf has no page')
    const text = sample({ ...rotate, examples: [{ title: 'All kinds', options: { yes: true, no: false, none: null, list: [1, 'a'] } }] }, 'python')
    expect(text).toContain('json.dumps({"yes": True, "no": False, "none": None, "list": [1, "a"]})')
  })
})

/** What a server gets of one call, read as the service does. */
async function receive(call: DocumentedCall, send: (origin: string) => Promise<string>) {
  const seen: { path?: string | undefined; apiKey?: unknown; outcome?: string } = {}
  const server = createServer((req, res) => {
    void read(call, req).then(outcome => {
      Object.assign(seen, { path: req.url, apiKey: req.headers['x-api-key'], outcome })
      res.writeHead(200, { 'x-credit-balance': '41' }).end('the answer')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo // a TCP server's address
    return { said: await send(`http://127.0.0.1:${port}`), ...seen }
  } finally {
    server.close()
  }
}

async function read({ operation }: DocumentedCall, req: IncomingMessage): Promise<string> {
  const { bodyRules, refusalCode } = operation
  const type = req.headers['content-type'] ?? ''
  const refuse = (message: string, param?: string) => createRefusal(refusalCode, [{ message, ...(param === undefined ? {} : { param }) }])
  const reader = type.startsWith('multipart/') ? createMultipartReader(type, bodyRules, { ...LIMITS, refuse }) : createJsonReader(bodyRules, LIMITS, refuse)
  try {
    for await (const chunk of req) reader.write(chunk as Buffer)
    operation.parse(await reader.end())
    return 'accepted'
  } catch (error) {
    return isCallError(error) ? error.code : String(error)
  }
}

async function runNode(text: string, cwd: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { cwd, env: { ...process.env, SHEAF_API_KEY: 'key of the environment' }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (said += part))
  await once(child, 'close')
  return said
}

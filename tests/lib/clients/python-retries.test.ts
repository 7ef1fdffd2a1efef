import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'

const NOW = { 'retry-after': '0' }

/** Evaluates expressions with a client for a server, a line each. */
const PROGRAM = `
import io, json, sys
from sheaf import *
from sheaf import _send
class Once(io.RawIOBase):
    def __init__(self, content): self.rest = io.BytesIO(content)
    def read(self, size=-1): return self.rest.read(size)
    def seekable(self): return False
for line in sys.stdin:
    base, expression, settings = json.loads(line)
    sheaf = Sheaf("sk_test", base_url=base, **settings)
    try:
        said = eval(expression)
    except Exception as error:
        said = f"{type(error).__name__} {getattr(error, 'code', '')} {error}"
    print(json.dumps(str(said)), flush=True)
`

let python: ChildProcess & { stdin: NodeJS.WritableStream }
let lines: AsyncIterator<string>
let server: FlakyServer
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-python-'))
})
afterEach(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs an expression with a client, and returns what it or its error says. */
async function evaluate(steps: readonly [Step, ...Step[]], expression: string, settings = {}): Promise<string> {
  server = await startFlakyServer(steps)
  python.stdin.write(`${JSON.stringify([server.base, expression, settings])}\n`)
  const { value } = await lines.next()
  return JSON.parse(value) as string
}

describe.runIf(hasPython())('the client for Python', () => {
  beforeAll(() => {
    const started = spawn('python3', ['-c', PROGRAM], {
      env: PYTHON_ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    python = started
    lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]()
  })
  afterAll(() => void python.kill())

  it.each<[string, Step]>([
    ['429', refuse(429, 'rate_limited', NOW)],
    ['500', refuse(500, 'internal_error', NOW)],
    ['503', refuse(503, 'service_unavailable', NOW)],
    ['409 request_in_progress', refuse(409, 'request_in_progress', NOW)],
    ['a lost connection', hangUp],
    ['a response that was cut off', cutOff],
  ])('retries after %s with the same idempotency key and the same body', async (_, step) => {
    expect(await evaluate([step, respond], 'sheaf.rotate_pdf(b"%PDF", {"angle": 90}).text()')).toBe(FILE.toString())
    expect(server.seen).toHaveLength(2)
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(server.seen[0]?.body).toEqual(server.seen[1]?.body)
    expect(Number(server.seen[0]?.headers['content-length'])).toBe(server.seen[0]?.body.length)
  })

  it('does not retry other errors, and stops after the maximum', async () => {
    const refused = await evaluate([refuse(409, 'idempotency_key_reused')], 'sheaf.reverse_pages(b"%PDF")')
    expect(refused).toBe('SheafApiError idempotency_key_reused Refused with idempotency_key_reused.')
    expect(server.seen).toHaveLength(1)
    await server.close()
    await evaluate([refuse(503, 'service_unavailable', NOW)], 'sheaf.reverse_pages(b"%PDF")', { max_retries: 2 })
    expect(server.seen).toHaveLength(3)
  })

  it('does not retry a stream, and says why', async () => {
    const said = await evaluate([refuse(503, 'service_unavailable', NOW)], 'sheaf.reverse_pages(Once(b"%PDF"))')
    expect(said).toContain('this file can be sent only once')
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]?.body.toString('latin1')).toContain('\r\n\r\n%PDF\r\n')
  })

  it.each<[string, Step, object, string]>([
    ['is cut off twice', cutOff, {}, 'SheafConnectionError'],
    ['stops twice', stallFile, { timeout: 0.3 }, 'SheafTimeoutError'],
  ])('a download that %s ends with the key for its free repetition', async (_, step, settings, kind) => {
    const said = await evaluate([step], 'sheaf.reverse_pages(b"%PDF").bytes()', settings)
    expect(said).toMatch(new RegExp(`^${kind} `))
    expect(said).toContain(`key ${String(server.seen[0]?.headers['idempotency-key'])} costs nothing`)
    expect(server.seen).toHaveLength(2)
  })

  it.each<[string, Step]>([
    ['the page of a proxy', wantLogin],
    ['another content type', respondWith({ 'content-type': 'text/html' })],
    ['no request ID', respondWith({ 'x-request-id': undefined })],
    ['no balance', respondWith({ 'x-credit-balance': undefined })],
  ])('refuses a successful response with %s, and does not repeat it', async (_, step) => {
    const said = await evaluate([step], 'sheaf.reverse_pages(b"%PDF")')
    expect(said).toMatch(/^SheafForeignResponseError .*A proxy may have responded/)
    expect(server.seen).toHaveLength(1)
  })

  it('refuses a balance that is the page of a proxy, and waits at most a minute', async () => {
    expect(await evaluate([wantLogin], 'sheaf.credits()')).toContain('SheafForeignResponseError')
    expect(await evaluate([respond], '[_send._delay(0, 7), _send._delay(0, 3600)]')).toBe('[7, 60.0]')
  })

  it('saves a complete file or nothing', async () => {
    const save = (path: string) => `sheaf.reverse_pages(b"%PDF").save(${JSON.stringify(path)})`
    expect(await evaluate([respond], save(folder))).toBe(join(folder, 'a-rotated.pdf'))
    expect(await readFile(join(folder, 'a-rotated.pdf'))).toEqual(FILE)
    await server.close()
    expect(await evaluate([cutOff], save(join(folder, 'b.pdf')))).toContain('SheafConnectionError')
    expect(await readdir(folder)).toEqual(['a-rotated.pdf'])
  })

  it('ends after its timeout', async () => {
    expect(await evaluate([ignore], 'sheaf.reverse_pages(b"%PDF", timeout=0.2, max_retries=0)')).toContain(
      'SheafTimeoutError',
    )
  })

  it.each<[string, Step]>([
    ['never ends', endless],
    ['stops', stalled],
  ])('reports the status of an error whose body %s', async (_, step) => {
    expect(await evaluate([step], 'sheaf.reverse_pages(b"%PDF", timeout=0.5, max_retries=0)')).toContain(
      'responded with 500',
    )
  })
})

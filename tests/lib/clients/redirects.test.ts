import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Sheaf } from '../../../clients/typescript/src/sheaf'
import { type BuiltCli, buildCli } from '../../support/built-cli'
import { type FlakyServer, respond, startFlakyServer, type Step } from '../../support/flaky-server'
import { connectAgent, runTool } from '../../support/local-agent'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'
import { IS_COMPLETE } from '../../support/scope'

const run = promisify(execFile)
const KEY = 'sk_the_key'

let cli: BuiltCli
let folder: string
let other: FlakyServer
let server: FlakyServer | undefined

beforeAll(async () => {
  cli = buildCli()
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sheaf-redirects-')))
  await writeFile(join(folder, 'a.pdf'), '%PDF the document')
})
afterAll(async () => {
  cli?.remove()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  other = await startFlakyServer([respond])
})
afterEach(async () => {
  await other.close()
  await server?.close()
})

/** Each client sends a file several times, and returns all that it shows of each error. */
const CLIENTS: Record<string, (base: string, times: number) => Promise<string[]>> = {
  TypeScript: (baseUrl, times) =>
    repeat(times, async () => {
      const sheaf = new Sheaf({ apiKey: KEY, baseUrl })
      const error: unknown = await sheaf.reversePages(join(folder, 'a.pdf')).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'SheafApiError', code: 'redirected' })
      return inspect(error, { depth: 9 })
    }),
  sheaf: (base, times) =>
    repeat(times, async () => {
      const env = { SHEAF_API_KEY: KEY, SHEAF_BASE_URL: base }
      const { code, stdout, stderr } = await cli.run(['reverse-pages', 'a.pdf'], { env, cwd: folder })
      expect(code).toBe(1)
      return `${stdout.toString()}${stderr}`
    }),
  async 'sheaf mcp'(base, times) {
    const env = { SHEAF_API_KEY: KEY, SHEAF_BASE_URL: base }
    const agent = await connectAgent(cli, { args: ['--allow', folder], env })
    const results = await repeat(times, () => runTool(agent, 'reverse_pages', { file: 'a.pdf' }))
    await agent.close()
    expect(results.every(({ isError }) => isError)).toBe(true)
    return results.map(({ text }) => text)
  },
  async Python(base, times) {
    const args = ['-c', PROGRAM, base, join(folder, 'a.pdf'), String(times)]
    const { stdout } = await run('python3', args, { env: PYTHON_ENVIRONMENT })
    return JSON.parse(stdout) as string[]
  },
}

const PROGRAM = `
import json, sys, traceback
from sheaf import Sheaf, SheafApiError
sheaf = Sheaf("${KEY}", base_url=sys.argv[1])
shown = []
for _ in range(int(sys.argv[3])):
    try:
        sheaf.reverse_pages(sys.argv[2])
    except SheafApiError as error:
        shown.append(f"{traceback.format_exc()} {vars(error)} {error.headers.items()}")
print(json.dumps(shown))
`

async function repeat<T>(times: number, once: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < times) results.push(await once())
  return results
}

const STATUSES = [301, 302, 303, 307, 308]

// The command starts a process for each request, and it uses the client for TypeScript.
const clients = Object.entries(CLIENTS).filter(([client]) => IS_COMPLETE || client !== 'sheaf')

describe.each(clients)('%s', (client, send) => {
  const statuses = client === 'sheaf' ? [307] : STATUSES

  beforeEach(context => context.skip(client === 'Python' && !hasPython()))

  it('follows no redirect to another origin', async () => {
    const { host } = new URL(other.base)
    const location = `http://jane:secret-password@${host}/moved?token=secret-token#secret-hash`
    const shown = await listErrors(
      send,
      statuses.map(status => redirectTo(status, location)),
    )
    expect(other.seen).toEqual([])
    for (const [index, status] of statuses.entries()) {
      expect(shown[index]).toContain(`responded with ${status}, a redirect to http://***@${host}/moved?***`)
      expect(shown[index]).toMatch(/set base_?url or SHEAF_BASE_URL/i)
      for (const secret of [KEY, 'jane', 'secret']) expect(shown[index]).not.toContain(secret)
    }
  })

  it('follows no redirect to the same origin', async () => {
    const shown = await listErrors(
      send,
      statuses.map(status => redirectTo(status, '/moved')),
    )
    for (const [index, status] of statuses.entries())
      expect(shown[index]).toContain(`responded with ${status}, a redirect to ${server?.base}/moved. `)
  })

  it('reports redirects without a location that it could show', async () => {
    const locations = [undefined, 'http://[secret', 'file:///etc/secret'].slice(0, statuses.length)
    const shown = await listErrors(
      send,
      locations.map(location => redirectTo(302, location)),
    )
    for (const text of shown) {
      expect(text).toContain('responded with 302, a redirect. ')
      expect(text).not.toContain('secret')
    }
  })
})

/** The errors of a client from a server with these steps, which must see nothing else. */
async function listErrors(send: (base: string, times: number) => Promise<string[]>, steps: Step[]): Promise<string[]> {
  const [first = respond, ...rest] = steps
  server = await startFlakyServer([first, ...rest, respond])
  const shown = await send(server.base, steps.length)
  expect(shown).toHaveLength(steps.length)
  expect(server.seen).toHaveLength(steps.length)
  return shown
}

it('the tool that reads the documentation follows no redirect', async () => {
  server = await startFlakyServer([redirectTo(307, `${other.base}/docs/errors.md`)])
  const env = { SHEAF_API_KEY: KEY, SHEAF_BASE_URL: server.base }
  const agent = await connectAgent(cli, { args: [], env })
  const { text } = await runTool(agent, 'read_docs', { page: 'errors' })
  await agent.close()
  expect(text).toContain(`307, a redirect to ${other.base}/docs/errors.md`)
  expect(other.seen).toEqual([])
})

it('the client for TypeScript reports a redirect that a browser hides', async () => {
  const hidden = () =>
    Promise.resolve({ type: 'opaqueredirect', status: 0, ok: false, headers: new Headers() } as Response)
  const sheaf = new Sheaf({ apiKey: KEY, fetch: hidden })
  await expect(sheaf.credits()).rejects.toThrow('The server responded with a redirect. It')
})

function redirectTo(status: number, location: string | undefined): Step {
  return response => void response.writeHead(status, location === undefined ? {} : { location }).end('Moved.')
}

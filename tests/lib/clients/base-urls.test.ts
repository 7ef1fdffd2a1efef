import { execFile } from 'node:child_process'
import { inspect, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sheaf } from '../../../clients/typescript/src/sheaf'
import { type BuiltCli, buildCli } from '../../support/built-cli'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'

const CREDENTIALS = 'must not contain credentials, a query or a fragment. Got'
const NO_URL = 'must be a URL with http or https. Got another text.'

/** URLs that every client refuses without showing their secrets. */
const REFUSED: [url: string, message: string][] = [
  ['http://jane:secret@127.0.0.1:9/x', `${CREDENTIALS} http://***@127.0.0.1:9/x. `],
  ['https://secret@127.0.0.1:9', `${CREDENTIALS} https://***@127.0.0.1:9`],
  ['http://127.0.0.1:9/?key=secret', `${CREDENTIALS} http://127.0.0.1:9/?***. `],
  ['http://127.0.0.1:9/#secret', `${CREDENTIALS} http://127.0.0.1:9/#***. `],
  ['http://127.0.0.1:secret', NO_URL],
  ['http://jane:secret@[', NO_URL],
  ['jane:secret@127.0.0.1:9', NO_URL],
  ['secret', NO_URL],
  ['ftp://jane:secret@127.0.0.1', NO_URL],
]

/** Keys that no header takes. */
const BROKEN_KEYS = ['sk_secret\n', 'sk_ secret', 'sk_sécret', 'sk_\u0007secret']

let cli: BuiltCli
beforeAll(() => {
  cli = buildCli()
})
afterAll(() => cli?.remove())

/** Everything that the client for TypeScript shows of its error. */
async function showError(settings: ConstructorParameters<typeof Sheaf>[0]): Promise<string> {
  try {
    await new Sheaf({ maxRetries: 0, ...settings }).credits()
  } catch (error) {
    return inspect(error, { depth: 9 })
  }
  throw new Error('There was no error.')
}

describe('TypeScript', () => {
  it.each(REFUSED)('refuses %s', async (baseUrl, message) => {
    const shown = await showError({ apiKey: 'sk_test', baseUrl })
    expect(shown).toContain(`baseUrl ${message}`)
    expect(shown).not.toMatch(/jane|secret/)
  })

  it.each(BROKEN_KEYS)('does not show the broken key %j', async apiKey => {
    const shown = await showError({ apiKey, baseUrl: 'http://127.0.0.1:9' })
    expect(shown).toContain('The API key must be ASCII without spaces and line breaks.')
    expect(shown).not.toMatch(/s.cret/)
  })

  it.each([
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://example.com/sheaf/', 'https://example.com/sheaf'],
  ])('takes %s', (baseUrl, used) => {
    const sheaf = new Sheaf({ apiKey: 'sk_test', baseUrl })
    expect(sheaf.baseUrl).toBe(used)
    expect(inspect(sheaf, { depth: 9, showHidden: true })).not.toContain('sk_test')
  })
})

describe('sheaf', () => {
  it.each([
    [['credits'], 'http://jane:secret@127.0.0.1:9'],
    [['mcp'], 'http://jane:secret@127.0.0.1:9'],
    [['web', 'http://127.0.0.1:9/', '--json'], 'http://127.0.0.1:9/?key=secret'],
  ])('%j refuses %s', async (args, url) => {
    const { code, stdout, stderr } = await cli.run(args, { env: { SHEAF_API_KEY: 'sk_test', SHEAF_BASE_URL: url } })
    expect(code).toBe(1)
    expect(stderr).toContain(`SHEAF_BASE_URL ${CREDENTIALS}`)
    expect(`${stdout.toString()}${stderr}`).not.toMatch(/jane|secret|sk_test/)
  })
})

describe.runIf(hasPython())('Python', () => {
  const evaluate = async (settings: [key: string, url: string][]): Promise<string[]> => {
    const args = ['-c', PROGRAM, JSON.stringify(settings)]
    const { stdout } = await promisify(execFile)('python3', args, { env: PYTHON_ENVIRONMENT })
    return JSON.parse(stdout) as string[]
  }

  it('refuses the same URLs', async () => {
    const shown = await evaluate(REFUSED.map(([url]) => ['sk_test', url]))
    for (const [index, [, message]] of REFUSED.entries()) expect(shown[index]).toContain(`base_url ${message}`)
    expect(shown.join()).not.toMatch(/jane|secret|sk_test/)
  })

  it('does not show the key of a client that works, nor one that does not', async () => {
    const [works = '', ...broken] = await evaluate(['sk_test', ...BROKEN_KEYS].map(key => [key, 'http://127.0.0.1:9/']))
    expect(works).toContain('The connection to http://127.0.0.1:9 failed')
    expect(works).not.toContain('sk_test')
    expect(broken).toHaveLength(BROKEN_KEYS.length)
    for (const shown of broken) {
      expect(shown).toContain('The API key must be ASCII without spaces and line breaks.')
      expect(shown).not.toMatch(/s.cret/)
    }
  })
})

/** Everything that Python shows of an error: its traceback, and the text of the client and of the request. */
const PROGRAM = `
import json, sys, traceback
from sheaf import Sheaf
from sheaf._send import Outgoing
def show(key, url):
    try:
        sheaf = Sheaf(key, base_url=url, max_retries=0)
        sheaf.credits()
    except Exception as error:
        request = Outgoing("", "GET", {"x-api-key": key}, None, (), 1, 0)
        return f"{traceback.format_exc()} {error!r} {vars(error)} {sheaf if 'sheaf' in locals() else ''} {request!r}"
print(json.dumps([show(key, url) for key, url in json.loads(sys.argv[1])]))
`

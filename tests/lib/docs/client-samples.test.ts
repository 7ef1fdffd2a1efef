import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, listEndpoints } from '../../../lib/docs/endpoints'
import { CHAIN_SAMPLES, endpointOf } from '../../../lib/docs/pages/chain-samples'
import { writeClientSamples } from '../../../lib/docs/samples/client-samples'
import { type BuiltCli, buildCli } from '../../support/built-cli'
import { type FlakyServer, respondWith, startFlakyServer } from '../../support/flaky-server'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sheaf-client-samples-'))
let cli: BuiltCli
let server: FlakyServer

beforeAll(async () => {
  cpSync('public/samples', folder, { recursive: true })
  const client = join(folder, 'node_modules/@sheaf/client')
  mkdirSync(client, { recursive: true })
  cpSync('clients/typescript/package.json', join(client, 'package.json'))
  await run(process.execPath, ['clients/build.mjs', 'typescript', join(client, 'dist')])
  cli = buildCli()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/sheaf'), `#!/bin/sh\nexec '${process.execPath}' '${cli.script}' "$@"\n`)
  chmodSync(join(folder, 'bin/sheaf'), 0o755)
  server = await startFlakyServer([
    (response, request) => {
      const call = listEndpoints().find(one => one.path === request.url)
      if (call) respondWith({ 'content-type': call.responses }, resultOf(call))(response, request)
      else response.writeHead(404).end()
    },
  ])
})
afterAll(async () => {
  await server?.close()
  cli?.remove()
  await rm(folder, { recursive: true, force: true })
})

it('the client for TypeScript is smaller than 13 KB', () => {
  const built = join(folder, 'node_modules/@sheaf/client/dist')
  const scripts = readdirSync(built).filter(name => name.endsWith('.js'))
  const code = Buffer.concat(scripts.map(name => readFileSync(join(built, name))))
  expect(scripts).toContain('sheaf.js')
  expect(gzipSync(code).length).toBeLessThan(13_000)
})

/** What the command needs of any report. */
const REPORT = JSON.stringify({ profile: 'pdfa-2b', conforms: true, brokenRules: [], differences: null })

function resultOf({ responses }: Endpoint): string {
  return responses === 'application/json' ? REPORT : '%PDF-1.7 the file of the response'
}

const COMMANDS: Record<string, { file: string; program: string }> = {
  typescript: { file: 'sample.mjs', program: process.execPath },
  python: { file: 'sample.py', program: 'python3' },
  cli: { file: 'sample.sh', program: 'sh' },
}

/** One endpoint of each kind. The contract tests call every command and every method of the client for Python. */
const KINDS = new Map(listEndpoints().map(call => [`${call.sampleFiles.length} ${call.responses}`, call]))

describe.each(Object.keys(COMMANDS))('the samples for %s', id => {
  const calls = [...(id === 'typescript' ? listEndpoints() : KINDS.values()), ...CHAIN_SAMPLES.map(endpointOf)]
  it
    .skipIf(id === 'python' && !hasPython())
    .each(calls.map(call => [`${call.slug}, ${call.responseName}`, call] as const))(
    'run unchanged: %s',
    async (_, call) => {
      const options = (call.examples[0]?.options ?? {}) as Record<string, unknown>
      const sample = writeClientSamples({ endpoint: call, options, origin: server.base }).find(one => one.id === id)
      const { file, program } = COMMANDS[id] ?? { file: '', program: '' }
      writeFileSync(join(folder, file), sample?.text ?? '')
      const env = {
        ...PYTHON_ENVIRONMENT,
        SHEAF_API_KEY: 'sk_sample',
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      }
      const { stdout, stderr } = await run(program, [file], { cwd: folder, env })
      expect(stdout + stderr).toContain('41 credits left')
      const seen = server.seen.at(-1)
      expect(seen).toMatchObject({ path: call.path, headers: { 'x-api-key': 'sk_sample' } })
      const body = seen?.body.toString('latin1') ?? ''
      for (const name of call.sampleFiles) expect(body).toContain(`filename="${name}"`)
      for (const name of Object.keys(options)) expect(body).toContain(`"${name}"`)
      expect(await readFile(join(folder, call.responseName), 'utf8')).toBe(resultOf(call))
    },
  )
})

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packClients } from '../../../lib/build/pack-clients.mjs'
import { CLIENT_PACKAGES } from '../../../lib/docs/pages/client-packages'
import { hasPython } from '../../support/python'
import { readZip } from '../../support/read-zip'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sheaf-packed-'))
const packed = (client: keyof typeof CLIENT_PACKAGES) => join(folder, 'packed', CLIENT_PACKAGES[client])

beforeAll(() => packClients(join(folder, 'packed')), 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Installs a package without a registry into a new project, and returns the folder of the project. */
async function install(name: string, file: string): Promise<string> {
  const project = mkdtempSync(join(folder, `${name}-`))
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `--cache=${join(folder, 'cache')}`, file], {
    cwd: project,
  })
  return project
}

it('writes the files that the server offers, and no others', () => {
  expect(readdirSync(join(folder, 'packed')).toSorted()).toEqual(Object.values(CLIENT_PACKAGES).toSorted())
})

it('packs the TypeScript client so that npm installs it without a registry', async () => {
  const project = await install('client', packed('typescript'))
  const program = "import { Sheaf } from '@sheaf/client'; console.log(typeof new Sheaf({ apiKey: 'k' }).mergePdf)"
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project })
  expect(stdout.trim()).toBe('function')
  expect(existsSync(join(project, 'node_modules/@sheaf/client/dist/sheaf.d.ts'))).toBe(true)
}, 120_000)

it('packs the command with all packages that it needs', async () => {
  const project = await install('cli', packed('cli'))
  const { stdout } = await run(join(project, 'node_modules/.bin/sheaf'), ['--help'], { cwd: project })
  expect(stdout).toContain('merge')
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/@sheaf/cli/package.json'), 'utf8')) as object
  expect(manifest).not.toHaveProperty('dependencies')
}, 120_000)

it('packs the Python client as a wheel whose record lists every file with its hash', () => {
  const entries = readZip(readFileSync(packed('python')))
  const record = entries.at(-1)
  expect(record?.name).toMatch(/^sheaf_client-[\d.]+\.dist-info\/RECORD$/)
  const lines = record?.bytes.toString('utf8').trim().split('\n') ?? []
  expect(lines).toEqual([
    ...entries.slice(0, -1).map(({ name, bytes }) => {
      const hash = createHash('sha256').update(bytes).digest('base64url')
      return `${name},sha256=${hash},${bytes.length}`
    }),
    `${record?.name},,`,
  ])
  expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['sheaf/__init__.py', 'sheaf/py.typed']))
})

it.runIf(hasPython())(
  'packs a wheel that pip installs without an index',
  async () => {
    const target = join(folder, 'python')
    await run('python3', [
      '-m',
      'pip',
      'install',
      '--no-index',
      '--disable-pip-version-check',
      '--target',
      target,
      packed('python'),
    ])
    const { stdout } = await run('python3', ['-c', 'import sheaf; print(sheaf.Sheaf.merge_pdf.__name__)'], {
      env: { ...process.env, PYTHONPATH: target },
    })
    expect(stdout.trim()).toBe('merge_pdf')
  },
  120_000,
)

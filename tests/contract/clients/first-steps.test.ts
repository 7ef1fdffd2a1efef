import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getConfig } from '../../../lib/config'
import { findPage } from '../../../lib/docs/pages/all'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'
import { readPdf } from '../../support/reader'
import type { RunningService } from '../../support/service'
import { usualService } from '../../support/shared-services'

const run = promisify(execFile)

let service: RunningService
let env: NodeJS.ProcessEnv
/** An empty folder with the packages of the repository and the samples. */
let folder: string

beforeAll(async () => {
  service = await usualService()
  const apiKey = await service.createKey('first-steps@example.test', { credits: 10 })
  // Only the service is reachable. Its packages need no others.
  const npm = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0', npm_config_audit: 'false' }
  env = { ...process.env, SHEAF_API_KEY: apiKey, ...npm }
})
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sheaf-first-steps-')))
  await symlink(resolve('clients'), join(folder, 'clients'))
  for (const name of ['letter.pdf', 'terms.pdf']) await copyFile(`public/samples/${name}`, join(folder, name))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The code of a page in a language, in its order. */
function listCode(slug: string, language: string): string[] {
  const { blocks } = findPage(slug, { origin: service.base, config: getConfig() }) ?? { blocks: [] }
  return blocks.flatMap(block => (block.kind === 'code' && block.language === language ? [block.text] : []))
}

const runShell = (script: string, more: Record<string, string> = {}) =>
  run('sh', ['-ec', script], { cwd: folder, env: { ...env, ...more } })

const countPages = async (name: string) => (await readPdf(await readFile(join(folder, name)))).pages.length

it('the first steps with TypeScript work as they are written', async () => {
  const [install = ''] = listCode('typescript', 'sh')
  const [program = ''] = listCode('typescript', 'typescript')
  await runShell(install)
  await writeFile(join(folder, 'merge.mjs'), program)
  const { stdout } = await run(process.execPath, ['merge.mjs'], { cwd: folder, env })
  expect(stdout).toMatch(/^\d+ credits left\n$/)
  expect(await countPages('letter-merged.pdf')).toBeGreaterThan(1)
})

it.runIf(hasPython())('the first program in Python works as it is written', async () => {
  const [program = ''] = listCode('python', 'python')
  await writeFile(join(folder, 'merge.py'), program)
  const { stdout } = await run('python3', ['merge.py'], { cwd: folder, env: { ...env, ...PYTHON_ENVIRONMENT } })
  expect(stdout).toMatch(/^\d+ credits left\n$/)
  expect(await countPages('letter-merged.pdf')).toBeGreaterThan(1)
})

it('the command and its first commands work as they are written', async () => {
  const [install = '', commands = ''] = listCode('command-line', 'sh')
  await runShell(install.split('\n')[0] ?? '', { npm_config_prefix: join(folder, 'global') })
  await runShell('mkdir scans && cp letter.pdf scans/a.pdf && cp terms.pdf scans/b.pdf')
  const written = commands.split('\n').filter(line => /^(export SHEAF_BASE_URL|sheaf (merge|redact|rotate))/.test(line))
  expect(written).toHaveLength(4)
  await runShell(written.join('\n'), { PATH: `${join(folder, 'global/bin')}:${process.env['PATH']}` })
  expect(await countPages('merged.pdf')).toBeGreaterThan(1)
  expect(await countPages('letter-redacted.pdf')).toBeGreaterThan(0)
  expect(await countPages('turned/b-rotated.pdf')).toBeGreaterThan(0)
})

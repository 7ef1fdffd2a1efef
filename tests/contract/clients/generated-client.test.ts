import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPdf } from '../../support/reader'
import type { RunningService } from '../../support/service'
import { makePdf } from '../documents'
import { usualService } from '../../support/shared-services'

const require = createRequire(import.meta.url)
const generator = join(dirname(require.resolve('swagger-typescript-api')), 'cli.js')
const packageFolder = dirname(require.resolve('typescript/package.json'))
const compiler = join(packageFolder, 'bin/tsc')
const run = promisify(execFile)

/** A program that uses the generated client as its readers would. It saves the files that it gets. */
const PROGRAM = `
import { readFile, writeFile } from 'node:fs/promises'
import { Api, ContentType } from './client.js'

const bytes = await readFile('report.pdf')
const { api } = new Api({
  baseUrl: process.env['SHEAF_BASE'] ?? '',
  securityWorker: () => ({ headers: { 'x-api-key': process.env['SHEAF_API_KEY'] ?? '' } }),
  baseApiParams: { secure: true, format: 'arrayBuffer' },
})
const save = async (name: string, { data }: { data: unknown }) =>
  writeFile(name, new Uint8Array(data as ArrayBuffer)) // as the format says

const file = new File([bytes], 'report.pdf', { type: 'application/pdf' })
await save('rotated.pdf', await api.rotatePdf({ file, options: { angle: 90 } }))

const input = (name: string) => ({ name, dataBase64: bytes.toString('base64') })
// The generator types only forms, but encodes only JSON so that several files arrive.
const files = [input('a.pdf'), input('b.pdf')] as unknown as File[]
await save('merged.pdf', await api.mergePdf({ files, options: { bookmarks: 'per-file' } }, { type: ContentType.Json }))

const items = [{ description: 'Workshop', quantity: 2, rate: 40.5, discount: { rate: 0.1 } }]
const parties = { fromName: 'Northwind', billToName: 'Contoso' }
await save('invoice.pdf', await api.invoiceGenerator({ invoiceNumber: 'G-1', ...parties, items, taxRate: 0.1 }))
`

/** Requests that the generated types must refuse: no angle, a misspelled option, a mode without its option, no items. */
const WRONG = [
  `api.rotatePdf({ file, options: {} })`,
  `api.rotatePdf({ file, options: { angel: 90 } })`,
  `api.splitPdf({ file, options: { mode: 'every' } })`,
  `api.invoiceGenerator({ invoiceNumber: 'G-1', fromName: 'A', billToName: 'B' })`,
]

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  skipLibCheck: true,
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(dirname(packageFolder), '@types')],
}

let service: RunningService
let folder: string

beforeAll(async () => {
  service = await usualService()
  folder = await mkdtemp(join(tmpdir(), 'sheaf-generated-'))
  const document = await (await fetch(`${service.base}/openapi.json`)).text()
  await writeFile(join(folder, 'openapi.json'), document)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'report.pdf'), makePdf())
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  await runNode(generator, ['generate', '-p', 'openapi.json', '-o', '.', '-n', 'client.ts'])
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

it('compiles with the default settings of its generator, and gets a file from three endpoints', async () => {
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  expect(await compile()).toBe('')
  const apiKey = await service.createKey('generated@example.test')
  const env = { ...process.env, SHEAF_BASE: service.base, SHEAF_API_KEY: apiKey }
  await run(process.execPath, ['program.js'], { cwd: folder, env })

  const read = async (name: string) => (await readPdf(await readFile(join(folder, name)))).pages
  expect((await read('rotated.pdf')).map(({ rotation }) => rotation)).toEqual([90, 90, 90, 90, 90])
  expect(await read('merged.pdf')).toHaveLength(10)
  expect((await read('invoice.pdf')).map(({ text }) => text).join(' ')).toContain('G-1')
})

it('refuses wrong requests before anything is sent', async () => {
  const beginning = `import { Api } from './client.js'\nconst { api } = new Api()\ndeclare const file: File\n`
  await writeFile(join(folder, 'program.ts'), beginning + WRONG.map(request => `await ${request}\n`).join(''))
  const lines = [...(await compile()).matchAll(/^program\.ts\((\d+),/gm)].map(([, line]) => Number(line))
  expect([...new Set(lines)]).toEqual(WRONG.map((_, index) => 4 + index))
})

/** What the compiler finds in the program and in the client. */
async function compile(): Promise<string> {
  return runNode(compiler, ['-p', '.', '--pretty', 'false']).catch(
    (error: unknown) => (error as { stdout: string }).stdout, // what execFile rejects with
  )
}

async function runNode(script: string, args: string[]): Promise<string> {
  return (await run(process.execPath, [script, ...args], { cwd: folder })).stdout
}

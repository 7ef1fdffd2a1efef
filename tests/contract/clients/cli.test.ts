import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kebabCase } from '../../../clients/cli/src/flags'
import { listClientOperations } from '../../../lib/clients/operations'
import { type BuiltCli, buildCli } from '../../support/built-cli'
import { type ClientExample, listClientExamples, startExampleSite } from '../../support/client-examples'
import { readPdf } from '../../support/reader'
import { sample } from '../../support/scope'
import type { RunningService } from '../../support/service'
import type { TestSite } from '../../support/site'
import { makePdf } from '../documents'
import { usualService } from '../../support/shared-services'

let service: RunningService
let site: TestSite
let cli: BuiltCli
let examples: ClientExample[]
let env: Record<string, string>
const folder = mkdtempSync(join(tmpdir(), 'sheaf-cli-'))

beforeAll(async () => {
  cli = buildCli()
  site = await startExampleSite()
  service = await usualService()
  examples = listClientExamples(site)
  const apiKey = await service.createKey('cli@example.test', { credits: 1000 })
  env = { SHEAF_API_KEY: apiKey, SHEAF_BASE_URL: service.base }
  for (const name of ['a.pdf', 'b.pdf', 'z10.pdf', 'z9.pdf']) await writeFile(join(folder, name), makePdf())
})
afterAll(async () => {
  await site?.close()
  cli?.remove()
  await rm(folder, { recursive: true, force: true })
})

const sheaf = (args: string[], input?: string | Buffer) =>
  cli.run(args, { env, cwd: folder, ...(input !== undefined && { input }) })

/** The options of an example as flags. */
function writeFlags(options: Record<string, unknown>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${kebabCase(name)}`
    if (value === true) return [flag]
    if (value === false) return [`--no-${kebabCase(name)}`]
    return [flag, typeof value === 'string' ? value : JSON.stringify(value)]
  })
}

describe.each(sample(listClientOperations(), ({ files }) => files).map(({ id, command }) => [command, id]))(
  'sheaf %s',
  (command, id) => {
    it('works with each documented example as flags', async () => {
      const own = sample(
        examples.filter(({ operation }) => operation.id === id),
        () => id,
      )
      for (const { operation, title, files, options } of own) {
        const { url, steps, ...rest } = options
        const inputs = typeof url === 'string' ? [url] : [...files]
        if (operation.commandFile) {
          await writeFile(join(folder, 'steps.json'), JSON.stringify(steps))
          inputs.unshift('steps.json')
        }
        const args = [command, ...inputs, ...writeFlags(rest), '--strict', '--json', '--force']
        const { code, stdout, stderr } = await sheaf(args)
        expect({ code, stderr }, title).toEqual({ code: 0, stderr: '' })
        const facts = JSON.parse(stdout.toString()) as { file: string; contentType: string }
        expect(operation.responses).toContain(facts.contentType)
        expect(facts).toMatchObject({ creditsCharged: 1, requestId: expect.stringMatching(/^req_/) as string })
        expect((await readFile(join(folder, facts.file))).length).toBeGreaterThan(20)
      }
    })
  },
)

it('merges, redacts, prints and bills as in the README', async () => {
  expect(await sheaf(['merge', 'a.pdf', 'b.pdf', '-o', 'out.pdf'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Saved out\.pdf \(10 pages, .* KB\)\. \d+ credits left\n$/) as string,
  })
  expect((await readPdf(await readFile(join(folder, 'out.pdf')))).pages).toHaveLength(10)
  expect(await sheaf(['redact', 'a.pdf', '--search', 'Page 3', '--preset', 'iban'])).toMatchObject({ code: 0 })
  const redacted = await readPdf(await readFile(join(folder, 'a-redacted.pdf')))
  expect(JSON.stringify(redacted)).not.toContain('Page 3')
  expect(await sheaf(['web', `${site.base}/`, '-o', 'page.pdf'])).toMatchObject({ code: 0 })
  const invoice = listClientOperations().find(({ id }) => id === 'invoice-generator')?.examples[0]?.options
  await writeFile(join(folder, 'invoice.json'), JSON.stringify(invoice))
  expect(await sheaf(['invoice', 'invoice.json', '--tax-rate', '0.1', '-o', 'invoice.pdf'])).toMatchObject({ code: 0 })
})

describe('files', () => {
  it('come from standard input and go to standard output', async () => {
    const { code, stdout } = await sheaf(['rotate', '-', '--angle', '90', '-o', '-', '--quiet'], makePdf())
    expect(code).toBe(0)
    expect((await readPdf(stdout)).pages).toHaveLength(5)
    const page = await sheaf(['web', '-', '-o', '-', '--quiet'], '<h1>Hello</h1>')
    expect(page.stdout.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('may be many, by patterns, each with its own result in a folder', async () => {
    const { code, stderr } = await sheaf(['rotate', 'z*.pdf', '--angle', '90', '-o', 'turned/'])
    expect(stderr).toMatch(/Saved turned\/z9-rotated.pdf[^]*Saved turned\/z10-rotated.pdf/)
    expect(code).toBe(0)
    expect((await readdir(join(folder, 'turned'))).sort()).toEqual(['z10-rotated.pdf', 'z9-rotated.pdf'])
    expect(await sheaf(['rotate', 'a.pdf', 'b.pdf', '--angle', '90', '-o', 'one.pdf'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be a folder') as string,
    })
  })

  it('that exist are refused before the request, replaced, or skipped', async () => {
    expect(await sheaf(['reverse-pages', 'a.pdf'])).toMatchObject({ code: 0 })
    const before = (await sheaf(['credits'])).stdout.toString()
    const { code, stderr } = await sheaf(['reverse-pages', 'a.pdf'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"a-reversed.pdf" exists') as string })
    expect(await sheaf(['reverse-pages', 'a.pdf', '--skip-existing'])).toMatchObject({
      code: 0,
      stderr: 'Skipped 1 file with results.\n',
    })
    expect((await sheaf(['credits'])).stdout.toString()).toBe(before)
    expect(await sheaf(['reverse-pages', 'a.pdf', '--force'])).toMatchObject({ code: 0 })
  })

  it('of which one fails are repeated by one command, without paying again', async () => {
    await writeFile(join(folder, 'bad.pdf'), 'not a PDF')
    const args = ['rotate', 'a.pdf', 'bad.pdf', 'b.pdf', '--angle', '90', '-o', 'batch/']
    const { code, stderr } = await sheaf(args)
    expect(code).toBe(1)
    expect(stderr).toMatch(/Saved batch\/a-rotated\.pdf[^]*bad\.pdf: [^]*Saved batch\/b-rotated\.pdf[^]*1 of 3 files/)
    const [, flags = ''] = /with (--skip-existing --idempotency-key \S+)\. /.exec(stderr) ?? []
    await writeFile(join(folder, 'bad.pdf'), makePdf())
    await rm(join(folder, 'batch/b-rotated.pdf')) // As if it hadn't been saved.
    const again = await sheaf([...args, ...flags.split(' '), '--json'])
    const charges = again.stdout
      .toString()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { creditsCharged: number })
    expect(charges).toMatchObject([{ creditsCharged: 1 }, { creditsCharged: 0 }])
    expect((await readdir(join(folder, 'batch'))).sort()).toEqual(['a-rotated.pdf', 'b-rotated.pdf', 'bad-rotated.pdf'])
  })

  it('with the same name are refused before the request', async () => {
    await mkdir(join(folder, 'other'))
    await writeFile(join(folder, 'other/a.pdf'), makePdf())
    const { code, stderr } = await sheaf(['rotate', 'a.pdf', 'other/a.pdf', '--angle', '90', '-o', 'same/'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('would both be saved as') as string })
  })

  it('whose name only the response knows get a free name', async () => {
    const args = ['pdf-to-images', 'a.pdf', '--pages', '1', '--dpi', '30']
    expect((await sheaf(args)).stderr).toContain('Saved a-images.png ')
    expect((await sheaf(args)).stderr).toContain('Saved a-images (2).png ')
  })
})

it('ends with 1 for a bad report, if that was asked for', async () => {
  const validate = ['validate', 'a.pdf', '--profile', 'pdfa-2b', '-o', 'report.json']
  expect(await sheaf(validate)).toMatchObject({ code: 0, stderr: expect.stringContaining('pdfa-2b broken') as string })
  expect(await sheaf([...validate, '--exit-code'])).toMatchObject({ code: 1 })
  const compare = ['compare', 'a.pdf', 'a.pdf', '-o', 'changes.pdf', '--exit-code']
  expect(await sheaf(compare)).toMatchObject({ code: 0, stderr: expect.stringContaining('No changes') as string })
})

describe('sheaf pipeline', () => {
  const MERGE = { tool: 'merge-pdf' }
  const NUMBERS = { tool: 'page-numbers', options: { format: 'sheet {page}' } }

  it('reads its steps from a file or from standard input, and flags win', async () => {
    await writeFile(join(folder, 'fields.json'), JSON.stringify({ steps: [MERGE, NUMBERS], outputName: 'given' }))
    const args = ['a.pdf', 'b.pdf', '--json', '--strict']
    const first = await sheaf(['pipeline', 'fields.json', ...args, '-o', 'chain.pdf'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const read = async (name: string) => readPdf(await readFile(join(folder, name)))
    expect(JSON.stringify((await read('chain.pdf')).pages[9])).toContain('sheet 10')
    const second = await sheaf(['pipeline', '-', ...args], JSON.stringify([MERGE, NUMBERS]))
    expect(JSON.parse(second.stdout.toString())).toMatchObject({ file: 'a-merged-numbered.pdf', pages: 10 })
    const third = await sheaf(['pipeline', 'fields.json', ...args, '--receipt', '--output-name', 'mine'])
    expect(JSON.parse(third.stdout.toString())).toMatchObject({ file: 'mine.zip', contentType: 'application/zip' })
  })

  it('needs no file, and writes to standard output', async () => {
    const steps = [{ webpage: { html: '<h1>Payslip</h1>' } }, { tool: 'protect-pdf', options: { userPassword: 'pw' } }]
    const { code, stdout } = await sheaf(['pipeline', '-', '-o', '-', '--quiet'], JSON.stringify(steps))
    expect(code).toBe(0)
    expect(stdout.includes('/Encrypt')).toBe(true)
  })

  it('can end with 1 if the final file may have what was redacted', async () => {
    const redact = { tool: 'pdf-redaction', options: { areas: [{ page: 1, x: 10, y: 10, width: 90, height: 90 }] } }
    const steps = [
      { ...redact, files: ['a.pdf'] },
      { tool: 'merge-pdf', files: ['safe', 'b.pdf'] },
    ]
    Object.assign(steps[0] ?? {}, { as: 'safe' })
    const args = ['pipeline', '-', 'a.pdf', 'b.pdf', '-o', 'doubtful.pdf', '--exit-code']
    expect(await sheaf(args, JSON.stringify(steps))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Redaction not verified') as string,
    })
  })

  it.each<[string, string, string[], RegExp]>([
    [
      'a PDF in place of the steps',
      '',
      ['a.pdf', 'steps.json'],
      /"a\.pdf" must be JSON.*Put the file with the steps first/,
    ],
    [
      'a missing file',
      '',
      ['none.json', 'a.pdf'],
      /Can't find the file "none\.json"\. The first file must have the steps/,
    ],
    ['broken JSON', '[{"tool": ', ['-', 'a.pdf'], /Standard input must be JSON with the steps, such as \[\{"tool"/],
    ['one step', '{"tool": "rotate-pdf"}', ['-', 'a.pdf'], /Got one step\. Put it in a list/],
    ['another object', '{"stepz": []}', ['-', 'a.pdf'], /Got an object without "steps"/],
    ['a number', '7', ['-', 'a.pdf'], /must have a list of steps.*Got a number/],
    ['null', 'null', ['-', 'a.pdf'], /must have a list of steps.*Got null/],
    ['files in the JSON', '{"files": [], "steps": []}', ['-', 'a.pdf'], /Name the files after it/],
    ['standard input twice', '[]', ['-', '-'], /Standard input can be read only once/],
    ['no argument', '', [], /missing required argument 'steps'/],
  ])('refuses %s', async (_, input, args, message) => {
    const { code, stderr } = await sheaf(['pipeline', ...args], input)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  it('names the step of an error, and shows an example in its help', async () => {
    const { code, stderr } = await sheaf(['pipeline', '-', 'a.pdf'], '[{"tool":"rotate-pdf","options":{"angle":45}}]')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('steps[0].options.angle') as string })
    const { stdout } = await sheaf(['pipeline', '--help'])
    expect(stdout.toString()).toMatch(/pipeline \[options\] <steps> \[files\.\.\.\][^]*In steps\.json: \[\{"tool"/)
    expect(stdout.toString()).not.toContain('--steps')
  })
})

describe('mistakes', () => {
  it.each<[string, string[], number, RegExp]>([
    ['an unknown command', ['rotat', 'a.pdf'], 2, /Did you mean rotate\?/],
    ['an unknown flag', ['rotate', 'a.pdf', '--angel', '90'], 2, /Did you mean --angle\?/],
    ['a missing file', ['rotate', 'none.pdf', '--angle', '90'], 2, /Can't find the file "none.pdf"/],
    ['a folder', ['rotate', '.', '--angle', '90'], 2, /"\." is not a file/],
    ['a pattern without files', ['rotate', 'y*.pdf', '--angle', '90'], 2, /No file matches "y\*\.pdf"/],
    ['a wrong value', ['rotate', 'a.pdf', '--angle', '45'], 1, /angle[^]*Request req_\w+\. Not charged\./],
    ['broken JSON', ['split', 'a.pdf', '--ranges', '[1,'], 2, /--ranges isn't valid JSON/],
    ['a file as a folder', ['reverse-pages', 'a.pdf', '-o', 'b.pdf/x.pdf'], 1, /b\.pdf/],
    ['a page without a protocol', ['web', 'example.com'], 2, /send https:\/\/example\.com/],
    ['an unknown shell', ['completion', 'tcsh'], 2, /bash, zsh, fish\. Got "tcsh"/],
  ])('%s', async (_, args, code, message) => {
    const outcome = await sheaf(args)
    expect(outcome.stderr).toMatch(message)
    expect(outcome.code).toBe(code)
  })

  it('have their own exit codes for a missing key and a missing server, and JSON for programs', async () => {
    const noKey = await cli.run(['credits'], { env: { SHEAF_API_KEY: '' } })
    expect(noKey).toMatchObject({ code: 1, stderr: expect.stringContaining('SHEAF_API_KEY') as string })
    const wrong = await cli.run(['credits'], { env: { ...env, SHEAF_API_KEY: 'sk_wrong' } })
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('invalid_api_key') as string })
    const refused = await sheaf(['rotate', 'a.pdf', '--angle', '45', '--json'])
    expect(JSON.parse(refused.stderr)).toMatchObject({
      error: 'pdf_tool_processing_failed',
      param: 'options.angle',
      status: 422,
    })
  })
})

it.each(['bash', 'zsh', 'fish'])('writes a completion for %s with every command and its flags', async shell => {
  const { stdout } = await sheaf(['completion', shell])
  for (const { command } of listClientOperations()) expect(stdout.toString()).toContain(command)
  expect(stdout.toString()).toContain('blank-between')
})

it('prints the balance', async () => {
  expect((await sheaf(['credits'])).stdout.toString()).toMatch(/^\d+\n$/)
})

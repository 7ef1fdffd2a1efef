import { mkdtempSync, realpathSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listClientOperations } from '../../../lib/clients/operations'
import { type BuiltCli, buildCli } from '../../support/built-cli'
import { type ClientExample, firstExample, listClientExamples, startExampleSite } from '../../support/client-examples'
import { connectAgent, runTool } from '../../support/local-agent'
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
let apiKey: string
let agent: Client
const root = realpathSync(mkdtempSync(join(tmpdir(), 'sheaf-mcp-')))
const folder = join(root, 'allowed')
const outside = join(root, 'outside')

beforeAll(async () => {
  cli = buildCli()
  site = await startExampleSite()
  service = await usualService()
  examples = listClientExamples(site)
  apiKey = await service.createKey('mcp@example.test', { credits: 1000 })
  await mkdir(folder)
  await mkdir(outside)
  await writeFile(join(folder, 'a.pdf'), makePdf())
  await writeFile(join(outside, 'secret.pdf'), makePdf())
  agent = await connect(['--allow', folder, dirname(examples[0]?.files[0] ?? folder)])
})
afterAll(async () => {
  await agent?.close()
  await site?.close()
  cli?.remove()
  await rm(root, { recursive: true, force: true })
})

/** Connects an agent to a server of its own. */
const connect = (args: string[], roots?: string[]): Promise<Client> =>
  connectAgent(cli, { args, env: { SHEAF_API_KEY: apiKey, SHEAF_BASE_URL: service.base }, ...(roots && { roots }) })

const use = (name: string, args: Record<string, unknown>, client = agent) => runTool(client, name, args)

it('lists a tool for each endpoint, in less than 14,000 tokens', async () => {
  const { tools } = await agent.listTools()
  const names = listClientOperations().map(({ id }) => id.replaceAll('-', '_'))
  expect(tools.map(({ name }) => name)).toEqual([...names, 'read_docs'])
  // Counted by a tokenizer, this JSON has 4 characters for each token.
  expect(JSON.stringify(tools).length).toBeLessThan(14_000 * 3.8)
})

// The contract tests of the command and of the client for Python send every example.
it.each(sample(listClientOperations(), ({ files }) => files))('$id works with its first example', async ({ id }) => {
  const { operation, files, options } = firstExample(examples, id)
  const paths = operation.files === 'many' ? { files } : files[0] === undefined ? {} : { file: files[0] }
  const { text, isError } = await use(id.replaceAll('-', '_'), { ...paths, options, output: `${folder}/${id}/` })
  expect({ isError, text }).toEqual({
    isError: false,
    text: expect.stringMatching(/^Saved \/.* (bytes|KB|MB)\)\. [^]*\d+ credits left\.$/) as string,
  })
  const [, path = ''] = /^Saved (\S+) /.exec(text) ?? []
  expect((await stat(path)).size).toBeGreaterThan(20)
})

it('redacts, merges and numbers three files, as an agent would', async () => {
  for (const name of ['one', 'two', 'three'])
    await writeFile(join(folder, `${name}.pdf`), makePdf({ pages: 2, text: () => 'Jane Doe' }))
  for (const name of ['one', 'two', 'three']) {
    const redacted = await use('pdf_redaction', {
      file: `${name}.pdf`,
      output: `${name}-safe.pdf`,
      options: { search: [{ text: 'Jane Doe' }] },
    })
    expect(redacted.text).toMatch(/Redactions: 2, verified\./)
  }
  const files = ['one-safe.pdf', 'two-safe.pdf', 'three-safe.pdf']
  expect((await use('merge_pdf', { files, output: 'all.pdf' })).text).toMatch(/all\.pdf \(application\/pdf, 6 pages/)
  expect((await use('page_numbers', { file: 'all.pdf', output: 'numbered.pdf' })).isError).toBe(false)
  const { pages } = await readPdf(await readFile(join(folder, 'numbered.pdf')))
  expect(pages).toHaveLength(6)
  expect(JSON.stringify(pages)).not.toContain('Jane Doe')
})

describe('a pipeline', () => {
  const steps = [{ tool: 'merge-pdf' }, { tool: 'page-numbers', options: { format: 'sheet {page}' } }]

  it('takes paths, and steps name the files without folders', async () => {
    await mkdir(join(folder, 'in'), { recursive: true })
    await writeFile(join(folder, 'in/b.pdf'), makePdf({ pages: 2 }))
    const named = [{ ...steps[0], files: ['b.pdf', 'a.pdf'] }, steps[1]]
    const { text, isError } = await use('pipeline', {
      files: ['a.pdf', 'in/b.pdf'],
      output: 'chain.pdf',
      options: { steps: named },
    })
    expect({ isError, text }).toMatchObject({ isError: false, text: expect.stringContaining('7 pages') as string })
    expect(JSON.stringify((await readPdf(await readFile(join(folder, 'chain.pdf')))).pages[6])).toContain('sheet 7')
  })

  it('needs no file, and gives the name of the response', async () => {
    const page = { webpage: { html: '<h1>Note</h1>' } }
    const options = { steps: [page], receipt: true, outputName: 'note' }
    expect((await use('pipeline', { output: './', options })).text).toMatch(/^Saved \S+\/note\.zip \(application\/zip/)
  })

  it('has errors that name the step and the options of its tool', async () => {
    const wrong = [steps[0], { tool: 'rotate-pdf', options: { angle: 45 } }]
    const { text, isError } = await use('pipeline', { files: ['a.pdf', 'a.pdf'], options: { steps: wrong } })
    expect(isError).toBe(true)
    expect(text).toMatch(/steps\[1\]\.options\.angle[^]*Options of rotate_pdf: angle, pages[^]*page "rotate-pdf"/)
    const unknown = await use('pipeline', { files: ['a.pdf'], options: { steps: [{ tool: 'rotate_pdf' }] } })
    expect(unknown.text).toMatch(/steps\[0\]\.tool[^]*Options of pipeline: steps, receipt/)
    expect((await use('pipeline', { files: ['../outside/secret.pdf'], options: { steps } })).text).toContain(
      'secret.pdf',
    )
  })

  it('says whether a redaction holds for the final file', async () => {
    await writeFile(join(folder, 'jane.pdf'), makePdf({ pages: 2, text: () => 'Jane Doe' }))
    const redact = { tool: 'pdf-redaction', options: { search: [{ text: 'Jane Doe' }] } }
    const args = { files: ['jane.pdf'], output: 'jane-safe.pdf', options: { steps: [redact, steps[1]] } }
    expect((await use('pipeline', args)).text).toMatch(/Redaction verified\./)
  })
})

it('adds few characters to the conversation, whatever the size of the files', async () => {
  await writeFile(join(folder, 'large.pdf'), makePdf({ ballastBytes: 5 * 2 ** 20 }))
  const args = { files: ['large.pdf', 'large.pdf'], output: 'large-merged.pdf' }
  const { text, isError } = await use('merge_pdf', args)
  expect({ isError, text }).toMatchObject({ isError: false })
  expect(text.length + JSON.stringify(args).length).toBeLessThan(1000)
})

describe('a mistake', () => {
  it('names the nearest option, and all options', async () => {
    const { text, isError } = await use('rotate_pdf', { file: 'a.pdf', output: 'x.pdf', options: { angel: 90 } })
    expect(isError).toBe(true)
    expect(text).toContain('"angle"')
    expect(text).toContain('Options of rotate_pdf: angle, pages')
    expect(await readdir(folder)).not.toContain('x.pdf')
  })

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a missing file', { file: 'none.pdf' }, /Can't find the file "none.pdf"/],
    ['a file outside', { file: join(outside, 'secret.pdf') }, /outside of the allowed folders/],
    ['a path that climbs out', { file: '../outside/secret.pdf' }, /outside of the allowed folders/],
    ['a link that leads out', { file: 'link.pdf' }, /outside of the allowed folders/],
    ['an output outside', { file: 'a.pdf', output: join(outside, 'x.pdf') }, /outside of the allowed folders/],
    ['an output behind a link', { file: 'a.pdf', output: 'folder-link/x.pdf' }, /outside of the allowed folders/],
    ['an output that is a link', { file: 'a.pdf', output: 'link.pdf' }, /exists and is not a file/],
    ['an output that exists', { file: 'a.pdf', output: 'a.pdf' }, /exists\. Choose another output, or send overwrite/],
    ['a folder as a file', { file: '.' }, /is not a file/],
  ])('%s is refused and nothing is written', async (_, args, message) => {
    await symlink(join(outside, 'secret.pdf'), join(folder, 'link.pdf')).catch(() => undefined)
    await symlink(outside, join(folder, 'folder-link')).catch(() => undefined)
    const { text, isError } = await use('reverse_pages', args)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
    expect(await readdir(outside)).toEqual(['secret.pdf'])
  })
})

it('reports what a report says', async () => {
  const validated = await use('validate_pdf', { file: 'a.pdf', options: { profile: 'pdfa-2b' } })
  expect(validated.text).toMatch(/a-report\.json \(application\/json, .*\)\. pdfa-2b broken \(\d+ rules?\)\. /)
  const compared = await use('compare_pdfs', { files: ['a.pdf', 'a.pdf'], options: { format: 'json' } })
  expect(compared.text).toMatch(/a-comparison\.json \(application\/json, .*\)\. No changes\. /)
})

it('names an image as the response does', async () => {
  const { text } = await use('pdf_to_images', { file: 'a.pdf', options: { pages: [1], dpi: 30 } })
  expect(text).toMatch(/a-images\.png \(image\/png/)
})

it('replaces a file if the agent says so', async () => {
  await writeFile(join(folder, 'again.pdf'), 'old')
  expect((await use('reverse_pages', { file: 'a.pdf', output: 'again.pdf', overwrite: true })).isError).toBe(false)
  expect((await readFile(join(folder, 'again.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
})

it('reads the documentation as resources and by a tool', async () => {
  const { resources } = await agent.listResources()
  expect(resources.length).toBeGreaterThan(24)
  const { contents } = await agent.readResource({ uri: 'sheaf://docs/rotate-pdf' })
  expect(JSON.stringify(contents)).toContain('angle')
  expect((await use('read_docs', { page: 'rotate-pdf' })).text).toContain('angle')
  expect((await use('read_docs', { page: 'pdf_redaction/areas' })).text).toContain('`page`')
  expect((await use('read_docs', { page: '../account' })).text).toContain('There is no page')
  expect((await use('read_docs', { page: 'rotate-pdf/none' })).text).toContain('There is no page')
})

it('uses the roots of the client, and needs a folder', async () => {
  const rooted = await connect([], [folder])
  expect((await use('reverse_pages', { file: 'a.pdf', output: 'rooted.pdf' }, rooted)).isError).toBe(false)
  await rooted.close()
  const bare = await connect([])
  expect((await use('reverse_pages', { file: join(folder, 'a.pdf') }, bare)).text).toContain('No folder is allowed')
  await bare.close()
})

it('ends with a message for a wrong folder or without a key', async () => {
  expect(await cli.run(['mcp', '--allow', '/no/such'], { env: { SHEAF_API_KEY: apiKey } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"/no/such" is not a folder') as string,
  })
  expect(await cli.run(['mcp', '--allow', folder], { env: { SHEAF_API_KEY: '' } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SHEAF_API_KEY') as string,
  })
})

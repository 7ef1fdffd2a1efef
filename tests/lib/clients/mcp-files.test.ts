import { existsSync, realpathSync, renameSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../clients/cli/src/catalog'
import { usualExtension } from '../../../clients/cli/src/content-types'
import { type BuiltCli, buildCli } from '../../support/built-cli'
import { type FlakyServer, startFlakyServer, type Step } from '../../support/flaky-server'
import { connectAgent, runTool } from '../../support/local-agent'

/** Every byte, which no text encoding keeps. */
const BINARY = Buffer.from(Uint8Array.from({ length: 512 }, (_, index) => index % 256))

let cli: BuiltCli
let root: string
let folder: string
let server: FlakyServer
let agent: Client
/** What the server does with the next request. */
let step: Step

beforeAll(async () => {
  cli = buildCli()
  root = realpathSync(await mkdtemp(join(tmpdir(), 'sheaf-mcp-files-')))
  folder = join(root, 'allowed')
  await mkdir(folder)
  server = await startFlakyServer([(response, request) => step(response, request)])
  agent = await connectAgent(cli, {
    args: ['--allow', folder],
    env: { SHEAF_API_KEY: 'sk_test', SHEAF_BASE_URL: server.base },
  })
})
afterAll(async () => {
  await agent?.close()
  await server?.close()
  cli?.remove()
  await rm(root, { recursive: true, force: true })
})
beforeEach(async () => {
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true })
  await mkdir(join(folder, 'sub'), { recursive: true })
  await mkdir(join(folder, '.git/hooks'), { recursive: true })
  await writeFile(join(folder, 'a.pdf'), '%PDF the document')
  await writeFile(join(folder, '.env'), 'SECRET=1')
  step = respondWith('application/pdf', BINARY)
  server.seen.length = 0
})

function respondWith(contentType: string, body: string | Buffer): Step {
  const headers = {
    'content-type': contentType,
    'content-disposition': `attachment; filename="a-ocr${usualExtension(contentType.replace(/;.*/, '')) ?? ''}"`,
    'x-credits-charged': '1',
    'x-credit-balance': '41',
    'x-request-id': 'req_0000000000000000000000',
  }
  return response => void response.writeHead(200, headers).end(body)
}

const ocr = (args: Record<string, unknown>) => runTool(agent, 'pdf_ocr', { file: 'a.pdf', ...args })

/** Every file and folder, with its content. */
async function listTree(): Promise<string[]> {
  return (await readdir(root, { recursive: true })).sort()
}

describe('outputs', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a hook of Git', { output: '.git/hooks/post-checkout' }, /hidden/],
    ['a PDF in a hidden folder', { output: '.git/hooks/a.pdf' }, /hidden/],
    ['a new hidden folder', { output: 'sub/.new/a.pdf' }, /hidden/],
    ['a hidden folder by its full path', { output: '$FOLDER/.git/a.pdf' }, /hidden/],
    ['a hidden folder as a folder', { output: '.git/' }, /hidden/],
    ['a hidden file', { output: '.envrc' }, /hidden/],
    ['a hidden file that exists', { output: '.env', overwrite: true }, /hidden/],
    ['a hidden PDF', { output: '.a.pdf' }, /hidden/],
    ['a detour to a hidden folder', { output: 'sub/../.git/a.pdf' }, /hidden/],
    ['a link to a hidden folder', { output: 'link/a.pdf' }, /hidden/],
    ['no extension', { output: 'Makefile' }, /must end in \.pdf or \.txt.*Got "Makefile"/],
    ['the extension of a script', { output: 'run.sh' }, /must end in/],
    ['an extension behind a PDF', { output: 'a.pdf.exe' }, /must end in/],
    ['a Windows device', { output: 'NUL.pdf' }, /Got "NUL\.pdf"\. Send "_NUL\.pdf" instead/],
    ['a new folder like a Windows device', { output: 'com1/a.pdf' }, /Got "com1"/],
    ['a Windows drive', { output: 'C:a.pdf' }, /Got "C:a\.pdf"/],
    ['a Windows path', { output: 'C:\\Users\\a.pdf' }, /Send "C__Users_a\.pdf" instead/],
    ['an alternate data stream', { output: 'a.pdf:b.pdf' }, /Got "a\.pdf:b\.pdf"/],
    ['a dot at the end', { output: 'b.pdf.' }, /Got "b\.pdf\."/],
    ['a space at the end', { output: 'b.pdf ' }, /Got "b\.pdf "/],
    ['a network path', { output: '\\\\server\\share\\a.pdf' }, /two slashes/],
    ['a network path with slashes', { output: '//server/share/a.pdf' }, /two slashes/],
    ['a control character', { output: 'b\u001b.pdf' }, /every system/],
    ['a name that looks reversed', { output: 'b\u202efdp.pdf' }, /every system/],
    ['a long name', { output: `${'b'.repeat(250)}.pdf` }, /every system/],
    ['a link out', { output: 'out/a.pdf' }, /outside of the allowed folders/],
    ['a file that exists', { output: 'a.pdf' }, /exists\. Choose another output, or send overwrite/],
    ['a text for overwrite', { output: 'a.pdf', overwrite: 'true' }, /overwrite must be true or false\. Got a text/],
    ['a link that exists', { output: 'file-link.pdf', overwrite: true }, /exists and is not a file/],
  ])('refuse %s before the request', async (_, args, message) => {
    await symlink(join(folder, '.git'), join(folder, 'link'))
    await symlink(root, join(folder, 'out'))
    await symlink(join(folder, 'a.pdf'), join(folder, 'file-link.pdf'))
    const before = await listTree()
    const output = String(args['output']).replace('$FOLDER', folder)
    const { text, isError } = await ocr({ ...args, output })
    expect(text).toMatch(message)
    expect(isError).toBe(true)
    expect(server.seen).toHaveLength(0)
    expect(await listTree()).toEqual(before)
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe('SECRET=1')
    expect(await readFile(join(folder, 'a.pdf'), 'utf8')).toBe('%PDF the document')
  })

  it('have the bytes of the response', async () => {
    expect((await ocr({ output: 'new/b.PDF' })).text).toContain(
      `Saved ${folder}/new/b.PDF (application/pdf, 512 bytes)`,
    )
    expect(await readFile(join(folder, 'new/b.PDF'))).toEqual(BINARY)
    expect((await ocr({ output: 'a.pdf', overwrite: true })).isError).toBe(false)
    expect(await readFile(join(folder, 'a.pdf'))).toEqual(BINARY)
  })

  it('must fit the type of the response, and another output is free', async () => {
    step = respondWith('text/plain; charset=utf-8', '#!/bin/sh')
    const { text, isError } = await ocr({ output: 'b.pdf' })
    expect(isError).toBe(true)
    expect(text).toMatch(/must end in \.txt.*Got "b\.pdf".*charged\. Repeat it .* another output, which is free/)
    expect(await readdir(folder)).not.toContain('b.pdf')
    expect((await ocr({ output: 'b.txt' })).isError).toBe(false)
    expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('#!/bin/sh')
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('of a type that nobody knows are refused', async () => {
    step = respondWith('application/x-sh', '#!/bin/sh')
    expect((await ocr({})).text).toContain('responded with 200 and application/x-sh, but not as this API')
    expect(await readdir(folder)).toEqual(['.env', '.git', 'a.pdf', 'sub'])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['beside the input', {}, 'a-ocr.txt'],
    ['in a folder', { output: 'sub' }, 'sub/a-ocr.txt'],
    ['in a new folder', { output: 'new/' }, 'new/a-ocr.txt'],
  ])('without a name have the extension of their type: %s', async (_, args, path) => {
    step = respondWith('text/plain', 'Text')
    expect((await ocr(args)).text).toContain(`Saved ${folder}/${path} `)
    expect(await readFile(join(folder, path), 'utf8')).toBe('Text')
    expect(existsSync(join(folder, path.replace('.txt', '.pdf')))).toBe(false)
    await writeFile(join(folder, path), 'Mine')
    expect((await ocr(args)).text).toContain(`Saved ${folder}/${path.replace('.txt', ' (2).txt')} `)
    expect(await readFile(join(folder, path), 'utf8')).toBe('Mine')
  })

  it('with a likely name that exists are refused before the request', async () => {
    await writeFile(join(folder, 'a-ocr.json'), 'Mine')
    const { text } = await ocr({ options: { outputFormat: 'json' } })
    expect(text).toMatch(/a-ocr\.json" exists\. Choose another output, or send overwrite/)
    expect(server.seen).toHaveLength(0)
  })

  it('go nowhere if their folder becomes a link while the request runs', async () => {
    await mkdir(join(root, 'outside'))
    step = response => {
      renameSync(join(folder, 'sub'), join(folder, 'moved'))
      symlinkSync(join(root, 'outside'), join(folder, 'sub'))
      respondWith('application/pdf', BINARY)(response, response.req)
    }
    expect((await ocr({ output: 'sub/b.pdf' })).text).toContain('was replaced by a link')
    expect(await readdir(join(root, 'outside'))).toEqual([])
  })
})

describe('inputs', () => {
  it.each([
    ['a hidden file', '.env'],
    ['a hidden file by its full path', '$FOLDER/.env'],
    ['a file in a hidden folder', '.git/config.pdf'],
    ['a link to a hidden file', 'link.pdf'],
    ['a missing hidden file', '.missing'],
  ])('may not be %s', async (_, file) => {
    await writeFile(join(folder, '.git/config.pdf'), 'SECRET=1')
    await symlink(join(folder, '.env'), join(folder, 'link.pdf'))
    const { text, isError } = await ocr({ file: file.replace('$FOLDER', folder), output: 'b.pdf' })
    expect(text).toMatch(/is hidden\. Choose a path in which no name begins with a dot\./)
    expect(isError).toBe(true)
    expect(server.seen).toHaveLength(0)
  })

  it('may be in a hidden folder that was allowed', async () => {
    await writeFile(join(folder, '.git/b.pdf'), '%PDF')
    const env = { SHEAF_API_KEY: 'sk_test', SHEAF_BASE_URL: server.base }
    const other = await connectAgent(cli, { args: ['--allow', join(folder, '.git')], env })
    expect(await runTool(other, 'pdf_ocr', { file: 'b.pdf' })).toMatchObject({ isError: false })
    await other.close()
    expect(await readFile(join(folder, '.git/a-ocr.pdf'))).toEqual(BINARY)
  })
})

describe('arguments', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an option beside options', { languages: ['eng'] }, /^unknown argument "languages"\. Send it in options\./],
    ['a misspelled argument', { outptu: 'b.pdf' }, /^unknown argument "outptu"\. Did you mean "output"\?/],
    ['another argument', { color: 'red' }, /^unknown argument "color"\. The arguments are file, options, output, over/],
    ['a number as a file', { file: 7 }, /^file must be a text\. Got a number\./],
    ['a text as options', { options: '{}' }, /^options must be an object\. Got a text\./],
    ['no file', { file: undefined }, /^file is required\./],
  ])('refuse %s before the request', async (_, args, message) => {
    const { text, isError } = await ocr(args)
    expect(text).toMatch(message)
    expect(isError).toBe(true)
    expect(server.seen).toHaveLength(0)
  })

  it('refuse a list with something else than paths', async () => {
    const { text } = await runTool(agent, 'merge_pdf', { files: ['a.pdf', {}] })
    expect(text).toBe('files[1] must be a text. Got an object.')
  })
})

it('describes every option, and says what a tool changes', async () => {
  const { tools } = await agent.listTools()
  for (const { name, inputSchema, annotations } of tools) {
    const properties = Object.entries(inputSchema.properties ?? {}) as [string, { description?: string }][]
    const options = (inputSchema.properties?.['options'] ?? {}) as { properties?: Record<string, object> }
    for (const [key, { description }] of properties.filter(([key]) => key !== 'options'))
      expect(description, `${name} ${key}`).toMatch(/./)
    for (const [key, option] of Object.entries(options.properties ?? {}))
      expect(option, `${name} ${key}`).toMatchObject({ description: expect.stringMatching(/./) as string })
    expect(annotations).toMatchObject({ title: expect.any(String) as string, readOnlyHint: name === 'read_docs' })
  }
})

it('describes the parameter that replaces files, and knows every type of a response', async () => {
  const { tools } = await agent.listTools()
  expect(tools.find(({ name }) => name === 'pdf_ocr')?.inputSchema.properties).toMatchObject({
    overwrite: { type: 'boolean', description: expect.stringContaining('Replaces') as string },
  })
  const types = new Set(OPERATIONS.flatMap(({ responses }) => responses))
  expect([...types].filter(type => usualExtension(type) === undefined)).toEqual([])
})

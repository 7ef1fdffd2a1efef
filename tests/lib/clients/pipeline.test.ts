import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Sheaf } from '../../../clients/typescript/src/sheaf'
import { type FlakyServer, respondWith, startFlakyServer, type Step } from '../../support/flaky-server'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'

const run = promisify(execFile)
const PNG = Buffer.from('the bytes of a logo')
const LOGO = { name: 'logo.png', dataBase64: PNG.toString('base64') }

let server: FlakyServer
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-pipeline-'))
  await writeFile(join(folder, 'a.pdf'), '%PDF a')
  await writeFile(join(folder, 'logo.png'), PNG)
})
afterEach(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The fields of the form that the server has seen last. Files are their names. */
async function readForm(): Promise<Record<string, unknown>> {
  const seen = server.seen.at(-1)
  expect(seen?.path).toBe('/api/external/pipeline')
  const headers = { 'content-type': seen?.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(seen?.body ?? []), { headers }).formData()
  const names = form.getAll('files').map(file => (file as File).name)
  const texts = [...form].filter(([name]) => name !== 'files') as [string, string][]
  const read = (text: string): unknown => (/^[[{]/.test(text) ? JSON.parse(text) : text)
  return { files: names, ...Object.fromEntries(texts.map(([name, text]) => [name, read(text)])) }
}

const answer = (contentType: string, name: string, body: string): Step =>
  respondWith({ 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` }, body)

describe('a pipeline with the client for TypeScript', () => {
  const start = async (step: Step) => {
    server = await startFlakyServer([step])
    return new Sheaf({ baseUrl: server.base, apiKey: 'sk_test' })
  }

  it('needs no file', async () => {
    const sheaf = await start(respondWith({}))
    const steps = [
      { webpage: { html: '<h1>Payslip</h1>' } },
      { tool: 'protect-pdf' as const, options: { userPassword: 'pw' } },
    ]
    await sheaf.pipeline([], { steps, outputName: 'payslip' })
    expect(await readForm()).toEqual({ files: [], steps, outputName: 'payslip' })
  })

  it('sends files by name, and files in the options of steps', async () => {
    const sheaf = await start(respondWith({}))
    const logo = new File([new Uint8Array(PNG)], 'logo.png')
    const stamp = { tool: 'add-watermark' as const, files: ['a.pdf'], options: { image: logo } }
    const bill = { invoice: { logo: new Uint8Array(PNG) } }
    await sheaf.pipeline([join(folder, 'a.pdf')], { steps: [stamp, bill], receipt: true })
    expect(await readForm()).toEqual({
      files: ['a.pdf'],
      steps: [{ ...stamp, options: { image: LOGO } }, { invoice: { logo: { ...LOGO, name: 'file' } } }],
      receipt: 'true',
    })
  })

  it('returns whatever the last step makes', async () => {
    const steps = [{ tool: 'extract-text' as const }]
    const text = await (await start(answer('text/plain; charset=utf-8', 'a.txt', 'Ä'))).pipeline([PNG], { steps })
    expect([text.contentType, await text.text()]).toEqual(['text/plain', 'Ä'])
    await server.close()
    const json = await (await start(answer('application/json', 'a.json', '{"pages":[]}'))).pipeline([PNG], { steps })
    expect(await json.json()).toEqual({ pages: [] })
    await server.close()
    const zip = await (await start(answer('application/zip', 'a.zip', 'PK'))).pipeline([PNG], { steps })
    expect(await readFile(await zip.save(`${folder}/`), 'utf8')).toBe('PK')
    expect(zip.name).toBe('a.zip')
  })
})

const PROGRAM = `
import json, os, pathlib, sys
from sheaf import Sheaf, SheafApiError
sheaf = Sheaf("sk_test")
folder = pathlib.Path(sys.argv[1])
try:
    result = eval(sys.stdin.read())
    print(json.dumps([result.content_type, result.name, result.bytes().decode()]))
except SheafApiError as error:
    print(json.dumps([error.param, str(error)]))
`

describe.runIf(hasPython())('a pipeline with the client for Python', () => {
  const evaluate = async (step: Step, expression: string): Promise<unknown> => {
    server = await startFlakyServer([step])
    const env = { ...PYTHON_ENVIRONMENT, SHEAF_BASE_URL: server.base }
    const done = run('python3', ['-c', PROGRAM, folder], { env })
    done.child.stdin?.end(expression)
    return JSON.parse((await done).stdout) as unknown
  }

  it('needs no file', async () => {
    const steps =
      '[{"webpage": {"html": "<h1>Payslip</h1>"}}, {"tool": "protect-pdf", "options": {"user_password": "pw"}}]'
    await evaluate(respondWith({}), `sheaf.pipeline([], {"steps": ${steps}, "output_name": "payslip"})`)
    expect(await readForm()).toEqual({
      files: [],
      steps: [{ webpage: { html: '<h1>Payslip</h1>' } }, { tool: 'protect-pdf', options: { userPassword: 'pw' } }],
      outputName: 'payslip',
    })
  })

  it('writes the names of options in steps in camelCase, and keeps the names of the caller', async () => {
    const steps = `[
      {"tool": "crop-pdf", "files": ["a_b.pdf"], "options": {"output_name": "out_put"}, "as": "cut_out"},
      {"tool": "form-filler", "options": {"fields": {"full_name": "Jo", "a.last_name": "Doe"}}},
      {"tool": "edit-metadata", "options": {"custom": {"case_id": "7"}}},
      {"webpage": {"extra_headers": {"x-case_id": "7"}, "print_background": False}},
      {"invoice": {"bill_to": {"name": "B"}}},
    ]`
    await evaluate(respondWith({}), `sheaf.pipeline([("a_b.pdf", b"%PDF")], {"steps": ${steps}})`)
    expect(await readForm()).toEqual({
      files: ['a_b.pdf'],
      steps: [
        { tool: 'crop-pdf', files: ['a_b.pdf'], options: { outputName: 'out_put' }, as: 'cut_out' },
        { tool: 'form-filler', options: { fields: { full_name: 'Jo', 'a.last_name': 'Doe' } } },
        { tool: 'edit-metadata', options: { custom: { case_id: '7' } } },
        { webpage: { extraHeaders: { 'x-case_id': '7' }, printBackground: false } },
        { invoice: { billTo: { name: 'B' } } },
      ],
    })
  })

  it('reads paths in the options of steps', async () => {
    const stamp = '{"tool": "add-watermark", "options": {"image": folder / "logo.png"}}'
    await evaluate(respondWith({}), `sheaf.pipeline([folder / "a.pdf"], {"steps": [${stamp}]})`)
    expect(await readForm()).toEqual({ files: ['a.pdf'], steps: [{ tool: 'add-watermark', options: { image: LOGO } }] })
  })

  it('names options of steps in errors as the caller does', async () => {
    const error: Step = response => {
      const param = 'steps[0].options.blankBetween'
      const body = { error: 'pdf_tool_processing_failed', message: `${param} must be true or false.`, param }
      response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const steps = '[{"tool": "merge-pdf", "options": {"blank_between": 7}}]'
    expect(await evaluate(error, `sheaf.pipeline([b"%PDF"], {"steps": ${steps}})`)).toEqual([
      'steps[0].options.blank_between',
      expect.stringContaining('steps[0].options.blank_between must be') as string,
    ])
  })

  it.each([
    ['text/plain', 'a.txt', 'Ä'],
    ['application/json', 'a.json', '{}'],
    ['application/zip', 'a.zip', 'PK'],
  ])('returns %s', async (contentType, name, body) => {
    const result = await evaluate(
      answer(contentType, name, body),
      'sheaf.pipeline([b"%PDF"], {"steps": [{"tool": "extract-text"}]})',
    )
    expect(result).toEqual([contentType, name, body])
  })
})

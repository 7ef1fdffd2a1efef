import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listClientExamples, startExampleSite } from '../../support/client-examples'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'
import type { RunningService } from '../../support/service'
import type { TestSite } from '../../support/site'
import { usualService } from '../../support/shared-services'

const run = promisify(execFile)

/** Sends every example in one process, and prints a line of JSON for each. */
const PROGRAM = `
import json, sys
from sheaf import Sheaf, SheafApiError
sheaf = Sheaf()
for example in json.load(open(sys.argv[1])):
    method = getattr(sheaf, example["id"].replace("-", "_"))
    files = example["files"]
    try:
        if example["kind"] in ("html", "none"):
            result = method(example["options"])
        else:
            result = method(files if example["kind"] == "many" else files[0], example["options"])
        print(json.dumps([result.content_type, len(result.bytes()), result.credits_charged, result.credit_balance, result.name]))
    except SheafApiError as error:
        print(json.dumps([error.code, str(error)]))
print(json.dumps(sheaf.credits()))
`

describe.runIf(hasPython())('the client for Python', () => {
  let service: RunningService
  let site: TestSite
  let folder: string
  let environment: NodeJS.ProcessEnv

  beforeAll(async () => {
    site = await startExampleSite()
    folder = await mkdtemp(join(tmpdir(), 'sheaf-python-'))
    service = await usualService()
    const apiKey = await service.createKey('python@example.test', { credits: 1000 })
    environment = { ...PYTHON_ENVIRONMENT, SHEAF_API_KEY: apiKey, SHEAF_BASE_URL: service.base }
  })
  afterAll(async () => {
    await site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('sends every documented example of every endpoint', async () => {
    const examples = listClientExamples(site)
    const list = examples.map(({ operation: { id, files: kind }, files, options }) => ({ id, kind, files, options }))
    await writeFile(join(folder, 'examples.json'), JSON.stringify(list))
    const { stdout } = await run('python3', ['-c', PROGRAM, join(folder, 'examples.json')], { env: environment })
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as unknown)
    expect(lines).toHaveLength(examples.length + 1)
    let balance: number | undefined
    for (const [index, { operation, title }] of examples.entries()) {
      const [contentType, size, charged, after] = lines[index] as [string, number, number, number]
      expect(operation.responses, `${operation.id}: ${title}: ${JSON.stringify(lines[index])}`).toContain(contentType)
      expect(size).toBeGreaterThan(20)
      expect(charged).toBe(1)
      if (balance !== undefined) expect(after).toBe(balance - 1)
      balance = after
    }
    expect(lines.at(-1)).toBe(balance)
  })

  it('reads errors, and takes files of every kind', async () => {
    const { stdout } = await run('python3', ['-c', KINDS, join(folder, 'März.pdf')], { env: environment })
    expect(JSON.parse(stdout)).toEqual({
      same: true,
      name: 'März-reversed.pdf',
      error: {
        status: 422,
        code: 'pdf_tool_processing_failed',
        param: 'options.angle',
        problems: ['options.angle'],
        docs: `${service.base}/docs/errors#pdf_tool_processing_failed`,
        requestId: true,
      },
      key: 'invalid_api_key',
      missing: '/no/such/file.pdf',
      setting: 'Unknown setting angle. Options of the endpoint belong in `options`.',
      typed: 'A file must be a path, bytes, an open binary file, or a dict with name and url. Got int.',
      list: "The files must be a list, such as ['a.pdf', 'b.pdf'].",
      snake: ['options.blank_between', true],
      camel: ['options.blankBetween', false],
      near: true,
      filled: true,
      gathered: [true, 1, 'pdfua-1'],
      chained: ['payslip.pdf', 'application/pdf', 1],
      step: 'steps[0].options.blank_between',
    })
  })
})

const KINDS = `
import asyncio, io, json, pathlib, sys
from sheaf import AsyncSheaf, Sheaf, SheafApiError
sheaf = Sheaf()
page = sheaf.webpage_to_pdf({"html": "<title>A</title><p>Text</p>"})
path = page.save(pathlib.Path(sys.argv[1]))
content = path.read_bytes()
class Once(io.RawIOBase):
    def __init__(self, content): self.rest = io.BytesIO(content)
    def read(self, size=-1): return self.rest.read(size)
    def seekable(self): return False
results = [sheaf.reverse_pages(file) for file in (path, str(path), (path.name, content), open(path, "rb"), (path.name, Once(content)))]
def problem(run):
    try:
        run()
    except Exception as error:
        return error
def names(error):
    return [error.param, "blank_between" in str(error)]
async def gather():
    client = AsyncSheaf()
    turned, report = await asyncio.gather(client.rotate_pdf(path, {"angle": 90}), client.validate_pdf(path, {"profile": "pdfua-1"}))
    content = await turned.bytes()
    saved = await turned.save(path.parent)
    return [saved.read_bytes() == content, turned.credits_charged, (await report.json())["profile"]]
error = problem(lambda: sheaf.rotate_pdf(path, {"angle": 45}))
chained = sheaf.pipeline([], {"steps": [{"webpage": {"html": "<h1>A</h1>", "print_background": False}}, {"tool": "protect-pdf", "options": {"user_password": "pw"}}], "output_name": "payslip"})
print(json.dumps({
    "same": len({result.bytes() for result in results}) == 1,
    "name": results[0].name,
    "error": {"status": error.status, "code": error.code, "param": error.param, "problems": [one.param for one in error.problems], "docs": error.docs, "requestId": error.request_id.startswith("req_")},
    "key": problem(lambda: Sheaf("sk_wrong").reverse_pages(path)).code,
    "missing": problem(lambda: sheaf.reverse_pages("/no/such/file.pdf")).filename,
    "setting": str(problem(lambda: sheaf.rotate_pdf(path, angle=90))),
    "typed": str(problem(lambda: sheaf.reverse_pages(7))),
    "list": str(problem(lambda: sheaf.merge_pdf("a.pdf"))),
    "snake": names(problem(lambda: sheaf.merge_pdf([path, path], {"blank_between": "maybe"}))),
    "camel": names(problem(lambda: sheaf.merge_pdf([path, path], {"blankBetween": "maybe"}))),
    "near": '"blank_between"' in str(problem(lambda: sheaf.merge_pdf([path, path], {"blank_betwen": "odd"}))),
    "filled": "full_name" in str(problem(lambda: sheaf.form_filler("public/samples/form.pdf", {"fields": {"full_name": "Jo"}}))),
    "gathered": asyncio.run(gather()),
    "chained": [chained.name, chained.content_type, chained.credits_charged],
    "step": problem(lambda: sheaf.pipeline([path, path], {"steps": [{"tool": "merge-pdf", "options": {"blank_between": "maybe"}}]})).param,
}))
`

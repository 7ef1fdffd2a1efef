import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { ToolDeclaration } from '../../../engines/tools/define'
import type { Engines } from '../../../engines/create-engines'
import { readConfig } from '../../../lib/config'
import { isRequestError } from '../../../lib/errors'
import type { Body, BodyFile } from '../../../lib/body/body'
import { createPdfToolOperation } from '../../../lib/operations/pdf-tool'
import { placeSingleton } from '../../../lib/registry'
import { DEFAULT_HINTS } from '../../support/field-hints'

const rotate: ToolDeclaration = {
  id: 'rotate-pdf',
  title: 'Rotate',
  summary: 'Rotates.',
  files: 'one',
  suffix: 'rotated',
  group: 'Organize',
  tagline: 'Turn.',
  responses: 'application/pdf',
  options: z.strictObject({ angle: z.literal([90, 180, 270]), times: z.int().default(1) }),
  step: { result: () => 'pdf' },
  examples: [{ title: 'A quarter turn', options: { angle: 90 } }],
}
const merge: ToolDeclaration = { ...rotate, id: 'merge-pdf', files: 'many', options: z.strictObject({}) }
const fine = { options: { angle: 90 } }

const file = (field = 'file', byteLength = 5): BodyFile => ({
  field,
  name: 'a.pdf',
  chunks: [Buffer.alloc(byteLength)],
  byteLength,
})

async function refusal(tool: ToolDeclaration, fields: Record<string, unknown>, files: BodyFile[]) {
  try {
    await createPdfToolOperation(tool).parse({ encoding: 'json', fields, files }, DEFAULT_HINTS)
  } catch (error) {
    if (isRequestError(error) && error.code === 'pdf_tool_processing_failed') return error
    throw error
  }
  throw new Error('It was not refused')
}

describe('a PDF tool as an operation', () => {
  const run = vi.fn<Engines['run']>()

  beforeEach(() => {
    placeSingleton('config', readConfig({ TOOL_TIMEOUT_MS: '15000', OPEN_TIMEOUT_MS: '4000', MAX_PAGES: '77' }))
    placeSingleton('engines', { run: run.mockReset() })
  })

  it('passes a job with its defaults, limits and deadlines to the engines', async () => {
    const { signal } = new AbortController()
    const prepared = await createPdfToolOperation(rotate).parse(
      { encoding: 'json', fields: fine, files: [file('files', 20e6)] },
      DEFAULT_HINTS,
    )
    await prepared.run({ accountId: 'a', signal })
    const [job, options] = run.mock.calls[0] ?? []
    expect(job).toMatchObject({ tool: 'rotate-pdf', options: { angle: 90, times: 1 }, limits: { maxPagesIn: 77 } })
    expect(job?.files).toEqual([{ name: 'a.pdf', byteLength: 20e6, chunks: [expect.anything()] }])
    expect(options).toEqual({ signal, owner: 'a', openTimeoutMs: 4000, toolTimeoutMs: 12_000 })
  })

  it('never allows more time than the setting', async () => {
    const body: Body = { encoding: 'json', fields: fine, files: [file('file', 90e6)] }
    const prepared = await createPdfToolOperation(rotate).parse(body, DEFAULT_HINTS)
    await prepared.run({ accountId: 'a', signal: new AbortController().signal })
    expect(run.mock.calls[0]?.[1].toolTimeoutMs).toBe(15_000)
  })

  it.each([undefined, null, {}])('treats options that are %j as missing', async options => {
    const body: Body = { encoding: 'json', fields: { options }, files: [file('files'), file('files')] }
    const { warnings } = await createPdfToolOperation(merge).parse(body, DEFAULT_HINTS)
    expect(warnings).toEqual([])
  })

  it.each<[string, ToolDeclaration, BodyFile[], string]>([
    ['no file', rotate, [], 'file: is required and must be a PDF.'],
    ['an empty file', rotate, [file('file', 0)], 'file: is empty. Send a PDF.'],
    [
      'two files',
      rotate,
      [file('files'), file('files')],
      'files: must be exactly one PDF for rotate-pdf. Got 2 files.',
    ],
    [
      'file and files',
      rotate,
      [file('file'), file('files')],
      'files: was sent together with "file". Send only one of them.',
    ],
    [
      'a file under a different name',
      rotate,
      [file('upload')],
      'file: is required and must be a PDF. You sent "upload", which isn\'t a known field. Did you mean "file"?',
    ],
    ['no files for merge', merge, [], 'files: is required and must have at least 2 PDFs for merge-pdf.'],
    ['one file for merge', merge, [file('files')], 'files: must have at least 2 PDFs for merge-pdf. Got 1.'],
    ['file for merge', merge, [file()], 'files: is required. merge-pdf takes PDFs in "files", not in "file".'],
    ['an empty file for merge', merge, [file('files'), file('files', 0)], 'files[1]: is empty. Send a PDF.'],
  ])('refuses %s', async (_, tool, files, message) => {
    expect((await refusal(tool, tool === merge ? {} : fine, files)).message).toBe(message)
  })

  it('lists the problems of files and options together', async () => {
    const error = await refusal(rotate, { options: { angle: 45, angel: 1 } }, [])
    expect(error.problems.map(({ param }) => param)).toEqual(['file', 'options.angle', 'options.angel'])
    expect(error.message).toMatch(/^3 errors: file: is required/)
  })

  it.each([[[]], ['angle'], [7]])('refuses options that are %j', async options => {
    expect((await refusal(rotate, { options }, [file()])).message).toMatch(/^options: must be an object\. Got .*\.$/)
  })

  it('refuses a tool option outside `options`, and ignores other fields with a warning', async () => {
    expect((await refusal(rotate, { ...fine, angle: 90 }, [file()])).message).toMatch(
      /^angle: is an option\. Send it inside "options"/,
    )
    const prepared = await createPdfToolOperation(rotate).parse(
      { encoding: 'json', fields: { ...fine, note: 'x' }, files: [file()] },
      DEFAULT_HINTS,
    )
    expect(prepared).toMatchObject({ warnings: ['unknown-field'], unknownFields: ['note'] })
  })
})

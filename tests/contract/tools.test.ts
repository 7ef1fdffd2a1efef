import { beforeAll, describe, expect, it } from 'vitest'
import type { ToolDeclaration } from '../../engines/tools/define'
import { listTools } from '../../engines/tools/registry'
import { FormDraft } from '../fixtures/forms'
import { makeScan } from '../fixtures/scan'
import { readPageTexts } from '../support/page-texts'
import { sample } from '../support/scope'
import type { RunningService } from '../support/service'
import { type ApiResponse, type Client, createClient, type Upload } from './client'
import { makeFilesFor, makeMisplacedPdf, makePdf } from './documents'
import { expectFile, expectRefusal, readFileName } from './expectations'
import { readZip } from './read-zip'
import { usualService } from '../support/shared-services'

const CREDITS = 1000
const document: Upload = { name: 'contract.pdf', bytes: makePdf() }
const other: Upload = { name: 'another.pdf', bytes: makePdf({ pages: 2, text: pageNumber => `Other ${pageNumber}` }) }
const EXTENSIONS: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/json': 'json',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

let service: RunningService
let client: Client

beforeAll(async () => {
  service = await usualService()
  client = createClient(service.base, await service.createKey('tools@example.test', { credits: CREDITS }))
})

const examples = listTools().flatMap(tool =>
  tool.examples.map((example, index) => ({
    tool,
    name: `${tool.id} · ${example.title}`,
    options: example.options,
    isFirst: index === 0,
  })),
)

function filesOf(tool: ToolDeclaration): Upload | Upload[] {
  const files = makeFilesFor(tool.id)
  return tool.files === 'many' ? files : (files[0] ?? document)
}

describe('every example of every tool', () => {
  it.each(sample(examples, ({ tool }) => tool.id))(
    '$name: a complete file for 1 credit',
    async ({ tool, options, isFirst }) => {
      const before = await client.balance()
      const response = await client.callTool(tool.id, filesOf(tool), options)
      expectFile(response, isFirst ? tool.responses : undefined)
      expect({ charged: response.charged, balance: response.balance }).toEqual({ charged: 1, balance: before - 1 })
      expect(response.headers['idempotent-replayed']).toBeUndefined()
      const extension = EXTENSIONS[String(response.headers['content-type']).split(';')[0] ?? '']
      const { outputName } = options as { outputName?: string }
      const input = [filesOf(tool)].flat()[0]?.name.replace(/\.\w+$/, '')
      expect(readFileName(response)).toBe(`${outputName ?? `${input}-${tool.suffix}`}.${extension}`)
      // An encrypted file needs its password.
      if (!tool.isRandom) await expectReadable(response)
    },
  )
})

async function expectReadable({ bytes, headers }: ApiResponse): Promise<void> {
  const type = headers['content-type']
  if (type === 'application/pdf') return expectPages(bytes)
  if (type !== 'application/zip') return expect(bytes.length).toBeGreaterThan(0)
  const entries = readZip(bytes)
  expect(entries.length).toBeGreaterThan(0)
  expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length)
  for (const { name, bytes: part } of entries) {
    expect(name).toMatch(/^[^/\\\p{Cc}]+\.\w+$/u)
    if (name.endsWith('.pdf')) await expectPages(part)
  }
}

async function expectPages(pdf: Buffer): Promise<void> {
  expect((await readPageTexts(pdf)).length).toBeGreaterThan(0)
}

describe('requests of every tool', () => {
  const kinds = sample(listTools(), tool => [tool.files, tool.accepts, tool.isRandom].join())

  it.each(kinds)('$id returns the same file for JSON, for a form, and for its one file as `files`', async tool => {
    const options = tool.examples[0]?.options
    const files = filesOf(tool)
    const [first, ...others] = [
      await client.callTool(tool.id, files, options),
      await client.callToolAsForm(tool.id, files, options),
      await client.callTool(tool.id, [files].flat(), options),
      await client.callToolAsForm(tool.id, [files].flat(), options),
    ]
    for (const response of others) {
      expectFile(response)
      expect(tool.isRandom === true || response.bytes.equals(first.bytes)).toBe(true)
      expect(response.balance).toBeLessThan(first.balance ?? 0)
      expect(response.requestId).not.toBe(first.requestId)
    }
  })

  it('keep the order of `files`, in JSON and as a form', async () => {
    for (const response of [
      await client.callTool('merge-pdf', [other, document], {}),
      await client.callToolAsForm('merge-pdf', [other, document], {}),
    ]) {
      expect(await readPageTexts(response.bytes)).toEqual([
        'Other 1',
        'Other 2',
        'Page 1',
        'Page 2',
        'Page 3',
        'Page 4',
        'Page 5',
      ])
      expect(readFileName(response)).toBe('another-merged.pdf')
    }
  })

  it('read a scan, and report the confidence', async () => {
    const scan = {
      name: 'scan.pdf',
      bytes: await makeScan([{ lines: ['Number 90417 is pinned', 'to the old green door.'] }]),
    }
    const response = await client.callTool('pdf-ocr', scan, { outputFormat: 'text' })
    expectFile(response, 'text/plain; charset=utf-8')
    expect(response.bytes.toString('utf8').split(/\s+/).filter(Boolean)).toEqual([
      'Number',
      '90417',
      'is',
      'pinned',
      'to',
      'the',
      'old',
      'green',
      'door.',
    ])
    expect(readFileName(response)).toBe('scan-ocr.txt')
    expect(response.headers['x-ocr-pages']).toBe('1')
    expect(Number(response.headers['x-ocr-confidence'])).toBeGreaterThan(80)
    const before = await client.balance()
    const refused = await client.callTool('pdf-ocr', scan, { languages: ['../eng'] })
    expectRefusal(
      refused,
      { status: 422, error: 'pdf_tool_processing_failed', says: ['options.languages[0]', 'eng'] },
      before,
    )
  })

  it('rebuild a file with a damaged table and report it', async () => {
    const response = await client.callTool('reverse-pages', { name: 'misplaced.pdf', bytes: makeMisplacedPdf() }, {})
    expectFile(response, 'application/pdf')
    expect(response.warnings).toEqual(['repaired'])
    expect(await readPageTexts(response.bytes)).toEqual(['Page 5', 'Page 4', 'Page 3', 'Page 2', 'Page 1'])
  })

  it('fill a form field named __proto__ like any other', async () => {
    const form = new FormDraft()
    form.field('/FT/Tx/T(__proto__)', [100, 500, 200, 20])
    const upload = { name: 'form.pdf', bytes: form.write() }
    for (const send of [client.callTool, client.callToolAsForm]) {
      const filled = await send('form-filler', upload, JSON.parse('{"fields": {"__proto__": "kept"}}'))
      expectFile(filled, 'application/pdf')
      const listed = await client.callTool('form-filler', { ...upload, bytes: filled.bytes }, { listOnly: true })
      expect(JSON.parse(listed.bytes.toString('utf8'))).toMatchObject({
        count: 1,
        fields: [{ name: '__proto__', value: 'kept' }],
      })
    }
  })

  it('with an Origin get a response and a warning that keys belong on servers', async () => {
    const response = await client.callTool('rotate-pdf', document, { angle: 90 }, { origin: 'https://shop.example' })
    expectFile(response, 'application/pdf')
    expect(response.warnings).toEqual(['browser-origin'])
  })

  it('have no warnings if nothing was adjusted', async () => {
    const response = await client.callTool('rotate-pdf', document, { angle: 90 })
    expect(response.headers['x-warnings']).toBeUndefined()
  })
})

describe('the name of a result', () => {
  const names: [string, string, string?][] = [
    ['another script', 'Żółć 報告.pdf', 'Żółć 報告-rotated.pdf'],
    ['two dots', 'report.final.PDF', 'report.final-rotated.pdf'],
    ['no extension', 'no-extension', 'no-extension-rotated.pdf'],
    ['a path', '../../etc/passwd.pdf', 'passwd-rotated.pdf'],
    ['a path of Windows', 'C:\\Users\\me\\letter.pdf', 'letter-rotated.pdf'],
    ['dots', '...', 'document-rotated.pdf'],
    ['nothing', '', 'document-rotated.pdf'],
    ['quotes', 'say "hello".pdf'],
    ['line breaks', 'x\r\nSet-Cookie: a=b.pdf'],
    ['signs of headers', "100% %41 it's (done); *.pdf"],
    ['5,000 letters', `${'long'.repeat(1250)}.pdf`],
    ['5,000 letters of three bytes', `${'長'.repeat(5000)}.pdf`],
  ]

  it.each(names)('from %s is safe', async (_what, name, expected) => {
    for (const response of [
      await client.callTool('rotate-pdf', { ...document, name }, { angle: 90 }),
      await client.callToolAsForm('rotate-pdf', { ...document, name: name || ' ' }, { angle: 90 }),
    ]) {
      expectFile(response, 'application/pdf')
      const given = readFileName(response)
      expect(given).toMatch(/^[^/\\\p{Cc}"]+-rotated\.pdf$/u)
      expect(given).not.toMatch(/^\./)
      expect(Buffer.byteLength(given)).toBeLessThanOrEqual(120 + '-rotated.pdf'.length)
      if (expected !== undefined) expect(given).toBe(expected)
    }
  })
})

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { ResultKind, ToolDeclaration } from '../../../engines/tools/define'
import { listTools } from '../../../engines/tools/registry'
import { findEndpoint } from '../../../lib/docs/endpoints'
import { readZip } from '../../support/read-zip'
import { runOn } from '../../support/run-on'
import { IS_COMPLETE } from '../../support/scope'

type Result = Awaited<ReturnType<typeof runOn>>

/** The kind of a result by its content type and its bytes. */
function judge({ bytes, contentType }: Result): ResultKind | 'mixed' {
  if (contentType.startsWith('image/')) return 'images'
  if (contentType === 'application/pdf') {
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    return /\/Encrypt\s+\d+ \d+ R/.test(bytes.toString('latin1')) ? 'encrypted-pdf' : 'pdf'
  }
  if (contentType === 'application/xml') return 'xml'
  if (contentType !== 'application/zip') return 'other'
  const names = readZip(bytes).map(({ name }) => name)
  const has = (extensions: RegExp) => names.some(name => extensions.test(name))
  const isImages = has(/\.(png|jpg|webp)$/)
  if (has(/\.pdf$/)) return isImages ? 'mixed' : 'pdfs'
  return isImages ? 'images' : 'other'
}

interface Case {
  tool: ToolDeclaration
  options: object
  kind: ResultKind
  id: string
}

/** Options for kinds that no example has. */
const OTHERS: Record<string, object[]> = {
  'extract-pages': [{ pages: '1-2', separate: true }],
  'form-filler': [{ listOnly: true }],
  'pdf-ocr': [{ outputFormat: 'zip' }],
  'pdf-redaction': [{ search: [{ text: 'the' }], report: true }],
}

/** The first example of each tool, and the first one of each other kind that it declares. */
function listCases(): Case[] {
  return listTools().flatMap(tool => {
    const seen = new Map<string, Case>()
    for (const given of [...tool.examples.map(example => example.options), ...(OTHERS[tool.id] ?? [])]) {
      const options = tool.options.parse(given)
      const kind = tool.step.result(options)
      if (!seen.has(kind)) seen.set(kind, { tool, options, kind, id: tool.id })
    }
    return [...seen.values()]
  })
}

/** Recognition takes long. */
const CASES = listCases().filter(({ tool }) => IS_COMPLETE || tool.id !== 'pdf-ocr')

describe('a tool says what its result is for the next step of a pipeline', () => {
  it.each(CASES)('$id: $kind', async ({ tool, options, kind }) => {
    const names = findEndpoint(tool.id)?.sampleFiles ?? []
    const files = await Promise.all(names.map(name => readFile(`public/samples/${name}`)))
    expect(judge(await runOn(tool.id, files, options))).toBe(kind)
  })

  it('covers every tool, and every kind but XML', () => {
    expect(new Set(listCases().map(({ tool }) => tool.id)).size).toBe(listTools().length)
    const kinds: ResultKind[] = ['encrypted-pdf', 'images', 'other', 'pdf', 'pdfs']
    expect([...new Set(listCases().map(({ kind }) => kind))].toSorted()).toEqual(kinds)
  })
})

import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { findTool, listTools } from '../../../engines/tools/registry'
import { runOn } from '../../support/run-on'
import { IS_COMPLETE } from '../../support/scope'

const sample = (name: string) => readFileSync(`public/samples/${name}`)

const CASES: [tool: string, files: string[], options: object][] = [
  ['validate-pdf', ['report.pdf'], { profile: 'pdfua-1' }],
  ['validate-pdf', ['e-invoice.pdf'], { profile: 'pdfa-3b' }],
  ['compare-pdfs', ['contract-1.pdf', 'contract-2.pdf'], { format: 'json' }],
  ['compare-pdfs', ['letter.pdf', 'report.pdf'], { format: 'json' }],
  ['read-invoice', ['e-invoice.pdf'], {}],
  ['read-invoice', ['xrechnung.xml'], {}],
  ['extract-text', ['report.pdf'], { format: 'json' }],
  ['pdf-ocr', ['scan.pdf'], { outputFormat: 'json' }],
  ['form-filler', ['form.pdf'], { listOnly: true }],
]

describe('the JSON of a response has its declared type', () => {
  it.each(IS_COMPLETE ? CASES : CASES.filter(([tool]) => tool !== 'pdf-ocr'))(
    '%s %j %j',
    async (tool, names, options) => {
      const files = names.map(sample)
      const { bytes } = await runOn(tool, files.length === 1 ? (files[0] ?? Buffer.of()) : files, options)
      const schema = findTool(tool)?.report?.schema
      expect(schema).toBeInstanceOf(z.ZodType)
      const { error } = schema?.safeParse(JSON.parse(bytes.toString('utf8'))) ?? {}
      expect(error?.issues.slice(0, 3) ?? []).toEqual([])
    },
  )

  it('covers every tool with JSON', () => {
    const withJson = listTools().filter(
      ({ responses, otherResponses = [] }) =>
        responses === 'application/json' ||
        otherResponses.some(({ contentType }) => contentType === 'application/json'),
    )
    expect(withJson.map(({ id }) => id).toSorted()).toEqual([...new Set(CASES.map(([tool]) => tool))].toSorted())
    for (const { id, report } of withJson) expect(report, id).toBeDefined()
  })
})

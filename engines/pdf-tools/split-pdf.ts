import { z } from 'zod'
import { EngineError } from '../errors'
import { dropAttachments } from '../pdf-core/attachments'
import { selectPages } from '../pdf-core/copy-pages'
import type { PdfDocument } from '../pdf-core/document'
import { forkDocument } from '../pdf-core/open'
import { outputNameOption, pagesOption } from '../pdf-core/schemas'
import { resolvePage, resolvePages } from '../pdf-core/selectors'
import { defineTool } from './define'
import type { ToolPart } from './define'

const rangeSchema = z.strictObject({
  start: z.number().int().min(1).describe('First page of the part, from 1.'),
  end: z.number().int().min(1).describe('Last page of the part; smaller than `start` counts backwards.'),
})

export const splitPdf = defineTool({
  id: 'split-pdf',
  title: 'Split a PDF',
  summary: 'Cuts a PDF into several and answers a ZIP of them; no part holds anything of the others.',
  files: 'one',
  suffix: 'parts',
  answers: 'application/zip',
  options: z.strictObject({
    mode: z.enum(['ranges']).default('ranges').describe('How to cut: `ranges` makes one part of each entry of `ranges`.'),
    ranges: z
      .array(z.union([rangeSchema, pagesOption('Pages of the part.')]))
      .min(1)
      .max(1000)
      .describe('One entry a part: `{start, end}` or a page selector such as `"1-3,7"`. Parts may overlap and leave pages out.'),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Two parts', options: { mode: 'ranges', ranges: [{ start: 1, end: 2 }, { start: 3, end: 5 }] } },
    { title: 'The first page, and the rest', options: { ranges: ['first', '2-'] } },
  ],
  run([input], { ranges }, { limits }) {
    if (!input) throw new RangeError('split-pdf without a file') // the service asks for one
    const { document, name } = input
    const parts = ranges.map((range, index) => resolveRange(range, document.pageCount, `options.ranges[${index}]`))
    const total = parts.reduce((sum, part) => sum + part.length, 0)
    if (total > limits.maxPagesOut) {
      throw new EngineError('bad-options', `options.ranges: the parts have ${total} pages together; at most ${limits.maxPagesOut} are allowed`, { param: 'options.ranges' })
    }
    return { kind: 'zip', parts: makeParts(document, name, parts) }
  },
})

function resolveRange(range: z.infer<typeof rangeSchema> | number[] | string, pageCount: number, param: string): number[] {
  if (typeof range === 'string' || Array.isArray(range)) return resolvePages(range, pageCount, param)
  const start = resolvePage(range.start, pageCount, `${param}.start`)
  const end = resolvePage(range.end, pageCount, `${param}.end`)
  const step = start <= end ? 1 : -1
  return Array.from({ length: Math.abs(end - start) + 1 }, (_, index) => start + step * index)
}

/** One after another, so that no more than one part is open at a time. */
function* makeParts(document: PdfDocument, name: string, parts: number[][]): Generator<ToolPart> {
  const digits = String(parts.length).length
  for (const [index, pages] of parts.entries()) {
    const part = forkDocument(document)
    selectPages(part, pages)
    dropAttachments(part)
    yield { name: `${name}-${String(index + 1).padStart(digits, '0')}`, document: part }
  }
}

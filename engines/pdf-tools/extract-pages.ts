import { z } from 'zod'
import { selectPages } from '../pdf-core/copy-pages'
import { PartSequence, prepareForCutting } from '../pdf-core/cuts'
import { outputNameOption, pagesOption } from '../pdf-core/schemas'
import { resolvePages } from '../pdf-core/selectors'
import { defineTool } from './define'
import type { ToolInput, ToolOutput, ToolPart } from './define'

export const extractPages = defineTool({
  id: 'extract-pages',
  title: 'Extract pages',
  summary: 'Gives a PDF of the chosen pages in the order asked for, with the links, bookmarks, fields and tags that belong to them and nothing of the others.',
  files: 'one',
  suffix: 'extracted',
  answers: 'application/pdf',
  options: z.strictObject({
    pages: pagesOption('Pages to extract, in this order; a page named twice comes twice.'),
    separate: z.boolean().default(false).describe('Answers a ZIP with a PDF of each page in place of one PDF; files attached to the document are not in these.'),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Extract pages 1 and 4', options: { pages: [1, 4] } },
    { title: 'Extract the last page', options: { pages: 'last' } },
    { title: 'A PDF of each of the first three pages', options: { pages: '1-3', separate: true } },
  ],
  run([input], { pages, separate }): ToolOutput {
    if (!input) throw new RangeError('extract-pages without a file') // the service asks for one
    const document = separate ? prepareForCutting(input.document) : input.document
    const indexes = resolvePages(pages, document.pageCount, 'options.pages')
    if (separate) return { kind: 'zip', parts: makeParts({ name: input.name, document }, indexes) }
    selectPages(document, indexes)
    return { kind: 'pdf', document }
  },
})

/** One after another, so that no more than one part is open at a time. */
function* makeParts({ name, document }: ToolInput, indexes: number[]): Generator<ToolPart> {
  const digits = String(indexes.length).length
  const sequence = new PartSequence(document, indexes, 'keep')
  for (const [at, index] of indexes.entries()) {
    yield { name: `${name}-${String(at + 1).padStart(digits, '0')}`, pages: [index + 1], document: sequence.open(at, 1) }
  }
}

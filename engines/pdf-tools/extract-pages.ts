import { z } from 'zod'
import { EngineError } from '../errors'
import { selectPages } from '../pdf-core/pages/copy-pages'
import { PartSequence, prepareToSplit } from '../pdf-core/pages/split-document'
import type { PdfDocument } from '../pdf-core/document/document'
import { removePageLabels } from '../pdf-core/structure/page-labels'
import { writeOutline } from '../pdf-core/structure/outline'
import { pruneLayers } from '../pdf-core/structure/prune-layers'
import { alternatives } from '../options/alternatives'
import { BLANK_THRESHOLD, blankThresholdOption, outputNameOption, pagesOption } from '../options/schemas'
import { resolvePages } from '../options/selectors'
import { findBlankPages } from '../pdfium/blank-pages'
import { defineTool } from './define'
import type { ToolInput, ToolOutput, ToolPart } from './define'

const optionsSchema = z
  .strictObject({
    pages: pagesOption(
      'Pages to extract, in this order; a page named twice comes twice. Needed unless `blank` is true; all pages then.',
    ).optional(),
    blank: z.boolean().default(false).describe('Whether blank pages are left out, as delete-pages takes them out.'),
    blankThreshold: blankThresholdOption,
    separate: z
      .boolean()
      .default(false)
      .describe(
        'Answers a ZIP with a PDF of each page in place of one PDF; files attached to the document are not in these.',
      ),
    bookmarks: z
      .enum(['prune', 'none'])
      .default('prune')
      .describe('`prune` keeps the bookmarks that lead to extracted pages, `none` keeps no bookmark.'),
    labels: z
      .boolean()
      .default(true)
      .describe(
        'Whether the pages keep the labels (`iv`, `A-3`) that the document gives them; otherwise they are counted ' +
          'from 1.',
      ),
    outputName: outputNameOption,
  })
  .superRefine(({ pages, blank, blankThreshold }, context) => {
    const blame = (option: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [option], message })
    if (pages === undefined && !blank) blame('pages', 'is missing; name the pages to extract, or let blank be true')
    if (!blank && blankThreshold !== BLANK_THRESHOLD) blame('blankThreshold', 'belongs to blank; let blank be true')
  })
  .meta(alternatives({ required: ['pages'] }, { required: ['blank'], values: { blank: [true] } }))

type ExtractOptions = z.output<typeof optionsSchema>

export const extractPages = defineTool({
  id: 'extract-pages',
  title: 'Extract pages',
  summary:
    'Gives a PDF of the chosen pages in the order asked for, with the links, bookmarks, fields and tags that ' +
    'belong to them and nothing of the others.',
  files: 'one',
  suffix: 'extracted',
  responses: 'application/pdf',
  otherResponses: [{ contentType: 'application/zip', when: 'with `separate`: a PDF of each page' }],
  options: optionsSchema,
  examples: [
    { title: 'Extract pages 1 and 4', options: { pages: [1, 4] } },
    { title: 'Extract the last page', options: { pages: 'last' } },
    { title: 'A PDF of each of the first three pages', options: { pages: '1-3', separate: true } },
    {
      title: 'Extract what is on the first four pages, without bookmarks',
      options: { pages: '1-4', blank: true, bookmarks: 'none' },
    },
  ],
  async run([input], options): Promise<ToolOutput> {
    if (!input) throw new RangeError('extract-pages without a file') // The service requires one file.
    const document = options.separate ? prepareToSplit(input.document) : input.document
    const indexes = await choosePages(document, options)
    if (options.separate) return { kind: 'zip', parts: makeParts({ name: input.name, document }, indexes, options) }
    if (options.bookmarks === 'none') writeOutline(document, [])
    if (!options.labels) removePageLabels(document)
    const isWhole = new Set(indexes).size === document.pageCount
    selectPages(document, indexes)
    if (!isWhole) pruneLayers(document)
    return { kind: 'pdf', document }
  },
})

async function choosePages(
  document: PdfDocument,
  { pages = 'all', blank, blankThreshold }: ExtractOptions,
): Promise<number[]> {
  const named = resolvePages(pages, document.pageCount, 'options.pages')
  if (!blank) return named
  const blanks = await findBlankPages(document, named, blankThreshold)
  const indexes = named.filter(index => !blanks.has(index))
  if (indexes.length) return indexes
  const found = named.length === 1 ? 'the page to extract is blank' : `all ${named.length} pages to extract are blank`
  throw new EngineError('bad-options', `options.blank: ${found}; at least one must be left`, { param: 'options.blank' })
}

/** Creates the parts one after another, so that only one is open at a time. */
function* makeParts(
  { name, document }: ToolInput,
  indexes: number[],
  { bookmarks, labels }: ExtractOptions,
): Generator<ToolPart> {
  const digits = String(indexes.length).length
  const sequence = new PartSequence(document, indexes, bookmarks === 'none' ? 'none' : 'keep')
  for (const [at, index] of indexes.entries()) {
    const part = sequence.open(at, 1)
    if (!labels) removePageLabels(part)
    yield { name: `${name}-${String(at + 1).padStart(digits, '0')}`, pages: [index + 1], document: part }
  }
}

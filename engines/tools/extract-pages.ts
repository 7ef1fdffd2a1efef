import * as z from 'zod'
import { EngineError } from '../errors'
import { PartSequence, prepareToSplit, selectPages } from '../pdf/page'
import type { PdfDocument } from '../pdf/document'
import { pruneLayers, removePageLabels, writeOutline } from '../pdf/document'
import { findBlankPages } from '../pdf/render'
import { alternatives } from '../options/alternatives'
import { BLANK_THRESHOLD, blankThresholdOption, outputNameOption, pagesOption } from '../options/schemas'
import { resolvePages } from '../options/selectors'
import { defineTool } from './define'
import type { ToolInput, ToolOutput, ToolPart } from './define'
import { inForm, onlyIf } from '../options/form-hints'
import { blameIn } from '../options/checks'

const optionsSchema = z
  .strictObject({
    pages: pagesOption(
      'Pages to extract, in this order. If you select a page twice, the result contains the page twice. Required ' +
        'unless `blank` is `true`. With `blank`, the default is all pages.',
    ).optional(),
    blank: z
      .boolean()
      .default(false)
      .describe('If `true`, omits blank pages. `blankThreshold` sets which pages are blank.')
      .meta(inForm({ label: 'Omit blank pages' })),
    blankThreshold: blankThresholdOption.meta(onlyIf({ blank: [true] })),
    separate: z
      .boolean()
      .default(false)
      .describe(
        "If `true`, returns a ZIP with one PDF per page. These PDFs don't contain the document's attached files.",
      )
      .meta(inForm({ label: 'One PDF per page' })),
    bookmarks: z
      .enum(['prune', 'none'])
      .default('prune')
      .describe('`prune` keeps bookmarks that point to extracted pages. `none` removes all bookmarks.')
      .meta(inForm({ choices: { prune: 'Keep', none: 'Remove' } })),
    labels: z
      .boolean()
      .default(true)
      .describe(
        'If `true`, pages keep their page labels, such as `iv` or `A-3`. If `false`, pages are numbered from 1.',
      )
      .meta(inForm({ label: 'Keep page labels' })),
    outputName: outputNameOption('report-extracted.pdf'),
  })
  .superRefine(({ pages, blank, blankThreshold }, context) => {
    const blame = blameIn(context)
    if (pages === undefined && !blank) blame('pages', 'is required. Send the pages to extract, or set blank to true.')
    if (!blank && blankThreshold !== BLANK_THRESHOLD)
      blame('blankThreshold', 'only applies if blank is true. Set blank to true.')
  })
  .meta(alternatives({ required: ['pages'] }, { required: ['blank'], values: { blank: [true] } }))

type ExtractOptions = z.output<typeof optionsSchema>

export const extractPages = defineTool({
  id: 'extract-pages',
  title: 'Extract pages',
  summary:
    'Returns a PDF of the selected pages in the requested order, with their links, bookmarks, fields and tags. ' +
    'The PDF contains nothing from the other pages.',
  files: 'one',
  suffix: 'extracted',
  group: 'Organize',
  tagline: 'A new file of the pages you select.',
  responses: 'application/pdf',
  warnings: ['text-not-drawn'],
  otherResponses: [{ contentType: 'application/zip', when: { separate: true }, what: 'one PDF per page' }],
  step: { result: ({ separate }) => (separate ? 'pdfs' : 'pdf'), addsNothing: true },
  options: optionsSchema,
  examples: [
    { title: 'Extract pages 1 and 4', options: { pages: [1, 4] } },
    { title: 'Extract the last page', options: { pages: 'last' } },
    { title: 'Return a PDF for each of the first three pages', options: { pages: '1-3', separate: true } },
    {
      title: 'Extract the first four pages without blank pages and bookmarks',
      options: { pages: '1-4', blank: true, bookmarks: 'none' },
    },
  ],
  async run([input], options): Promise<ToolOutput> {
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
  const found = named.length === 1 ? 'The page to extract is blank' : `All ${named.length} pages to extract are blank`
  throw new EngineError('options_invalid', `options.blank: at least one page must remain. ${found}.`, {
    param: 'options.blank',
  })
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

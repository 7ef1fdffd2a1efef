import * as z from 'zod'
import { EngineError } from '../errors'
import { insertBlankPages } from '../pdf/page'
import type { InsertPosition } from '../pdf/page'
import type { PdfDocument } from '../pdf/document'
import { alternatives } from '../options/alternatives'
import { PAGE_SIZE_HELP, pageSizeOption, readPageSize } from '../options/page-size-option'
import { outputNameOption, pagesOption } from '../options/schemas'
import type { PageSelector } from '../options/selectors'
import { resolvePage, listPages } from '../options/selectors'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'
import { blameIn } from '../options/checks'

/** The option that each position requires. Other positions don't accept it. */
const COMPANIONS = { before: 'page', after: 'page', every: 'interval' } as const

export const addBlankPage = defineTool({
  id: 'add-blank-page',
  title: 'Add blank pages',
  summary:
    'Adds blank pages at the start, at the end, next to selected pages, or at intervals. Bookmarks, links and ' +
    'page labels of the other pages stay.',
  files: 'one',
  suffix: 'blank',
  group: 'Organize',
  tagline: 'At the start, at the end, or in between.',
  responses: 'application/pdf',
  step: { result: () => 'pdf', addsNothing: true },
  options: z
    .strictObject({
      position: z
        .enum(['end', 'start', 'before', 'after', 'every', 'odd-end'])
        .default('end')
        .describe(
          'Where to add blank pages. `start` and `end`: at the start or end of the document. `before` and ' +
            '`after`: next to the pages in `page`. `every`: after every `interval` pages. `odd-end`: at the end, if ' +
            'the number of pages is odd.',
        )
        .meta(
          inForm({
            label: 'Where',
            choices: {
              end: 'At the end',
              start: 'At the start',
              before: 'Before pages',
              after: 'After pages',
              every: 'After every N pages',
              'odd-end': 'At the end, if the page count is odd',
            },
          }),
        ),
      page: z
        .union([z.number().int().min(1).max(1_000_000_000), ...pagesOption('').options])
        .optional()
        .describe(
          'With `before` and `after`: the page or pages that get blank pages next to them, such as `3`, `[2, ' +
            '5]` or `"odd"`. Repeated pages count once.',
        )
        .meta(inForm({ label: 'Pages', appliesIf: [{ position: ['before', 'after'] }], isRequired: true })),
      interval: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .describe(
          'With `every`: the number of pages between blank pages. Blank pages come after each page whose ' +
            'number is a multiple of `interval`, including the last page.',
        )
        .meta(inForm({ label: 'Pages between blank pages', appliesIf: [{ position: ['every'] }], isRequired: true })),
      count: z
        .number()
        .int()
        .min(1)
        .max(100)
        .default(1)
        .describe('Number of blank pages at each place. With `odd-end`, it must be 1.')
        .meta(inForm({ label: 'Number of blank pages', appliesIf: [{ position: { not: ['odd-end'] } }] })),
      pageSize: pageSizeOption({ match: 'Like the page beside it' })
        .default('match')
        .describe(
          `Size of the blank pages: \`match\`, ${PAGE_SIZE_HELP}. \`match\` is the displayed size of the previous ` +
            'page. With `start` and `before`, it is the size of the next page.',
        ),
      orientation: z
        .enum(['auto', 'portrait', 'landscape'])
        .default('auto')
        .describe(
          'Orientation of the blank pages. `portrait` and `landscape` rotate the size if necessary. With ' +
            '`auto`, named sizes are portrait and other sizes stay as they are.',
        )
        .meta(inForm({ choices: { auto: 'Automatic', portrait: 'Portrait', landscape: 'Landscape' } })),
      outputName: outputNameOption('report-blank.pdf'),
    })
    .superRefine((options, context) => {
      const blame = blameIn(context)
      const { position, count } = options
      const needed = Object.entries(COMPANIONS).find(([name]) => name === position)?.[1]
      for (const name of ['page', 'interval'] as const) {
        if (name === needed && options[name] === undefined) blame(name, `is required with position "${position}".`)
        if (name !== needed && options[name] !== undefined)
          blame(
            name,
            `doesn't apply to position "${position}". Use position ` +
              `${name === 'page' ? '"before" or "after"' : '"every"'}.`,
          )
      }
      if (position === 'odd-end' && count > 1)
        blame('count', `must be 1 with position "odd-end", which adds at most one page. Got ${count}.`)
    })
    .meta(
      alternatives(
        { required: [], values: { position: ['end', 'start', 'odd-end'] }, without: ['page', 'interval'] },
        { required: ['position', 'page'], values: { position: ['before', 'after'] }, without: ['interval'] },
        { required: ['position', 'interval'], values: { position: ['every'] }, without: ['page'] },
      ),
    ),
  sections: [
    {
      heading: 'Page labels',
      paragraphs: [
        'If the document has page labels, the other pages keep their labels. Blank pages continue the numbering ' +
          'if the next numbers are free: `i, ii, [iii], 1, 2`. Otherwise blank pages get the label of the previous ' +
          'page and a letter: `1, 2, [2a], 3`. Sheaf prints nothing on the page.',
      ],
    },
  ],
  examples: [
    { title: 'Add a blank A4 page at the end', options: { position: 'end', pageSize: 'A4' } },
    { title: 'Add a page of matching size before page 3', options: { position: 'before', page: 3 } },
    { title: 'Make the number of pages even', options: { position: 'odd-end' } },
  ],
  edit(document, { position, page, interval, count, pageSize, orientation }) {
    const insertions = findPositions(document, { position, page, interval })
    const total = document.pageCount + insertions.length * count
    const { maxPagesOut } = document.limits
    if (total > maxPagesOut) {
      throw new EngineError(
        'options_invalid',
        `options.count: the result must have at most ${maxPagesOut} pages. Got ${total} (count ${count} at ` +
          `${insertions.length} places).`,
        { param: 'options.count' },
      )
    }
    insertBlankPages(document, insertions, { count, orientation, size: readPageSize(pageSize) })
  },
})

interface Where {
  position: 'end' | 'start' | 'before' | 'after' | 'every' | 'odd-end'
  page: number | PageSelector | undefined
  interval: number | undefined
}

function findPositions(document: PdfDocument, { position, page, interval = 1 }: Where): InsertPosition[] {
  const { pageCount } = document
  const behind = (index: number): InsertPosition => ({ before: index + 1, beside: index })
  if (position === 'start') return [{ before: 0, beside: 0 }]
  if (position === 'end') return [behind(pageCount - 1)]
  if (position === 'odd-end') return pageCount % 2 === 1 ? [behind(pageCount - 1)] : []
  if (position === 'every')
    return Array.from({ length: Math.floor(pageCount / interval) }, (_, index) => behind((index + 1) * interval - 1))
  const named =
    typeof page === 'number'
      ? [resolvePage(page, pageCount, 'options.page')]
      : listPages(page, pageCount, 'options.page')
  return named.map(index => (position === 'before' ? { before: index, beside: index } : behind(index)))
}

import * as z from 'zod'
import { selectPages } from '../pdf/page'
import { outputNameOption, pagesOption } from '../options/schemas'
import { listPages } from '../options/selectors'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'

export const reversePages = defineTool({
  id: 'reverse-pages',
  title: 'Reverse pages',
  summary: 'Reverses the order of pages. Bookmarks and links keep pointing to the same content.',
  files: 'one',
  suffix: 'reversed',
  group: 'Organize',
  tagline: 'The last page comes first.',
  responses: 'application/pdf',
  step: { result: () => 'pdf', addsNothing: true },
  options: z.strictObject({
    pages: pagesOption('Pages to put in reverse order. Other pages stay in place. Default: all.').optional(),
    unit: z
      .number()
      .int()
      .min(1)
      .max(20_000)
      .default(1)
      .describe(
        'Number of pages that stay together in their order, such as 2 for double-sided sheets. Sheaf counts ' +
          'groups from the first page, so the last group can be smaller.',
      )
      .meta(inForm({ label: 'Pages that stay together' })),
    outputName: outputNameOption('report-reversed.pdf'),
  }),
  examples: [
    { title: 'Reverse the whole document', options: {} },
    { title: 'Reverse sheets of two pages', options: { unit: 2 } },
    { title: 'Reverse a block of pages', options: { pages: '2-4' } },
  ],
  edit(document, { pages, unit }) {
    const places = listPages(pages, document.pageCount, 'options.pages')
    const groups = Array.from({ length: Math.ceil(places.length / unit) }, (_, group) =>
      places.slice(group * unit, (group + 1) * unit),
    )
    const order = document.pages.map((_, index) => index)
    for (const [at, index] of groups.reverse().flat().entries()) order[places[at] ?? 0] = index
    selectPages(document, order)
  },
})

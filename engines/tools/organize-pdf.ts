import * as z from 'zod'
import { EngineError } from '../errors'
import { insertBlankPages, selectPages } from '../pdf/page'
import { alternatives } from '../options/alternatives'
import { arrangePages, bookletBlanks, PRESET_ORDERS } from '../options/page-order'
import { outputNameOption, pagesOption } from '../options/schemas'
import { resolvePages } from '../options/selectors'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'
import { blameIn } from '../options/checks'

export const organizePdf = defineTool({
  id: 'organize-pdf',
  title: 'Reorder pages',
  summary: 'Reorders, repeats or removes pages. Bookmarks and links keep pointing to the same content.',
  files: 'one',
  suffix: 'organized',
  group: 'Organize',
  tagline: 'In any order, with repeated pages.',
  responses: 'application/pdf',
  step: { result: () => 'pdf', addsNothing: true },
  options: z
    .strictObject({
      pageOrder: pagesOption('New order of the pages. Required unless `preset` is set.')
        .optional()
        .meta(inForm({ label: 'New order', appliesIf: [{ preset: 'unset' }] })),
      missing: z
        .enum(['drop', 'append', 'error'])
        .default('drop')
        .describe(
          'What to do with pages that `pageOrder` omits. `drop` removes these pages. `append` adds these pages at ' +
            'the end, in their original order. `error` returns an error.',
        )
        .meta(
          inForm({
            label: 'Pages that you leave out',
            choices: { drop: 'Remove', append: 'Add at the end', error: 'Return an error' },
            appliesIf: [{ preset: 'unset' }],
          }),
        ),
      preset: z
        .enum(PRESET_ORDERS)
        .optional()
        .describe(
          'A predefined order, in place of `pageOrder`. `reverse`: last page first. `odd-even`: all odd pages, ' +
            'then all even pages. `duplex`: first page, last page, second page, second to last page, and so on. Use ' +
            'it if you scanned all front sides, then all back sides in reverse order. `interleave-halves`: ' +
            'alternates the pages of both halves. `duplicate`: repeats each page as often as `times` says. ' +
            '`booklet`: order for a folded booklet with two pages per side. For example, 8 pages become 8, 1, 2, 7, ' +
            '6, 3, 4, 5. `booklet` first adds blank pages at the end, up to a multiple of four.',
        )
        .meta(
          inForm({
            label: 'Predefined order',
            choices: {
              reverse: 'Last page first',
              'odd-even': 'Odd pages, then even pages',
              duplex: 'Scan of front sides, then back sides',
              'interleave-halves': 'Alternate both halves',
              duplicate: 'Repeat each page',
              booklet: 'Folded booklet',
            },
          }),
        ),
      times: z
        .number()
        .int()
        .min(2)
        .max(20)
        .default(2)
        .describe('With preset `duplicate`: number of times that each page occurs.')
        .meta(inForm({ label: 'Copies of each page', appliesIf: [{ preset: ['duplicate'] }] })),
      outputName: outputNameOption('report-organized.pdf'),
    })
    .superRefine(({ pageOrder, missing, preset, times }, context) => {
      const blame = blameIn(context)
      if (pageOrder === undefined && !preset) blame('pageOrder', 'is required. Send the new order, or a preset.')
      if (pageOrder !== undefined && preset) blame('preset', "can't be combined with pageOrder. Send only one of them.")
      if (missing !== 'drop' && preset) blame('missing', 'only applies to pageOrder. A preset contains every page.')
      if (times !== 2 && preset !== 'duplicate') blame('times', 'only applies to preset "duplicate".')
    })
    .meta(
      alternatives(
        { required: ['pageOrder'], without: ['preset'] },
        { required: ['preset'], values: { missing: ['drop'] }, without: ['pageOrder'] },
      ),
    ),
  examples: [
    { title: 'Reverse all pages', options: { pageOrder: [5, 4, 3, 2, 1] } },
    { title: 'Move the last page to the start', options: { pageOrder: 'last,1-r2' } },
    { title: 'Move the third page to the start', options: { pageOrder: [3], missing: 'append' } },
    { title: 'Arrange pages for a folded booklet', options: { preset: 'booklet' } },
    { title: 'Interleave scanned front and back sides', options: { preset: 'duplex' } },
  ],
  edit(document, { pageOrder, missing, preset, times }, { limits }) {
    const { pageCount } = document
    if (preset) {
      if (preset === 'duplicate' && pageCount * times > limits.maxPagesOut) {
        throw new EngineError(
          'options_invalid',
          `options.times: the result must have at most ${limits.maxPagesOut} pages. Got ${times} times ` +
            `${pageCount} pages.`,
          { param: 'options.times' },
        )
      }
      if (preset === 'booklet')
        insertBlankPages(document, [{ before: pageCount, beside: pageCount - 1 }], {
          count: bookletBlanks(pageCount),
          size: undefined,
          orientation: 'auto',
        })
      selectPages(document, arrangePages(preset, document.pageCount, times))
      return
    }
    const order = resolvePages(pageOrder ?? 'all', pageCount, 'options.pageOrder')
    const named = new Set(order)
    const missingPages = document.pages.map((_, index) => index).filter(index => !named.has(index))
    if (missing === 'error' && missingPages.length) {
      const numbers = missingPages
        .slice(0, 20)
        .map(index => index + 1)
        .join(', ')
      const message =
        `options.pageOrder: must contain every page if missing is "error". ${missingPages.length} of ` +
        `${pageCount} pages are missing (${numbers}${missingPages.length > 20 ? ', …' : ''}). Add them, or ` +
        'set missing to "drop" or "append".'
      throw new EngineError('options_invalid', message, { param: 'options.pageOrder' })
    }
    selectPages(document, missing === 'append' ? order.concat(missingPages) : order)
  },
})

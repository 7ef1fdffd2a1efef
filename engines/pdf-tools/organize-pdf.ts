import { z } from 'zod'
import { EngineError } from '../errors'
import { insertBlankPages } from '../pdf-core/pages/blank-pages'
import { selectPages } from '../pdf-core/pages/copy-pages'
import { alternatives } from '../options/alternatives'
import { outputNameOption, pagesOption } from '../options/schemas'
import { resolvePages } from '../options/selectors'
import { defineTool } from './define'

const presetSchema = z.enum(['reverse', 'odd-even', 'duplex', 'interleave-halves', 'duplicate', 'booklet'])

export const organizePdf = defineTool({
  id: 'organize-pdf',
  title: 'Reorder pages',
  summary:
    'Puts pages into a new order; pages may come several times or be left out. Bookmarks and links keep pointing ' +
    'at the same content.',
  files: 'one',
  suffix: 'organized',
  responses: 'application/pdf',
  options: z
    .strictObject({
      pageOrder: pagesOption('The new order. Needed unless `preset` is given.').optional(),
      missing: z
        .enum(['drop', 'append', 'error'])
        .default('drop')
        .describe(
          'What becomes of pages that `pageOrder` does not name: `drop` leaves them out, `append` puts them at the ' +
            'end in the order they had, `error` refuses the call.',
        ),
      preset: presetSchema
        .optional()
        .describe(
          'In place of `pageOrder`: `reverse` is back to front; `odd-even` all odd pages, then all even ones; ' +
            '`duplex` the first page, the last, the second, the last but one and so on, as a stack needs whose backs ' +
            'were scanned from its end; `interleave-halves` the first page of each half, then the second of each; ' +
            '`duplicate` every page `times` times; `booklet` the order in which sheets of two pages a side, printed ' +
            'on both and folded, make a booklet (of eight: 8, 1, 2, 7, 6, 3, 4, 5), with blank pages at the end up ' +
            'to a multiple of four.',
        ),
      times: z.number().int().min(2).max(20).default(2).describe('Preset `duplicate`: how often every page comes.'),
      outputName: outputNameOption,
    })
    .superRefine(({ pageOrder, missing, preset, times }, context) => {
      const blame = (option: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [option], message })
      if (pageOrder === undefined && !preset) blame('pageOrder', 'is missing; give the new order, or a preset')
      if (pageOrder !== undefined && preset) blame('preset', 'takes the place of pageOrder; give one of the two')
      if (missing !== 'drop' && preset) blame('missing', 'belongs to pageOrder; a preset names every page')
      if (times !== 2 && preset !== 'duplicate') blame('times', 'belongs to preset "duplicate"')
    })
    .meta(
      alternatives(
        { required: ['pageOrder'], without: ['preset'] },
        { required: ['preset'], values: { missing: ['drop'] }, without: ['pageOrder'] },
      ),
    ),
  examples: [
    { title: 'Back to front', options: { pageOrder: [5, 4, 3, 2, 1] } },
    { title: 'The last page first', options: { pageOrder: 'last,1-r2' } },
    { title: 'The third page first, all others behind it', options: { pageOrder: [3], missing: 'append' } },
    { title: 'Sheets for a folded booklet', options: { preset: 'booklet' } },
    { title: 'Put scanned fronts and backs together', options: { preset: 'duplex' } },
  ],
  edit(document, { pageOrder, missing, preset, times }, { limits }) {
    const { pageCount } = document
    if (preset) {
      if (preset === 'duplicate' && pageCount * times > limits.maxPagesOut) {
        throw new EngineError(
          'bad-options',
          `options.times: ${times} times ${pageCount} pages are more than the ${limits.maxPagesOut} that a result ` +
            'may have',
          { param: 'options.times' },
        )
      }
      if (preset === 'booklet')
        insertBlankPages(document, [{ before: pageCount, beside: pageCount - 1 }], {
          count: (4 - (pageCount % 4)) % 4,
          size: undefined,
          orientation: 'auto',
        })
      selectPages(document, arrange(preset, document.pageCount, times))
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
        `options.pageOrder: does not name ${missingPages.length} of the ${pageCount} pages ` +
        `(${numbers}${missingPages.length > 20 ? ', …' : ''}); name every page, or let missing be "drop" or "append"`
      throw new EngineError('bad-options', message, { param: 'options.pageOrder' })
    }
    selectPages(document, missing === 'append' ? order.concat(missingPages) : order)
  },
})

/** Returns the new order of all pages, as zero-based positions. */
function arrange(preset: z.output<typeof presetSchema>, pageCount: number, times: number): number[] {
  const all = Array.from({ length: pageCount }, (_, index) => index)
  const half = Math.ceil(pageCount / 2)
  const back = all.slice(half)
  const alternate = (others: number[]): number[] =>
    all.slice(0, half).flatMap((index, at) => [index, ...others.slice(at, at + 1)])
  switch (preset) {
    case 'reverse':
      return all.reverse()
    case 'odd-even':
      return [...all.filter(index => index % 2 === 0), ...all.filter(index => index % 2 === 1)]
    case 'duplex':
      return alternate(back.reverse())
    case 'interleave-halves':
      return alternate(back)
    case 'duplicate':
      return all.flatMap(index => Array.from({ length: times }, () => index))
    case 'booklet':
      return all
        .slice(0, half)
        .flatMap(index => (index % 2 === 0 ? [pageCount - 1 - index, index] : [index, pageCount - 1 - index]))
  }
}

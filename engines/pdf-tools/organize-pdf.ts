import { z } from 'zod'
import { selectPages } from '../pdf-core/copy-pages'
import { outputNameOption, pagesOption } from '../pdf-core/schemas'
import { resolvePages } from '../pdf-core/selectors'
import { defineTool } from './define'

export const organizePdf = defineTool({
  id: 'organize-pdf',
  title: 'Reorder pages',
  summary: 'Puts pages into a new order; pages may come several times or be left out. Bookmarks and links keep pointing at the same content.',
  files: 'one',
  suffix: 'organized',
  answers: 'application/pdf',
  options: z.strictObject({
    pageOrder: pagesOption('The new order; pages that are not named are left out.'),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Back to front', options: { pageOrder: [5, 4, 3, 2, 1] } },
    { title: 'The last page first', options: { pageOrder: 'last,1-r2' } },
  ],
  edit(document, { pageOrder }) {
    selectPages(document, resolvePages(pageOrder, document.pageCount, 'options.pageOrder'))
  },
})

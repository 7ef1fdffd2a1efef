import { z } from 'zod'
import { EngineError } from '../errors'
import { selectPages } from '../pdf-core/copy-pages'
import { outputNameOption, pagesOption } from '../pdf-core/schemas'
import { resolvePageSet } from '../pdf-core/selectors'
import { defineTool } from './define'

export const deletePages = defineTool({
  id: 'delete-pages',
  title: 'Delete pages',
  summary: 'Removes pages for good: their text, pictures, notes, form values, bookmarks and links are no longer in the file.',
  files: 'one',
  suffix: 'deleted',
  answers: 'application/pdf',
  options: z.strictObject({
    pages: pagesOption('Pages to delete; at least one page must be left.'),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Delete the second page', options: { pages: [2] } },
    { title: 'Delete the last two pages', options: { pages: 'r2-r1' } },
  ],
  edit(document, { pages }) {
    const gone = resolvePageSet(pages, document.pageCount, 'options.pages')
    const left = document.pages.map((_, index) => index).filter(index => !gone.has(index))
    if (left.length === 0) {
      throw new EngineError('bad-options', `options.pages: names all ${document.pageCount} pages; at least one must be left`, { param: 'options.pages' })
    }
    selectPages(document, left)
  },
})

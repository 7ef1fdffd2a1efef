import { z } from 'zod'
import { selectPages } from '../pdf-core/copy-pages'
import { outputNameOption, pagesOption } from '../pdf-core/schemas'
import { resolvePages } from '../pdf-core/selectors'
import { defineTool } from './define'

export const extractPages = defineTool({
  id: 'extract-pages',
  title: 'Extract pages',
  summary: 'Gives a PDF of the chosen pages in the order asked for, with the links, bookmarks, fields and tags that belong to them and nothing of the others.',
  files: 'one',
  suffix: 'extracted',
  answers: 'application/pdf',
  options: z.strictObject({
    pages: pagesOption('Pages to extract, in this order; a page named twice comes twice.'),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Extract pages 1 and 4', options: { pages: [1, 4] } },
    { title: 'Extract the last page', options: { pages: 'last' } },
  ],
  edit(document, { pages }) {
    selectPages(document, resolvePages(pages, document.pageCount, 'options.pages'))
  },
})

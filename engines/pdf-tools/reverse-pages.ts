import { z } from 'zod'
import { selectPages } from '../pdf-core/copy-pages'
import { outputNameOption } from '../pdf-core/schemas'
import { defineTool } from './define'

export const reversePages = defineTool({
  id: 'reverse-pages',
  title: 'Reverse pages',
  summary: 'Puts the last page first and so on; bookmarks and links keep pointing at the same content.',
  files: 'one',
  suffix: 'reversed',
  answers: 'application/pdf',
  options: z.strictObject({ outputName: outputNameOption }),
  examples: [{ title: 'Reverse the whole document', options: {} }],
  edit(document) {
    selectPages(document, document.pages.map((_, index) => index).reverse())
  },
})

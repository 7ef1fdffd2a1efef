import type { PDFRef } from 'pdf-lib'
import { z } from 'zod'
import { EngineError } from '../errors'
import { selectPages } from '../pdf-core/copy-pages'
import { Destinations } from '../pdf-core/destinations'
import type { PdfDocument } from '../pdf-core/document'
import { readOutline, retarget } from '../pdf-core/outline'
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
    bookmarks: z.enum(['prune', 'keep-retarget']).default('prune').describe('What becomes of bookmarks that lead to a deleted page: `prune` removes them, those below them move up; `keep-retarget` keeps them and their titles and leads them to the next page that is left, or to the last one.'),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Delete the second page', options: { pages: [2] } },
    { title: 'Delete the last two pages', options: { pages: 'r2-r1' } },
    { title: 'Delete a page and lead its bookmarks to the next one', options: { pages: [1], bookmarks: 'keep-retarget' } },
  ],
  edit(document, { pages, bookmarks }) {
    const gone = resolvePageSet(pages, document.pageCount, 'options.pages')
    const left = document.pages.map((_, index) => index).filter(index => !gone.has(index))
    if (left.length === 0) {
      throw new EngineError('bad-options', `options.pages: names all ${document.pageCount} pages; at least one must be left`, { param: 'options.pages' })
    }
    if (bookmarks === 'keep-retarget') leadOn(document, gone)
    selectPages(document, left)
  },
})

/** Bookmarks of the pages at these positions lead to the next page that is not among them, else to the last one before. */
function leadOn(document: PdfDocument, gone: ReadonlySet<number>): void {
  const { pages } = document
  const heirs = new Map<PDFRef, PDFRef>()
  let heir = pages.findLast((_, index) => !gone.has(index))
  for (const [index, page] of [...pages.entries()].reverse()) {
    if (!gone.has(index)) heir = page
    else if (heir) heirs.set(page.ref, heir.ref)
  }
  const destinations = new Destinations(document)
  for (const item of readOutline(document).all) {
    const target = destinations.targetOf(item.dict)
    const next = target && heirs.get(target)
    if (next) retarget(document, item, next)
  }
}

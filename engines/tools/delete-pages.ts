import type { PDFRef } from 'pdf-lib'
import * as z from 'zod'
import { EngineError } from '../errors'
import { selectPages } from '../pdf/page'
import { Destinations, pruneLayers, readOutline, retarget } from '../pdf/document'
import type { PdfDocument } from '../pdf/document'
import { findBlankPages } from '../pdf/render'
import { alternatives } from '../options/alternatives'
import { BLANK_THRESHOLD, blankThresholdOption, outputNameOption, pagesOption } from '../options/schemas'
import { resolvePageSet } from '../options/selectors'
import { defineTool } from './define'
import { inForm, onlyIf } from '../options/form-hints'
import { blameIn } from '../options/checks'

export const deletePages = defineTool({
  id: 'delete-pages',
  title: 'Delete pages',
  summary: 'Deletes pages, with their text, images, annotations, form values, bookmarks and links.',
  files: 'one',
  suffix: 'deleted',
  group: 'Organize',
  tagline: 'With everything that belongs to them.',
  responses: 'application/pdf',
  warnings: ['text-not-drawn'],
  step: { result: () => 'pdf', addsNothing: true },
  options: z
    .strictObject({
      pages: pagesOption(
        'Pages to delete. At least one page must remain. Required unless `blank` is `true`.',
      ).optional(),
      blank: z
        .boolean()
        .default(false)
        .describe(
          'If `true`, deletes blank pages, in addition to `pages`. If no page is blank and you omit `pages`, ' +
            'Sheaf returns the document unchanged.',
        )
        .meta(inForm({ label: 'Delete blank pages' })),
      blankThreshold: blankThresholdOption.meta(onlyIf({ blank: [true] })),
      bookmarks: z
        .enum(['prune', 'keep-retarget'])
        .default('prune')
        .describe(
          'Bookmarks that point to a deleted page. `prune` removes these bookmarks and moves their children up ' +
            'one level. `keep-retarget` points these bookmarks to the next remaining page. If no page remains after ' +
            'the deleted page, they point to the last page.',
        )
        .meta(
          inForm({
            label: 'Bookmarks of deleted pages',
            choices: { prune: 'Remove', 'keep-retarget': 'Point to the next page' },
          }),
        ),
      outputName: outputNameOption('report-deleted.pdf'),
    })
    .superRefine(({ pages, blank, blankThreshold }, context) => {
      const blame = blameIn(context)
      if (pages === undefined && !blank) blame('pages', 'is required. Send the pages to delete, or set blank to true.')
      if (!blank && blankThreshold !== BLANK_THRESHOLD)
        blame('blankThreshold', 'only applies if blank is true. Set blank to true.')
    })
    .meta(alternatives({ required: ['pages'] }, { required: ['blank'], values: { blank: [true] } })),
  examples: [
    { title: 'Delete the second page', options: { pages: [2] } },
    { title: 'Delete the last two pages', options: { pages: 'r2-r1' } },
    {
      title: 'Delete a page and keep its bookmarks',
      options: { pages: [1], bookmarks: 'keep-retarget' },
    },
    { title: 'Delete the even pages, and all blank ones', options: { pages: 'even', blank: true } },
  ],
  async edit(document, { pages, blank, blankThreshold, bookmarks }) {
    const named = pages === undefined ? new Set<number>() : resolvePageSet(pages, document.pageCount, 'options.pages')
    const unnamed = document.pages.map((_, index) => index).filter(index => !named.has(index))
    const deleted = new Set([...named, ...(blank ? await findBlankPages(document, unnamed, blankThreshold) : [])])
    if (deleted.size === 0) return
    const remaining = document.pages.map((_, index) => index).filter(index => !deleted.has(index))
    if (remaining.length === 0) throw nothingLeft(document.pageCount, named.size)
    if (bookmarks === 'keep-retarget') redirectBookmarks(document, deleted)
    selectPages(document, remaining)
    pruneLayers(document)
  },
})

function nothingLeft(pageCount: number, namedCount: number): EngineError {
  const param = namedCount === pageCount ? 'options.pages' : 'options.blank'
  const found =
    namedCount === pageCount
      ? `Got all ${pageCount} pages`
      : namedCount === 0
        ? `All ${pageCount} pages are blank`
        : `The ${pageCount - namedCount} pages that aren't in pages are all blank`
  return new EngineError('options_invalid', `${param}: at least one page must remain. ${found}.`, { param })
}

/** Redirects bookmarks of deleted pages to the next remaining page, otherwise to the last one before. */
function redirectBookmarks(document: PdfDocument, deleted: ReadonlySet<number>): void {
  const { pages } = document
  const heirs = new Map<PDFRef, PDFRef>()
  let replacement = pages.findLast((_, index) => !deleted.has(index))
  for (const [index, page] of [...pages.entries()].reverse()) {
    if (!deleted.has(index)) replacement = page
    else if (replacement) heirs.set(page.ref, replacement.ref)
  }
  const destinations = new Destinations(document)
  for (const item of readOutline(document).all) {
    const target = destinations.targetOf(item.dict)
    const next = target && heirs.get(target)
    if (next) retarget(document, item, next)
  }
}

import { annotationsOf, flatten, hasAppearance } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { reopenDocument } from '../../../pdf/open'
import type { PageAreas } from '../areas/areas'
import { findOnPages } from './find-on-pages'
import { redrawFieldsUnder } from './stale-fields'
import { redactStrings } from '../strings/document-strings'
import type { Rule } from '../search-rules/rule'

/**
 * Removes matches from field values, annotations, bookmarks and properties, and returns areas over the matches on
 * pages, including text that annotations and fields show. Fields that show a match which their value doesn't have are
 * drawn again. Each rule counts its matches. Throws EngineError `damaged` if a page can't be read, and `too_large` for
 * too many matches.
 */
export async function search(document: PdfDocument, rules: readonly Rule[], paddingPt: number): Promise<PageAreas[]> {
  if (rules.length === 0) return []
  await redactStrings(document, rules)
  const found = await findOnPages(drawAnnotations(document), rules, paddingPt)
  if (!(await redrawFieldsUnder(document, found))) return found
  for (const rule of rules) rule.isCounting = false
  try {
    return await findOnPages(drawAnnotations(document), rules, paddingPt)
  } finally {
    for (const rule of rules) rule.isCounting = true
  }
}

/** Returns a copy with annotations and fields drawn into the pages, so that their text is searched with the pages. */
export function drawAnnotations(document: PdfDocument): PdfDocument {
  const isDrawn = document.pages.some(page =>
    annotationsOf(document, page).some(value => {
      const annotation = document.peekDict(value)
      return annotation !== undefined && hasAppearance(document, annotation)
    }),
  )
  if (!isDrawn) return document
  const seen = reopenDocument(document)
  flatten(seen, { forms: true, annotations: true, view: 'all', keep: new Set(), links: false })
  return seen
}

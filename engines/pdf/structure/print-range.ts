import type { PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

/**
 * Updates the print page range (ISO 32000-2, table 147) so that it has the same pages as before. `before` are the pages
 * that the old range refers to. Added pages aren't in the range. If none of the pages is left, removes the range, so
 * that all pages print.
 */
export function movePrintRange(document: PdfDocument, before: readonly Page[]): void {
  const preferences = document.peekDict(document.catalog.get(Name.ViewerPreferences))
  const numbers = document
    .peekArray(preferences?.get(Name.PrintPageRange))
    ?.asArray()
    .map(item => document.peekNumber(item))
  if (!preferences || !numbers) return
  const chosen = findChosen(numbers, before)
  const ranges: number[] = []
  for (const [index, page] of document.pages.entries()) {
    if (!chosen.has(page.ref)) continue
    // Page numbers count from 1, so the index is the number of the page before.
    if (ranges.at(-1) === index) ranges[ranges.length - 1] = index + 1
    else ranges.push(index + 1, index + 1)
  }
  if (ranges.join() === numbers.join()) return
  const changed = copyDict(document, preferences)
  if (ranges.length) changed.set(Name.PrintPageRange, document.context.obj(ranges))
  else changed.delete(Name.PrintPageRange)
  document.editCatalog().set(Name.ViewerPreferences, changed)
}

/** The pages in ranges of page numbers (from 1). The numbers are pairs of first and last page. Ranges may overlap. */
function findChosen(numbers: readonly (number | undefined)[], pages: readonly Page[]): Set<PDFRef> {
  const changes = new Int32Array(pages.length + 1)
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const [first, last] = [
      Math.max(1, Math.trunc(numbers[at] ?? 0)),
      Math.min(pages.length, Math.trunc(numbers[at + 1] ?? 0)),
    ]
    if (first > last) continue
    changes[first - 1] = (changes[first - 1] ?? 0) + 1
    changes[last] = (changes[last] ?? 0) - 1
  }
  let open = 0
  return new Set(pages.flatMap((page, index) => ((open += changes[index] ?? 0) > 0 ? [page.ref] : [])))
}

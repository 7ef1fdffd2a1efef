import { PDFPageLeaf } from 'pdf-lib'
import { copyAnnotations } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import { Page, setPages } from '../document/page-tree'
import * as Name from '../syntax/names'

/** Rebuilds a broken page tree. Pages that are listed more than once become copies. */
export function rebuildPages(document: PdfDocument, pages: Page[]): void {
  setPages(document, copyRepeated(document, pages), { detach: true })
}

/** Replaces repeated pages in the list with copies. */
export function copyRepeated(document: PdfDocument, pages: Page[]): Page[] {
  const seen = new Set<Page['ref']>()
  return pages.map(page => {
    if (seen.has(page.ref)) return copyPage(document, page)
    seen.add(page.ref)
    return page
  })
}

/** Copies a page. The copy has the same content. */
function copyPage(document: PdfDocument, page: Page): Page {
  const dict = PDFPageLeaf.fromMapWithContext(new Map(page.dict.entries()), document.context)
  const copy = new Page(document, document.register(dict), page.inherited)
  // Article beads and marked content belong to the original page.
  dict.delete(Name.B)
  if (dict.delete(Name.StructParents)) document.saving.addedFeatures.add('untagged-content')
  copyAnnotations(document, copy)
  return copy
}

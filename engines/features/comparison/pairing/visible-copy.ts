import { annotationsOf, drawMissingAnnotations, flatten, isShown } from '../../../pdf/annotations'
import { drawMissingAppearances } from '../../../pdf/forms'
import { withoutHidden } from '../../../pdf/rewrite-content'
import type { PdfDocument } from '../../../pdf/document'
import { forkDocument, reopenDocument } from '../../../pdf/open'
import * as Name from '../../../pdf/names'

/**
 * Returns a document that has the pages as readers show them, and that hasn't changed since it was opened. It has no
 * content of hidden layers. With `annotations`, form fields and annotations are part of the pages. Without, they are
 * left out when the pages are drawn as form XObjects. The original document doesn't change.
 */
export async function copyVisible(document: PdfDocument, annotations: boolean): Promise<PdfDocument> {
  const visible = await withoutHidden(document)
  if (!annotations || !hasShownAnnotations(visible))
    return visible.store.isUntouched ? visible : reopenDocument(visible)
  const copy = visible === document ? forkDocument(document) : visible
  await drawMissingAppearances(copy)
  await drawMissingAnnotations(copy, 'screen')
  flatten(copy, { forms: true, annotations: true, links: false, view: 'screen', keep: new Set() })
  return reopenDocument(copy)
}

function hasShownAnnotations(document: PdfDocument): boolean {
  return document.pages.some(page =>
    annotationsOf(document, page).some(
      value =>
        isShown(document, value, 'screen') && document.peek(document.peekDict(value)?.get(Name.Subtype)) !== Name.Link,
    ),
  )
}

import { drawMissingAnnotations } from '../../annotations/draw-appearances'
import { drawMissingAppearances } from '../../forms/missing-appearances'
import { withoutHidden } from '../../content/visible-document'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import { flatten, isShown } from '../../pdf-core/annotations/flatten'
import type { PdfDocument } from '../../pdf-core/document/document'
import { forkDocument } from '../../pdf-core/pages/open'
import { reopenDocument } from '../../pdf-core/pages/reopen'
import * as Name from '../../pdf-core/syntax/names'

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

import type { Bounds } from '../../../pdf/geometry'
import { readBounds } from '../../../pdf/geometry'
import { annotationsOf, subtypeOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'

/** Annotation subtypes that draw nothing on the page. */
const UNSEEN = new Set(['Link', 'Popup'])

/**
 * Returns the rectangles of the visible annotations of a page, in user space. When a line moves, these annotations stay
 * in place.
 */
export function findAnnotationBounds(document: PdfDocument, pageIndex: number): Bounds[] {
  const page = document.pages[pageIndex]
  if (!page) return []
  return annotationsOf(document, page).flatMap(value => {
    const annotation = document.peekDict(value)
    const bounds =
      annotation && !UNSEEN.has(subtypeOf(document, annotation))
        ? readBounds(document, annotation.get(Name.Rect))
        : undefined
    return bounds && bounds.left < bounds.right && bounds.bottom < bounds.top ? [bounds] : []
  })
}

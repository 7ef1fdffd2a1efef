import { EngineError } from '../../errors'
import { annotationsOf } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'

/** Maximum number of annotations of a page. The time that PDFium needs for them grows with the square of their number. */
const MOST_ANNOTATIONS = 10_000

/**
 * Throws EngineError `too_large` if the page at this position (from 0) has too many annotations to draw them. `name` is
 * the name of the file if there are several.
 */
export function assertFewAnnotations(document: PdfDocument, pageIndex: number, name?: string): void {
  const page = document.pages[pageIndex]
  const count = page ? annotationsOf(document, page).length : 0
  if (count <= MOST_ANNOTATIONS) return
  throw new EngineError(
    'too_large',
    `Page ${pageIndex + 1}${name === undefined ? '' : ` of "${name}"`} has ${count.toLocaleString('en')} annotations. ` +
      `At most ${MOST_ANNOTATIONS.toLocaleString('en')} can be drawn. Set annotations to false, or leave this page out.`,
    { param: 'options.annotations' },
  )
}

import { PDFName } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { EngineError } from '../../../errors'
import { boundsOf, contains, grow, overlap, readBounds } from '../../../pdf/geometry'
import type { Bounds } from '../../../pdf/geometry'
import { annotationsOf, removeAnnotations, subtypeOf } from '../../../pdf/annotations'
import type { Page, PdfDocument } from '../../../pdf/document'
import { dropXfa } from '../../../pdf/forms'
import * as Name from '../../../pdf/names'
import type { PageAreas, RedactionArea } from './areas'
import { watchButtons } from '../strings/button-values'
import { dependsOnRemoved } from '../related/dependent-annotations'

/** Page entries that may repeat removed content: XMP metadata, the thumbnail image, and actions of the page. */
const COPIES = ['Metadata', 'Thumb', 'AA', 'PresSteps'].map(name => PDFName.of(name))

/**
 * Annotation subtypes that state their location in /QuadPoints. Their /Rect is only the bounding box of all quads (ISO
 * 32000-2, 12.5.6.5 and 12.5.6.10).
 */
const BY_QUADS = new Set(['Link', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut'])

/** How far an annotation may overlap an area and still stay, in units of user space, because rectangles are rounded. */
const SLACK = 0.1

/** How far quads may reach beyond the rectangle of their annotation, in units of user space. */
const ROUNDING = 1

/** Maximum number of annotations on one page. */
const MOST_ANNOTATIONS = 100_000

/**
 * Removes annotations under areas, and other page data that may repeat removed content. That includes appearances,
 * pop-ups, attached files, links, and the XMP and thumbnails of the pages. It also includes values of removed buttons,
 * and AcroForm fields that lose their last widget. Replies outside the areas and the widgets in `kept` stay. Throws EngineError `too_large` for a
 * page with too many annotations.
 */
export function removeAnnotationsNear(
  document: PdfDocument,
  pages: readonly PageAreas[],
  kept: ReadonlySet<PDFRef> = new Set(),
): void {
  const removedAnnotations = new Set<PDFDict>()
  for (const { index, areas } of pages) {
    const page = document.pages[index]
    if (!page) continue
    for (const key of COPIES) if (page.dict.has(key)) document.edit(page.ref).delete(key)
    const annotations = annotationsOf(document, page)
    if (annotations.length > MOST_ANNOTATIONS)
      throw new EngineError(
        'too_large',
        `Page ${index + 1} has ${annotations.length.toLocaleString('en')} annotations. A page to redact must ` +
          `have at most ${MOST_ANNOTATIONS.toLocaleString('en')}. Remove some with remove-annotations first.`,
      )
    for (const annotation of annotationsUnder(document, page, areas, kept)) removedAnnotations.add(annotation)
  }
  // XFA may contain the content of the pages again.
  if (pages.length > 0) dropXfa(document)
  if (removedAnnotations.size === 0) return
  const settleButtons = watchButtons(document)
  removeAnnotations(document, {
    pages: new Set(pages.map(({ index }) => index)),
    matches: annotation => removedAnnotations.has(annotation),
    follows: (follower, owner) => dependsOnRemoved(document, follower, owner),
  })
  settleButtons()
}

/** Returns the annotations of a page under areas, without pop-ups and without the widgets in `kept`. */
export function annotationsUnder(
  document: PdfDocument,
  page: Page,
  areas: readonly RedactionArea[],
  kept: ReadonlySet<PDFObject> = new Set(),
): PDFDict[] {
  const cores = areas.map(({ core }) => grow(core, -SLACK))
  return annotationsOf(document, page).flatMap(value => {
    if (kept.has(value)) return []
    const annotation = document.peekDict(value)
    const isUnder =
      annotation &&
      subtypeOf(document, annotation) !== 'Popup' &&
      placesOf(document, annotation).some(place => cores.some(core => overlap(place, core)))
    return isUnder ? [annotation] : []
  })
}

function placesOf(document: PdfDocument, annotation: PDFDict): Bounds[] {
  const kind = subtypeOf(document, annotation)
  const rect = readBounds(document, annotation.get(Name.Rect))
  // A widget without an area isn't visible on the page.
  if (!rect || (kind === 'Widget' && (rect.left >= rect.right || rect.bottom >= rect.top))) return []
  const numbers = BY_QUADS.has(kind)
    ? (document.peekArray(annotation.get(Name.QuadPoints))?.asArray() ?? []).map(item => document.peekNumber(item) ?? 0)
    : []
  const quads = Array.from({ length: Math.floor(numbers.length / 8) }, (_, index) => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0] = numbers.slice(index * 8, index * 8 + 8)
    return boundsOf([x1, y1, x2, y2, x3, y3, x4, y4])
  })
  // Viewers ignore /QuadPoints if a quad lies outside the rectangle.
  const isUsable = quads.length > 0 && quads.every(quad => contains(grow(rect, ROUNDING), quad))
  return isUsable ? quads : [rect]
}

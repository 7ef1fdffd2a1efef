import { PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { subtypeOf } from '../pdf-core/annotation-facts'
import { removeAnnotations } from '../pdf-core/annotation-removal'
import { annotationsOf } from '../pdf-core/annotations'
import type { PdfDocument } from '../pdf-core/document'
import { writeBox } from '../pdf-core/frame'
import type { Box } from '../pdf-core/frame'
import { boundsOfBox, contains, intersect, overlap } from './geometry'
import type { Bounds } from './geometry'
import { KeepBox } from './keep-box'
import { readBounds } from './read-numbers'
import { rewriteContent } from './rewrite-content'

const RECT = PDFName.of('Rect')

/**
 * Removes what lies outside of a box from pages: text glyph by glyph, paths, pixels of images, annotations with their
 * fields. Boxes are in user space, by page index. What touches its box stays: a glyph as a whole, a path without the parts
 * that lie wholly outside, an image with its pixels inside. Links are cut to the box. A pattern that repeats inside the box
 * stays whole, as do shadings, appearances of annotations and the fonts that text is shown in.
 * Throws EngineError `too-large` where a limit of the document is reached.
 */
export async function removeOutside(document: PdfDocument, boxes: ReadonlyMap<number, Box>): Promise<void> {
  const tasks = [...boxes].flatMap(([index, box]) => {
    const page = document.pages[index]
    return page ? [{ page, decider: new KeepBox(box) }] : []
  })
  removeAnnotationsOutside(document, boxes)
  await rewriteContent(document, tasks)
}

function removeAnnotationsOutside(document: PdfDocument, boxes: ReadonlyMap<number, Box>): void {
  const outside = new Set<PDFDict>()
  for (const [index, box] of boxes) {
    const page = document.pages[index]
    if (!page) continue
    const area = boundsOfBox(box)
    for (const value of annotationsOf(document, page)) {
      const annotation = document.peekDict(value)
      const rect = readBounds(document, annotation?.get(RECT))
      if (!annotation || !rect) continue
      const kind = subtypeOf(document, annotation)
      // A pop-up window goes with its annotation, wherever it opens; a widget without area is on the page only by name.
      if (kind === 'Popup' || (kind === 'Widget' && isFlat(rect))) continue
      if (!overlap(rect, area)) outside.add(annotation)
      else if (kind === 'Link' && !contains(area, rect) && value instanceof PDFRef) document.edit(value).set(RECT, writeBounds(document, intersect(rect, area)))
    }
  }
  if (outside.size > 0) removeAnnotations(document, { pages: new Set(boxes.keys()), matches: annotation => outside.has(annotation), follows: () => true })
}

function isFlat({ left, bottom, right, top }: Bounds): boolean {
  return left >= right || bottom >= top
}

function writeBounds(document: PdfDocument, { left, bottom, right, top }: Bounds) {
  return writeBox(document, { x: left, y: bottom, width: right - left, height: top - bottom })
}

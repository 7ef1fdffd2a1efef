import { PDFRef } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { subtypeOf } from '../../annotations/annotation-entries'
import { removeAnnotations } from '../../annotations/annotation-removal'
import { annotationsOf, separateAnnotations } from '../../annotations/annotations'
import { writeBox } from '../../geometry/box'
import type { Box } from '../../geometry/box'
import type { PdfDocument } from '../../document/document'
import { boundsOfBox, contains, grow, intersect, overlap } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'
import { KeepBox } from './keep-box'
import { readBounds, readNumbers } from '../../geometry/read-numbers'
import { rewriteContent } from './rewrite-content'
import * as Name from '../../syntax/names'

/**
 * Removes content outside of a box from pages: glyphs, paths, image pixels, and annotations with their fields. Boxes
 * are in default user space, by page index. Content that touches the box stays: a glyph completely, a path without the
 * parts that lie outside, an image with its pixels inside. Links are clipped to the box. Patterns that repeat inside
 * the box, shadings, annotation appearances and fonts stay unchanged. Throws EngineError `too_large` if a limit of the
 * document is exceeded.
 */
export async function removeOutside(document: PdfDocument, boxes: ReadonlyMap<number, Box>): Promise<void> {
  const tasks = [...boxes].flatMap(([index, box]) => {
    const page = document.pages[index]
    return page ? [{ page, filter: new KeepBox(box) }] : []
  })
  removeAnnotationsOutside(document, boxes)
  await rewriteContent(document, tasks)
}

function removeAnnotationsOutside(document: PdfDocument, boxes: ReadonlyMap<number, Box>): void {
  // An annotation may be outside of the box on one page and inside on another page.
  separateAnnotations(
    document,
    document.pages.filter((_, index) => boxes.has(index)),
  )
  const outside = new Set<PDFDict>()
  for (const [index, box] of boxes) {
    const page = document.pages[index]
    if (!page) continue
    const area = boundsOfBox(box)
    for (const value of annotationsOf(document, page)) {
      const annotation = document.peekDict(value)
      const rect = readBounds(document, annotation?.get(Name.Rect))
      if (!annotation || !rect) continue
      const kind = subtypeOf(document, annotation)
      // A pop-up is removed with its annotation, wherever it is. A widget without area isn't visible at all, so it
      // stays.
      if (kind === 'Popup' || (kind === 'Widget' && isFlat(rect))) continue
      if (!overlap(rect, area)) outside.add(annotation)
      else if (kind === 'Link' && value instanceof PDFRef) cutLink(document, value, area)
    }
  }
  if (outside.size > 0)
    removeAnnotations(document, {
      pages: new Set(boxes.keys()),
      matches: annotation => outside.has(annotation),
      follows: () => true,
    })
}

/** Clips a link to the box. Leaves room for the link's border, so that it doesn't move. */
function cutLink(document: PdfDocument, ref: PDFRef, area: Bounds): void {
  const link = document.peekDict(ref)
  const rect = readBounds(document, link?.get(Name.Rect))
  const styled = document.peekNumber(document.peekDict(link?.get(Name.BS))?.get(Name.W))
  const widthPt = styled ?? readNumbers(document, link?.get(Name.Border))?.[2] ?? 1
  const around = grow(area, 2 * Math.abs(widthPt))
  if (rect && !contains(around, rect)) document.edit(ref).set(Name.Rect, writeBounds(document, intersect(rect, around)))
}

function isFlat({ left, bottom, right, top }: Bounds): boolean {
  return left >= right || bottom >= top
}

function writeBounds(document: PdfDocument, { left, bottom, right, top }: Bounds) {
  return writeBox(document, { x: left, y: bottom, width: right - left, height: top - bottom })
}

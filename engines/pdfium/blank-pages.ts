import { PDFArray, PDFRawStream } from 'pdf-lib'
import { annotationsOf } from '../pdf-core/annotations/annotations'
import type { PdfDocument } from '../pdf-core/document/document'
import type { Page } from '../pdf-core/document/page-tree'
import { countInk } from './ink'
import { drawPages } from './render'
import type { RenderOptions } from './render'
import * as Name from '../pdf-core/syntax/names'

/** Coarse on purpose: thin strokes cover more of a page of few pixels, so that little text counts as much. */
const DRAWING: RenderOptions = { dpi: 50, leastDpi: 0, color: 'rgb', annotations: true }

/** Characters that weigh as much as all of a page's pixels: a threshold of 0.002 leaves room for a page number. */
const FULL_PAGE = 2000

/**
 * Those of the pages at these positions (from 0) of which at most the share `threshold` of the pixels is not white, as
 * they are seen, and that have no more text than weighs as much: little ink says much as text. A page that can't be
 * drawn is not blank: what nobody has seen must not be taken away. Throws EngineError `unreadable` when none of the
 * document's pages can be drawn.
 */
export async function findBlankPages(
  document: PdfDocument,
  indexes: Iterable<number>,
  threshold: number,
): Promise<Set<number>> {
  const most = Math.round(threshold * FULL_PAGE)
  const asked = [...new Set(indexes)]
  const blank = new Set(asked.filter(index => isEmpty(document, document.pages[index])))
  for await (const { index, image, renderer } of drawPages(
    document,
    asked.filter(index => !blank.has(index)),
    DRAWING,
  )) {
    if (!image) continue
    const ink = countInk(image)
    if (ink > threshold * image.width * image.height) continue
    if (ink === 0 || renderer.countCharacters(index, most + 1) <= most) blank.add(index)
  }
  return blank
}

/** Whether there is nothing that could be drawn, which spares the drawing. */
function isEmpty(document: PdfDocument, page: Page | undefined): boolean {
  if (!page || annotationsOf(document, page).length) return false
  const contents = document.peek(page.dict.get(Name.Contents))
  const streams = contents instanceof PDFArray ? contents.asArray().map(item => document.peek(item)) : [contents]
  return streams.every(
    stream => stream === undefined || (stream instanceof PDFRawStream && stream.contents.length === 0),
  )
}

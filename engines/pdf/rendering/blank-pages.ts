import { PDFArray, PDFRawStream } from 'pdf-lib'
import { annotationsOf } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import { PageReader } from '../reading/read-page'
import { countInk } from './ink'
import { drawPages } from './render'
import type { RenderOptions } from './render'
import * as Name from '../syntax/names'

/** The resolution is low on purpose. Thin strokes then cover more of the page, so that even little text counts. */
const DRAWING: RenderOptions = { dpi: 50, leastDpi: 0, color: 'rgb', annotations: true }

/** Number of characters that count as a full page. A threshold of 0.002 then allows a page number. */
const FULL_PAGE = 2000

/**
 * Finds blank pages among the pages at these positions (from 0). A page is blank if at most the fraction `threshold` of
 * its pixels isn't white and if it has at most a matching number of characters. Text counts extra, because little ink
 * may be much text. A page that can't be drawn isn't blank, because nobody has seen its content. Neither is a page with
 * text for which no font is available. Throws EngineError
 * `damaged` if none of the document's pages can be drawn.
 */
export async function findBlankPages(
  document: PdfDocument,
  indexes: Iterable<number>,
  threshold: number,
): Promise<Set<number>> {
  const maxCharacters = Math.round(threshold * FULL_PAGE)
  const requestedIndexes = [...new Set(indexes)]
  const blank = new Set(requestedIndexes.filter(index => isEmpty(document, document.pages[index])))
  const reader = new PageReader(document)
  for await (const { index, image, renderer } of drawPages(
    document,
    requestedIndexes.filter(index => !blank.has(index)),
    DRAWING,
  )) {
    if (!image) continue
    const ink = countInk(image)
    if (ink > threshold * image.width * image.height || renderer.hasUndrawnText(index)) continue
    if (ink === 0 || countVisible(reader, document.pages[index]) <= maxCharacters) blank.add(index)
  }
  return blank
}

/** The number of visible characters in the content of a page. */
function countVisible(reader: PageReader, page: Page | undefined): number {
  return page ? reader.read(page).glyphs.filter(({ style }) => !style.isUnseen).length : 0
}

/** Returns whether a page has no content and no annotations, so that it needn't be drawn. */
function isEmpty(document: PdfDocument, page: Page | undefined): boolean {
  if (!page || annotationsOf(document, page).length) return false
  const contents = document.peek(page.dict.get(Name.Contents))
  const streams = contents instanceof PDFArray ? contents.asArray().map(item => document.peek(item)) : [contents]
  return streams.every(
    stream => stream === undefined || (stream instanceof PDFRawStream && stream.contents.length === 0),
  )
}

import { PDFArray, PDFName, PDFRawStream } from 'pdf-lib'
import { isEngineError } from '../errors'
import { annotationsOf } from '../pdf-core/annotations'
import type { PdfDocument } from '../pdf-core/document'
import type { Page } from '../pdf-core/page-tree'
import { openRenderer } from './render'
import type { PageRenderer, Picture } from './render'

const CONTENTS = PDFName.of('Contents')

/** Coarse on purpose: thin strokes cover more of a page of few pixels, so that little text counts as much. */
const DPI = 50

/** What every colour of a pixel must reach to count as white: paper that was scanned does. */
const WHITE = 240

/**
 * Those of the pages at these positions (from 0) of which at most the share `threshold` of the pixels is not white, as
 * they are seen. A page that can't be drawn is not blank.
 * Throws EngineError `unreadable` when none of the document's pages can be drawn.
 */
export async function findBlankPages(document: PdfDocument, indexes: Iterable<number>, threshold: number): Promise<Set<number>> {
  const blank = new Set<number>()
  let renderer: PageRenderer | undefined
  try {
    for (const index of indexes) {
      const page = document.pages[index]
      if (!page || blank.has(index)) continue
      if (renderer?.isBroken) renderer = undefined
      if (isEmpty(document, page) || isWhite((renderer ??= await openRenderer(document)), index, threshold)) blank.add(index)
    }
  } finally {
    renderer?.close()
  }
  return blank
}

/** Whether there is nothing that could be drawn, which spares the drawing. */
function isEmpty(document: PdfDocument, page: Page): boolean {
  if (annotationsOf(document, page).length) return false
  const contents = document.peek(page.dict.get(CONTENTS))
  const streams = contents instanceof PDFArray ? contents.asArray().map(item => document.peek(item)) : [contents]
  return streams.every(stream => stream === undefined || (stream instanceof PDFRawStream && stream.contents.length === 0))
}

function isWhite(renderer: PageRenderer, index: number, threshold: number): boolean {
  try {
    const picture = renderer.draw(index, { dpi: DPI, leastDpi: 0, color: 'rgb', annotations: true })
    return countInk(picture) <= threshold * picture.width * picture.height
  } catch (error) {
    if (isEngineError(error) && error.reason === 'unreadable') return false // what nobody has seen must not be taken away
    throw error
  }
}

/** Pixels that are not white. */
function countInk({ pixels, channels }: Picture): number {
  let count = 0
  for (let at = 0; at < pixels.length; at += channels) {
    for (let channel = 0; channel < channels; channel++) {
      if ((pixels[at + channel] as number) >= WHITE) continue
      count++
      break
    }
  }
  return count
}

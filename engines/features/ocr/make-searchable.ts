import { removeText, TextLayer } from '../../pdf/rewrite-content'
import type { PdfDocument } from '../../pdf/document'
import { addInvisibleText } from './invisible-text'
import { replaceWithImages } from './replace-with-images'
import type { RecognizedPage } from './read-pages'

/**
 * Adds recognized text to pages as invisible text that users can search, select and copy. The appearance of the pages
 * doesn't change. Old invisible text is removed if new text replaces it. Pages whose visible text was recognized again
 * become images (warning `page-rasterized`). Throws EngineError `too_large` if a limit of the document is reached, and
 * `damaged` for a page that can't be rendered.
 */
export async function makeSearchable(document: PdfDocument, readings: RecognizedPage[]): Promise<void> {
  const removals = readings.flatMap(({ pageIndex, removes }) => {
    const page = document.pages[pageIndex]
    return page && (removes === 'all' || removes === 'without-ink') ? [{ page, what: removes }] : []
  })
  await replaceWithImages(
    document,
    readings.filter(({ removes }) => removes === 'content'),
  )
  if (removals.length > 0) await removeText(document, removals)
  const layer = new TextLayer(document)
  for (const { pageIndex, added } of readings) {
    const page = document.pages[pageIndex]
    if (page && added) addInvisibleText(document, page, { text: added, layer })
  }
  layer.finish()
}

import { removeText } from '../content/remove-text'
import type { PdfDocument } from '../pdf-core/document/document'
import { TextLayer } from '../pdf-core/content/text-layer'
import { addInvisibleText } from './invisible-text'
import { replaceWithImages } from './image-pages'
import type { RecognizedPage } from './read-pages'

/**
 * Makes what was read on pages text that can be found, selected and copied, unseen over what is printed. What the pages
 * show stays as it is; unseen text of theirs goes where a new one takes its place, and pages whose text that is seen
 * was read anew become pictures (warning `page-rasterized`). Throws EngineError `too-large` where a limit of the
 * document is reached, `unreadable` for a page that can't be drawn.
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

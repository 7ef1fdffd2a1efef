import { removeText } from '../content/remove-text'
import type { PdfDocument } from '../pdf-core/document'
import { TextLayer } from '../pdf-core/text-layer'
import { addInvisibleText } from './invisible-text'
import type { Reading } from './read-pages'

/**
 * Makes what was read on pages text that can be found, selected and copied, unseen over what is printed. What the pages
 * show stays as it is; unseen text of theirs goes where a new one takes its place.
 * Throws EngineError `too-large` where a limit of the document is reached.
 */
export async function makeSearchable(document: PdfDocument, readings: Reading[]): Promise<void> {
  const removals = readings.flatMap(({ pageIndex, removes }) => {
    const page = document.pages[pageIndex]
    return page && removes !== 'nothing' ? [{ page, what: removes }] : []
  })
  if (removals.length > 0) await removeText(document, removals)
  const layer = new TextLayer(document)
  for (const { pageIndex, added } of readings) {
    const page = document.pages[pageIndex]
    if (page && added) addInvisibleText(document, page, { text: added, layer })
  }
  layer.finish()
}

import { removeHiddenContent } from '../content/remove-layers'
import type { PdfDocument } from '../pdf-core/document/document'
import { HiddenLayers } from '../pdf-core/structure/hidden-layers'
import { forkDocument } from '../pdf-core/pages/open'

/** Returns the document, or a copy of the original file without the content of hidden layers if there are any. */
export async function withoutHidden(document: PdfDocument): Promise<PdfDocument> {
  if (new HiddenLayers(document).isEmpty) return document
  const copy = forkDocument(document)
  await removeHiddenContent(copy, new HiddenLayers(copy))
  return copy
}

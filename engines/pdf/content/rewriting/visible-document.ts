import { removeHiddenAnnotations, removeHiddenContent } from './remove-layers'
import { annotationsOf } from '../../annotations/annotations'
import type { PdfDocument } from '../../document/document'
import { HiddenLayers } from '../../structure/hidden-layers'
import { forkDocument } from '../../open-save/open'
import { reopenDocument } from '../../open-save/reopen'
import * as Name from '../../syntax/names'

/** Returns the document, or a copy without the content and annotations of hidden layers if there are any. */
export async function withoutHidden(document: PdfDocument): Promise<PdfDocument> {
  if (new HiddenLayers(document).isEmpty) return document
  const bare = withoutHiddenAnnotations(document)
  const copy = bare === document ? copyOf(document) : bare
  const isFound = await removeHiddenContent(copy, new HiddenLayers(copy))
  return isFound ? copy : bare
}

/** Returns the document, or a copy without annotations on hidden layers if there are any. */
export function withoutHiddenAnnotations(document: PdfDocument): PdfDocument {
  const hidden = new HiddenLayers(document)
  if (hidden.isEmpty) return document
  const isHidden = document.pages.some(page =>
    annotationsOf(document, page).some(value => hidden.hides(document.peekDict(value)?.get(Name.OC))),
  )
  if (!isHidden) return document
  const copy = copyOf(document)
  removeHiddenAnnotations(copy, new HiddenLayers(copy))
  return copy
}

/** Opens the file again, which is fast, or writes the document if it has changed. */
function copyOf(document: PdfDocument): PdfDocument {
  return document.store.isUntouched ? forkDocument(document) : reopenDocument(document)
}

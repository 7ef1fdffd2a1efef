import { PDFDict, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable } from '../../../pdf/document'
import * as Name from '../../../pdf/names'

/**
 * Removes images that nothing draws from the resources of pages. `drawn` are all images that the document draws. Glyphs
 * of Type 3 fonts may draw images of the page, so with such a font all images stay.
 */
export function dropUndrawnImages(document: PdfDocument, drawn: ReadonlyMap<PDFObject, unknown>): void {
  let mayDraw: boolean | undefined
  for (const { ref, dict } of document.pages) {
    const resourcesRef = dict.get(Name.Resources)
    const resources = document.peekDict(resourcesRef)
    const objects = document.peekDict(resources?.get(Name.XObject))
    const undrawn = objects?.entries().flatMap(([name, value]) => (isUndrawn(document.peek(value)) ? [name] : [])) ?? []
    if (undrawn.length === 0) continue
    mayDraw ??= hasType3Fonts(document)
    if (mayDraw) return
    const owner = resourcesRef instanceof PDFRef ? resourcesRef : ref
    const own = resourcesRef instanceof PDFRef ? document.edit(resourcesRef) : document.editDict(ref, Name.Resources)
    const list = own?.get(Name.XObject)
    if (list instanceof PDFRef) for (const name of undrawn) document.edit(list).delete(name)
    else if (list instanceof PDFDict) {
      document.edit(owner)
      for (const name of undrawn) list.delete(name)
    }
  }

  function isUndrawn(object: PDFObject | undefined): boolean {
    return object instanceof PDFRawStream && object.dict.get(Name.Subtype) === Name.Image && !drawn.has(object)
  }
}

function hasType3Fonts(document: PdfDocument): boolean {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    const object = reached.isStream(slot) ? undefined : document.peek(reached.refOf(slot))
    if (object instanceof PDFDict && object.get(Name.Subtype) === Name.Type3) return true
  }
  return false
}

import { PDFArray, PDFDict, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { removeAnnotations } from '../../annotations/annotation-removal'
import type { PdfDocument } from '../../document/document'
import type { HiddenLayers } from '../../structure/hidden-layers'
import { findReachable } from '../../document/reachable'
import { KeepVisible } from './keep-visible'
import { rewriteContent } from './rewrite-content'
import * as Name from '../../syntax/names'

/** Returns whether the document lists layers. If not, layer marks in its content have no meaning. */
export function hasLayers(document: PdfDocument): boolean {
  return document.peekDict(document.catalog.get(Name.OCProperties)) !== undefined
}

/** Removes annotations on hidden layers, with their fields, replies and pop-ups. */
export function removeHiddenAnnotations(document: PdfDocument, hidden: HiddenLayers): void {
  if (hidden.isEmpty) return
  removeAnnotations(document, {
    pages: new Set(document.pages.keys()),
    matches: annotation => hidden.hides(annotation.get(Name.OC)),
    follows: () => true,
  })
}

/**
 * Removes the content of hidden layers (ISO 32000-2, 8.11.3) from all pages. Also removes the layer marks around visible
 * content. Returns whether there was any hidden content. Throws EngineError `too_large` if a limit of the document is
 * exceeded.
 */
export async function removeHiddenContent(document: PdfDocument, hidden: HiddenLayers): Promise<boolean> {
  const filter = new KeepVisible(hidden)
  await rewriteContent(
    document,
    document.pages.map(page => ({ page, filter })),
  )
  return filter.hasFound
}

/** Removes all layers and all references to them, so that remaining content is no longer on layers. Call it last. */
export function dropLayers(document: PdfDocument): void {
  document.editCatalog().delete(Name.OCProperties)
  const reached = findReachable(document, [document.rootRef.objectNumber])
  const refs = [...reached.inOrder()].map(slot => reached.refOf(slot))
  for (const ref of refs)
    if (cutLayers(document, document.peek(ref), { isTrial: true }))
      cutLayers(document, document.store.get(ref), { isTrial: false })
}

/** Returns whether an object contains layers, in entries or in arrays. Removes these unless `isTrial` is true. */
function cutLayers(document: PdfDocument, object: PDFObject | undefined, { isTrial }: { isTrial: boolean }): boolean {
  const isLayer = (value: PDFObject | undefined): boolean => {
    const type =
      value instanceof PDFRef || value instanceof PDFDict
        ? document.peek(document.peekDict(value)?.get(Name.Type))
        : undefined
    return type === Name.OCG || type === Name.OCMD
  }
  let isFound = false
  const stack = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFArray) {
      for (let index = value.size() - 1; index >= 0; index--) {
        const item = value.get(index)
        if (!isLayer(item)) {
          if (!(item instanceof PDFRef)) stack.push(item)
          continue
        }
        isFound = true
        if (!isTrial) value.remove(index)
      }
      continue
    }
    const dict = value instanceof PDFDict ? value : value instanceof PDFStream ? value.dict : undefined
    for (const [key, item] of dict?.entries() ?? []) {
      if (key !== Name.OC && !isLayer(item)) {
        if (!(item instanceof PDFRef)) stack.push(item)
        continue
      }
      isFound = true
      if (!isTrial) dict?.delete(key)
    }
  }
  return isFound
}

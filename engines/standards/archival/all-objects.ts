import { PDFArray, PDFDict, PDFStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { findReachable } from '../../pdf/document'

/** An indirect object that counts as changed, so that it is written anew. */
export interface WritableObject {
  ref: PDFRef
  object: PDFObject
}

/**
 * All objects that the result will contain. Each counts as changed from then on, because objects that are copied byte
 * by byte would keep errors in their syntax (ISO 19005-2, 6.1).
 */
export function listWritableObjects(document: PdfDocument): WritableObject[] {
  const roots = [document.rootRef, ...(document.infoRef ? [document.infoRef] : [])].map(ref => ref.objectNumber)
  const reached = findReachable(document, roots)
  const objects: WritableObject[] = []
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const object = document.store.get(ref)
    if (object) objects.push({ ref, object })
  }
  return objects
}

/** All dictionaries, arrays and other direct objects inside an object, the outermost first. */
export function* walkValues(object: PDFObject): Generator<PDFObject> {
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    yield value
    if (value instanceof PDFStream) stack.push(value.dict)
    else if (value instanceof PDFArray) for (let index = 0; index < value.size(); index++) stack.push(value.get(index))
    else if (value instanceof PDFDict) for (const item of value.values()) stack.push(item)
  }
}

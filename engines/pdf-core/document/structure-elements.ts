import { PDFArray, PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { Holder } from '../merge/added-file'
import type { PdfDocument } from './document'
import * as Name from '../syntax/names'

/** What stands under an element, or under the root: references, marked content, object references. */
export function kidsOf(document: PdfDocument, root: PDFDict): PDFObject[] {
  const given = root.get(Name.K)
  const value = document.peek(given)
  if (value instanceof PDFArray) return value.asArray()
  return given === undefined ? [] : [given]
}

/** The structure elements at the top of a tree (ISO 32000-2, table 354). */
export function topElements(document: PdfDocument, rootRef: PDFRef): Generator<Holder> {
  return walk(document, [document.peekDict(rootRef)?.get(Name.K), () => document.edit(rootRef)], false)
}

/** The structure elements below a root or an element (ISO 32000-2, 14.7.2), each of them once. */
export function elementsBelow(document: PdfDocument, root: PDFDict): Generator<Holder> {
  return walk(document, [root.get(Name.K), () => undefined], true)
}

/** A value, and what marks its owner as changed. */
type Owned = [value: PDFObject | undefined, touchOwner: () => unknown]

function* walk(document: PdfDocument, start: Owned, isDeep: boolean): Generator<Holder> {
  const visited = new Set<PDFObject>()
  const stack: Owned[] = [start]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [value, touchOwner] = next
    const object = document.peek(value)
    if (!object || visited.has(object)) continue
    const touch = (): unknown => (value instanceof PDFRef ? document.store.get(value) : touchOwner())
    if (object instanceof PDFArray) {
      visited.add(object)
      for (const kid of object.asArray()) stack.push([kid, touch])
    } else if (object instanceof PDFDict && object.has(Name.S)) {
      visited.add(object)
      yield { dict: object, edit: () => (touch(), object) }
      if (isDeep) stack.push([object.get(Name.K), touch])
    }
  }
}

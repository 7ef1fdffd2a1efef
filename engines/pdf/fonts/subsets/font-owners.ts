import { PDFArray, PDFDict, PDFStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { findReachable } from '../../document/reachable'

/**
 * Returns the indirect object of each font: the reference from `listAllFonts`, or the object that contains a direct
 * font dictionary.
 */
export function findOwners(
  document: PdfDocument,
  fonts: ReadonlyMap<PDFDict, PDFRef | undefined>,
): Map<PDFDict, PDFRef> {
  const owners = new Map<PDFDict, PDFRef>()
  for (const [font, ref] of fonts) if (ref) owners.set(font, ref)
  if (owners.size === fonts.size) return owners
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const stack: (PDFObject | undefined)[] = [document.peek(ref)]
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (value instanceof PDFStream) stack.push(value.dict)
      else if (value instanceof PDFArray) stack.push(...value.asArray().filter(isNested))
      else if (value instanceof PDFDict) {
        if (fonts.has(value) && !owners.has(value)) owners.set(value, ref)
        stack.push(...value.values().filter(isNested))
      }
    }
    if (owners.size === fonts.size) break
  }
  return owners
}

function isNested(value: PDFObject): boolean {
  return value instanceof PDFDict || value instanceof PDFArray
}

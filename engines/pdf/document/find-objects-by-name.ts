import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from './document'
import { NameSearch } from './name-search'
import { findReachable } from './reachable'

interface Found {
  ref: PDFRef
  object: PDFObject
}

/** Finds the reachable objects that may contain one of these names. Parses only these objects. */
export function findObjectsByName(document: PdfDocument, words: readonly string[]): Found[] {
  const { rootRef, infoRef } = document
  const reached = findReachable(
    document,
    infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber],
    undefined,
    { keepsTargets: true },
  )
  const search = new NameSearch(words)
  const found: Found[] = []
  for (const slot of reached.inOrder()) {
    if (!search.mayMatch(reached, slot)) continue
    const ref = reached.refOf(slot)
    const object = reached.objects[slot] ?? document.peek(ref)
    if (object) found.push({ ref, object })
  }
  return found
}

import { PDFArray, PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'

/**
 * Removes the beads of severed pages from their article threads (ISO 32000-2, 12.4.3) and links the remaining beads.
 * Removes threads without beads. `kept` are the remaining pages. Beads on these pages that belong to no thread are
 * removed too, because they may link to beads of removed pages.
 */
export function pruneThreads(document: PdfDocument, kept: readonly Page[]): void {
  const listed = document.peekItems(document.catalog.get(Name.Threads))
  const pages = kept.filter(page => page.dict.has(Name.B))
  if (listed.length === 0 && pages.length === 0) return
  const places = pages.flatMap(page => beadsOf(document, page).map(bead => [bead, page.ref] as const))
  const placeOf = new Map<PDFRef, PDFRef>(places)
  const keptRefs = new Set(kept.map(page => page.ref))
  const seen = new Set<PDFRef>()
  const alive = new Set<PDFRef>()
  const threads = listed.filter(thread => {
    const beads = ringOf(document, thread, seen)
    const remainingBeads = beads.filter(bead => {
      const page = document.peekDict(bead)?.get(Name.P) ?? placeOf.get(bead)
      return page instanceof PDFRef && keptRefs.has(page)
    })
    for (const bead of remainingBeads) alive.add(bead)
    if (remainingBeads.length < beads.length) {
      relink(document, thread, remainingBeads)
      document.store.sever(beads.filter(bead => !alive.has(bead)).map(bead => bead.objectNumber))
    }
    if (remainingBeads.length === 0 && thread instanceof PDFRef) document.store.sever([thread.objectNumber])
    return remainingBeads.length > 0
  })
  if (threads.length === 0 && document.catalog.has(Name.Threads)) document.editCatalog().delete(Name.Threads)
  else if (threads.length < listed.length) document.editCatalog().set(Name.Threads, document.context.obj(threads))
  for (const page of pages) keepBeads(document, page, alive)
}

/** The bead at a position in a thread, from 0. */
export function findBead(document: PdfDocument, thread: PDFObject | undefined, position: number): PDFRef | undefined {
  return ringOf(document, thread, new Set())[position]
}

/** The beads of a thread, starting with the first. Stops at a bead in `seen`, and adds all beads to `seen`. */
function ringOf(document: PdfDocument, thread: PDFObject | undefined, seen: Set<PDFRef>): PDFRef[] {
  const beads: PDFRef[] = []
  let next = document.peekDict(thread)?.get(Name.F)
  while (next instanceof PDFRef && !seen.has(next)) {
    const bead = document.peekDict(next)
    if (!bead) break
    seen.add(next)
    beads.push(next)
    next = bead.get(Name.N)
  }
  return beads
}

/** Links these beads as the ring of the thread. Does nothing if there are none. */
function relink(document: PdfDocument, thread: PDFObject, beads: readonly PDFRef[]): void {
  const first = beads[0]
  if (!first) return
  for (const [index, bead] of beads.entries()) {
    const dict = document.edit(bead)
    dict.set(Name.N, beads[index + 1] ?? first)
    dict.set(Name.V, beads.at(index - 1) ?? first)
  }
  // Only the first bead needs a reference to its thread (ISO 32000-2, table 163), and another bead may be first now.
  if (thread instanceof PDFRef) {
    document.edit(first).set(Name.T, thread)
    document.edit(thread).set(Name.F, first)
  } else if (thread instanceof PDFDict) {
    const list = document.catalog.get(Name.Threads)
    document.store.get(list instanceof PDFRef ? list : document.rootRef)
    thread.set(Name.F, first)
  }
}

function beadsOf(document: PdfDocument, page: Page): PDFRef[] {
  return (
    document
      .peekArray(page.dict.get(Name.B))
      ?.asArray()
      .filter(bead => bead instanceof PDFRef) ?? []
  )
}

function keepBeads(document: PdfDocument, page: Page, alive: ReadonlySet<PDFRef>): void {
  const beads = beadsOf(document, page)
  const remainingBeads = beads.filter(bead => alive.has(bead))
  if (remainingBeads.length > 0 && remainingBeads.length === document.peekArray(page.dict.get(Name.B))?.size()) return
  const dict = document.edit(page.ref)
  if (remainingBeads.length === 0) {
    dict.delete(Name.B)
    return
  }
  const array = PDFArray.withContext(document.context)
  for (const bead of remainingBeads) array.push(bead)
  dict.set(Name.B, array)
}

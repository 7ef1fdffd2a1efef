import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readNameTree, stringBytes, writeNameTree } from '../document/name-tree'
import type { NamedEntry } from '../document/name-tree'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'

/**
 * Where a document's destinations lead (ISO 32000-2, 12.3.2): explicit ones, and named ones in the catalog's /Dests
 * dictionary (PDF 1.1) or in the name tree.
 */
export class Destinations {
  private named: Map<string, PDFObject> | undefined

  constructor(private readonly document: PdfDocument) {}

  /** The page reference that a destination (array, dictionary with /D, name or string) leads to, if any. */
  target(destination: PDFObject | undefined): PDFRef | undefined {
    const { document } = this
    let value = document.peek(destination)
    const name = destinationName(value)
    if (name !== undefined) value = document.peek(this.lookUp(name))
    if (value instanceof PDFDict) value = document.peek(value.get(Name.D))
    return value instanceof PDFArray ? pageTarget(document, value) : undefined
  }

  /** The target of whatever a link or an outline entry does: its /Dest, or a GoTo action. */
  targetOf(item: PDFDict): PDFRef | undefined {
    return this.target(this.of(item))
  }

  /** The destination of a link or an outline entry, unresolved; undefined when it does something else. */
  of(item: PDFDict): PDFObject | undefined {
    const direct = item.get(Name.Dest)
    if (direct !== undefined) return direct
    const action = this.document.peekDict(item.get(Name.A))
    return action && this.document.peek(action.get(Name.S)) === Name.GoTo ? action.get(Name.D) : undefined
  }

  private lookUp(name: string): PDFObject | undefined {
    if (!this.named) {
      this.named = new Map()
      const { document } = this
      for (const entry of readNameTree(document, document.peekDict(document.catalog.get(Name.Names))?.get(Name.Dests)))
        this.named.set(`s${entry.key}`, entry.value)
      for (const [key, value] of document.peekDict(document.catalog.get(Name.Dests))?.entries() ?? [])
        this.named.set(`n${key.decodeText()}`, value)
    }
    return this.named.get(name)
  }
}

function destinationName(value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFName) return `n${value.decodeText()}`
  const bytes = stringBytes(value)
  return bytes === undefined ? undefined : `s${bytes}`
}

/**
 * What an explicit destination begins with: its page, or an element of the structure that is on one (ISO 32000-2,
 * 12.3.2). A page may be given by its number from 0, which is allowed in other files only (12.3.2.2) and followed all
 * the same.
 */
export function pageTarget(document: PdfDocument, destination: PDFArray): PDFRef | undefined {
  const target = destination.size() > 0 ? destination.get(0) : undefined
  const number = document.peek(target)
  if (number instanceof PDFNumber) return pageOfNumber(document.pages, number)?.ref
  return target instanceof PDFRef ? target : undefined
}

/** The page with that number from 0; fractions are cut off, as readers do. */
export function pageOfNumber(pages: readonly Page[], number: PDFNumber): Page | undefined {
  return pages[Math.trunc(number.asNumber())]
}

/** Whether a destination leads to a page that was severed. */
export function leadsNowhere(document: PdfDocument, target: PDFRef | undefined): boolean {
  return target !== undefined && document.store.isSevered(target.objectNumber)
}

/** Removes named destinations, and an action on opening, that lead to severed pages. */
export function pruneDestinations(document: PdfDocument, destinations: Destinations): void {
  const isDead = (value: PDFObject): boolean => leadsNowhere(document, destinations.target(value))
  const names = document.peekDict(document.catalog.get(Name.Names))
  const entries = readNameTree(document, names?.get(Name.Dests))
  const kept = entries.filter(entry => !isDead(entry.value))
  if (kept.length < entries.length) replaceNames(document, Name.Dests, kept)
  const old = document.peekDict(document.catalog.get(Name.Dests))
  const deadKeys = (old?.entries() ?? []).filter(([, value]) => isDead(value)).map(([key]) => key)
  if (deadKeys.length) {
    const dict = document.editDict(document.rootRef, Name.Dests)
    for (const key of deadKeys) dict?.delete(key)
  }
  const opening = document.catalog.get(Name.OpenAction)
  const action = document.peek(opening)
  const isDestination =
    action instanceof PDFArray || (action instanceof PDFDict && document.peek(action.get(Name.S)) === Name.GoTo)
  if (isDestination && isDead(action instanceof PDFDict ? (action.get(Name.D) as PDFObject) : action))
    document.editCatalog().delete(Name.OpenAction)
}

/** Puts a new tree into the catalog's /Names under `key`, or takes it out when there are no entries. */
export function replaceNames(document: PdfDocument, key: PDFName, entries: NamedEntry[]): void {
  let names = document.editDict(document.rootRef, Name.Names)
  if (!names) {
    if (entries.length === 0) return
    names = PDFDict.withContext(document.context)
    document.editCatalog().set(Name.Names, names)
  }
  if (entries.length) names.set(key, writeNameTree(document, entries))
  else names.delete(key)
}

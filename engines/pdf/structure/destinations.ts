import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readNameTree, stringBytes, writeNameTree } from '../document/name-tree'
import type { NamedEntry } from '../document/name-tree'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'

/**
 * Resolves a document's destinations (ISO 32000-2, 12.3.2): explicit destinations, and named destinations in the
 * catalog's /Dests dictionary (PDF 1.1) or in the name tree.
 */
export class Destinations {
  private named: Map<string, PDFObject> | undefined

  constructor(private readonly document: PdfDocument) {}

  /** The page reference of a destination (array, dictionary with /D, name or string), if it leads to a page. */
  target(destination: PDFObject | undefined): PDFRef | undefined {
    const { document } = this
    let value = document.peek(destination)
    const name = destinationName(value)
    if (name !== undefined) value = document.peek(this.lookUp(name))
    if (value instanceof PDFDict) value = document.peek(value.get(Name.D))
    return value instanceof PDFArray ? pageTarget(document, value) : undefined
  }

  /** The target of a link or an outline item: of its /Dest or of its GoTo action. */
  targetOf(item: PDFDict): PDFRef | undefined {
    return this.target(this.of(item))
  }

  /** The unresolved destination of a link or an outline item. Undefined if it has another action or none. */
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
 * The first item of an explicit destination: a page, or a structure element on a page (ISO 32000-2, 12.3.2). A page
 * number (from 0) is only valid for other files (12.3.2.2), but readers follow it in the same file too.
 */
export function pageTarget(document: PdfDocument, destination: PDFArray): PDFRef | undefined {
  const target = destination.size() > 0 ? destination.get(0) : undefined
  const number = document.peek(target)
  if (number instanceof PDFNumber) return pageOfNumber(document.pages, number)?.ref
  return target instanceof PDFRef ? target : undefined
}

/** The page with this number, from 0. Like readers, ignores the fraction. */
export function pageOfNumber(pages: readonly Page[], number: PDFNumber): Page | undefined {
  return pages[Math.trunc(number.asNumber())]
}

/** Returns whether a destination leads to a severed page. */
export function leadsNowhere(document: PdfDocument, target: PDFRef | undefined): boolean {
  return target !== undefined && document.store.isSevered(target.objectNumber)
}

/** Removes named destinations and the open action if they lead to severed pages. */
export function pruneDestinations(document: PdfDocument, destinations: Destinations): void {
  const isDead = (value: PDFObject): boolean => leadsNowhere(document, destinations.target(value))
  const names = document.peekDict(document.catalog.get(Name.Names))
  const entries = readNameTree(document, names?.get(Name.Dests))
  const remaining = entries.filter(entry => !isDead(entry.value))
  if (remaining.length < entries.length) replaceNames(document, Name.Dests, remaining)
  const legacyDests = document.peekDict(document.catalog.get(Name.Dests))
  const deadKeys = (legacyDests?.entries() ?? []).filter(([, value]) => isDead(value)).map(([key]) => key)
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

/** Writes a new tree into the catalog's /Names under `key`. Removes the tree if there are no entries. */
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

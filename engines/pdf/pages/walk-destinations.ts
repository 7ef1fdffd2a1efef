import { PDFArray, PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import { walkNameTree } from '../document/name-tree'
import { readOutline } from '../structure/outline'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'

/** Receives destinations and actions. `owner` is the indirect object to edit before changing them. */
export interface DestinationVisitor {
  /** Visits an explicit destination in this document (ISO 32000-2, 12.3.2.2), or any other array in its place. */
  visitDestination(owner: PDFRef, array: PDFArray): void
  /** Returns whether to skip an annotation without reading it. */
  skips?(annotation: PDFObject): boolean
  /** Visits an action of any type (ISO 32000-2, 12.6). */
  visitAction?(owner: PDFRef, action: PDFDict): void
}

/**
 * Visits the destinations and actions of bookmarks, of annotations and triggers on these pages, and of the catalog with
 * its named destinations. Follows chained actions and visits each indirect object once. Skips destinations in other
 * files, which GoToR and GoToE actions have.
 */
export function walkDestinations(
  document: PdfDocument,
  pages: Iterable<Page>,
  visitor: DestinationVisitor,
  catalogRef: PDFRef = document.rootRef,
): void {
  const catalog = document.peekDict(catalogRef)
  if (!catalog) return
  const walk = new Walk(document, visitor)
  for (const { ref, dict } of readOutline(document, catalog).all) walk.visitItem(ref, dict)
  for (const page of pages) {
    walk.visitTriggers(page.ref, page.dict.get(Name.AA))
    const list = page.dict.get(Name.Annots)
    for (const annotation of annotationsOf(document, page)) {
      if (visitor.skips?.(annotation)) continue
      const dict = document.peekDict(annotation)
      const owner = [annotation, list].find(value => value instanceof PDFRef) ?? page.ref
      if (dict) walk.visitItem(owner, dict)
    }
  }
  walk.visit(catalogRef, catalog.get(Name.OpenAction))
  walk.visitTriggers(catalogRef, catalog.get(Name.AA))
  walk.visitNames(catalogRef, catalog)
}

/** A destination, an action or a list of actions, and the indirect object that contains it. */
interface Place {
  owner: PDFRef
  value: PDFObject | undefined
  isList: boolean
}

class Walk {
  /** Visited indirect objects, because many places may share one. */
  private readonly seen = new Set<PDFRef>()
  /** Visited destinations, because copies of a dictionary share its direct values. */
  private readonly visited = new Set<PDFArray>()

  constructor(
    private readonly document: PdfDocument,
    private readonly visitor: DestinationVisitor,
  ) {}

  /** Visits all destinations and actions of a bookmark or an annotation. */
  visitItem(owner: PDFRef, item: PDFDict): void {
    for (const key of [Name.Dest, Name.A, Name.PA]) if (item.has(key)) this.visit(owner, item.get(key))
    if (item.has(Name.AA)) this.visitTriggers(owner, item.get(Name.AA))
  }

  /** Visits the actions of an /AA dictionary. */
  visitTriggers(owner: PDFRef, value: PDFObject | undefined): void {
    const holder = value instanceof PDFRef ? value : owner
    for (const action of this.document.peekDict(value)?.values() ?? []) this.visit(holder, action)
  }

  /** Visits named destinations of both kinds: those in the name tree, and those in the dictionary of PDF 1.1. */
  visitNames(catalogRef: PDFRef, catalog: PDFDict): void {
    const { document } = this
    const old = catalog.get(Name.Dests)
    const oldOwner = old instanceof PDFRef ? old : catalogRef
    for (const value of document.peekDict(old)?.values() ?? []) this.visit(oldOwner, value)
    const names = catalog.get(Name.Names)
    const tree = document.peekDict(names)?.get(Name.Dests)
    const namesOwner = names instanceof PDFRef ? names : catalogRef
    for (const { owner, value } of walkNameTree(document, namesOwner, tree)) this.visit(owner, value)
  }

  /** Visits a destination or an action, and all chained actions. Doesn't resolve names. */
  visit(owner: PDFRef, value: PDFObject | undefined): void {
    const { document, visitor } = this
    const stack: Place[] = [{ owner, value, isList: false }]
    for (let place = stack.pop(); place; place = stack.pop()) {
      if (place.value instanceof PDFRef) {
        if (this.seen.has(place.value)) continue
        this.seen.add(place.value)
      }
      const holder = place.value instanceof PDFRef ? place.value : place.owner
      const object = document.peek(place.value)
      if (object instanceof PDFArray) {
        if (!place.isList) this.visitDestination(holder, object)
        else for (const item of object.asArray()) stack.push({ owner: holder, value: item, isList: false })
      } else if (object instanceof PDFDict) {
        const isAction = object.has(Name.S)
        if (isAction) visitor.visitAction?.(holder, object)
        if (!isAction || document.peek(object.get(Name.S)) === Name.GoTo) {
          for (const key of [Name.D, Name.SD]) stack.push({ owner: holder, value: object.get(key), isList: false })
        }
        if (isAction) stack.push({ owner: holder, value: object.get(Name.Next), isList: true })
      }
    }
  }

  private visitDestination(owner: PDFRef, array: PDFArray): void {
    if (this.visited.has(array)) return
    this.visited.add(array)
    this.visitor.visitDestination(owner, array)
  }
}

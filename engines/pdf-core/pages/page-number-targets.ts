import { PDFArray, PDFNull, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFName } from 'pdf-lib'
import { pageOfNumber } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import { findBead } from '../structure/article-threads'
import { walkDestinations } from './walk-destinations'
import type { DestinationVisitor } from './walk-destinations'
import * as Name from '../syntax/names'

/** Pages of one of the documents that a document consists of, in the order that numbers count, with their catalog. */
interface Numbered {
  catalogRef: PDFRef
  pages: readonly Page[]
}

/**
 * Makes references of page numbers in what leads to a page of this document, so that it leads to the same content when
 * pages change places. Call it before the first such change. What only pages that don't stay hold may keep its numbers.
 *
 * - Explicit destinations may name a page by its number in other files only (ISO 32000-2, 12.3.2.2), but readers follow
 *   such numbers (from 0) here too. One that no page has becomes null: it leads nowhere now, and must not lead to a
 *   page that is added.
 * - Thread actions may name threads and beads of this file by their positions (table 209).
 * - A GoToE action names the page of an attached file by a number (table 205), which stays one: it is written anew when
 *   the document is.
 *
 * Numbers in GoToR actions and in destinations of GoToE actions count pages of other files and stay.
 */
export function resolveNumberedTargets(document: PdfDocument, staying: readonly Page[]): void {
  if (document.hasNumbersResolved || document.fileFacts.hasNumberedTargets === false) return
  document.hasNumbersResolved = true
  const isAll = staying.length === document.pageCount
  const isFound = resolve(document, staying, { catalogRef: document.rootRef, pages: document.pages })
  if (isAll) document.fileFacts.hasNumberedTargets = isFound
}

/** The same for a document that another one takes in: its catalog and pages there. */
export function resolveAddedTargets(document: PdfDocument, added: Numbered): void {
  resolve(document, added.pages, added)
}

/** Whether there is anything to resolve; asked of a document of which no page was moved yet, once for each file. */
export function hasNumberedTargets(document: PdfDocument): boolean {
  const { fileFacts, pages, rootRef } = document
  return (fileFacts.hasNumberedTargets ??= find(document, pages, { catalogRef: rootRef, pages }).length > 0)
}

function resolve(document: PdfDocument, staying: readonly Page[], numbered: Numbered): boolean {
  const found = find(document, staying, numbered)
  const attached: AttachedPage[] = []
  for (const target of found) {
    document.store.get(target.owner)
    if (target.holder instanceof PDFArray) target.holder.set(0, target.value ?? PDFNull)
    else if (target.key !== Name.P) target.holder.set(target.key, target.value ?? PDFNull)
    else attached.push({ owner: target.owner, holder: target.holder, page: target.value })
  }
  if (attached.length) document.beforeSave(() => numberAttached(document, attached))
  return found.length > 0
}

/** A page that a GoToE action names, and the dictionary that holds its number. */
interface AttachedPage {
  owner: PDFRef
  holder: PDFDict
  page: PDFRef | undefined
}

/** Writes the numbers that pages have now; where a page is gone, so is the annotation with the file. */
function numberAttached(document: PdfDocument, attached: readonly AttachedPage[]): void {
  const indexes = new Map(document.pages.map((page, index) => [page.ref, index]))
  for (const { owner, holder, page } of attached) {
    if (document.store.isSevered(owner.objectNumber)) continue
    document.store.get(owner)
    const index = page && indexes.get(page)
    if (index !== undefined) holder.set(Name.P, PDFNumber.of(index))
    else for (const key of [Name.P, Name.A]) holder.delete(key)
  }
}

/** A number that stands for a page, a thread or a bead: where it stands, and what it stands for, if anything. */
interface Target {
  owner: PDFRef
  holder: PDFArray | PDFDict
  /** The entry of a dictionary; an array holds it first. */
  key: PDFName
  value: PDFRef | undefined
}

function find(document: PdfDocument, staying: Iterable<Page>, numbered: Numbered): Target[] {
  const finder = new TargetFinder(document, numbered)
  walkDestinations(document, staying, finder, numbered.catalogRef)
  return finder.found
}

class TargetFinder implements DestinationVisitor {
  readonly found: Target[] = []

  constructor(
    private readonly document: PdfDocument,
    private readonly numbered: Numbered,
  ) {}

  visitDestination(owner: PDFRef, array: PDFArray): void {
    const number = array.size() > 0 ? this.document.peek(array.get(0)) : undefined
    if (!(number instanceof PDFNumber)) return
    this.found.push({ owner, holder: array, key: Name.D, value: this.pageOf(number) })
  }

  visitAction(owner: PDFRef, action: PDFDict): void {
    const { document } = this
    if (action.has(Name.F)) return
    const type = document.peek(action.get(Name.S))
    if (type === Name.Thread) this.visitThread(owner, action)
    if (type !== Name.GoToE) return
    const value = action.get(Name.T)
    const target = document.peekDict(value)
    const number = document.peek(target?.get(Name.P))
    if (!target || !(number instanceof PDFNumber) || document.peek(target.get(Name.R)) !== Name.C) return
    const holderOwner = value instanceof PDFRef ? value : owner
    this.found.push({ owner: holderOwner, holder: target, key: Name.P, value: this.pageOf(number) })
  }

  private visitThread(owner: PDFRef, action: PDFDict): void {
    const { document } = this
    let thread = action.get(Name.D)
    const position = document.peek(thread)
    if (position instanceof PDFNumber) {
      const catalog = document.peekDict(this.numbered.catalogRef)
      thread = document.peekArray(catalog?.get(Name.Threads))?.asArray()[position.asNumber()]
      this.found.push({ owner, holder: action, key: Name.D, value: thread instanceof PDFRef ? thread : undefined })
    }
    const bead = document.peek(action.get(Name.B))
    if (!(bead instanceof PDFNumber)) return
    this.found.push({ owner, holder: action, key: Name.B, value: findBead(document, thread, bead.asNumber()) })
  }

  private pageOf(number: PDFNumber): PDFRef | undefined {
    return pageOfNumber(this.numbered.pages, number)?.ref
  }
}

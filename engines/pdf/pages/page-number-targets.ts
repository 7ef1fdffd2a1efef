import { PDFArray, PDFNull, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFName, PDFObject } from 'pdf-lib'
import { readLinkEntries } from '../annotations/link-entries'
import { pageOfNumber } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import { findBead } from '../structure/article-threads'
import { walkDestinations } from './walk-destinations'
import type { DestinationVisitor } from './walk-destinations'
import * as Name from '../syntax/names'
import { FactKind } from '../document/facts'

/** The catalog and pages of one source document. Page numbers refer to the order of these pages. */
interface Numbered {
  catalogRef: PDFRef
  pages: readonly Page[]
}

/** Whether anything refers to pages by page number. Undefined until all targets have been checked. */
const HAS_NUMBERED_TARGETS = new FactKind<boolean>('numbered targets')

/** Whether `resolveNumberedTargets` ran. */
const NUMBERS_RESOLVED = new FactKind<boolean>('numbers resolved')

/**
 * Replaces page numbers in destinations and actions with references to pages, so that they keep their targets when
 * pages move. Call it before the first page moves. Numbers that only removed pages contain may stay.
 *
 * - An explicit destination may contain a page number only if it refers to another file (ISO 32000-2, 12.3.2.2), but
 *   readers accept such numbers (from 0) here too. A number without a page becomes null, so that it doesn't lead to a
 *   page that is added later.
 * - A thread action may refer to threads and beads of this file by index (table 209).
 * - A GoToE action refers to the page of an attached file by number (table 205). The number is written again when the
 *   document is saved.
 *
 * Numbers in GoToR actions and in destinations of GoToE actions refer to other files and don't change.
 */
export function resolveNumberedTargets(document: PdfDocument, remaining: readonly Page[]): void {
  if (document.facts.get(NUMBERS_RESOLVED) || document.fileFacts.get(HAS_NUMBERED_TARGETS) === false) return
  document.facts.set(NUMBERS_RESOLVED, true)
  const isAll = remaining.length === document.pageCount
  const isFound = resolveTargets(document, remaining, { catalogRef: document.rootRef, pages: document.pages })
  if (isAll) document.fileFacts.set(HAS_NUMBERED_TARGETS, isFound)
}

/** Does the same for a document that was added to another one, with its catalog and pages there. */
export function resolveAddedTargets(document: PdfDocument, added: Numbered): void {
  resolveTargets(document, added.pages, added)
}

/** Returns whether there are numbers to replace. Call it before any page moves. The result is cached for the file. */
export function hasNumberedTargets(document: PdfDocument): boolean {
  const { fileFacts, pages, rootRef } = document
  return fileFacts.of(
    HAS_NUMBERED_TARGETS,
    () => findTargets(document, pages, { catalogRef: rootRef, pages }).length > 0,
  )
}

/** Replaces the numbers that refer to pages, threads and beads. Returns whether there were any. */
function resolveTargets(document: PdfDocument, remaining: readonly Page[], numbered: Numbered): boolean {
  const targets = findTargets(document, remaining, numbered)
  const attached: AttachedPage[] = []
  for (const target of targets) {
    document.store.get(target.owner)
    if (target.holder instanceof PDFArray) target.holder.set(0, target.value ?? PDFNull)
    else if (target.key !== Name.P) target.holder.set(target.key, target.value ?? PDFNull)
    else attached.push({ owner: target.owner, holder: target.holder, page: target.value })
  }
  if (attached.length) document.beforeSave(() => numberAttached(document, attached))
  return targets.length > 0
}

/** A page in a GoToE action, and the dictionary with its page number. */
interface AttachedPage {
  owner: PDFRef
  holder: PDFDict
  page: PDFRef | undefined
}

/** Writes the current page numbers. If a page was removed, so was the annotation with the file. */
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

/** A number that refers to a page, a thread or a bead, and the object that it refers to, if any. */
interface Target {
  owner: PDFRef
  holder: PDFArray | PDFDict
  /** The key in a dictionary. In an array, the number is the first item. */
  key: PDFName
  value: PDFRef | undefined
}

/** Finds the numbers in the remaining pages and in the catalog. Changes nothing. */
function findTargets(document: PdfDocument, remaining: Iterable<Page>, numbered: Numbered): Target[] {
  const finder = new TargetFinder(document, numbered)
  walkDestinations(document, remaining, finder, numbered.catalogRef)
  return finder.targets
}

class TargetFinder implements DestinationVisitor {
  readonly targets: Target[] = []
  private readonly pageNumbers: ReadonlySet<number>

  constructor(
    private readonly document: PdfDocument,
    private readonly numbered: Numbered,
  ) {
    this.pageNumbers = new Set(numbered.pages.map(page => page.ref.objectNumber))
  }

  /** Most annotations lead to a page or out of the document. Their bytes tell that faster than their objects. */
  skips(annotation: PDFObject): boolean {
    const entries = readLinkEntries(this.document, annotation)
    return entries !== undefined && (entries.target === 0 || this.pageNumbers.has(entries.target))
  }

  visitDestination(owner: PDFRef, array: PDFArray): void {
    const number = array.size() > 0 ? this.document.peek(array.get(0)) : undefined
    if (!(number instanceof PDFNumber)) return
    this.targets.push({ owner, holder: array, key: Name.D, value: this.pageOf(number) })
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
    this.targets.push({ owner: holderOwner, holder: target, key: Name.P, value: this.pageOf(number) })
  }

  private visitThread(owner: PDFRef, action: PDFDict): void {
    const { document } = this
    let thread = action.get(Name.D)
    const position = document.peek(thread)
    if (position instanceof PDFNumber) {
      const catalog = document.peekDict(this.numbered.catalogRef)
      thread = document.peekArray(catalog?.get(Name.Threads))?.asArray()[position.asNumber()]
      this.targets.push({ owner, holder: action, key: Name.D, value: thread instanceof PDFRef ? thread : undefined })
    }
    const bead = document.peek(action.get(Name.B))
    if (!(bead instanceof PDFNumber)) return
    this.targets.push({ owner, holder: action, key: Name.B, value: findBead(document, thread, bead.asNumber()) })
  }

  private pageOf(number: PDFNumber): PDFRef | undefined {
    return pageOfNumber(this.numbered.pages, number)?.ref
  }
}

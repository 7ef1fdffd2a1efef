import { PDFArray, PDFDict, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationNumbers } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import { readNumberTree, writeNumberTree } from '../document/name-tree'
import type { Page } from '../document/page-tree'
import { kidsOf, REPLACEMENT_TEXTS } from '../document/structure-elements'
import { TagIndex } from './tag-index'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

/**
 * Removes everything that belonged to severed pages and annotations from the structure tree (ISO 32000-2, 14.7): their
 * content, elements that have no kids left, and replacement texts that described removed content too. The document must
 * have only the remaining pages.
 *
 * Works upward from the remaining content and parses only elements that stay or change.
 */
export function pruneTags(document: PdfDocument, removed: Page[]): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const index = TagIndex.read(document)
  if (!(rootRef instanceof PDFRef) || !index) return
  const pruning = new Pruning(document, index, rootRef)
  pruning.findAlive()
  pruning.severDead()
  pruning.cut()
  pruneParentTree(document, rootRef, removed, pruning.alive)
}

class Pruning {
  /** Elements with content of remaining pages and all their ancestors, by object number. */
  readonly alive: Map<number, PDFRef>
  /** By slot of an object (`ReachableObjects`): 1 if it is an element that refers to remaining content. */
  private readonly holds: Uint8Array
  /** By slot: 1 if the object is a content item, or a list of content items, with remaining content. */
  private readonly standsFor: Uint8Array

  constructor(
    private readonly document: PdfDocument,
    private readonly index: TagIndex,
    private readonly rootRef: PDFRef,
  ) {
    this.alive = new Map([[rootRef.objectNumber, rootRef]])
    this.holds = new Uint8Array(index.reached.count)
    this.standsFor = new Uint8Array(index.reached.count)
  }

  /** Finds the elements with remaining content, from pages and annotations up to the root. */
  findAlive(): void {
    const { document, index } = this
    const { reached } = index
    const queue = [...document.pages.map(page => page.ref.objectNumber), ...annotationNumbers(document, document.pages)]
    const holders: number[] = []
    for (let at = 0; at < queue.length; at++) {
      index.eachMention(queue[at] as number, slot => {
        const number = reached.numbers[slot] as number
        if (this.holds[slot] === 1 || this.standsFor[slot] === 1 || document.store.isSevered(number)) return
        // Content items and lists of them may be indirect. Elements that refer to them refer to the content.
        if (index.isItem(document, slot)) {
          this.standsFor[slot] = 1
          queue.push(number)
          return
        }
        this.holds[slot] = 1
        holders.push(slot)
      })
    }
    const numberOf = (slot: number): number => reached.numbers[slot] as number
    for (const holder of holders.sort((one, other) => numberOf(one) - numberOf(other))) this.addAncestors(holder)
  }

  /** Adds an element and its ancestors to `alive`. */
  private addAncestors(holder: number): void {
    const { document, index, alive } = this
    const { reached } = index
    for (let slot = holder; slot >= 0; slot = reached.slotOf(index.parentOf(slot))) {
      const number = reached.numbers[slot] as number
      if (alive.has(number) || !index.isElement(document, slot)) return
      alive.set(number, reached.refOf(slot))
    }
  }

  /** Severs all other objects that refer to removed content, because remaining objects may refer to them. */
  severDead(): void {
    const { document, index, alive } = this
    const { reached } = index
    const { store } = document
    const tree = document.peekDict(this.rootRef)?.get(Name.ParentTree)
    const parentTree = tree instanceof PDFRef ? tree.objectNumber : -1
    const isSevered = (number: number): boolean => store.isSevered(number)
    const dead: number[] = []
    for (let slot = 0; slot < reached.count; slot++) {
      if (this.holds[slot] === 1 || this.standsFor[slot] === 1) continue
      const number = reached.numbers[slot] as number
      if (number !== parentTree && !alive.has(number) && index.hasTarget(slot, isSevered)) dead.push(number)
    }
    store.sever(dead)
  }

  /** Removes what doesn't stay from the remaining elements. */
  cut(): void {
    const { alive, index } = this
    const { reached } = index
    const isWhole = (number: number): boolean => {
      if (alive.has(number)) return true
      const slot = reached.slotOf(number)
      return !this.isSevered(number) && (slot < 0 || this.holds[slot] === 1)
    }
    for (const [number, ref] of alive) {
      const slot = reached.slotOf(number)
      if (slot < 0 || index.hasTarget(slot, target => !isWhole(target))) this.cutElement(ref)
    }
  }

  private isSevered(number: number): boolean {
    return this.document.store.isSevered(number)
  }

  /** Removes kids that don't stay from an element. */
  private cutElement(ref: PDFRef): void {
    const { document, index } = this
    const element = index.element(document, ref)
    if (!element) return
    const isSevered = (value: PDFObject | undefined): boolean =>
      value instanceof PDFRef && this.isSevered(value.objectNumber)
    const page = element.get(Name.Pg)
    const stays = (kid: PDFObject): boolean => {
      if (kid instanceof PDFRef) return this.staysBehindReference(kid)
      if (kid instanceof PDFNumber) return !isSevered(page)
      return !(kid instanceof PDFDict) || !(isSevered(kid.get(Name.Pg) ?? page) || isSevered(kid.get(Name.Obj)))
    }
    const kids = kidsOf(document, element)
    const remainingKids = kids.filter(stays)
    if (remainingKids.length === kids.length && !isSevered(page)) return
    const edited = copyDict(document, element)
    document.store.set(ref, edited)
    edited.set(Name.K, document.context.obj(remainingKids))
    if (isSevered(page)) edited.delete(Name.Pg)
    if (remainingKids.length < kids.length) for (const key of REPLACEMENT_TEXTS) edited.delete(key)
  }

  private staysBehindReference(kid: PDFRef): boolean {
    const { document, index } = this
    if (this.alive.has(kid.objectNumber)) return true
    if (this.isSevered(kid.objectNumber)) return false
    const slot = index.reached.slotOf(kid.objectNumber)
    if (slot < 0 || this.holds[slot] === 1 || this.standsFor[slot] === 1) return true
    // An element without content, such as an empty cell, stays with its siblings. An element that lost its content
    // doesn't.
    if (document.peekDict(kid)?.has(Name.K) === false) return true
    document.store.delete(kid)
    return false
  }
}

function pruneParentTree(
  document: PdfDocument,
  rootRef: PDFRef,
  removed: Page[],
  alive: ReadonlyMap<number, PDFRef>,
): void {
  const remainingKeys = new Set(document.pages.map(page => document.peekNumber(page.dict.get(Name.StructParents))))
  const removedKeys = new Set<number>()
  for (const { facts } of removed)
    if (facts.structParents !== undefined && !remainingKeys.has(facts.structParents))
      removedKeys.add(facts.structParents)
  const isAlive = (value: PDFObject | undefined): boolean => value instanceof PDFRef && alive.has(value.objectNumber)
  const tree = document.peekDict(rootRef)?.get(Name.ParentTree)
  const entries = readNumberTree(document, tree)
  const remainingEntries = entries.filter(({ key, value }) => {
    if (remainingKeys.has(key) || isAlive(value)) return true
    if (removedKeys.has(key)) return false
    const list = document.peek(value)
    return list instanceof PDFArray && list.asArray().some(isAlive)
  })
  if (remainingEntries.length < entries.length)
    document.edit(rootRef).set(Name.ParentTree, writeNumberTree(document, remainingEntries))
  const ids = document.peekDict(rootRef)?.get(Name.IDTree)
  if (ids) document.edit(rootRef).delete(Name.IDTree)
}

import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationNumbers } from './annotations'
import type { PdfDocument } from './document'
import { readNumberTree, writeNumberTree } from './name-tree'
import type { Page } from './page-tree'
import { findReachable } from './reachable'
import type { Reached } from './reachable'
import { asBuffer } from './syntax'

const STRUCT_TREE_ROOT = PDFName.of('StructTreeRoot')
const STRUCT_PARENTS = PDFName.of('StructParents')
const PARENT_TREE = PDFName.of('ParentTree')
const NEXT_KEY = PDFName.of('ParentTreeNextKey')
const MARK_INFO = PDFName.of('MarkInfo')
const ID_TREE = PDFName.of('IDTree')
const K = PDFName.of('K')
const P = PDFName.of('P')
const PG = PDFName.of('Pg')
const OBJ = PDFName.of('Obj')
const MCID = PDFName.of('MCID')
const S = PDFName.of('S')

/** Texts of an element that speak for all of its content. */
const REPLACEMENTS = ['ActualText', 'Alt', 'E', 'T'].map(name => PDFName.of(name))

/**
 * Removes from the structure tree (ISO 32000-2, 14.7) what belonged to severed pages and annotations: their content,
 * elements that have nothing left, and replacement texts that spoke for removed content too. The document's pages are
 * those that stay.
 *
 * Works from the content that stays upwards: elements are parsed only where something stays or where it is cut.
 */
export function pruneTags(document: PdfDocument, removed: Page[]): void {
  const rootRef = document.catalog.get(STRUCT_TREE_ROOT)
  if (!(rootRef instanceof PDFRef) || !document.peekDict(rootRef)) return
  const stops = new Set(document.pages.map(page => page.ref.objectNumber))
  for (const number of annotationNumbers(document, document.pages)) stops.add(number)
  let reached = findReachable(document, [rootRef.objectNumber], stops)
  // Content items and lists of them may be objects of their own: what refers to those refers to the content.
  for (let items = contentItems(document, reached); items.length; items = contentItems(document, reached)) {
    for (const number of items) stops.add(number)
    reached = findReachable(document, [rootRef.objectNumber], stops)
  }
  const alive = findAlive(document, reached, rootRef)
  const tree = document.peekDict(rootRef)?.get(PARENT_TREE)
  const parentTree = tree instanceof PDFRef ? tree.objectNumber : -1
  const dead: number[] = []
  for (const slot of reached.inOrder()) {
    const number = reached.numbers[slot] as number
    if (reached.mentionsSevered(slot) && !reached.mentionsStop(slot) && !alive.has(number) && number !== parentTree) dead.push(number)
  }
  document.store.sever(dead)
  for (const ref of alive.values()) cutElement(document, ref, alive, reached)
  pruneParentTree(document, rootRef, removed, alive)
}

/** Objects other than elements that refer to content that stays. */
function contentItems(document: PdfDocument, reached: Reached): number[] {
  const items: number[] = []
  for (const slot of reached.inOrder()) {
    if (!reached.mentionsStop(slot)) continue
    const object = document.peek(reached.refOf(slot))
    const isItem = object instanceof PDFDict && !object.has(S) && (object.has(OBJ) || object.has(MCID))
    if (isItem || object instanceof PDFArray) items.push(reached.numbers[slot] as number)
  }
  return items
}

/** The elements that hold content of pages that stay, and all elements above them, by object number. */
function findAlive(document: PdfDocument, reached: Reached, rootRef: PDFRef): Map<number, PDFRef> {
  const alive = new Map<number, PDFRef>([[rootRef.objectNumber, rootRef]])
  for (const slot of reached.inOrder()) {
    if (!reached.mentionsStop(slot)) continue
    let ref: PDFObject | undefined = reached.refOf(slot)
    while (ref instanceof PDFRef && !alive.has(ref.objectNumber)) {
      const element = document.peekDict(ref)
      if (!element?.has(S) || !element.has(P)) break
      alive.set(ref.objectNumber, ref)
      ref = element.get(P)
    }
  }
  return alive
}
/** Takes out of an element what does not stay. */
function cutElement(document: PdfDocument, ref: PDFRef, alive: ReadonlyMap<number, PDFRef>, reached: Reached): void {
  const { store } = document
  const element = document.peekDict(ref)
  if (!element) return
  const isSevered = (value: PDFObject | undefined): boolean => value instanceof PDFRef && store.isSevered(value.objectNumber)
  const page = element.get(PG)
  const staysBehindReference = (kid: PDFRef): boolean => {
    if (alive.has(kid.objectNumber)) return true
    const slot = reached.slotOf(kid.objectNumber)
    if (isSevered(kid)) return false
    if (slot < 0 || reached.mentionsStop(slot)) return true
    // An element without content, such as an empty cell, stays with its neighbours; one whose content is gone goes.
    if (document.peekDict(kid)?.has(K) === false) return true
    store.delete(kid)
    return false
  }
  const stays = (kid: PDFObject): boolean => {
    if (kid instanceof PDFRef) return staysBehindReference(kid)
    if (kid instanceof PDFNumber) return !isSevered(page)
    return !(kid instanceof PDFDict) || !(isSevered(kid.get(PG) ?? page) || isSevered(kid.get(OBJ)))
  }
  const kids = kidsOf(document, element)
  const left = kids.filter(stays)
  if (left.length === kids.length && !isSevered(page)) return
  const edited = document.edit(ref)
  edited.set(K, document.context.obj(left))
  if (isSevered(page)) edited.delete(PG)
  if (left.length < kids.length) for (const key of REPLACEMENTS) edited.delete(key)
}

function pruneParentTree(document: PdfDocument, rootRef: PDFRef, removed: Page[], alive: ReadonlyMap<number, PDFRef>): void {
  const own = new Set(document.pages.map(page => document.peekNumber(page.dict.get(STRUCT_PARENTS))))
  const gone = new Set<number>()
  for (const { facts } of removed) if (facts.structParents !== undefined && !own.has(facts.structParents)) gone.add(facts.structParents)
  const isAlive = (value: PDFObject | undefined): boolean => value instanceof PDFRef && alive.has(value.objectNumber)
  const tree = document.peekDict(rootRef)?.get(PARENT_TREE)
  const entries = readNumberTree(document, tree)
  const kept = entries.filter(({ key, value }) => {
    if (own.has(key) || isAlive(value)) return true
    if (gone.has(key)) return false
    const list = document.peek(value)
    return list instanceof PDFArray && list.asArray().some(isAlive)
  })
  if (kept.length < entries.length) document.edit(rootRef).set(PARENT_TREE, writeNumberTree(document, kept))
  const ids = document.peekDict(rootRef)?.get(ID_TREE)
  if (ids) document.edit(rootRef).delete(ID_TREE)
}

/**
 * Adds the structure tree of another catalog, whose objects are in this document's store already: its elements behind
 * ours, with keys of the parent tree that are not taken.
 */
export function joinTags(document: PdfDocument, other: PDFDict, otherRoot: PDFRef): void {
  const addedRef = other.get(STRUCT_TREE_ROOT)
  const added = document.peekDict(addedRef)
  if (!added || !(addedRef instanceof PDFRef)) return
  const ownRef = document.catalog.get(STRUCT_TREE_ROOT)
  const catalog = document.editCatalog()
  if (!catalog.has(MARK_INFO) && other.has(MARK_INFO)) catalog.set(MARK_INFO, other.get(MARK_INFO) as PDFObject)
  if (!(ownRef instanceof PDFRef) || !document.peekDict(ownRef)) {
    catalog.set(STRUCT_TREE_ROOT, addedRef)
    return
  }
  const own = document.edit(ownRef)
  const entries = readNumberTree(document, own.get(PARENT_TREE))
  const shift = entries.reduce((most, entry) => Math.max(most, entry.key + 1), document.peekNumber(own.get(NEXT_KEY)) ?? 0)
  // Before anything links the two trees: the walk must not get from the added elements into ours.
  shiftStructParents(document, otherRoot, shift)
  const kids = [own, added].flatMap(root => kidsOf(document, root))
  for (const kid of kidsOf(document, added)) if (kid instanceof PDFRef && document.peekDict(kid)) document.edit(kid).set(P, ownRef)
  own.set(K, document.context.obj(kids))
  const moved = readNumberTree(document, added.get(PARENT_TREE)).map(entry => ({ key: entry.key + shift, value: entry.value }))
  own.set(PARENT_TREE, writeNumberTree(document, [...entries, ...moved]))
  own.set(NEXT_KEY, PDFNumber.of(moved.reduce((most, entry) => Math.max(most, entry.key + 1), shift)))
  for (const name of ['RoleMap', 'ClassMap']) joinDictionaries(document, own, added, PDFName.of(name))
  own.delete(PDFName.of('IDTree')) // an index that readers can do without; names of two documents would clash
  const namespaces = PDFName.of('Namespaces')
  const spaces = [own, added].flatMap(root => document.peekArray(root.get(namespaces))?.asArray() ?? [])
  if (spaces.length) own.set(namespaces, document.context.obj(spaces))
}

/** What stands under an element, or under the root: references, marked content, object references. */
export function kidsOf(document: PdfDocument, root: PDFDict): PDFObject[] {
  const given = root.get(K)
  const value = document.peek(given)
  if (value instanceof PDFArray) return value.asArray()
  return given === undefined ? [] : [given]
}

function joinDictionaries(document: PdfDocument, own: PDFDict, added: PDFDict, key: PDFName): void {
  const theirs = document.peekDict(added.get(key))
  if (!theirs) return
  const ours = document.peekDict(own.get(key))
  own.set(key, PDFDict.fromMapWithContext(new Map([...theirs.entries(), ...(ours?.entries() ?? [])]), document.context))
}

/** Adds `shift` to the parent tree keys of all pages, annotations and forms that can be reached from a catalog. */
function shiftStructParents(document: PdfDocument, catalogRef: PDFRef, shift: number): void {
  if (shift === 0) return
  const word = Buffer.from('/StructParent')
  const reached = findReachable(document, [catalogRef.objectNumber])
  for (const slot of reached.inOrder()) {
    const buffer = reached.buffers[slot]
    const start = reached.bodies[slot] as number
    if (buffer && !asBuffer(buffer).subarray(start, Math.min(reached.ends[slot] as number, start + 65_536)).includes(word)) continue
    const ref = reached.refOf(slot)
    const dict = document.peekDict(reached.objects[slot] ?? ref)
    for (const key of [STRUCT_PARENTS, PDFName.of('StructParent')]) {
      const number = document.peekNumber(dict?.get(key))
      if (number !== undefined) document.edit(ref).set(key, PDFNumber.of(number + shift))
    }
  }
}

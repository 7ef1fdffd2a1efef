import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { readNumberTree, writeNumberTree } from './name-tree'
import type { Page } from './page-tree'
import { findReachable } from './reachable'
import { asBuffer } from './syntax'

const STRUCT_TREE_ROOT = PDFName.of('StructTreeRoot')
const STRUCT_PARENTS = PDFName.of('StructParents')
const PARENT_TREE = PDFName.of('ParentTree')
const NEXT_KEY = PDFName.of('ParentTreeNextKey')
const MARK_INFO = PDFName.of('MarkInfo')
const K = PDFName.of('K')
const P = PDFName.of('P')
const PG = PDFName.of('Pg')
const OBJ = PDFName.of('Obj')
const S = PDFName.of('S')

/** Texts of an element that speak for all of its content. */
const REPLACEMENTS = ['ActualText', 'Alt', 'E', 'T'].map(name => PDFName.of(name))

/**
 * Removes from the structure tree (ISO 32000-2, 14.7) what belonged to severed pages and annotations: their content,
 * elements that have nothing left, and replacement texts that spoke for removed content too.
 */
export function pruneTags(document: PdfDocument, removed: Page[]): void {
  const rootRef = document.catalog.get(STRUCT_TREE_ROOT)
  if (!(rootRef instanceof PDFRef) || !document.peekDict(rootRef)) return
  const pages = new Set(document.pages.map(page => page.ref.objectNumber))
  pages.add(document.rootRef.objectNumber)
  const reached = findReachable(document, [rootRef.objectNumber], pages)
  const emptied: PDFRef[] = []
  for (const slot of reached.inOrder()) {
    if (!reached.mentionsSevered(slot)) continue
    const ref = reached.refOf(slot)
    const element = document.peekDict(ref)
    if (element?.has(S) && element.has(P) && pruneElement(document, ref)) emptied.push(ref)
  }
  while (emptied.length) {
    const ref = emptied.pop() as PDFRef
    const parent = document.peekDict(ref)?.get(P)
    document.store.delete(ref)
    if (parent instanceof PDFRef && !document.store.isSevered(parent.objectNumber) && pruneElement(document, parent) && parent !== rootRef) emptied.push(parent)
  }
  pruneParentTree(document, rootRef, removed)
}

/** Takes severed content out of an element; true when nothing is left in it. */
function pruneElement(document: PdfDocument, ref: PDFRef): boolean {
  const element = document.peekDict(ref)
  if (!element) return false
  const { store } = document
  const page = element.get(PG)
  const pageIsGone = page instanceof PDFRef && store.isSevered(page.objectNumber)
  const isGone = (kid: PDFObject): boolean => {
    if (kid instanceof PDFRef && store.isSevered(kid.objectNumber)) return true
    const value = document.peek(kid)
    if (value instanceof PDFNumber) return pageIsGone
    if (!(value instanceof PDFDict) || value.has(S)) return false
    const own = value.get(PG) ?? page
    const object = value.get(OBJ)
    return (own instanceof PDFRef && store.isSevered(own.objectNumber)) || (object instanceof PDFRef && store.isSevered(object.objectNumber))
  }
  const given = element.get(K)
  const list = document.peek(given)
  const kids = list instanceof PDFArray ? list.asArray() : given === undefined ? [] : [given]
  const alive = kids.filter(kid => !isGone(kid))
  const edited = document.edit(ref)
  if (alive.length < kids.length) {
    edited.set(K, document.context.obj(alive))
    for (const key of REPLACEMENTS) edited.delete(key)
  }
  if (pageIsGone) edited.delete(PG)
  return alive.length === 0 && (kids.length > 0 || pageIsGone)
}

function pruneParentTree(document: PdfDocument, rootRef: PDFRef, removed: Page[]): void {
  const gone = new Set(removed.map(page => document.peekNumber(page.dict.get(STRUCT_PARENTS))))
  const tree = document.peekDict(rootRef)?.get(PARENT_TREE)
  const entries = readNumberTree(document, tree)
  const kept = entries.filter(entry => !gone.has(entry.key) && !(entry.value instanceof PDFRef && document.store.isSevered(entry.value.objectNumber)))
  if (kept.length < entries.length) document.edit(rootRef).set(PARENT_TREE, writeNumberTree(document, kept))
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
    shiftStructParents(document, otherRoot, 0)
    return
  }
  const own = document.edit(ownRef)
  const kids = [own, added].flatMap(root => kidsOf(document, root))
  for (const kid of kidsOf(document, added)) if (kid instanceof PDFRef && document.peekDict(kid)) document.edit(kid).set(P, ownRef)
  own.set(K, document.context.obj(kids))
  const entries = readNumberTree(document, own.get(PARENT_TREE))
  const shift = entries.reduce((most, entry) => Math.max(most, entry.key + 1), document.peekNumber(own.get(NEXT_KEY)) ?? 0)
  const moved = readNumberTree(document, added.get(PARENT_TREE)).map(entry => ({ key: entry.key + shift, value: entry.value }))
  own.set(PARENT_TREE, writeNumberTree(document, [...entries, ...moved]))
  own.set(NEXT_KEY, PDFNumber.of(moved.reduce((most, entry) => Math.max(most, entry.key + 1), shift)))
  for (const name of ['RoleMap', 'ClassMap']) joinDictionaries(document, own, added, PDFName.of(name))
  own.delete(PDFName.of('IDTree')) // an index that readers can do without; names of two documents would clash
  const namespaces = PDFName.of('Namespaces')
  const spaces = [own, added].flatMap(root => document.peekArray(root.get(namespaces))?.asArray() ?? [])
  if (spaces.length) own.set(namespaces, document.context.obj(spaces))
  shiftStructParents(document, otherRoot, shift)
}

function kidsOf(document: PdfDocument, root: PDFDict): PDFObject[] {
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

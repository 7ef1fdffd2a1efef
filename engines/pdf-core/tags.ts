import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { findObjectsWith } from './find-objects'
import { readNumberTree, writeNumberTree } from './name-tree'
import { findReachable } from './reachable'
import { referenceTo } from './references'

const STRUCT_TREE_ROOT = PDFName.of('StructTreeRoot')
const STRUCT_PARENTS = PDFName.of('StructParents')
const STRUCT_PARENT = PDFName.of('StructParent')
const PARENT_TREE = PDFName.of('ParentTree')
const NEXT_KEY = PDFName.of('ParentTreeNextKey')
const MARK_INFO = PDFName.of('MarkInfo')
const K = PDFName.of('K')
const P = PDFName.of('P')

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
  // Before anything links the two trees: looking must not get from the added elements into ours.
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

/** Adds `shift` to the parent tree keys of all pages, annotations and forms of the file that the added catalog is from. */
function shiftStructParents(document: PdfDocument, catalogRef: PDFRef, shift: number): void {
  if (shift === 0) return
  for (const ref of listTagged(document, catalogRef)) {
    const dict = document.peekDict(ref)
    for (const key of [STRUCT_PARENTS, STRUCT_PARENT]) {
      const number = document.peekNumber(dict?.get(key))
      if (number !== undefined) document.edit(ref).set(key, PDFNumber.of(number + shift))
    }
  }
}

/** Everything that may have a parent tree key: found by the bytes of the file, or in a repaired one by looking at all of it. */
function listTagged(document: PdfDocument, catalogRef: PDFRef): PDFRef[] {
  const origin = document.store.origin(catalogRef.objectNumber)
  const found = (origin && findObjectsWith(origin.source, Buffer.from('/StructParent')))?.map(number => referenceTo(number + origin.shift, 0)) ?? []
  for (const ref of found) document.peek(ref) // which may be when it turns out that the file needs repair
  if (origin?.source.repairs.length === 0) return found
  const reached = findReachable(document, [catalogRef.objectNumber])
  return [...reached.inOrder()].map(slot => reached.refOf(slot))
}

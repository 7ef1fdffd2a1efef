import { PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { AddedFile } from './added-file'
import type { PdfDocument } from '../document/document'
import { findObjectsWith } from '../files/find-objects'
import { joinNamespaces } from '../tags/join-namespaces'
import { joinClasses, joinIds, joinRoles } from '../tags/join-tag-names'
import { readNumberTree, writeNumberTree } from '../document/name-tree'
import { findReachable } from '../document/reachable'
import { referenceTo } from '../syntax/references'
import { kidsOf } from '../document/structure-elements'
import { TagChanges } from '../tags/tag-changes'
import { joinMarkInfo, keepLanguage } from '../tags/tag-claims'
import * as Name from '../syntax/names'

/**
 * Adds the structure tree of a file whose objects are in this document's store. The added elements come after the
 * existing elements. They get unused parent tree keys, names and identifiers, and keep the language of their file.
 */
export function joinTags(document: PdfDocument, file: AddedFile): void {
  const { catalog: other } = file
  joinMarkInfo(document, other)
  const addedRef = other.get(Name.StructTreeRoot)
  const added = document.peekDict(addedRef)
  if (!added || !(addedRef instanceof PDFRef)) return
  const { catalog } = document
  const ownRef = catalog.get(Name.StructTreeRoot)
  if (!(ownRef instanceof PDFRef) || !document.peekDict(ownRef)) {
    keepLanguage(document, addedRef, { own: other, whole: catalog })
    document.editCatalog().set(Name.StructTreeRoot, addedRef)
    return
  }
  const own = document.edit(ownRef)
  const entries = readNumberTree(document, own.get(Name.ParentTree))
  const shift = entries.reduce(
    (most, entry) => Math.max(most, entry.key + 1),
    document.peekNumber(own.get(Name.ParentTreeNextKey)) ?? 0,
  )
  // Do this before the two trees are linked, because it must not reach existing elements from the added ones.
  shiftStructParents(document, file.catalogRef, shift)
  keepLanguage(document, ownRef, { own: catalog, whole: catalog })
  keepLanguage(document, addedRef, { own: other, whole: catalog })
  joinNames(document, own, added, file)
  const kids = [own, added].flatMap(root => kidsOf(document, root))
  for (const kid of kidsOf(document, added))
    if (kid instanceof PDFRef && document.peekDict(kid)) document.edit(kid).set(Name.P, ownRef)
  own.set(Name.K, document.context.obj(kids))
  const moved = readNumberTree(document, added.get(Name.ParentTree)).map(entry => ({
    key: entry.key + shift,
    value: entry.value,
  }))
  own.set(Name.ParentTree, writeNumberTree(document, [...entries, ...moved]))
  own.set(Name.ParentTreeNextKey, PDFNumber.of(moved.reduce((most, entry) => Math.max(most, entry.key + 1), shift)))
}

/** Joins the names that the elements of two trees use. Renames those with different meanings in the elements. */
function joinNames(document: PdfDocument, own: PDFDict, added: PDFDict, file: AddedFile): void {
  const roots = { own, added, ownChanges: new TagChanges(), addedChanges: new TagChanges() }
  const { ownChanges, addedChanges } = roots
  joinRoles(document, roots)
  joinNamespaces(document, roots)
  joinIds(document, roots)
  const visited = new Set<PDFObject>()
  for (const value of document.peekDict(added.get(Name.ClassMap))?.values() ?? []) {
    addedChanges.applyToAttributes(document, { value, touch: () => undefined, visited })
  }
  joinClasses(document, roots)
  ownChanges.apply(document, own)
  addedChanges.apply(document, added)
  renameTargets(document, file, addedChanges)
}

/** Updates structure destinations (ISO 32000-2, 12.3.2.3) to the new identifiers of elements. */
function renameTargets(document: PdfDocument, file: AddedFile, changes: TagChanges): void {
  if (changes.ids.size === 0) return
  const holders = [...file.actions()].filter(({ dict }) => document.peek(dict.get(Name.S)) === Name.GoTo)
  for (const { dict, edit } of [...holders, ...file.destinations()]) {
    const target = document.peekArray(dict.get(Name.SD))?.asArray()
    const id = changes.id(document, target?.[0])
    if (target && id) edit().set(Name.SD, document.context.obj([id, ...target.slice(1)]))
  }
}

/** Adds `shift` to the parent tree keys of all pages, annotations and form XObjects of an added file. */
function shiftStructParents(document: PdfDocument, catalogRef: PDFRef, shift: number): void {
  if (shift === 0) return
  for (const ref of listTagged(document, catalogRef)) {
    const dict = document.peekDict(ref)
    for (const key of [Name.StructParents, Name.StructParent]) {
      const number = document.peekNumber(dict?.get(key))
      if (number !== undefined) document.edit(ref).set(key, PDFNumber.of(number + shift))
    }
  }
}

/**
 * Finds all objects that may have a parent tree key: by searching the bytes of the file, or by walking all objects if
 * the file was repaired.
 */
function listTagged(document: PdfDocument, catalogRef: PDFRef): PDFRef[] {
  const origin = document.store.origin(catalogRef.objectNumber)
  const found =
    (origin && findObjectsWith(origin.source, Buffer.from('/StructParent')))?.map(number =>
      referenceTo(number + origin.shift, 0),
    ) ?? []
  for (const ref of found) document.peek(ref) // reading an object may show that the file needs a repair
  if (origin?.source.repairs.length === 0) return found
  const reached = findReachable(document, [catalogRef.objectNumber])
  return [...reached.inOrder()].map(slot => reached.refOf(slot))
}

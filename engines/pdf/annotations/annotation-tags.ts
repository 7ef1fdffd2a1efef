import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from './annotations'
import type { PdfDocument } from '../document/document'
import { readNameTree, readNumberTree, writeNameTree, writeNumberTree } from '../document/name-tree'
import { findReachable } from '../document/reachable'
import { kidsOf, removeKids } from '../document/structure-elements'
import * as Name from '../syntax/names'

/**
 * Entries of a structure element that may repeat text of its annotation. /ActualText isn't among them, because it
 * replaces page content, and the page content stays.
 */
const DESCRIPTIONS = ['Alt', 'T'].map(name => PDFName.of(name))

/** Structure elements that refer to severed annotations, and indirect arrays of kids by object number. */
interface Holders {
  elements: PDFRef[]
  lists: Map<number, PDFObject[]>
}

/**
 * Removes references to severed annotations from the structure tree (ISO 32000-2, 14.7). Also removes elements that
 * have no kids left, and descriptions of elements that lost an annotation. `keys` are the keys of the annotations in
 * the parent tree.
 */
export function cutAnnotationTags(document: PdfDocument, keys: ReadonlySet<number>): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const root = document.peekDict(rootRef)
  if (!(rootRef instanceof PDFRef) || !root) return
  const entries = readNumberTree(document, root.get(Name.ParentTree))
  const { elements, lists } = findHolders(
    document,
    rootRef,
    new Set(entries.flatMap(({ value }) => (value instanceof PDFRef ? [value.objectNumber] : []))),
  )
  const withAnnotations = new Set(elements)
  const readKids = (element: PDFDict): PDFObject[] => {
    const list = element.get(Name.K)
    return (list instanceof PDFRef && lists.get(list.objectNumber)) || kidsOf(document, element)
  }
  for (const ref of elements.reverse()) {
    const remaining = removeKids(document, rootRef, ref, kid => isGone(document, kid), readKids)
    if (remaining && withAnnotations.has(remaining))
      for (const key of DESCRIPTIONS) document.edit(remaining).delete(key)
  }
  const remainingEntries = entries.filter(({ key, value }) => !keys.has(key) && !isSevered(document, value))
  if (remainingEntries.length < entries.length)
    document.edit(rootRef).set(Name.ParentTree, writeNumberTree(document, remainingEntries))
  const names = readNameTree(document, root.get(Name.IDTree))
  const remainingNames = names.filter(({ value }) => !isSevered(document, value))
  if (remainingNames.length < names.length)
    document.edit(rootRef).set(Name.IDTree, writeNameTree(document, remainingNames))
}

/**
 * Finds the structure elements that refer to severed annotations. Object references and arrays of kids may be indirect
 * objects. They are severed here, and another round finds the objects that refer to them. A correct tree needs three
 * rounds at most. `notLists` are the object numbers of arrays that belong to the parent tree.
 */
function findHolders(document: PdfDocument, rootRef: PDFRef, notLists: ReadonlySet<number>): Holders {
  const elements = new Set<PDFRef>()
  const lists = new Map<number, PDFObject[]>()
  const stops = new Set(document.pages.map(page => page.ref.objectNumber))
  for (const page of document.pages)
    for (const value of annotationsOf(document, page)) if (value instanceof PDFRef) stops.add(value.objectNumber)
  for (let round = 0; round < 4; round++) {
    const reached = findReachable(document, [rootRef.objectNumber], stops)
    const severed: number[] = []
    for (const slot of reached.inOrder()) {
      if (!reached.mentionsSevered(slot)) continue
      const ref = reached.refOf(slot)
      const object = document.peek(ref)
      if (object instanceof PDFDict && object.has(Name.S) && object.has(Name.P)) elements.add(ref)
      else if (object instanceof PDFDict && object.has(Name.Obj)) severed.push(ref.objectNumber)
      else if (object instanceof PDFArray && !notLists.has(ref.objectNumber)) {
        lists.set(ref.objectNumber, object.asArray())
        severed.push(ref.objectNumber)
      }
    }
    if (severed.length === 0) break
    document.store.sever(severed)
  }
  return { elements: [...elements], lists }
}

function isGone(document: PdfDocument, kid: PDFObject): boolean {
  return isSevered(document, kid) || (kid instanceof PDFDict && isSevered(document, kid.get(Name.Obj)))
}

function isSevered(document: PdfDocument, value: PDFObject | undefined): boolean {
  return value instanceof PDFRef && document.store.isSevered(value.objectNumber)
}

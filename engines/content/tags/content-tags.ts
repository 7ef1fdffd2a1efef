import { PDFDict, PDFNull, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFArray, PDFObject } from 'pdf-lib'
import { cutAnnotationTags } from '../../pdf-core/annotations/annotation-tags'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readNumberTree } from '../../pdf-core/document/name-tree'
import { findReachable } from '../../pdf-core/document/reachable'
import { kidsOf, REPLACEMENT_TEXTS, removeKids } from '../../pdf-core/document/structure-elements'
import type { MarkedContentChanges } from './tag-changes'
import * as Name from '../../pdf-core/syntax/names'

/** Maximum number of ancestors to follow. */
const MAX_DEPTH = 1000

/** A marked-content sequence: the stream's key in the parent tree, and the sequence's MCID. */
interface Sequence {
  key: number
  id: number
}

function sequenceText(key: number | undefined, id: number): string {
  return `${key ?? ''} ${id}`
}

/**
 * Removes references to removed content from the structure tree (ISO 32000-2, 14.7): empty marked-content sequences,
 * elements without kids, and texts of elements that lost a part. `dropped` has objects that pages no longer draw, with
 * their copies. If nothing else draws such an object, the tree must not keep it.
 */
export function cutContentTags(
  document: PdfDocument,
  changes: MarkedContentChanges,
  dropped: ReadonlyMap<PDFRef, PDFRef | undefined>,
): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const root = document.peekDict(rootRef)
  if (!(rootRef instanceof PDFRef) || !root) return
  const tree = new ContentTags(document, rootRef, root)
  for (const key of changes.keys) for (const { id, isEmpty } of changes.lossesOf(key)) tree.cut({ key, id }, isEmpty)
  const unused = findUnused(document, rootRef, dropped)
  for (const ref of unused) tree.leave(ref, dropped.get(ref))
  const objectKeys = new Set(
    [...unused].flatMap(ref => document.peekNumber(document.peekDict(ref)?.get(Name.StructParent)) ?? []),
  )
  document.store.sever([...unused].map(ref => ref.objectNumber))
  if (objectKeys.size > 0) cutAnnotationTags(document, objectKeys)
}

/** The objects that are only reachable through the structure tree. */
function findUnused(document: PdfDocument, rootRef: PDFRef, objects: ReadonlyMap<PDFRef, unknown>): Set<PDFRef> {
  if (objects.size === 0) return new Set()
  const reached = findReachable(document, [document.rootRef.objectNumber], new Set([rootRef.objectNumber]))
  return new Set([...objects.keys()].filter(ref => reached.slotOf(ref.objectNumber) < 0))
}

class ContentTags {
  private readonly lists = new Map<number, PDFObject>()
  private index: Map<string, PDFRef> | undefined

  constructor(
    private readonly document: PdfDocument,
    private readonly rootRef: PDFRef,
    root: PDFDict,
  ) {
    for (const { key, value } of readNumberTree(document, root.get(Name.ParentTree))) this.lists.set(key, value)
  }

  /** Records that a sequence lost some or all of its content. */
  cut(sequence: Sequence, isEmpty: boolean): void {
    const ref = this.elementOf(sequence)
    const element = this.document.peekDict(ref)
    if (!ref || !element) return
    this.removeTexts(ref)
    if (!isEmpty) return
    this.unlist(sequence)
    const text = sequenceText(sequence.key, sequence.id)
    removeKids(this.document, this.rootRef, ref, kid => this.sequenceOf(kid, element) === text)
  }

  /** Removes references to a form XObject that is no longer drawn. Points its sequences to the copy if there is one. */
  leave(form: PDFRef, copy: PDFRef | undefined): void {
    const { document } = this
    const key = document.peekNumber(document.peekDict(form)?.get(Name.StructParents))
    const list = key === undefined ? undefined : document.peekArray(this.lists.get(key))
    if (key === undefined || !list) return
    if (!copy) {
      for (let id = 0; id < list.size(); id++) this.cut({ key, id }, true)
      return
    }
    for (const ref of new Set(list.asArray())) {
      const element = ref instanceof PDFRef ? document.peekDict(ref) : undefined
      if (!(ref instanceof PDFRef) || !element) continue
      for (const kid of kidsOf(document, element)) {
        const dict = document.peekDict(kid)
        if (dict?.get(Name.Stm) !== form) continue
        const edited = kid instanceof PDFRef ? document.edit(kid) : (document.edit(ref), dict)
        edited.set(Name.Stm, copy)
      }
    }
  }

  /** Removes the texts of an element and of its ancestors. */
  private removeTexts(from: PDFRef): void {
    const { document } = this
    let ref: PDFObject | undefined = from
    for (let depth = 0; ref instanceof PDFRef && ref !== this.rootRef && depth < MAX_DEPTH; depth++) {
      const element: PDFDict | undefined = document.peekDict(ref)
      if (!element) return
      const texts = REPLACEMENT_TEXTS.filter(key => element.has(key))
      if (texts.length > 0) for (const key of texts) document.edit(ref).delete(key)
      ref = element.get(Name.P)
    }
  }

  /** The sequence that a kid of an element refers to. Undefined for other kids. */
  private sequenceOf(kid: PDFObject, element: PDFDict): string | undefined {
    const { document } = this
    const value = document.peek(kid)
    const sequence = (owner: PDFObject | undefined, id: number): string =>
      sequenceText(document.peekNumber(document.peekDict(owner)?.get(Name.StructParents)), id)
    if (value instanceof PDFNumber) return sequence(element.get(Name.Pg), value.asNumber())
    if (!(value instanceof PDFDict) || value.has(Name.S)) return undefined
    const id = document.peekNumber(value.get(Name.MCID))
    if (id === undefined) return undefined
    return sequence(value.get(Name.Stm) ?? value.get(Name.Pg) ?? element.get(Name.Pg), id)
  }

  private unlist({ key, id }: Sequence): void {
    const { document } = this
    const value = this.lists.get(key)
    const list = document.peekArray(value)
    if (!list || id < 0 || id >= list.size()) return
    if (value instanceof PDFRef) document.store.get(value)
    // A direct list is part of a node in the parent tree, so the node changes too.
    else this.markNodes(list)
    list.set(id, PDFNull)
  }

  /** Marks the parent tree nodes that contain a direct list as changed. */
  private markNodes(list: PDFArray): void {
    const { document } = this
    const stack: PDFObject[] = [document.peekDict(this.rootRef)?.get(Name.ParentTree) ?? PDFNull]
    const visited = new Set<PDFObject>()
    while (stack.length > 0) {
      const node = stack.pop()
      const dict = document.peekDict(node)
      if (!node || !dict || visited.has(dict)) continue
      visited.add(dict)
      const numbers = dict.get(Name.Nums)
      if (document.peekArray(numbers)?.asArray().includes(list))
        for (const ref of [node, numbers, this.rootRef]) if (ref instanceof PDFRef) document.store.get(ref)
      stack.push(...(document.peekArray(dict.get(Name.Kids))?.asArray() ?? []))
    }
  }

  /** The element of a sequence, from the parent tree. If the parent tree has none, from the elements themselves. */
  private elementOf({ key, id }: Sequence): PDFRef | undefined {
    const list = this.document.peekArray(this.lists.get(key))
    const listed = list && id >= 0 && id < list.size() ? list.get(id) : undefined
    if (listed instanceof PDFRef) return listed
    return (this.index ??= this.readIndex()).get(sequenceText(key, id))
  }

  private readIndex(): Map<string, PDFRef> {
    const { document } = this
    const index = new Map<string, PDFRef>()
    const stack: PDFObject[] = [this.rootRef]
    const visited = new Set<PDFObject>()
    while (stack.length > 0) {
      const ref = stack.pop()
      const element = document.peekDict(ref)
      if (!(ref instanceof PDFRef) || !element || visited.has(ref)) continue
      visited.add(ref)
      for (const kid of kidsOf(document, element)) {
        const sequence = this.sequenceOf(kid, element)
        if (sequence === undefined) stack.push(kid)
        else index.set(sequence, ref)
      }
    }
    return index
  }
}

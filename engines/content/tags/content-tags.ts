import { PDFDict, PDFName, PDFNull, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFArray, PDFObject } from 'pdf-lib'
import { cutAnnotationTags } from '../../pdf-core/annotations/annotation-tags'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readNumberTree } from '../../pdf-core/document/name-tree'
import { findReachable } from '../../pdf-core/document/reachable'
import { kidsOf } from '../../pdf-core/document/structure-elements'
import type { MarkedContentChanges } from './tag-changes'
import * as Name from '../../pdf-core/syntax/names'

/** Texts of an element that speak for all of its content. */
const REPLACEMENTS = ['ActualText', 'Alt', 'E', 'T'].map(name => PDFName.of(name))

/** Elements above one another that are followed. */
const MAX_DEPTH = 1000

/** Marked content of one stream: its key in the parent tree, and its number. */
interface Sequence {
  key: number
  id: number
}

/**
 * Takes out of the structure tree (ISO 32000-2, 14.7) what stood for content that is gone: marked-content sequences of
 * which nothing stays, elements that have nothing left, texts of elements that lost a part. `dropped` are objects that
 * pages no longer draw, with their copies: where nothing else draws them, the tree must not hold on to them.
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
  const gone = findUnused(document, rootRef, dropped)
  for (const ref of gone) tree.leave(ref, dropped.get(ref))
  const objectKeys = new Set(
    [...gone].flatMap(ref => document.peekNumber(document.peekDict(ref)?.get(Name.StructParent)) ?? []),
  )
  document.store.sever([...gone].map(ref => ref.objectNumber))
  if (objectKeys.size > 0) cutAnnotationTags(document, objectKeys)
}

/** Those of the objects that nothing but the structure tree leads to. */
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

  /** Says of a sequence that it lost something, or all. */
  cut(sequence: Sequence, isEmpty: boolean): void {
    const ref = this.elementOf(sequence)
    const element = this.document.peekDict(ref)
    if (!ref || !element) return
    this.silence(ref)
    if (!isEmpty) return
    this.unlist(sequence)
    const kids = kidsOf(this.document, element)
    this.setKids(
      ref,
      kids,
      kids.filter(kid => !this.isSequence(kid, element, sequence)),
    )
  }

  /** Lets go of a form that pages no longer draw: its sequences are those of its copy now, or gone. */
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

  /** Removes the texts of an element and of those above it. */
  private silence(from: PDFRef): void {
    const { document } = this
    let ref: PDFObject | undefined = from
    for (let depth = 0; ref instanceof PDFRef && ref !== this.rootRef && depth < MAX_DEPTH; depth++) {
      const element: PDFDict | undefined = document.peekDict(ref)
      if (!element) return
      const spoken = REPLACEMENTS.filter(key => element.has(key))
      if (spoken.length > 0) for (const key of spoken) document.edit(ref).delete(key)
      ref = element.get(Name.P)
    }
  }

  /** Elements that are left without kids go, and then those above them. */
  private setKids(from: PDFRef, before: PDFObject[], after: PDFObject[]): void {
    const { document } = this
    let [ref, old, left] = [from, before, after]
    for (let depth = 0; left.length < old.length && depth < MAX_DEPTH; depth++) {
      if (left.length > 0 || ref === this.rootRef) {
        document.edit(ref).set(Name.K, document.context.obj(left))
        return
      }
      const gone = ref
      const parent = document.peekDict(gone)?.get(Name.P)
      document.store.delete(gone)
      const above = document.peekDict(parent)
      if (!(parent instanceof PDFRef) || !above) return
      ref = parent
      old = kidsOf(document, above)
      left = old.filter(kid => kid !== gone)
    }
  }

  private isSequence(kid: PDFObject, element: PDFDict, { key, id }: Sequence): boolean {
    const { document } = this
    const value = document.peek(kid)
    const isHere = (owner: PDFObject | undefined): boolean =>
      document.peekNumber(document.peekDict(owner)?.get(Name.StructParents)) === key
    if (value instanceof PDFNumber) return value.asNumber() === id && isHere(element.get(Name.Pg))
    return (
      value instanceof PDFDict &&
      !value.has(Name.S) &&
      document.peekNumber(value.get(Name.MCID)) === id &&
      isHere(value.get(Name.Stm) ?? value.get(Name.Pg) ?? element.get(Name.Pg))
    )
  }

  private unlist({ key, id }: Sequence): void {
    const { document } = this
    const value = this.lists.get(key)
    const list = document.peekArray(value)
    if (!list || id < 0 || id >= list.size()) return
    if (value instanceof PDFRef) document.store.get(value)
    // A direct list stands in a node of the tree, which may be one of many: the node counts as changed with the list.
    else this.markNodes(list)
    list.set(id, PDFNull)
  }

  /** Marks the nodes of the parent tree as changed that hold a list directly. */
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

  /** The element of a sequence by the parent tree; by the elements themselves where that has none. */
  private elementOf({ key, id }: Sequence): PDFRef | undefined {
    const list = this.document.peekArray(this.lists.get(key))
    const listed = list && id >= 0 && id < list.size() ? list.get(id) : undefined
    if (listed instanceof PDFRef) return listed
    return (this.index ??= this.readIndex()).get(`${key} ${id}`)
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
        const value = document.peek(kid)
        const dict = value instanceof PDFDict ? value : undefined
        const id =
          value instanceof PDFNumber
            ? value.asNumber()
            : dict && !dict.has(Name.S)
              ? document.peekNumber(dict.get(Name.MCID))
              : undefined
        if (id === undefined) stack.push(kid)
        else
          index.set(
            `${document.peekNumber(document.peekDict(dict?.get(Name.Stm) ?? dict?.get(Name.Pg) ?? element.get(Name.Pg))?.get(Name.StructParents)) ?? ''} ${id}`,
            ref,
          )
      }
    }
    return index
  }
}

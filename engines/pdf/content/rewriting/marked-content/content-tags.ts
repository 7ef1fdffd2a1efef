import { PDFNull, PDFRef } from 'pdf-lib'
import type { PDFArray, PDFDict, PDFObject } from 'pdf-lib'
import { cutAnnotationTags } from '../../../annotations/annotation-tags'
import type { PdfDocument } from '../../../document/document'
import { readNumberTree, stringBytes } from '../../../document/name-tree'
import { findReachable } from '../../../document/reachable'
import {
  elementAndAncestors,
  kidsOf,
  readSequence,
  removeDescriptions,
  removeKids,
} from '../../../document/structure-elements'
import { renameElementIds } from '../../../tags/rename-ids'
import type { MarkedContentChanges } from './tag-changes'
import { removeUnplacedTexts } from './unplaced-texts'
import * as Name from '../../../syntax/names'
import { findOrAdd } from '../../../../map-entries'

/** A marked-content sequence: the page or form XObject that contains it, and its MCID. */
interface Sequence {
  owner: PDFRef
  id: number
}

/** Content that was removed from a document. */
export interface RemovedContent {
  changes: MarkedContentChanges
  /**
   * Objects that pages no longer draw, with their copies. If nothing else draws such an object, the tree must not keep
   * it.
   */
  dropped: ReadonlyMap<PDFRef, PDFRef | undefined>
  /** Objects that no page or annotation shows any more. */
  unshown: ReadonlySet<PDFRef>
  /** The pages that lost content. */
  pages: ReadonlySet<PDFRef>
}

/**
 * Removes references to removed content from the structure tree (ISO 32000-2, 14.7): empty marked-content sequences,
 * elements without kids, and texts of elements that lost a part. Also removes texts of elements that may describe the
 * removed content because they don't say which content they describe.
 */
export function cutContentTags(document: PdfDocument, { changes, dropped, unshown, pages }: RemovedContent): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const root = document.peekDict(rootRef)
  const tree = rootRef instanceof PDFRef && root ? new ContentTags(document, rootRef, root) : undefined
  if (tree) for (const { owner, id, isEmpty } of changes.losses()) tree.cut({ owner, id }, { isEmpty })
  removeUnplacedTexts(document, changes, pages)
  tree?.renameIds()
  if (!tree || !(rootRef instanceof PDFRef)) return
  const unused = findUnused(document, rootRef, { dropped, unshown })
  for (const ref of unused) tree.leave(ref, dropped.get(ref))
  const objectKeys = new Set(
    [...unused].flatMap(ref => document.peekNumber(document.peekDict(ref)?.get(Name.StructParent)) ?? []),
  )
  document.store.sever([...unused].map(ref => ref.objectNumber))
  if (objectKeys.size > 0) cutAnnotationTags(document, objectKeys)
}

/** The dropped objects that are only reachable through the structure tree, or that nothing shows. */
function findUnused(
  document: PdfDocument,
  rootRef: PDFRef,
  { dropped, unshown }: Pick<RemovedContent, 'dropped' | 'unshown'>,
): Set<PDFRef> {
  if (dropped.size === 0) return new Set()
  const reached = findReachable(document, [document.rootRef.objectNumber], new Set([rootRef.objectNumber]))
  return new Set([...dropped.keys()].filter(ref => unshown.has(ref) || reached.slotOf(ref.objectNumber) < 0))
}

class ContentTags {
  /** Lists of elements in the parent tree, by key. */
  private readonly lists = new Map<number, PDFObject>()
  /** Elements that refer to a sequence, by the owner of the sequence and its MCID. */
  private readonly elements = new Map<PDFRef, Map<number, Set<PDFRef>>>()
  /** The identifiers of elements that lost content, as bytes in Latin-1. */
  private readonly ids = new Set<string>()

  constructor(
    private readonly document: PdfDocument,
    private readonly rootRef: PDFRef,
    root: PDFDict,
  ) {
    for (const { key, value } of readNumberTree(document, root.get(Name.ParentTree))) this.lists.set(key, value)
    this.readElements()
  }

  /** Numbers the identifiers of the elements that lost content, because they may repeat their text. */
  renameIds(): void {
    if (this.ids.size > 0) renameElementIds(this.document, id => this.ids.has(id))
  }

  /** Records that a sequence lost some of its content, or all if `isEmpty`. */
  cut(sequence: Sequence, { isEmpty }: { isEmpty: boolean }): void {
    const { document } = this
    const found = this.elements.get(sequence.owner)?.get(sequence.id)
    const listed = this.listOf(sequence.owner)?.get(sequence.id)
    for (const ref of new Set([...(found ?? []), ...(listed instanceof PDFRef ? [listed] : [])])) {
      const element = document.peekDict(ref)
      if (!element) continue
      this.removeTexts(ref)
      if (isEmpty) removeKids(document, this.rootRef, ref, kid => isSame(this.sequenceOf(kid, element), sequence))
    }
    // Another page may have the same key by mistake. The entry is then that page's.
    if (isEmpty && (!found || (listed instanceof PDFRef && found.has(listed)))) this.unlist(sequence)
  }

  /** Removes references to a form XObject that is no longer drawn. Points its sequences to the copy if there is one. */
  leave(form: PDFRef, copy: PDFRef | undefined): void {
    const { document } = this
    const listed = this.listOf(form)?.asArray() ?? []
    const found = this.elements.get(form)
    if (!copy) {
      for (const id of new Set([...listed.keys(), ...(found?.keys() ?? [])]))
        this.cut({ owner: form, id }, { isEmpty: true })
      return
    }
    for (const ref of new Set([...listed, ...[...(found?.values() ?? [])].flatMap(refs => [...refs])])) {
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
    for (const { dict, edit } of elementAndAncestors(document, from)) {
      removeDescriptions(document, dict, edit)
      const id = stringBytes(document.peek(dict.get(Name.ID)))
      if (id !== undefined) this.ids.add(id)
    }
  }

  /** The sequence that a kid of an element refers to. Undefined for other kids. */
  private sequenceOf(kid: PDFObject, element: PDFDict): Sequence | undefined {
    const { owner, id } = readSequence(this.document, kid, element) ?? {}
    return owner && id !== undefined ? { owner, id } : undefined
  }

  /** The list of elements for the sequences of a page or form XObject. */
  private listOf(owner: PDFRef): PDFArray | undefined {
    const key = this.keyOf(owner)
    return key === undefined ? undefined : this.document.peekArray(this.lists.get(key))
  }

  private keyOf(owner: PDFRef): number | undefined {
    return this.document.peekNumber(this.document.peekDict(owner)?.get(Name.StructParents))
  }

  private unlist({ owner, id }: Sequence): void {
    const { document } = this
    const key = this.keyOf(owner)
    const value = key === undefined ? undefined : this.lists.get(key)
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
      stack.push(...document.peekItems(dict.get(Name.Kids)))
    }
  }

  private readElements(): void {
    const { document, elements } = this
    const stack: PDFObject[] = [this.rootRef]
    const visited = new Set<PDFObject>()
    while (stack.length > 0) {
      const ref = stack.pop()
      const element = document.peekDict(ref)
      if (!(ref instanceof PDFRef) || !element || visited.has(ref)) continue
      visited.add(ref)
      for (const kid of kidsOf(document, element)) {
        const sequence = this.sequenceOf(kid, element)
        if (!sequence) {
          stack.push(kid)
          continue
        }
        const ids = findOrAdd(elements, sequence.owner, () => new Map())
        ids.set(sequence.id, (ids.get(sequence.id) ?? new Set()).add(ref))
      }
    }
  }
}

function isSame(one: Sequence | undefined, other: Sequence): boolean {
  return one?.owner === other.owner && one.id === other.id
}

import { PDFArray, PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { annotationNumbers } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import { findReachable, REACHED } from '../document/reachable'
import type { Reached } from '../document/reachable'
import { readElementEntries } from './element-entries'
import type { ElementEntries } from './element-entries'
import * as Name from '../syntax/names'
import { FactKind } from '../document/facts'
import { copyDict } from '../document/object-copies'

/** Elements that refer to more objects than this are parsed once for all documents on a file. */
const MANY_TARGETS = 64

const ELEMENT = 1
/** A content item: refers to content but isn't an element. */
const ITEM = 2
const OTHER = 3

/**
 * The references between objects in a structure tree (ISO 32000-2, 14.7), up to pages and annotations. Documents on the
 * same file share one index until one of them changes the tree.
 */
export class TagIndex {
  private readonly kinds: Uint8Array
  /** The object number of the parent of each element, by slot. */
  private readonly parents: Int32Array
  private readonly elements = new Map<number, PDFDict>()
  private readonly mentions: Int32Array
  private readonly mentionStarts: Int32Array

  private constructor(
    readonly reached: Reached,
    readonly isShared: boolean,
  ) {
    this.kinds = new Uint8Array(reached.count)
    this.parents = new Int32Array(reached.count)
    let largest = 0
    const end = reached.targetEnd(reached.count - 1)
    for (let at = 0; at < end; at++) largest = Math.max(largest, reached.targets[at] as number)
    const starts = new Int32Array(largest + 2)
    for (let at = 0; at < end; at++) (starts[(reached.targets[at] as number) + 1] as number)++
    for (let number = 0; number <= largest; number++)
      starts[number + 1] = (starts[number + 1] as number) + (starts[number] as number)
    const next = starts.slice()
    this.mentions = new Int32Array(end)
    for (let slot = 0; slot < reached.count; slot++) {
      for (let at = reached.targetStarts[slot] as number; at < reached.targetEnd(slot); at++) {
        const target = reached.targets[at] as number
        this.mentions[next[target] as number] = slot
        next[target] = (next[target] as number) + 1
      }
    }
    this.mentionStarts = starts
  }

  /** The index of the document's current structure tree. Undefined if there is none. */
  static read(document: PdfDocument): TagIndex | undefined {
    const rootRef = document.catalog.get(Name.StructTreeRoot)
    if (!(rootRef instanceof PDFRef) || !document.peekDict(rootRef)) return undefined
    const tags = document.fileFacts.get(TAG_INDEX)
    if (tags?.isValidFor(document)) {
      document.facts.of(REACHED, () => tags.reached)
      return tags
    }
    return TagIndex.make(document, rootRef, { isShared: false })
  }

  /** Creates the shared index for all documents on the file. Call it before the document is changed. */
  static share(document: PdfDocument): void {
    const rootRef = document.catalog.get(Name.StructTreeRoot)
    if (document.fileFacts.get(TAG_INDEX) || !(rootRef instanceof PDFRef) || !document.peekDict(rootRef)) return
    document.fileFacts.set(TAG_INDEX, TagIndex.make(document, rootRef, { isShared: true }))
  }

  private static make(document: PdfDocument, rootRef: PDFRef, { isShared }: { isShared: boolean }): TagIndex {
    const content = annotationNumbers(document, document.pages)
    for (const page of document.pages) content.add(page.ref.objectNumber)
    return new TagIndex(findReachable(document, [rootRef.objectNumber], content, { keepsTargets: true }), isShared)
  }

  private isValidFor({ store }: PdfDocument): boolean {
    for (const number of store.changedNumbers) if (this.reached.slotOf(number) >= 0) return false
    return true
  }

  /** Calls back with the slot of every object that refers to `number`, once for each reference. */
  eachMention(number: number, callback: (slot: number) => void): void {
    const start = this.mentionStarts[number]
    const end = this.mentionStarts[number + 1]
    if (start === undefined || end === undefined) return
    for (let at = start; at < end; at++) callback(this.mentions[at] as number)
  }

  /** Returns whether the condition is true for any object that this object refers to. */
  hasTarget(slot: number, condition: (number: number) => boolean): boolean {
    const { reached } = this
    const end = reached.targetEnd(slot)
    for (let at = reached.targetStarts[slot] as number; at < end; at++)
      if (condition(reached.targets[at] as number)) return true
    return false
  }

  isElement(document: PdfDocument, slot: number): boolean {
    return this.kindOf(document, slot) === ELEMENT
  }

  /** Returns whether an object is a content item, or a list of content items, and not an element. */
  isItem(document: PdfDocument, slot: number): boolean {
    return this.kindOf(document, slot) === ITEM
  }

  /** The object number of an element's parent. */
  parentOf(slot: number): number {
    return this.parents[slot] as number
  }

  private kindOf(document: PdfDocument, slot: number): number {
    const cached = this.kinds[slot]
    if (cached) return cached
    const object = this.scanEntries(document, slot) ?? document.peek(this.reached.refOf(slot))
    let kind = object instanceof PDFArray ? ITEM : OTHER
    const entries = object instanceof PDFDict ? readEntries(object) : object instanceof PDFObject ? undefined : object
    if (entries?.hasType && entries.parent > 0) {
      kind = ELEMENT
      this.parents[slot] = entries.parent
    } else if (entries && !entries.hasType && entries.hasContent) kind = ITEM
    this.kinds[slot] = kind
    return kind
  }

  /** Reads the entries of an unchanged element from its bytes. Undefined if the object must be parsed. */
  private scanEntries({ store }: PdfDocument, slot: number): ElementEntries | undefined {
    const { reached } = this
    const number = reached.numbers[slot] as number
    const bytes = reached.buffers[slot]
    const isPlain = !reached.isStream(slot) && !reached.mentionsNull(slot) && store.shiftOf(number) === 0
    if (!bytes || !isPlain || store.isSevered(number) || store.changedEntry(number)) return undefined
    return readElementEntries(bytes, reached.bodies[slot] as number, reached.ends[slot] as number)
  }

  /** An element, read-only. Several documents may share its values. */
  element(document: PdfDocument, ref: PDFRef): PDFDict | undefined {
    const slot = this.reached.slotOf(ref.objectNumber)
    const isLarge =
      this.isShared &&
      slot >= 0 &&
      this.reached.targetEnd(slot) - (this.reached.targetStarts[slot] as number) > MANY_TARGETS
    if (!isLarge) return document.peekDict(ref)
    const cached = this.elements.get(slot)
    if (cached) return cached
    const dict = document.peekDict(ref)
    // Copy the element, because this document may change its own dictionary.
    const copy = dict && copyDict(document, dict)
    if (copy) this.elements.set(slot, copy)
    return copy
  }
}

function readEntries(element: PDFDict): ElementEntries {
  const parent = element.get(Name.P)
  return {
    hasType: element.has(Name.S),
    hasContent: element.has(Name.Obj) || element.has(Name.MCID),
    parent: parent instanceof PDFRef ? parent.objectNumber : 0,
  }
}

/** The index of the structure tree as it is in the file. */
const TAG_INDEX = new FactKind<TagIndex>('tag index')

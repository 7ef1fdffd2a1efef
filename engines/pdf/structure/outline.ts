import { PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'
import { FactKind } from '../document/facts'

/** An outline item. Its dictionary is read-only. */
export interface OutlineItem {
  ref: PDFRef
  readonly dict: PDFDict
  children: OutlineItem[]
  isOpen: boolean
  /** The target, for documents that share it with other documents on the same file. */
  readonly lead?: OutlineLead
}

/** The page that an item leads to, and whether the item is only a heading without an action. */
export interface OutlineLead {
  target: PDFRef | undefined
  isHeading: boolean
}

/** The outline of a file, shared by all documents on the file. */
export interface OutlineFacts {
  rootRef: PDFRef | undefined
  numbers: ReadonlySet<number>
  /** Parents come before their children. `parent` is an index in this list, or −1 for the top level. */
  entries: { ref: PDFRef; parent: number; isOpen: boolean; lead: OutlineLead }[]
}

export interface Outline {
  rootRef: PDFRef | undefined
  items: OutlineItem[]
  /** Every item, parents before their children. */
  all: OutlineItem[]
}

/** Reads the outline of a catalog (ISO 32000-2, 12.3.3). Tolerates cycles and broken links. Empty if there is none. */
export function readOutline(document: PdfDocument, catalog: PDFDict = document.catalog): Outline {
  const value = catalog.get(Name.Outlines)
  const root = document.peekDict(value)
  const outline: Outline = { rootRef: value instanceof PDFRef && root ? value : undefined, items: [], all: [] }
  if (!root) return outline
  const seen = new Set<number>()
  const lists: { first: PDFDict | PDFRef | undefined; into: OutlineItem[] }[] = [
    { first: reference(root, Name.First), into: outline.items },
  ]
  while (lists.length) {
    const list = lists.pop()
    let next = list?.first
    while (list && next instanceof PDFRef && !seen.has(next.objectNumber)) {
      seen.add(next.objectNumber)
      const dict = document.peekDict(next)
      if (!dict) break
      const item: OutlineItem = {
        ref: next,
        dict,
        children: [],
        isOpen: (document.peekNumber(dict.get(Name.Count)) ?? 0) > 0,
      }
      list.into.push(item)
      outline.all.push(item)
      lists.push({ first: reference(dict, Name.First), into: item.children })
      next = reference(dict, Name.Next)
    }
  }
  return outline
}

/** The outline of the file. */
export const OUTLINE_FACTS = new FactKind<OutlineFacts>('outline')

/** Collects facts about the outline for all documents on the file. `leadOf` returns the target of an item. */
export function describeOutline(document: PdfDocument, leadOf: (item: OutlineItem) => OutlineLead): OutlineFacts {
  const { rootRef, all } = readOutline(document)
  const parents = new Map(all.flatMap((item, parent) => item.children.map(child => [child, parent] as const)))
  const entries = all.map(item => ({
    ref: item.ref,
    parent: parents.get(item) ?? -1,
    isOpen: item.isOpen,
    lead: leadOf(item),
  }))
  return {
    rootRef,
    numbers: new Set([rootRef, ...all.map(item => item.ref)].flatMap(ref => (ref ? [ref.objectNumber] : []))),
    entries,
  }
}

/** Recreates the outline from the shared facts, without parsing it. Undefined if the document has changed it. */
function recallOutline(document: PdfDocument): Outline | undefined {
  const facts = document.fileFacts.get(OUTLINE_FACTS)
  if (!facts?.rootRef || document.catalog.get(Name.Outlines) !== facts.rootRef) return undefined
  for (const number of document.store.changedNumbers) if (facts.numbers.has(number)) return undefined
  const outline: Outline = { rootRef: facts.rootRef, items: [], all: [] }
  for (const { ref, parent, isOpen, lead } of facts.entries) {
    const item = new RecalledItem(document, ref, isOpen, lead)
    const list = parent < 0 ? outline.items : outline.all[parent]?.children
    list?.push(item)
    outline.all.push(item)
  }
  return outline
}

class RecalledItem implements OutlineItem {
  children: OutlineItem[] = []

  constructor(
    private readonly document: PdfDocument,
    readonly ref: PDFRef,
    readonly isOpen: boolean,
    readonly lead: OutlineLead,
  ) {}

  get dict(): PDFDict {
    return this.document.peekDict(this.ref) ?? PDFDict.withContext(this.document.context)
  }
}

function reference(dict: PDFDict, key: PDFName): PDFRef | undefined {
  const value = dict.get(key)
  return value instanceof PDFRef ? value : undefined
}

/**
 * Removes the items for which `isDead` returns true. Their children move up to their place. Also removes an item for
 * which `isHeading` returns true if it lost all its children.
 */
export function pruneOutline(
  document: PdfDocument,
  isDead: (item: OutlineItem) => boolean,
  isHeading: (item: OutlineItem) => boolean,
): void {
  const outline = recallOutline(document) ?? readOutline(document)
  const dead = new Set<OutlineItem>()
  // An item always comes after its parent. Go backwards, so that children come first.
  for (const item of [...outline.all].reverse()) {
    const had = item.children.length
    item.children = item.children.flatMap(child => (dead.has(child) ? child.children : [child]))
    if (isDead(item) || (had > 0 && item.children.length === 0 && isHeading(item))) dead.add(item)
  }
  if (dead.size === 0) return
  outline.items = outline.items.flatMap(item => (dead.has(item) ? item.children : [item]))
  writeOutline(document, outline.items, outline.rootRef)
}

/** Makes an outline item lead to the top of a page. Removes its action. */
export function retarget(document: PdfDocument, item: OutlineItem, pageRef: PDFRef): void {
  const dict = document.edit(item.ref)
  for (const key of ['A', 'SE']) dict.delete(PDFName.of(key))
  dict.set(Name.Dest, document.context.obj([pageRef, 'Fit']))
}

/** Replaces the document's outline with these items. Removes the outline if there are none. */
export function writeOutline(document: PdfDocument, items: OutlineItem[], rootRef?: PDFRef): void {
  if (items.length === 0) {
    document.editCatalog().delete(Name.Outlines)
    return
  }
  const ref = rootRef ?? document.register(document.context.obj({ Type: 'Outlines' }))
  document.editCatalog().set(Name.Outlines, ref)
  const all: { item: OutlineItem; siblings: OutlineItem[]; index: number; parent: PDFRef }[] = []
  const stack: { items: OutlineItem[]; parent: PDFRef }[] = [{ items, parent: ref }]
  while (stack.length) {
    const list = stack.pop()
    if (!list) break
    for (const [index, item] of list.items.entries()) {
      all.push({ item, siblings: list.items, index, parent: list.parent })
      if (item.children.length) stack.push({ items: item.children, parent: item.ref })
    }
  }
  /** The number of items that an item shows below it if it is open (ISO 32000-2, table 151). */
  const visible = new Map<OutlineItem, number>()
  const countVisible = (children: OutlineItem[]): number =>
    children.reduce((sum, child) => sum + 1 + (child.isOpen ? (visible.get(child) ?? 0) : 0), 0)
  // Children come before their parents.
  for (const { item, siblings, index, parent } of all.reverse()) {
    const count = countVisible(item.children)
    visible.set(item, count)
    const dict = document.edit(item.ref)
    point(dict, Name.Parent, parent)
    point(dict, Name.Prev, siblings[index - 1]?.ref)
    point(dict, Name.Next, siblings[index + 1]?.ref)
    linkChildren(dict, item.children, item.isOpen ? count : -count)
  }
  linkChildren(document.edit(ref), items, countVisible(items))
}

function linkChildren(dict: PDFDict, children: OutlineItem[], count: number): void {
  point(dict, Name.First, children[0]?.ref)
  point(dict, Name.Last, children.at(-1)?.ref)
  if (count === 0) dict.delete(Name.Count)
  else dict.set(Name.Count, PDFNumber.of(count))
}

function point(dict: PDFDict, key: PDFName, ref: PDFRef | undefined): void {
  if (ref) dict.set(key, ref)
  else dict.delete(key)
}

import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import * as Name from '../syntax/names'

/** A dictionary to read, and a function that returns it for changes. */
export interface Holder {
  dict: PDFDict
  edit(): PDFDict
}

/** Maximum number of ancestors to follow. */
const MAX_DEPTH = 1000

/** Entries of a structure element with text that describes all its content (ISO 32000-2, table 355). */
export const REPLACEMENT_TEXTS = ['ActualText', 'Alt', 'E', 'T', 'Phoneme'].map(name => PDFName.of(name))

/** Entries of attributes with such text: of tables, of header cells and of fields (ISO 32000-2, 14.8.5). */
const ATTRIBUTE_TEXTS = ['Summary', 'Short', 'Desc'].map(name => PDFName.of(name))

/**
 * Removes what describes the content of a structure element: its texts, those of its attributes, and associated files,
 * such as the MathML of a formula. `edit` returns the element after marking it as changed.
 */
export function removeDescriptions(document: PdfDocument, element: PDFDict, edit: () => PDFDict): void {
  const entries = [...REPLACEMENT_TEXTS, Name.AF].filter(key => element.has(key))
  if (entries.length > 0) for (const key of entries) edit().delete(key)
  const value = element.get(Name.A)
  const list = document.peek(value)
  for (const item of list instanceof PDFArray ? list.asArray() : [value]) {
    const attributes = document.peekDict(item)
    if (!attributes) continue
    const keys = ATTRIBUTE_TEXTS.filter(key => attributes.has(key))
    // User properties are pairs of names and values of any kind (14.7.6.4).
    if (document.peek(attributes.get(Name.O)) === Name.UserProperties && attributes.has(Name.P)) keys.push(Name.P)
    if (keys.length === 0) continue
    // The object that holds the attributes is the one to save: an item, the list of items, or the element itself.
    const owner = [item, value].find(ref => ref instanceof PDFRef)
    if (owner instanceof PDFRef) document.store.get(owner)
    else edit()
    for (const key of keys) {
      if (key === Name.P) attributes.set(key, document.context.obj([]))
      else attributes.delete(key)
    }
  }
}

/** The kids of a structure element or of the root: elements, marked-content references and object references. */
export function kidsOf(document: PdfDocument, root: PDFDict): PDFObject[] {
  const value = root.get(Name.K)
  const kids = document.peek(value)
  if (kids instanceof PDFArray) return kids.asArray()
  return value === undefined ? [] : [value]
}

/** The marked-content sequence that a kid of an element refers to. The owner is missing if the element has no page. */
export function readSequence(
  document: PdfDocument,
  kid: PDFObject,
  element: PDFDict,
): { owner: PDFRef | undefined; page: PDFObject | undefined; id: number } | undefined {
  const value = document.peek(kid)
  const asOwner = (owner: PDFObject | undefined): PDFRef | undefined => (owner instanceof PDFRef ? owner : undefined)
  const page = element.get(Name.Pg)
  if (value instanceof PDFNumber) return { owner: asOwner(page), page, id: value.asNumber() }
  if (!(value instanceof PDFDict) || value.has(Name.S)) return undefined
  const id = document.peekNumber(value.get(Name.MCID))
  if (id === undefined) return undefined
  const own = value.get(Name.Pg) ?? page
  return { owner: asOwner(value.get(Name.Stm) ?? own), page: own, id }
}

/** An element and its ancestors, without the root. */
export function* elementAndAncestors(document: PdfDocument, ref: PDFRef): Generator<Holder> {
  const dict = document.peekDict(ref)
  if (!dict) return
  yield { dict, edit: () => document.edit(ref) }
  yield* ancestorsOf(document, dict)
}

/** The ancestors of an element, without the root. */
export function* ancestorsOf(document: PdfDocument, element: PDFDict): Generator<Holder> {
  let ref = element.get(Name.P)
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    const parent: PDFRef = ref
    const dict = document.peekDict(parent)
    if (!dict?.has(Name.S)) return
    yield { dict, edit: () => document.edit(parent) }
    ref = dict.get(Name.P)
  }
}

/**
 * Removes kids from a structure element. Deletes elements that lose their last kid, and removes them from their
 * parents. Returns the element that lost a kid and stays, or undefined if no element is like that.
 */
export function removeKids(
  document: PdfDocument,
  rootRef: PDFRef,
  from: PDFRef,
  isRemoved: (kid: PDFObject) => boolean,
  readKids: (element: PDFDict) => PDFObject[] = element => kidsOf(document, element),
): PDFRef | undefined {
  let ref = from
  let removes = isRemoved
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const element = document.peekDict(ref)
    if (!element) return undefined
    const kids = readKids(element)
    const remainingKids = kids.filter(kid => !removes(kid))
    if (remainingKids.length === kids.length) return undefined
    if (remainingKids.length > 0 || ref === rootRef) {
      document.edit(ref).set(Name.K, document.context.obj(remainingKids))
      return ref
    }
    const emptied = ref
    const parent = element.get(Name.P)
    document.store.delete(emptied)
    if (!(parent instanceof PDFRef)) return undefined
    ref = parent
    removes = kid => kid === emptied
  }
  return undefined
}

/** The structure elements at the top of a tree (ISO 32000-2, table 354). */
export function topElements(document: PdfDocument, rootRef: PDFRef): Generator<Holder> {
  return walk(document, [document.peekDict(rootRef)?.get(Name.K), () => document.edit(rootRef)], { depth: 'top' })
}

/** All structure elements of a tree. Yields each element once, and adds it to `visited`. */
export function allElements(document: PdfDocument, rootRef: PDFRef, visited: Set<PDFObject>): Generator<Holder> {
  const kids = document.peekDict(rootRef)?.get(Name.K)
  return walk(document, [kids, () => document.edit(rootRef)], { depth: 'all', visited })
}

/** The structure elements below the root or an element (ISO 32000-2, 14.7.2). Yields each element once. */
export function elementsBelow(document: PdfDocument, root: PDFDict): Generator<Holder> {
  return walk(document, [root.get(Name.K), () => undefined], { depth: 'all' })
}

/** A value, and a function that marks the owner of the value as changed. */
type Owned = [value: PDFObject | undefined, touchOwner: () => unknown]

function* walk(
  document: PdfDocument,
  start: Owned,
  { depth, visited = new Set() }: { depth: 'top' | 'all'; visited?: Set<PDFObject> },
): Generator<Holder> {
  const stack: Owned[] = [start]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [value, touchOwner] = next
    const object = document.peek(value)
    if (!object || visited.has(object)) continue
    const touch = (): unknown => (value instanceof PDFRef ? document.store.get(value) : touchOwner())
    if (object instanceof PDFArray) {
      visited.add(object)
      for (const kid of object.asArray()) stack.push([kid, touch])
    } else if (object instanceof PDFDict && object.has(Name.S)) {
      visited.add(object)
      yield { dict: object, edit: () => (touch(), object) }
      if (depth === 'all') stack.push([object.get(Name.K), touch])
    }
  }
}

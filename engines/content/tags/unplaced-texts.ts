import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { findObjects } from '../../pdf-core/document/find-objects'
import { kidsOf, removeDescriptions } from '../../pdf-core/document/structure-elements'
import type { MarkedContentChanges } from './tag-changes'
import * as Name from '../../pdf-core/syntax/names'

/** Maximum number of ancestors to follow. */
const MAX_DEPTH = 1000

/** Names of which a structure element outside the tree has at least one. */
const WORDS = ['/Pg', '/ActualText', '/Alt', '/StructElem']

const [STRUCT_ELEM, STRUCT_TREE_ROOT] = ['StructElem', 'StructTreeRoot'].map(name => PDFName.of(name))

/** A structure element, and a function that returns it after marking it as changed. */
interface Element {
  dict: PDFDict
  edit(): PDFDict
}

/** Where the content of a structure element is. */
type Place =
  /** Its content or its kids are known, or it belongs to a page that didn't change. */
  | 'known'
  /** It has no content. */
  | 'empty'
  /** Some of its content isn't where it says, on a page that changed. */
  | 'missing'

/**
 * Removes the texts of structure elements that may describe content removed from `pages`, but don't say which content
 * they describe. These are elements without content, elements whose content isn't on the page, and elements that
 * something else than the structure tree refers to, such as an action.
 */
export function removeUnplacedTexts(
  document: PdfDocument,
  changes: MarkedContentChanges,
  pages: ReadonlySet<PDFRef>,
): void {
  const visited = new Set<PDFObject>()
  const removed: (() => Iterable<Element>)[] = []
  for (const element of elementsInTree(document, visited)) {
    const place = placeOf(document, element.dict, { changes, pages })
    if (place === 'empty') removed.push(() => [element])
    // Texts of ancestors describe the missing content too.
    else if (place === 'missing') removed.push(() => [element, ...ancestorsOf(document, element.dict)])
  }
  for (const ref of elementsOutside(document, visited)) {
    const dict = document.peekDict(ref)
    const page = dict?.get(Name.Pg)
    const isElsewhere = page instanceof PDFRef && !pages.has(page) && document.peekDict(page) !== undefined
    if (dict && !isElsewhere) removed.push(() => [{ dict, edit: () => document.edit(ref) }])
  }
  for (const list of removed) for (const { dict, edit } of list()) removeDescriptions(document, dict, edit)
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
export function* elementAndAncestors(document: PdfDocument, ref: PDFRef): Generator<Element> {
  const dict = document.peekDict(ref)
  if (!dict) return
  yield { dict, edit: () => document.edit(ref) }
  yield* ancestorsOf(document, dict)
}

function* ancestorsOf(document: PdfDocument, element: PDFDict): Generator<Element> {
  let ref = element.get(Name.P)
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    const parent: PDFRef = ref
    const dict = document.peekDict(parent)
    if (!dict?.has(Name.S)) return
    yield { dict, edit: () => document.edit(parent) }
    ref = dict.get(Name.P)
  }
}

/** All elements of the structure tree. Adds their references to `visited`, or the elements themselves. */
function* elementsInTree(document: PdfDocument, visited: Set<PDFObject>): Generator<Element> {
  const root = document.catalog.get(Name.StructTreeRoot)
  const stack: { value: PDFObject | undefined; owner: PDFRef }[] = [
    { value: document.peekDict(root)?.get(Name.K), owner: root instanceof PDFRef ? root : document.rootRef },
  ]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value } = next
    const object = document.peek(value)
    if (!value || !(object instanceof PDFDict || object instanceof PDFArray) || visited.has(value)) continue
    visited.add(value)
    const owner = value instanceof PDFRef ? value : next.owner
    if (object instanceof PDFArray) for (const kid of object.asArray()) stack.push({ value: kid, owner })
    else if (object.has(Name.S)) {
      yield { dict: object, edit: () => (document.store.get(owner), object) }
      stack.push({ value: object.get(Name.K), owner })
    }
  }
}

function placeOf(
  document: PdfDocument,
  element: PDFDict,
  { changes, pages }: { changes: MarkedContentChanges; pages: ReadonlySet<PDFRef> },
): Place {
  let isKnown = false
  for (const kid of kidsOf(document, element)) {
    const sequence = readSequence(document, kid, element)
    if (!sequence) isKnown ||= document.peek(kid) instanceof PDFDict
    else {
      const { owner, page, id } = sequence
      const isUnchanged = page instanceof PDFRef && !pages.has(page)
      if (!isUnchanged && !(owner && changes.has(owner, id))) return 'missing'
      isKnown = true
    }
  }
  const page = element.get(Name.Pg)
  return isKnown || (page instanceof PDFRef && !pages.has(page)) ? 'known' : 'empty'
}

/** References to elements that the tree doesn't have. Objects without a type must have an element as their parent. */
function* elementsOutside(document: PdfDocument, visited: ReadonlySet<PDFObject>): Generator<PDFRef> {
  for (const { ref, object: dict } of findObjects(document, WORDS)) {
    if (!(dict instanceof PDFDict) || visited.has(ref) || !dict.has(Name.S)) continue
    const type = document.peek(dict.get(Name.Type))
    if (type === STRUCT_ELEM || (!type && isElementOrRoot(document, dict.get(Name.P)))) yield ref
  }
}

function isElementOrRoot(document: PdfDocument, value: PDFObject | undefined): boolean {
  const dict = document.peekDict(value)
  const type = document.peek(dict?.get(Name.Type))
  return type === STRUCT_ELEM || type === STRUCT_TREE_ROOT || (!type && dict?.has(Name.S) === true)
}

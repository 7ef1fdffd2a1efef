import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { findObjectsByName } from '../../../document/find-objects-by-name'
import {
  allElements,
  ancestorsOf,
  kidsOf,
  readSequence,
  removeDescriptions,
} from '../../../document/structure-elements'
import type { Holder } from '../../../document/structure-elements'
import type { MarkedContentChanges } from './tag-changes'
import * as Name from '../../../syntax/names'

/** Names of which a structure element outside the tree has at least one. */
const WORDS = ['/Pg', '/ActualText', '/Alt', '/StructElem']

const [STRUCT_ELEM, STRUCT_TREE_ROOT] = ['StructElem', 'StructTreeRoot'].map(name => PDFName.of(name))

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
  const unplaced: Holder[] = []
  const root = document.catalog.get(Name.StructTreeRoot)
  for (const element of root instanceof PDFRef ? allElements(document, root, visited) : []) {
    const place = placeOf(document, element.dict, { changes, pages })
    if (place !== 'known') unplaced.push(element)
    // Texts of ancestors describe the missing content too.
    if (place === 'missing') unplaced.push(...ancestorsOf(document, element.dict))
  }
  for (const element of elementsOutside(document, visited)) {
    const page = element.dict.get(Name.Pg)
    const isElsewhere = page instanceof PDFRef && !pages.has(page) && document.peekDict(page) !== undefined
    if (!isElsewhere) unplaced.push(element)
  }
  for (const { dict, edit } of unplaced) removeDescriptions(document, dict, edit)
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

/** Elements that the tree doesn't have. Objects without a type must have an element as their parent. */
function* elementsOutside(document: PdfDocument, visited: ReadonlySet<PDFObject>): Generator<Holder> {
  for (const { ref } of findObjectsByName(document, WORDS)) {
    const dict = document.peek(ref)
    if (!(dict instanceof PDFDict) || visited.has(dict) || !dict.has(Name.S)) continue
    const type = document.peek(dict.get(Name.Type))
    if (type === STRUCT_ELEM || (!type && isElementOrRoot(document, dict.get(Name.P))))
      yield { dict, edit: () => document.edit(ref) }
  }
}

function isElementOrRoot(document: PdfDocument, value: PDFObject | undefined): boolean {
  const dict = document.peekDict(value)
  const type = document.peek(dict?.get(Name.Type))
  return type === STRUCT_ELEM || type === STRUCT_TREE_ROOT || (!type && dict?.has(Name.S) === true)
}

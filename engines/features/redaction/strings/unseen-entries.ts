import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from '../../../pdf/annotations'
import { findReachable } from '../../../pdf/document'
import type { Page, PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { Rule } from '../search-rules/rule'
import { redactObject, StringCutter } from './string-cutter'

/** Entries of a page that have its content, its annotations and other parts of the document. */
const OTHER_PAGE_ENTRIES = new Set(
  ['Parent', 'Contents', 'Resources', 'Annots', 'B', 'AF', 'Metadata', 'Thumb', 'DPart'].map(key => PDFName.of(key)),
)

/** Entries of an annotation and of its field that nobody sees: actions, identifiers, measures and data for export. */
const UNSEEN_ENTRIES = ['A', 'AA', 'PA', 'NM', 'TM', 'Measure', 'ExData'].map(key => PDFName.of(key))

/** Maximum number of parent fields to read. */
const MAX_DEPTH = 64

/** Entries of an object, and a function that returns the object for changes. */
interface Entries {
  dict: PDFDict
  keys: readonly PDFName[]
  edit(): PDFDict
}

/**
 * Removes matches from what a page and its annotations have besides what they show: actions, identifiers, viewports and
 * the like, with the objects that only these refer to.
 */
export function redactUnseen(document: PdfDocument, page: Page, rules: readonly Rule[]): void {
  const refs = new Set<number>()
  for (const { dict, keys, edit } of listEntries(document, page)) {
    const part = pick(dict, keys)
    for (const number of referencesIn(part)) refs.add(number)
    if (!new StringCutter(document, rules).isNeeded(part)) continue
    const edited = edit()
    const changed = pick(edited, keys)
    new StringCutter(document, rules).cut(changed)
    for (const [key, value] of changed.entries()) edited.set(key, value)
  }
  const reached = findReachable(document, [...refs], partsOf(document))
  for (const slot of reached.inOrder()) redactObject(document, reached.refOf(slot), rules)
}

function* listEntries(document: PdfDocument, page: Page): Generator<Entries> {
  const { dict, ref } = page
  yield { dict, keys: dict.keys().filter(key => !OTHER_PAGE_ENTRIES.has(key)), edit: () => document.edit(ref) }
  for (const value of annotationsOf(document, page)) {
    let next: PDFObject | undefined = value
    for (let depth = 0; next && depth < MAX_DEPTH; depth++) {
      const item: PDFObject = next
      const own = document.peekDict(item)
      if (!own) break
      const edit = (): PDFDict => (item instanceof PDFRef ? document.edit(item) : (document.edit(ref), own))
      yield { dict: own, keys: UNSEEN_ENTRIES.filter(key => own.has(key)), edit }
      next = own.get(Name.Subtype) === Name.Popup ? undefined : own.get(Name.Parent)
    }
  }
}

function pick(dict: PDFDict, keys: readonly PDFName[]): PDFDict {
  const entries = keys.flatMap((key): [PDFName, PDFObject][] => {
    const value = dict.get(key)
    return value ? [[key, value]] : []
  })
  return PDFDict.fromMapWithContext(new Map(entries), dict.context)
}

function referencesIn(part: PDFDict): number[] {
  const found: number[] = []
  const stack: PDFObject[] = [part]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFRef) found.push(value.objectNumber)
    else if (value instanceof PDFDict) stack.push(...value.values())
    else if ('asArray' in value && typeof value.asArray === 'function') stack.push(...(value.asArray() as PDFObject[]))
  }
  return found
}

/** The objects that don't belong to one page alone: pages, annotations, the catalog and what it refers to directly. */
function partsOf(document: PdfDocument): Set<number> {
  const parts = new Set([document.rootRef.objectNumber])
  for (const value of document.catalog.values()) if (value instanceof PDFRef) parts.add(value.objectNumber)
  for (const page of document.pages) {
    parts.add(page.ref.objectNumber)
    for (const value of annotationsOf(document, page)) if (value instanceof PDFRef) parts.add(value.objectNumber)
  }
  return parts
}

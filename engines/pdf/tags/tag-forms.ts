import { PDFArray, PDFNull, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readNumberTree, writeNumberTree } from '../document/name-tree'
import type { NumberedEntry } from '../document/name-tree'
import type { Page } from '../document/page-tree'
import { kidsOf } from '../document/structure-elements'
import * as Name from '../syntax/names'
import { ContentWalk } from '../content/walk/walk-content'

/**
 * Connects marked content in form XObjects with its structure elements (ISO 32000-2, 14.7.5.4). Chromium 147 draws a
 * transparent element as a form, but its structure refers to the content as if it were the page's. Changes only marks
 * that neither the page's own content nor another form has.
 */
export function tagForms(document: PdfDocument): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const root = document.peekDict(rootRef)
  if (!root || !(rootRef instanceof PDFRef)) return
  const entries = readNumberTree(document, root.get(Name.ParentTree))
  let nextKey = entries.reduce((most, { key }) => Math.max(most, key + 1), 0)
  const added: NumberedEntry[] = []
  for (const page of document.pages) {
    const key = document.peekNumber(page.dict.get(Name.StructParents))
    const entry = entries.find(one => one.key === key)
    const parents = document.peekArray(entry?.value)
    if (!entry || !parents || !document.peekDict(page.attribute(Name.Resources))?.has(Name.XObject)) continue
    const remaining = parents.asArray().slice()
    for (const [ref, ids] of listForms(document, page)) {
      const moved = new Map<number, PDFRef>()
      for (const id of ids) {
        const element = remaining[id]
        if (element instanceof PDFRef && moveMark(document, element, { page, form: ref, id })) moved.set(id, element)
      }
      if (moved.size === 0) continue
      for (const id of moved.keys()) remaining[id] = PDFNull
      added.push({ key: nextKey, value: document.register(listParents(document, moved)) })
      const form = document.store.get(ref)
      if (form instanceof PDFRawStream) form.dict.set(Name.StructParents, PDFNumber.of(nextKey++))
    }
    entry.value = document.register(document.context.obj(remaining))
  }
  if (added.length === 0) return
  const tree = writeNumberTree(document, [...entries, ...added])
  document.edit(rootRef).set(Name.ParentTree, tree)
  document.edit(rootRef).set(Name.ParentTreeNextKey, PDFNumber.of(nextKey))
}

/** The forms of a page with marks that only they have, and these marks. Forms that are drawn twice are left out. */
function listForms(document: PdfDocument, page: Page): [PDFRef, number[]][] {
  const marks = new Map<PDFObject | undefined, Set<number>>([[page.ref, new Set()]])
  const repeated = new Set<PDFObject>()
  let isWhole = true
  const walk = new ContentWalk(document, {
    needsState: false,
    begin({ stream }) {
      if (stream.kind === 'page') isWhole = stream.isWhole
    },
    operator(at) {
      const id = at.reader.operator === 'BDC' ? document.peekDict(at.properties)?.get(Name.MCID) : undefined
      const number = document.peekNumber(id)
      if (number !== undefined) marks.get(at.stream.object)?.add(number)
    },
    enter({ kind, value, form }) {
      if (kind !== 'form' || !(value instanceof PDFRef) || form.dict.has(Name.StructParents)) return undefined
      if (marks.has(value)) {
        repeated.add(value)
        return undefined
      }
      marks.set(value, new Set())
      return ''
    },
  })
  walk.readPage(page)
  if (!isWhole) return []
  const counts = new Map<number, number>()
  for (const ids of marks.values()) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...marks].flatMap(([ref, ids]): [PDFRef, number[]][] =>
    ref instanceof PDFRef && ref !== page.ref && !repeated.has(ref)
      ? [[ref, [...ids].filter(id => counts.get(id) === 1)]]
      : [],
  )
}

/** Lets an element refer to the mark in the form. Returns false if it doesn't refer to the mark of the page. */
function moveMark(
  document: PdfDocument,
  element: PDFRef,
  { page, form, id }: { page: Page; form: PDFRef; id: number },
): boolean {
  const dict = document.peekDict(element)
  if (!dict || (dict.has(Name.Pg) && dict.get(Name.Pg) !== page.ref)) return false
  const kids = kidsOf(document, dict)
  const at = kids.findIndex(kid => document.peekNumber(kid) === id)
  if (at < 0) return false
  const reference = document.context.obj({ Type: 'MCR', Pg: page.ref, Stm: form, MCID: id })
  document.edit(element).set(Name.K, document.context.obj(kids.with(at, reference)))
  return true
}

/** The elements of a form by marked-content identifier. */
function listParents(document: PdfDocument, elements: ReadonlyMap<number, PDFRef>): PDFArray {
  const list = PDFArray.withContext(document.context)
  for (let id = 0; id <= Math.max(...elements.keys()); id++) list.push(elements.get(id) ?? PDFNull)
  return list
}

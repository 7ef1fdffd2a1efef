import { PDFArray, PDFName, PDFNull, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { contentsOf } from '../document/contents-of'
import { decodeContent } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { readNumberTree, writeNumberTree } from '../document/name-tree'
import type { NumberedEntry } from '../document/name-tree'
import type { Page } from '../document/page-tree'
import { kidsOf } from '../document/structure-elements'
import { ContentReader } from '../syntax/content-reader'
import * as Name from '../syntax/names'

const [PARENT_TREE, PROPERTIES] = ['ParentTree', 'Properties'].map(name => PDFName.of(name)) as [PDFName, PDFName]

/** Maximum nesting of form XObjects. Browsers nest a few. */
const MAX_DEPTH = 28

/** The marked-content identifiers of a page's own content, and of the forms that it draws. */
interface PageMarks {
  own: Set<number>
  /** Undefined for a form that is drawn more than once. */
  forms: Map<PDFRef, Set<number> | undefined>
}

/**
 * Connects marked content in form XObjects with its structure elements (ISO 32000-2, 14.7.5.4). Chromium 147 draws a
 * transparent element as a form, but its structure refers to the content as if it were the page's. Changes only marks
 * that neither the page's own content nor another form has.
 */
export function tagForms(document: PdfDocument): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const root = document.peekDict(rootRef)
  if (!root || !(rootRef instanceof PDFRef)) return
  const entries = readNumberTree(document, root.get(PARENT_TREE))
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
  document.edit(rootRef).set(PARENT_TREE, tree)
  document.edit(rootRef).set(Name.ParentTreeNextKey, PDFNumber.of(nextKey))
}

/** The forms of a page with marks that only they have, and these marks. */
function listForms(document: PdfDocument, page: Page): [PDFRef, number[]][] {
  const parts = contentsOf(document, page).map(stream => decodeContent(document, stream))
  if (parts.includes(undefined)) return []
  const bytes = Buffer.concat((parts as Uint8Array[]).flatMap(part => [part, Buffer.from('\n')])) // none is undefined
  const marks: PageMarks = { own: new Set(), forms: new Map() }
  collectMarks(document, { bytes, resources: document.peekDict(page.attribute(Name.Resources)), ids: marks.own }, marks)
  const counts = new Map<number, number>()
  for (const ids of [marks.own, ...marks.forms.values()])
    for (const id of ids ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...marks.forms].map(([ref, ids]) => [ref, [...(ids ?? [])].filter(id => counts.get(id) === 1)])
}

function collectMarks(
  document: PdfDocument,
  { bytes, resources, ids }: { bytes: Uint8Array; resources: PDFDict | undefined; ids: Set<number> },
  marks: PageMarks,
  depth = 0,
): void {
  const reader = new ContentReader(bytes)
  while (reader.next()) {
    if (reader.operator === 'BDC') {
      const id = readId(document, reader, resources)
      if (id !== undefined) ids.add(id)
    }
    if (reader.operator !== 'Do' || reader.name === undefined || depth >= MAX_DEPTH) continue
    const ref = document.peekDict(resources?.get(Name.XObject))?.get(PDFName.of(reader.name))
    const form = document.peek(ref)
    if (!(ref instanceof PDFRef) || !(form instanceof PDFRawStream)) continue
    if (document.peek(form.dict.get(Name.Subtype)) !== Name.Form || form.dict.has(Name.StructParents)) continue
    if (marks.forms.has(ref)) {
      marks.forms.set(ref, undefined)
      continue
    }
    const inner = new Set<number>()
    marks.forms.set(ref, inner)
    const content = decodeContent(document, form)
    const own = document.peekDict(form.dict.get(Name.Resources)) ?? resources
    if (content) collectMarks(document, { bytes: content, resources: own, ids: inner }, marks, depth + 1)
  }
}

/** The marked-content identifier of a BDC operator. Undefined if it has none. */
function readId(document: PdfDocument, reader: ContentReader, resources: PDFDict | undefined): number | undefined {
  const { operands, bytes } = reader
  const last = operands.count - 1
  const text = Buffer.from(bytes.subarray(operands.starts[last], operands.ends[last])).toString('latin1')
  if (!text.startsWith('/')) {
    const digits = /\/MCID\s*(\d+)/.exec(text)?.[1]
    return digits === undefined ? undefined : Number(digits)
  }
  const lists = document.peekDict(resources?.get(PROPERTIES))
  return document.peekNumber(document.peekDict(lists?.get(PDFName.of(text.slice(1))))?.get(Name.MCID))
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

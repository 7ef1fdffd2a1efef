import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFArray, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { kidsOf } from '../../pdf/document'
import { isStandardType } from '../../pdf/tags'
import * as Name from '../../pdf/names'

const name = (text: string): PDFName => PDFName.of(text)

/** Standard types in place of types that browsers write. Other types become NonStruct. */
const STANDARD_TYPES: Readonly<Record<string, string>> = {
  Aside: 'Sect',
  DocumentFragment: 'Part',
  Em: 'Span',
  FENote: 'Note',
  Strong: 'Span',
  Sub: 'Span',
  Title: 'P',
}

/** Maximum number of elements. Longer trees stay as they are, and validation decides. */
const MOST_ELEMENTS = 1_000_000

interface Element {
  ref: PDFRef
  dict: PDFDict
}

/**
 * Completes the structure tree that a browser wrote, so that it can conform to PDF/UA (ISO 14289-1). Maps types that
 * aren't standard (7.1), puts the content of list items in LBody (7.2), and closes gaps between heading levels (7.4.2).
 */
export function completeTags(document: PdfDocument): void {
  const rootRef = document.catalog.get(Name.StructTreeRoot)
  const root = document.peekDict(rootRef)
  if (!root || !(rootRef instanceof PDFRef)) return
  const elements = listElements(document, root)
  mapTypes(document, rootRef, elements)
  moveMarks(document, wrapItems(document, elements))
  renumberHeadings(document, elements)
}

/** The elements in the order of the document. */
function listElements(document: PdfDocument, root: PDFDict): Element[] {
  const elements: Element[] = []
  const seen = new Set<PDFObject>()
  const stack = kidsOf(document, root).toReversed()
  for (let ref = stack.pop(); ref && elements.length < MOST_ELEMENTS; ref = stack.pop()) {
    const dict = document.peek(ref)
    if (!(ref instanceof PDFRef) || !(dict instanceof PDFDict) || !dict.has(Name.S) || seen.has(ref)) continue
    seen.add(ref)
    elements.push({ ref, dict })
    const kids = kidsOf(document, dict)
    for (let index = kids.length - 1; index >= 0; index--) stack.push(kids[index] as PDFObject) // within bounds
  }
  return elements
}

function mapTypes(document: PdfDocument, rootRef: PDFRef, elements: readonly Element[]): void {
  const known = document.peekDict(document.peekDict(rootRef)?.get(Name.RoleMap))
  const added = new Map<PDFName, PDFName>()
  for (const { dict } of elements) {
    const type = document.peek(dict.get(Name.S))
    if (!(type instanceof PDFName) || isStandardType(type) || known?.has(type)) continue
    added.set(type, name(STANDARD_TYPES[type.decodeText()] ?? 'NonStruct'))
  }
  if (added.size === 0) return
  const roles = PDFDict.fromMapWithContext(new Map([...(known?.entries() ?? []), ...added]), document.context)
  document.edit(rootRef).set(Name.RoleMap, roles)
}

/** Gives list items a body, because they may have a label and a body and nothing else. Returns the bodies by item. */
function wrapItems(document: PdfDocument, elements: readonly Element[]): Map<PDFObject, PDFRef> {
  const bodies = new Map<PDFObject, PDFRef>()
  for (const { ref, dict } of elements) {
    if (dict.get(Name.S) !== Name.LI) continue
    const kids = kidsOf(document, dict)
    const parts = kids.filter(kid => isItemPart(document, kid))
    const content = kids.filter(kid => !parts.includes(kid))
    if (content.length === 0) continue
    const page = dict.get(Name.Pg)
    const body = document.register(
      document.context.obj({ Type: 'StructElem', S: 'LBody', P: ref, K: content, ...(page && { Pg: page }) }),
    )
    for (const kid of content)
      if (kid instanceof PDFRef && document.peekDict(kid)?.has(Name.S)) document.edit(kid).set(Name.P, body)
    document.edit(ref).set(Name.K, document.context.obj([...parts, body]))
    bodies.set(ref, body)
  }
  return bodies
}

function isItemPart(document: PdfDocument, kid: PDFObject): boolean {
  const type = document.peekDict(kid)?.get(Name.S)
  return type === Name.Lbl || type === Name.LBody
}

/** Points the parent tree to the elements to which marked content moved (ISO 32000-2, 14.7.5.4). */
function moveMarks(document: PdfDocument, moved: ReadonlyMap<PDFObject, PDFRef>): void {
  if (moved.size === 0) return
  const root = document.peekDict(document.catalog.get(Name.StructTreeRoot))
  const stack = [root?.get(Name.ParentTree)]
  const seen = new Set<PDFObject>()
  for (let value = stack.pop(); value; value = stack.pop()) {
    const node = value instanceof PDFRef ? document.edit(value) : document.peekDict(value)
    if (!node || seen.has(node)) continue
    seen.add(node)
    for (const kid of document.peekItems(node.get(Name.Kids))) stack.push(kid)
    const entries = document.peekArray(node.get(Name.Nums))
    for (let index = 1; index < (entries?.size() ?? 0); index += 2) {
      const entry = entries?.get(index)
      const list = document.peekArray(entry)
      if (list && entry instanceof PDFRef) document.store.get(entry)
      if (list) replaceItems(list, moved)
    }
    if (entries) replaceItems(entries, moved)
  }
}

function replaceItems(list: PDFArray, moved: ReadonlyMap<PDFObject, PDFRef>): void {
  for (let index = 0; index < list.size(); index++) {
    const target = moved.get(list.get(index))
    if (target) list.set(index, target)
  }
}

/** Gives headings the level of their depth, so that none is skipped: H1, H3, H3 becomes H1, H2, H2. */
function renumberHeadings(document: PdfDocument, elements: readonly Element[]): void {
  const open: number[] = []
  for (const { ref, dict } of elements) {
    const type = document.peek(dict.get(Name.S))
    const level = type instanceof PDFName ? /^H([1-6])$/.exec(type.decodeText())?.[1] : undefined
    if (level === undefined) continue
    while ((open.at(-1) ?? 0) >= Number(level)) open.pop()
    open.push(Number(level))
    if (open.length !== Number(level)) document.edit(ref).set(Name.S, name(`H${open.length}`))
  }
}

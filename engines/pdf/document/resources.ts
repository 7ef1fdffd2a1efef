import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { decodeUpToLimit } from './decode-content'
import type { PdfDocument } from './document'
import { readName } from '../syntax/content-operands'
import { PAGES_IN_FILE } from './page-tree'
import type { Page } from './page-tree'
import { isRegular } from '../syntax/syntax'
import * as Name from '../syntax/names'
import { FactKind } from './facts'
import { addTo } from '../../map-entries'
import { copyDict } from './object-copies'

/** Categories of named resources (ISO 32000-2, table 34). /ProcSet and unknown keys don't change. */
const CATEGORIES = ['ExtGState', 'ColorSpace', 'Pattern', 'Shading', 'XObject', 'Font', 'Properties'].map(name =>
  PDFName.of(name),
)

/**
 * Removes resources that the remaining pages don't use from shared resource dictionaries, so that no content of a
 * removed page stays in the file. Dictionaries that no removed page shares don't change. Neither do dictionaries of
 * pages whose content can't be decoded.
 */
export function pruneResources(document: PdfDocument, remaining: Page[], removed: Page[]): void {
  const isExposed = findExposed(document, remaining, removed)
  const groups = new Map<PDFObject, Page[]>()
  for (const page of remaining) {
    const value = page.attribute(Name.Resources)
    if (!value || ![...identities(document, value)].some(isExposed)) continue
    addTo(groups, value, page)
  }
  for (const [value, pages] of groups) {
    const resources = document.peekDict(value)
    const used = resources && namesUsed(document, pages, resources)
    if (!resources || !used) continue
    const pruned = prune(document, resources, used)
    if (!pruned) continue
    const ref = document.register(pruned)
    for (const page of pages) document.edit(page.ref).set(Name.Resources, ref)
  }
}

/** Returns a function that tells whether a removed page uses a resource dictionary or a part of one. */
function findExposed(document: PdfDocument, remaining: Page[], removed: Page[]): (identity: PDFObject) => boolean {
  const total = document.fileFacts.get(RESOURCE_USES)
  if (total && remaining.length + removed.length === (document.facts.get(PAGES_IN_FILE)?.pages.length ?? 0)) {
    const remainingUses = countUses(document, remaining)
    return identity => (total.get(identity) ?? 0) > (remainingUses.get(identity) ?? 0)
  }
  const exposed = countUses(document, removed)
  return identity => exposed.has(identity)
}

/** How many pages of the file use each resource dictionary, or each indirect part of one. */
export const RESOURCE_USES = new FactKind<ReadonlyMap<PDFObject, number>>('resource uses')

/** How many pages of the document use each resource dictionary, or each indirect part of one. */
export function countResourceUses(document: PdfDocument): ReadonlyMap<PDFObject, number> {
  return countUses(document, document.pages)
}

function countUses(document: PdfDocument, pages: Page[]): Map<PDFObject, number> {
  const uses = new Map<PDFObject, number>()
  for (const page of pages)
    for (const identity of findResourceIdentities(document, page)) uses.set(identity, (uses.get(identity) ?? 0) + 1)
  return uses
}

/** The resource dictionary and indirect parts that the page had in its file. Other pages may share them. */
export function findResourceIdentities(document: PdfDocument, page: Page): PDFObject[] {
  return (page.facts.resourceIdentities ??= [...identities(document, page.attribute(Name.Resources))])
}

/** The objects that pages can share: the resource dictionary itself, and its parts that are indirect. */
function* identities(document: PdfDocument, value: PDFObject | undefined): Generator<PDFObject> {
  const dict = document.peekDict(value)
  if (!value || !dict) return
  yield value
  for (const category of CATEGORIES) {
    const part = dict.get(category)
    if (part instanceof PDFRef) yield part
  }
}

/**
 * Copies a resource dictionary with only the resources that these contents name. Also keeps resources that are named in
 * form XObjects without /Resources. Undefined if all resources are used, or if a form can't be decoded.
 */
export function keepNamedResources(
  document: PdfDocument,
  resources: PDFDict,
  contents: Uint8Array[],
): PDFDict | undefined {
  const used = new Set<string>()
  for (const content of contents) addNames(content, used)
  const allNames = addNamesOfForms(document, resources, used)
  return allNames && prune(document, resources, allNames)
}

/**
 * All names in the pages' content and in form XObjects that use the pages' resources. Undefined if any can't be
 * decoded.
 */
function namesUsed(document: PdfDocument, pages: Page[], resources: PDFDict): Set<string> | undefined {
  const used = new Set<string>()
  for (const page of pages) {
    const contents = document.peek(page.dict.get(Name.Contents))
    const streams = contents instanceof PDFArray ? contents.asArray().map(item => document.peek(item)) : [contents]
    for (const stream of streams) if (stream !== undefined && !collectNames(document, stream, used)) return undefined
  }
  return addNamesOfForms(document, resources, used)
}

/** Adds the names in used form XObjects that have no /Resources. Undefined if a form can't be decoded. */
function addNamesOfForms(document: PdfDocument, resources: PDFDict, used: Set<string>): Set<string> | undefined {
  for (const font of document.peekDict(resources.get(Name.Font))?.values() ?? []) {
    const dict = document.peekDict(font)
    if (dict && document.peek(dict.get(Name.Subtype)) === Name.Type3 && !dict.has(Name.Resources)) return undefined
  }
  const forms = document.peekDict(resources.get(Name.XObject))
  const visited = new Set<string>()
  for (let grows = true; grows;) {
    grows = false
    for (const [key, value] of forms?.entries() ?? []) {
      const name = key.decodeText()
      if (!used.has(name) || visited.has(name)) continue
      visited.add(name)
      const form = document.peek(value)
      if (
        !(form instanceof PDFRawStream) ||
        document.peek(form.dict.get(Name.Subtype)) !== Name.Form ||
        form.dict.has(Name.Resources)
      )
        continue
      if (!collectNames(document, form, used)) return undefined
      grows = true
    }
  }
  return used
}

/** Adds every name in a content stream. Returns false if the stream can't be decoded. */
function collectNames(document: PdfDocument, stream: PDFObject, used: Set<string>): boolean {
  if (!(stream instanceof PDFRawStream)) return true
  const data = decodeUpToLimit(document, stream)
  if (data) addNames(data, used)
  return data !== undefined
}

/**
 * Adds every name in content, even in strings. An extra name only keeps a resource, but a missing one would lose it.
 */
function addNames(data: Uint8Array, used: Set<string>): void {
  for (let at = data.indexOf(0x2f); at >= 0; at = data.indexOf(0x2f, at)) {
    const start = at++
    while (at < data.length && isRegular(data[at])) at++
    if (at - start <= 256) used.add(readName(data, start, at))
  }
}

/** Copies the dictionary with the named resources only. Undefined if all resources are used. */
function prune(document: PdfDocument, resources: PDFDict, used: ReadonlySet<string>): PDFDict | undefined {
  const pruned = copyDict(document, resources)
  let isSmaller = false
  for (const category of CATEGORIES) {
    const part = document.peekDict(resources.get(category))
    if (!part) continue
    const entries = part
      .entries()
      .filter(([key]) => used.has(key.decodeText()) || key.decodeText().startsWith('Default'))
    if (entries.length === part.keys().length) continue
    isSmaller = true
    if (entries.length) pruned.set(category, PDFDict.fromMapWithContext(new Map(entries), document.context))
    else pruned.delete(category)
  }
  return isSmaller ? pruned : undefined
}

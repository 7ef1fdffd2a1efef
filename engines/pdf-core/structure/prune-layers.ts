import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { findReachable } from '../document/reachable'
import * as Name from '../syntax/names'

/** Plain lists of layers of a configuration (ISO 32000-2, table 99). */
const LISTS = ['ON', 'OFF', 'Locked'].map(name => PDFName.of(name))

/** Arrays of layers inside of one another that are looked at. */
const MAX_DEPTH = 64

/**
 * Removes the layers (optional content groups, ISO 32000-2, 8.11) that neither a page nor the form uses, with their
 * names: those of pages that were removed. What a configuration says of the others stays.
 */
export function pruneLayers(document: PdfDocument): void {
  const properties = document.peekDict(document.catalog.get(Name.OCProperties))
  const listed =
    document
      .peekArray(properties?.get(Name.OCGs))
      ?.asArray()
      .filter(group => group instanceof PDFRef) ?? []
  if (!properties || listed.length === 0) return
  const used = findUsed(document, new Set(listed.map(({ objectNumber }) => objectNumber)))
  const unused = listed.filter(({ objectNumber }) => !used.has(objectNumber))
  if (unused.length === 0) return
  const gone = new Set<PDFObject>(unused)
  const kept = listed.filter(group => !gone.has(group))
  if (kept.length === 0) document.editCatalog().delete(Name.OCProperties)
  else {
    const pruned = PDFDict.fromMapWithContext(new Map(properties.entries()), document.context)
    pruned.set(Name.OCGs, document.context.obj(kept))
    const prune = (value: PDFObject): PDFObject => pruneConfiguration(document, value, gone)
    const usual = properties.get(Name.D)
    if (usual) pruned.set(Name.D, prune(usual))
    const others = document.peekArray(properties.get(Name.Configs))
    if (others) pruned.set(Name.Configs, document.context.obj(others.asArray().map(prune)))
    document.editCatalog().set(Name.OCProperties, pruned)
  }
  dropReferences(document, unused)
}

/** The numbers of those layers that pages and the form lead to. */
function findUsed(document: PdfDocument, groups: ReadonlySet<number>): Set<number> {
  const roots = document.pages.map(({ ref }) => ref.objectNumber)
  const form = document.catalog.get(Name.AcroForm)
  const direct = document.peek(form)
  if (form instanceof PDFRef) roots.push(form.objectNumber)
  else if (direct instanceof PDFDict) for (const ref of referencesIn(direct)) roots.push(ref.objectNumber)
  // What a page leads to beyond itself is not its own: the catalog through a signature, other pages through their
  // parent.
  const reached = findReachable(document, roots, new Set([document.rootRef.objectNumber]))
  return new Set([...groups].filter(number => reached.slotOf(number) >= 0))
}

function referencesIn(object: PDFDict): PDFRef[] {
  const found: PDFRef[] = []
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFRef) found.push(value)
    else if (value instanceof PDFDict) stack.push(...value.values())
    else if (value instanceof PDFArray) stack.push(...value.asArray())
  }
  return found
}

function pruneConfiguration(document: PdfDocument, value: PDFObject, gone: ReadonlySet<PDFObject>): PDFObject {
  const configuration = document.peekDict(value)
  if (!configuration) return value
  const pruned = PDFDict.fromMapWithContext(new Map(configuration.entries()), document.context)
  const items = (key: PDFName): PDFObject[] | undefined => document.peekArray(configuration.get(key))?.asArray()
  const set = (key: PDFName, list: PDFObject[] | undefined): void => {
    if (list) pruned.set(key, document.context.obj(list))
  }
  const isKept = (item: PDFObject): boolean => !gone.has(item)
  for (const key of LISTS) set(key, items(key)?.filter(isKept))
  set(Name.Order, pruneOrder(document, items(Name.Order), { gone, depth: 0 }))
  set(
    Name.RBGroups,
    items(Name.RBGroups)?.flatMap(group => withoutGone(document, group, gone) ?? []),
  )
  set(
    Name.AS,
    items(Name.AS)?.flatMap(usage => {
      const dict = document.peekDict(usage)
      const groups = withoutGone(document, dict?.get(Name.OCGs), gone)
      if (!dict || !groups) return []
      const copy = PDFDict.fromMapWithContext(new Map(dict.entries()), document.context)
      copy.set(Name.OCGs, groups)
      return [copy]
    }),
  )
  return pruned
}

/** An array of layers with those that stay; undefined where none is left. */
function withoutGone(
  document: PdfDocument,
  value: PDFObject | undefined,
  gone: ReadonlySet<PDFObject>,
): PDFArray | undefined {
  const left =
    document
      .peekArray(value)
      ?.asArray()
      .filter(group => !gone.has(group)) ?? []
  return left.length > 0 ? document.context.obj(left) : undefined
}

/**
 * A tree of layers as viewers list it: an array behind a layer holds those below it, and an array that begins with a
 * text has that as its heading. Headings without layers go; what was below a layer that goes moves up.
 */
function pruneOrder(
  document: PdfDocument,
  items: PDFObject[] | undefined,
  { gone, depth }: { gone: ReadonlySet<PDFObject>; depth: number },
): PDFObject[] | undefined {
  if (!items || depth > MAX_DEPTH) return items && []
  const left: PDFObject[] = []
  let isParentGone = false
  for (const [index, item] of items.entries()) {
    const inner = document.peekArray(item)
    if (!inner) {
      isParentGone = gone.has(item)
      // Any other text but the heading is passed over by viewers.
      if (!isParentGone && (item instanceof PDFRef || index === 0)) left.push(item)
      continue
    }
    const below = pruneOrder(document, inner.asArray(), { gone, depth: depth + 1 }) ?? []
    if (!below.some(one => one instanceof PDFRef || one instanceof PDFArray)) continue
    if (isParentGone) left.push(...below)
    else left.push(document.context.obj(below))
    isParentGone = false
  }
  return left
}

/** Severs the layers, and takes them out of arrays that still name them, such as states that an action sets. */
function dropReferences(document: PdfDocument, unused: readonly PDFRef[]): void {
  const numbers = new Set(unused.map(({ objectNumber }) => objectNumber))
  document.store.sever(numbers)
  const isGone = (value: PDFObject): boolean => value instanceof PDFRef && numbers.has(value.objectNumber)
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    if (!reached.mentionsSevered(slot)) continue
    const object = document.peek(reached.refOf(slot))
    const stack: PDFObject[] = object ? [object] : []
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (value instanceof PDFDict) stack.push(...value.values())
      if (!(value instanceof PDFArray)) continue
      stack.push(...value.asArray())
      if (!value.asArray().some(isGone)) continue
      document.store.get(reached.refOf(slot))
      for (let index = value.size() - 1; index >= 0; index--) if (isGone(value.get(index))) value.remove(index)
    }
  }
}

import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { findReachable } from '../document/reachable'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

/** Flat lists of layers in a configuration (ISO 32000-2, table 99). */
const LISTS = ['ON', 'OFF', 'Locked'].map(name => PDFName.of(name))

/** Maximum nesting of arrays of layers. */
const MAX_DEPTH = 64

/**
 * Removes layers (optional content groups, ISO 32000-2, 8.11) that no page and no form field uses, because they and
 * their names belong to removed pages. The configuration of all other layers stays.
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
  const removed = new Set<PDFObject>(unused)
  const remaining = listed.filter(group => !removed.has(group))
  if (remaining.length === 0) document.editCatalog().delete(Name.OCProperties)
  else {
    const pruned = copyDict(document, properties)
    pruned.set(Name.OCGs, document.context.obj(remaining))
    const prune = (value: PDFObject): PDFObject => pruneConfiguration(document, value, removed)
    const defaultConfiguration = properties.get(Name.D)
    if (defaultConfiguration) pruned.set(Name.D, prune(defaultConfiguration))
    const alternates = document.peekArray(properties.get(Name.Configs))
    if (alternates) pruned.set(Name.Configs, document.context.obj(alternates.asArray().map(prune)))
    document.editCatalog().set(Name.OCProperties, pruned)
  }
  dropReferences(document, unused)
}

/** The object numbers of the layers that pages and the form refer to. */
function findUsed(document: PdfDocument, groups: ReadonlySet<number>): Set<number> {
  const roots = document.pages.map(({ ref }) => ref.objectNumber)
  const form = document.catalog.get(Name.AcroForm)
  const direct = document.peek(form)
  if (form instanceof PDFRef) roots.push(form.objectNumber)
  else if (direct instanceof PDFDict) for (const ref of referencesIn(direct)) roots.push(ref.objectNumber)
  // Don't follow references from a page to the catalog (through a signature) or to other pages (through /Parent).
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

function pruneConfiguration(document: PdfDocument, value: PDFObject, removed: ReadonlySet<PDFObject>): PDFObject {
  const configuration = document.peekDict(value)
  if (!configuration) return value
  const pruned = copyDict(document, configuration)
  const items = (key: PDFName): PDFObject[] | undefined => document.peekArray(configuration.get(key))?.asArray()
  const set = (key: PDFName, list: PDFObject[] | undefined): void => {
    if (list) pruned.set(key, document.context.obj(list))
  }
  const isKept = (item: PDFObject): boolean => !removed.has(item)
  for (const key of LISTS) set(key, items(key)?.filter(isKept))
  set(Name.Order, pruneOrder(document, items(Name.Order), { removed, depth: 0 }))
  set(
    Name.RBGroups,
    items(Name.RBGroups)?.flatMap(group => withoutRemoved(document, group, removed) ?? []),
  )
  set(
    Name.AS,
    items(Name.AS)?.flatMap(usage => {
      const dict = document.peekDict(usage)
      const groups = withoutRemoved(document, dict?.get(Name.OCGs), removed)
      if (!dict || !groups) return []
      const copy = copyDict(document, dict)
      copy.set(Name.OCGs, groups)
      return [copy]
    }),
  )
  return pruned
}

/** The remaining layers of an array. Undefined if none is left. */
function withoutRemoved(
  document: PdfDocument,
  value: PDFObject | undefined,
  removed: ReadonlySet<PDFObject>,
): PDFArray | undefined {
  const remaining =
    document
      .peekArray(value)
      ?.asArray()
      .filter(group => !removed.has(group)) ?? []
  return remaining.length > 0 ? document.context.obj(remaining) : undefined
}

/**
 * Prunes a tree of layers for the viewer's list. An array after a layer has the layers below it. An array that begins
 * with a text string has that string as its heading. Headings without layers are removed. Layers below a removed layer
 * move up. Undefined if the configuration has no such tree. Empty if no layer remains in it, or if it nests too deep.
 */
function pruneOrder(
  document: PdfDocument,
  items: PDFObject[] | undefined,
  { removed, depth }: { removed: ReadonlySet<PDFObject>; depth: number },
): PDFObject[] | undefined {
  if (!items || depth > MAX_DEPTH) return items && []
  const pruned: PDFObject[] = []
  let isParentRemoved = false
  for (const [index, item] of items.entries()) {
    const inner = document.peekArray(item)
    if (!inner) {
      isParentRemoved = removed.has(item)
      // Viewers ignore text strings that aren't headings.
      if (!isParentRemoved && (item instanceof PDFRef || index === 0)) pruned.push(item)
      continue
    }
    const below = pruneOrder(document, inner.asArray(), { removed, depth: depth + 1 }) ?? []
    if (!below.some(one => one instanceof PDFRef || one instanceof PDFArray)) continue
    if (isParentRemoved) pruned.push(...below)
    else pruned.push(document.context.obj(below))
    isParentRemoved = false
  }
  return pruned
}

/** Severs the layers. Also removes them from arrays that still contain them, such as the /State of an action. */
function dropReferences(document: PdfDocument, unused: readonly PDFRef[]): void {
  const numbers = new Set(unused.map(({ objectNumber }) => objectNumber))
  document.store.sever(numbers)
  const isUnused = (value: PDFObject): boolean => value instanceof PDFRef && numbers.has(value.objectNumber)
  const reached = findReachable(document, [document.rootRef.objectNumber])
  for (const slot of reached.inOrder()) {
    if (!reached.mentionsSevered(slot)) continue
    const object = document.peek(reached.refOf(slot))
    const stack: PDFObject[] = object ? [object] : []
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (value instanceof PDFDict) stack.push(...value.values())
      if (!(value instanceof PDFArray)) continue
      stack.push(...value.asArray())
      if (!value.asArray().some(isUnused)) continue
      document.store.get(reached.refOf(slot))
      for (let index = value.size() - 1; index >= 0; index--) if (isUnused(value.get(index))) value.remove(index)
    }
  }
}

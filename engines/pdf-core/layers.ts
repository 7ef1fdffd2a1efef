import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'

const OC_PROPERTIES = PDFName.of('OCProperties')
const OCGS = PDFName.of('OCGs')
const D = PDFName.of('D')
const ON = PDFName.of('ON')
const OFF = PDFName.of('OFF')
const BASE_STATE = PDFName.of('BaseState')
const ORDER = PDFName.of('Order')

/** Lists of a configuration that simply follow one another (ISO 32000-2, table 99). */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'].map(name => PDFName.of(name))

/** Adds the layers (optional content, ISO 32000-2, 8.11) of another catalog in this document's store; hidden ones stay hidden. */
export function joinLayers(document: PdfDocument, other: PDFDict): void {
  const added = document.peekDict(other.get(OC_PROPERTIES))
  if (!added) return
  const ours = document.editDict(document.rootRef, OC_PROPERTIES)
  if (!ours) {
    document.editCatalog().set(OC_PROPERTIES, other.get(OC_PROPERTIES) as PDFObject)
    return
  }
  const groups = (properties: PDFDict): PDFObject[] => document.peekArray(properties.get(OCGS))?.asArray() ?? []
  const [ownGroups, addedGroups] = [groups(ours), groups(added)]
  const own = document.peekDict(ours.get(D)) ?? PDFDict.withContext(document.context)
  const theirs = document.peekDict(added.get(D)) ?? PDFDict.withContext(document.context)
  const list = (dict: PDFDict, key: PDFName): PDFObject[] => document.peekArray(dict.get(key))?.asArray() ?? []
  const hidden = new Set([...hiddenGroups(document, own, ownGroups), ...hiddenGroups(document, theirs, addedGroups)])
  const all = [...ownGroups, ...addedGroups]
  const joined = PDFDict.fromMapWithContext(new Map(own.entries()), document.context)
  joined.set(BASE_STATE, ON)
  joined.delete(ON)
  joined.set(OFF, document.context.obj(all.filter(group => hidden.has(group))))
  for (const key of LISTS) {
    const items = [...list(own, key), ...list(theirs, key)]
    if (items.length) joined.set(key, document.context.obj(items))
  }
  if (!joined.has(ORDER)) joined.set(ORDER, document.context.obj(all))
  ours.set(OCGS, document.context.obj(all))
  ours.set(D, joined)
}

/** Those of the groups that a configuration (ISO 32000-2, table 99) hides. */
export function hiddenGroups(document: PdfDocument, configuration: PDFDict, groups: PDFObject[]): PDFObject[] {
  const state = (key: PDFName): Set<PDFObject> => new Set(document.peekArray(configuration.get(key))?.asArray() ?? [])
  if (document.peek(configuration.get(BASE_STATE)) !== OFF) {
    const off = state(OFF)
    return groups.filter(group => off.has(group))
  }
  const on = state(ON)
  return groups.filter(group => !on.has(group))
}

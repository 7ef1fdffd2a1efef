import { PDFDict, PDFName, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readText, writeText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** Lists of a configuration that simply follow one another (ISO 32000-2, table 99). */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'].map(name => PDFName.of(name))

/**
 * Adds the layers (optional content, ISO 32000-2, 8.11) of another catalog in this document's store. Hidden ones stay
 * hidden. A layer whose name is taken becomes `name (2)`.
 */
export function joinLayers(document: PdfDocument, other: PDFDict): void {
  const added = document.peekDict(other.get(Name.OCProperties))
  if (!added) return
  const ours = document.editDict(document.rootRef, Name.OCProperties)
  if (!ours) {
    document.editCatalog().set(Name.OCProperties, other.get(Name.OCProperties) as PDFObject)
    return
  }
  const groups = (properties: PDFDict): PDFObject[] => document.peekArray(properties.get(Name.OCGs))?.asArray() ?? []
  const [ownGroups, addedGroups] = [groups(ours), groups(added)]
  renameLayers(document, ownGroups, addedGroups)
  const own = document.peekDict(ours.get(Name.D)) ?? PDFDict.withContext(document.context)
  const theirs = document.peekDict(added.get(Name.D)) ?? PDFDict.withContext(document.context)
  const list = (dict: PDFDict, key: PDFName): PDFObject[] => document.peekArray(dict.get(key))?.asArray() ?? []
  const hidden = new Set([...hiddenGroups(document, own, ownGroups), ...hiddenGroups(document, theirs, addedGroups)])
  const all = [...ownGroups, ...addedGroups]
  const joined = PDFDict.fromMapWithContext(new Map(own.entries()), document.context)
  joined.set(Name.BaseState, Name.ON)
  joined.delete(Name.ON)
  joined.set(Name.OFF, document.context.obj(all.filter(group => hidden.has(group))))
  for (const key of LISTS) {
    const items = [...list(own, key), ...list(theirs, key)]
    if (items.length) joined.set(key, document.context.obj(items))
  }
  if (!joined.has(Name.Order)) joined.set(Name.Order, document.context.obj(all))
  ours.set(Name.OCGs, document.context.obj(all))
  ours.set(Name.D, joined)
}

/**
 * Gives added groups whose name one of ours has a name of their own: users can't tell such layers apart, and some
 * readers take groups with equal entries for one. All else refers to groups by reference and stays as it is.
 */
function renameLayers(document: PdfDocument, ownGroups: PDFObject[], addedGroups: PDFObject[]): void {
  const nameOf = (group: PDFObject): string => readText(document.peek(document.peekDict(group)?.get(Name.Name))) ?? ''
  const own = new Set(ownGroups.map(nameOf))
  const taken = new Set([...own, ...addedGroups.map(nameOf)])
  const counts = new Map<string, number>()
  for (const group of new Set(addedGroups)) {
    const name = nameOf(group)
    if (!(group instanceof PDFRef) || !document.peekDict(group) || !own.has(name)) continue
    let count = counts.get(name) ?? 2
    while (taken.has(`${name} (${count})`)) count++
    counts.set(name, count + 1)
    document.edit(group).set(Name.Name, writeText(`${name} (${count})`))
    taken.add(`${name} (${count})`)
  }
}

/** Where a layer can be seen. */
export type LayerView = 'print' | 'screen'

const layersOf = new WeakMap<PdfDocument, Map<LayerView, PDFRef>>()

/**
 * A layer for what is seen only in print or only on screen, one of each for a document. It is not listed for users to
 * switch; readers switch it by its usage (ISO 32000-2, 8.11.4.4), and those that do not know that leave it as on
 * screen.
 */
export function addViewLayer(document: PdfDocument, view: LayerView): PDFRef {
  const layers = layersOf.get(document) ?? new Map<LayerView, PDFRef>()
  layersOf.set(document, layers)
  const known = layers.get(view)
  if (known) return known
  const { context } = document
  document.addedFeatures.add('optional-content')
  const state = (is: LayerView) => (is === view ? 'ON' : 'OFF')
  const group = document.register(
    context.obj({
      Type: 'OCG',
      Name: PDFString.of(view === 'print' ? 'Watermark in print' : 'Watermark on screen'),
      Usage: {
        Print: { Subtype: 'Watermark', PrintState: state('print') },
        View: { ViewState: state('screen') },
        Export: { ExportState: state('print') },
      },
    }),
  )
  layers.set(view, group)
  const events = ['View', 'Print', 'Export'].map(event =>
    context.obj({ Event: event, OCGs: [group], Category: [event] }),
  )
  const properties = PDFDict.fromMapWithContext(
    new Map(document.peekDict(document.catalog.get(Name.OCProperties))?.entries() ?? []),
    context,
  )
  const usual = PDFDict.fromMapWithContext(new Map(document.peekDict(properties.get(Name.D))?.entries() ?? []), context)
  const extend = (dict: PDFDict, key: PDFName, items: PDFObject[]) =>
    dict.set(key, context.obj([...(document.peekArray(dict.get(key))?.asArray() ?? []), ...items]))
  extend(properties, Name.OCGs, [group])
  extend(usual, view === 'print' ? Name.OFF : Name.ON, [group])
  extend(usual, Name.AS, events)
  properties.set(Name.D, usual)
  document.editCatalog().set(Name.OCProperties, properties)
  return group
}

/** Those of the groups that a configuration (ISO 32000-2, table 99) hides. */
export function hiddenGroups(document: PdfDocument, configuration: PDFDict, groups: PDFObject[]): PDFObject[] {
  const state = (key: PDFName): Set<PDFObject> => new Set(document.peekArray(configuration.get(key))?.asArray() ?? [])
  if (document.peek(configuration.get(Name.BaseState)) !== Name.OFF) {
    const off = state(Name.OFF)
    return groups.filter(group => off.has(group))
  }
  const on = state(Name.ON)
  return groups.filter(group => !on.has(group))
}

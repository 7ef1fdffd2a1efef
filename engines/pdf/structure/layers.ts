import { PDFDict, PDFName, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readText, writeText } from '../syntax/text-string'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'
import { copyDict } from '../document/object-copies'

/** Lists of a configuration that can be concatenated (ISO 32000-2, table 99). */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'].map(name => PDFName.of(name))

/**
 * Adds the layers (optional content, ISO 32000-2, 8.11) of another catalog in this document's store. Hidden layers stay
 * hidden. If a layer's name is in use, it becomes `name (2)`.
 */
export function joinLayers(document: PdfDocument, other: PDFDict): void {
  const added = document.peekDict(other.get(Name.OCProperties))
  if (!added) return
  const properties = document.editDict(document.rootRef, Name.OCProperties)
  if (!properties) {
    document.editCatalog().set(Name.OCProperties, other.get(Name.OCProperties) as PDFObject)
    return
  }
  const groups = (dict: PDFDict): PDFObject[] => document.peekItems(dict.get(Name.OCGs))
  const [ownGroups, addedGroups] = [groups(properties), groups(added)]
  renameLayers(document, ownGroups, addedGroups)
  const ownDefault = document.peekDict(properties.get(Name.D)) ?? PDFDict.withContext(document.context)
  const addedDefault = document.peekDict(added.get(Name.D)) ?? PDFDict.withContext(document.context)
  const list = (dict: PDFDict, key: PDFName): PDFObject[] => document.peekItems(dict.get(key))
  const hidden = new Set([
    ...hiddenGroups(document, ownDefault, ownGroups),
    ...hiddenGroups(document, addedDefault, addedGroups),
  ])
  const allGroups = [...ownGroups, ...addedGroups]
  const joined = copyDict(document, ownDefault)
  joined.set(Name.BaseState, Name.ON)
  joined.delete(Name.ON)
  joined.set(Name.OFF, document.context.obj(allGroups.filter(group => hidden.has(group))))
  for (const key of LISTS) {
    const items = [...list(ownDefault, key), ...list(addedDefault, key)]
    if (items.length) joined.set(key, document.context.obj(items))
  }
  if (!joined.has(Name.Order)) joined.set(Name.Order, document.context.obj(allGroups))
  properties.set(Name.OCGs, document.context.obj(allGroups))
  properties.set(Name.D, joined)
}

/**
 * Renames added groups that have the same name as an existing group. Users can't tell such layers apart, and some
 * readers treat groups with equal entries as one. Other objects refer to groups by reference and don't change.
 */
function renameLayers(document: PdfDocument, ownGroups: PDFObject[], addedGroups: PDFObject[]): void {
  const nameOf = (group: PDFObject): string => readText(document.peek(document.peekDict(group)?.get(Name.Name))) ?? ''
  const existingNames = new Set(ownGroups.map(nameOf))
  const usedNames = new Set([...existingNames, ...addedGroups.map(nameOf)])
  const counts = new Map<string, number>()
  for (const group of new Set(addedGroups)) {
    const name = nameOf(group)
    if (!(group instanceof PDFRef) || !document.peekDict(group) || !existingNames.has(name)) continue
    let count = counts.get(name) ?? 2
    while (usedNames.has(`${name} (${count})`)) count++
    counts.set(name, count + 1)
    document.edit(group).set(Name.Name, writeText(`${name} (${count})`))
    usedNames.add(`${name} (${count})`)
  }
}

/** Whether a layer is visible in print or on screen. */
export type LayerView = 'print' | 'screen'

const layersOf = new WeakMap<PdfDocument, Map<LayerView, PDFRef>>()

/**
 * Adds a layer that is visible only in print or only on screen, once for each view. Users don't see the layer in the
 * list. Readers switch it by its usage (ISO 32000-2, 8.11.4.4). Readers that don't support usage show it as on screen.
 */
export function addViewLayer(document: PdfDocument, view: LayerView): PDFRef {
  const layers = findOrAdd(layersOf, document, () => new Map())
  const cached = layers.get(view)
  if (cached) return cached
  const { context } = document
  document.saving.addedFeatures.add('optional-content')
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
  const configuration = PDFDict.fromMapWithContext(
    new Map(document.peekDict(properties.get(Name.D))?.entries() ?? []),
    context,
  )
  const extend = (dict: PDFDict, key: PDFName, items: PDFObject[]) =>
    dict.set(key, context.obj([...document.peekItems(dict.get(key)), ...items]))
  extend(properties, Name.OCGs, [group])
  extend(configuration, view === 'print' ? Name.OFF : Name.ON, [group])
  extend(configuration, Name.AS, events)
  properties.set(Name.D, configuration)
  document.editCatalog().set(Name.OCProperties, properties)
  return group
}

/** The groups that a configuration hides (ISO 32000-2, table 99). */
export function hiddenGroups(document: PdfDocument, configuration: PDFDict, groups: PDFObject[]): PDFObject[] {
  const state = (key: PDFName): Set<PDFObject> => new Set(document.peekItems(configuration.get(key)))
  if (document.peek(configuration.get(Name.BaseState)) !== Name.OFF) {
    const off = state(Name.OFF)
    return groups.filter(group => off.has(group))
  }
  const on = state(Name.ON)
  return groups.filter(group => !on.has(group))
}

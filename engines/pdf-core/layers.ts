import { PDFDict, PDFName, PDFString } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from './document'

const OC_PROPERTIES = PDFName.of('OCProperties')
const OCGS = PDFName.of('OCGs')
const D = PDFName.of('D')
const ON = PDFName.of('ON')
const OFF = PDFName.of('OFF')
const BASE_STATE = PDFName.of('BaseState')
const ORDER = PDFName.of('Order')
const AS = PDFName.of('AS')

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

/** Where a layer can be seen. */
export type LayerView = 'print' | 'screen'

const layersOf = new WeakMap<PdfDocument, Map<LayerView, PDFRef>>()

/**
 * A layer for what is seen only in print or only on screen, one of each for a document. It is not listed for users to
 * switch; readers switch it by its usage (ISO 32000-2, 8.11.4.4), and those that do not know that leave it as on screen.
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
      Usage: { Print: { Subtype: 'Watermark', PrintState: state('print') }, View: { ViewState: state('screen') }, Export: { ExportState: state('print') } },
    }),
  )
  layers.set(view, group)
  const events = ['View', 'Print', 'Export'].map(event => context.obj({ Event: event, OCGs: [group], Category: [event] }))
  const properties = PDFDict.fromMapWithContext(new Map(document.peekDict(document.catalog.get(OC_PROPERTIES))?.entries() ?? []), context)
  const usual = PDFDict.fromMapWithContext(new Map(document.peekDict(properties.get(D))?.entries() ?? []), context)
  const extend = (dict: PDFDict, key: PDFName, items: PDFObject[]) => dict.set(key, context.obj([...(document.peekArray(dict.get(key))?.asArray() ?? []), ...items]))
  extend(properties, OCGS, [group])
  extend(usual, view === 'print' ? OFF : ON, [group])
  extend(usual, AS, events)
  properties.set(D, usual)
  document.editCatalog().set(OC_PROPERTIES, properties)
  return group
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

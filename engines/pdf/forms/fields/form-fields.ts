import { PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { detachFieldEntries, fieldOf, inheritedValue, separateWidget } from './field-tree'
import { dropXfa } from './xfa'
import * as Name from '../../syntax/names'

/** Returns whether the AcroForm of a catalog has fields. */
export function hasFields(document: PdfDocument, catalog: PDFDict): boolean {
  return (document.peekArray(document.peekDict(catalog.get(Name.AcroForm))?.get(Name.Fields))?.size() ?? 0) > 0
}

/** Removes severed widgets from the field tree, and fields that have no widget left, together with their values. */
export function pruneFields(document: PdfDocument): void {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const fields = document.peekArray(form?.get(Name.Fields))
  if (!form || !fields) return
  const order: { ref: PDFRef; kids: PDFRef[] }[] = []
  const visited = new Set<number>()
  const stack: PDFObject[] = fields.asArray().slice()
  while (stack.length) {
    const ref = stack.pop()
    if (!(ref instanceof PDFRef) || visited.has(ref.objectNumber)) continue
    visited.add(ref.objectNumber)
    const kids =
      document
        .peekArray(document.peekDict(ref)?.get(Name.Kids))
        ?.asArray()
        .filter(kid => kid instanceof PDFRef) ?? []
    order.push({ ref, kids })
    for (const kid of kids) stack.push(kid)
  }
  // Go backwards, so that all descendants of a field come before the field.
  for (const { ref, kids } of order.reverse()) {
    const alive = kids.filter(kid => !document.store.isSevered(kid.objectNumber))
    if (alive.length === kids.length) continue
    if (alive.length === 0) document.store.delete(ref)
    else document.edit(ref).set(Name.Kids, document.context.obj(alive))
  }
  const isAlive = (value: PDFObject): boolean =>
    !(value instanceof PDFRef && document.store.isSevered(value.objectNumber))
  const remainingFields = fields.asArray().filter(isAlive)
  if (remainingFields.length === 0 && fields.size() > 0) {
    dropXfa(document)
    document.editCatalog().delete(Name.AcroForm)
    return
  }
  // A descendant of a remaining field may have been removed too, so filter each list.
  for (const key of [Name.Fields, Name.CO]) {
    const list = document.peekArray(form.get(key))?.asArray()
    if (!list || list.every(isAlive)) continue
    document.editDict(document.rootRef, Name.AcroForm)?.set(key, document.context.obj(list.filter(isAlive)))
  }
}

/**
 * Adds `copy`, a clone of the widget `original`, as another widget of the same field. A field that is merged with its
 * only widget becomes a separate field with two widgets. Returns false if the field can't have another widget
 * (signatures, widgets without a field). The caller must then leave out the copy.
 */
export function addWidgetCopy(document: PdfDocument, original: PDFRef, copy: PDFRef): boolean {
  const widget = document.peekDict(original)
  if (!widget || isSignatureField(document, original)) return false
  const isMerged = widget.has(Name.T)
  const parent = widget.get(Name.Parent)
  if (!isMerged) {
    if (!(parent instanceof PDFRef)) return false
    return addKid(document, parent, copy)
  }
  const clone = document.edit(copy)
  detachFieldEntries(document, clone)
  const fieldRef = separateWidget(document, original)
  document.edit(fieldRef).set(Name.Kids, document.context.obj([original, copy]))
  clone.set(Name.Parent, fieldRef)
  replaceCalculated(document, original, fieldRef)
  return replaceField(document, parent, original, fieldRef)
}

/** Returns whether the widget belongs to a signature field. */
export function isSignatureField(document: PdfDocument, widget: PDFRef): boolean {
  return inheritedValue(document, widget, Name.FT) === Name.Sig
}

function addKid(document: PdfDocument, parent: PDFRef, kid: PDFRef): boolean {
  const kids = document.peekArray(document.peekDict(parent)?.get(Name.Kids))
  if (!kids) return false
  document.edit(parent).set(Name.Kids, document.context.obj([...kids.asArray(), kid]))
  return true
}

function replaceField(document: PdfDocument, parent: PDFObject | undefined, from: PDFRef, to: PDFRef): boolean {
  const key = parent instanceof PDFRef ? Name.Kids : Name.Fields
  const owner = parent instanceof PDFRef ? document.edit(parent) : document.editDict(document.rootRef, Name.AcroForm)
  const list = document.peekArray(owner?.get(key))
  if (!owner || !list) return false
  owner.set(key, document.context.obj(list.asArray().map(item => (item === from ? to : item))))
  return true
}

/**
 * Replaces a widget that is no longer a field in the calculation order, which lists fields (ISO 32000-2, table 224).
 */
function replaceCalculated(document: PdfDocument, from: PDFRef, to: PDFRef): void {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const order = document.peekArray(form?.get(Name.CO))?.asArray()
  if (!order?.includes(from)) return
  const replaced = new Set(order.map(field => fieldOf(document, field === from ? to : field)))
  document.editDict(document.rootRef, Name.AcroForm)?.set(Name.CO, document.context.obj([...replaced]))
}

import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'

/** Levels above a field that are looked at. */
const MAX_DEPTH = 64

/** Keys of a field, as opposed to its widget, where both are one dictionary (ISO 32000-2, table 226 and following). */
const FIELD_KEYS = [
  'FT',
  'Parent',
  'T',
  'TU',
  'TM',
  'Ff',
  'V',
  'DV',
  'DA',
  'Q',
  'DS',
  'RV',
  'Opt',
  'MaxLen',
  'TI',
  'I',
  'Lock',
  'SV',
].map(name => PDFName.of(name))

/** Actions of a field in /AA; all others are those of its widget (ISO 32000-2, tables 197 and 199). */
const FIELD_ACTIONS = ['K', 'F', 'V', 'C'].map(name => PDFName.of(name))

/** The value of a key of the field, or of the nearest field above it that has one; not behind a reference. */
export function inheritedValue(
  document: PdfDocument,
  field: PDFObject | undefined,
  key: PDFName,
): PDFObject | undefined {
  let dict = document.peekDict(field)
  for (let depth = 0; dict && depth < MAX_DEPTH; depth++) {
    const value = document.peek(dict.get(key))
    if (value !== undefined) return value
    dict = document.peekDict(dict.get(Name.Parent))
  }
  return undefined
}

/** The field that a widget shows, or the field itself; what leads to no field stays as it is. */
export function fieldOf(document: PdfDocument, widget: PDFObject): PDFObject {
  const dict = document.peekDict(widget)
  const parent = dict?.get(Name.Parent)
  return dict && !dict.has(Name.T) && parent instanceof PDFRef && document.peekDict(parent)?.has(Name.T)
    ? parent
    : widget
}

/** The fields below a field; its widgets are no fields. */
export function namedKids(document: PdfDocument, field: PDFRef): PDFRef[] {
  const kids = document.peekArray(document.peekDict(field)?.get(Name.Kids))?.asArray() ?? []
  return kids.filter(kid => kid instanceof PDFRef).filter(kid => document.peekDict(kid)?.has(Name.T))
}

/** What shows a field of which no other is below: its kids, or the field itself where both are one. */
export function widgetsOf(document: PdfDocument, field: PDFRef): PDFRef[] {
  const kids = document.peekArray(document.peekDict(field)?.get(Name.Kids))
  return kids ? kids.asArray().filter(kid => kid instanceof PDFRef) : [field]
}

/**
 * Takes out of a dictionary that is a field and its widget what belongs to the field, and gives that. The dictionary
 * must be one that may be changed.
 */
export function detachFieldEntries(document: PdfDocument, widget: PDFDict): Map<PDFName, PDFObject> {
  const entries = new Map<PDFName, PDFObject>()
  for (const key of FIELD_KEYS) {
    const value = widget.get(key)
    if (value !== undefined) entries.set(key, value)
    widget.delete(key)
  }
  const actions = document.peekDict(widget.get(Name.AA))
  if (!actions) return entries
  // Others may share the dictionary: it stays as it is.
  const part = (isWanted: (key: PDFName) => boolean): PDFDict =>
    PDFDict.fromMapWithContext(new Map(actions.entries().filter(([key]) => isWanted(key))), document.context)
  const ofField = part(key => FIELD_ACTIONS.includes(key))
  if (ofField.keys().length === 0) return entries
  entries.set(Name.AA, ofField)
  const ofWidget = part(key => !FIELD_ACTIONS.includes(key))
  if (ofWidget.keys().length) widget.set(Name.AA, ofWidget)
  else widget.delete(Name.AA)
  return entries
}

/**
 * Makes a field that is one dictionary with its only widget a field of its own above it, and gives that; it stands in
 * no list yet. The widget stays where its page expects it.
 */
export function separateWidget(document: PdfDocument, widget: PDFRef): PDFRef {
  const edited = document.edit(widget)
  const field = PDFDict.fromMapWithContext(detachFieldEntries(document, edited), document.context)
  const ref = document.register(field)
  field.set(Name.Kids, document.context.obj([widget]))
  edited.set(Name.Parent, ref)
  return ref
}

import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import * as Name from '../../syntax/names'

/** Maximum number of ancestors of a field to check. */
const MAX_DEPTH = 64

/** Keys that belong to the field if one dictionary is both field and widget (ISO 32000-2, table 226 and following). */
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

/** Actions in /AA that belong to the field. All others belong to its widget (ISO 32000-2, tables 197 and 199). */
const FIELD_ACTIONS = ['K', 'F', 'V', 'C'].map(name => PDFName.of(name))

/** The value of a key of the field or of its nearest ancestor with the key. References are resolved. */
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

/** The field that a widget belongs to, or the field itself. A widget without a field is returned as it is. */
export function fieldOf(document: PdfDocument, widget: PDFObject): PDFObject {
  const dict = document.peekDict(widget)
  const parent = dict?.get(Name.Parent)
  return dict && !dict.has(Name.T) && parent instanceof PDFRef && document.peekDict(parent)?.has(Name.T)
    ? parent
    : widget
}

/** The child fields of a field. Its widgets aren't fields. */
export function namedKids(document: PdfDocument, field: PDFRef): PDFRef[] {
  const kids = document.peekItems(document.peekDict(field)?.get(Name.Kids))
  return kids.filter(kid => kid instanceof PDFRef).filter(kid => document.peekDict(kid)?.has(Name.T))
}

/** The widgets of a terminal field: its kids, or the field itself if it is merged with its widget. */
export function widgetsOf(document: PdfDocument, field: PDFRef): PDFRef[] {
  const kids = document.peekArray(document.peekDict(field)?.get(Name.Kids))
  return kids ? kids.asArray().filter(kid => kid instanceof PDFRef) : [field]
}

/**
 * Removes the field's entries from a dictionary that is both field and widget, and returns them. The caller must be
 * allowed to change the dictionary.
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
  // Other fields may share the dictionary, so it doesn't change.
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
 * Splits a dictionary that is both field and widget. Creates a separate field above the widget and returns it. The
 * caller must add the field to /Fields or /Kids. The widget keeps its object number, because its page refers to it.
 */
export function separateWidget(document: PdfDocument, widget: PDFRef): PDFRef {
  const edited = document.edit(widget)
  const field = PDFDict.fromMapWithContext(detachFieldEntries(document, edited), document.context)
  const ref = document.register(field)
  field.set(Name.Kids, document.context.obj([widget]))
  edited.set(Name.Parent, ref)
  return ref
}

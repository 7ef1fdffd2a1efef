import { PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'

const KIDS = PDFName.of('Kids')
const PARENT = PDFName.of('Parent')
const T = PDFName.of('T')

/** Levels above a field that are looked at. */
const MAX_DEPTH = 64

/** Keys of a field, as opposed to its widget, where both are one dictionary (ISO 32000-2, table 226 and following). */
export const FIELD_KEYS = ['FT', 'Parent', 'T', 'TU', 'TM', 'Ff', 'V', 'DV', 'DA', 'Q', 'DS', 'RV', 'Opt', 'MaxLen', 'TI', 'I', 'Lock', 'SV'].map(name => PDFName.of(name))

/** The value of a key of the field, or of the nearest field above it that has one; not behind a reference. */
export function inheritedValue(document: PdfDocument, field: PDFObject | undefined, key: PDFName): PDFObject | undefined {
  let dict = document.peekDict(field)
  for (let depth = 0; dict && depth < MAX_DEPTH; depth++) {
    const value = document.peek(dict.get(key))
    if (value !== undefined) return value
    dict = document.peekDict(dict.get(PARENT))
  }
  return undefined
}

/** The fields below a field; its widgets are no fields. */
export function namedKids(document: PdfDocument, field: PDFRef): PDFRef[] {
  const kids = document.peekArray(document.peekDict(field)?.get(KIDS))?.asArray() ?? []
  return kids.filter(kid => kid instanceof PDFRef).filter(kid => document.peekDict(kid)?.has(T))
}

/** What shows a field of which no other is below: its kids, or the field itself where both are one. */
export function widgetsOf(document: PdfDocument, field: PDFRef): PDFRef[] {
  const kids = document.peekArray(document.peekDict(field)?.get(KIDS))
  return kids ? kids.asArray().filter(kid => kid instanceof PDFRef) : [field]
}

/**
 * Makes a field that is one dictionary with its only widget a field of its own above it, and gives that; it stands in no
 * list yet. The widget stays where its page expects it.
 */
export function separateWidget(document: PdfDocument, widget: PDFRef): PDFRef {
  const field = PDFDict.withContext(document.context)
  const ref = document.register(field)
  const edited = document.edit(widget)
  for (const key of FIELD_KEYS) {
    const value = edited.get(key)
    if (value !== undefined) field.set(key, value)
    edited.delete(key)
  }
  field.set(KIDS, document.context.obj([widget]))
  edited.set(PARENT, ref)
  return ref
}

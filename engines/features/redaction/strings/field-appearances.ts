import { PDFArray, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { drawFields, dropXfa, readFormFields } from '../../../pdf/forms'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'

/** Entries with the value and the options of a field. */
const VALUES = [Name.V, Name.Opt]

/** Maximum number of arrays in each other: a list of options and the pairs in it. */
const MAX_ARRAYS = 2

/** Maximum number of parent fields to read. */
const MAX_DEPTH = 64

/**
 * Draws fields again if the field, a parent field or a widget was changed. XFA is removed, because it may repeat the
 * old values.
 */
export async function redrawFields(document: PdfDocument, changed: ReadonlySet<PDFRef>): Promise<void> {
  const stale: PDFRef[] = []
  for (const { ref, kind, widgets } of readFormFields(document)) {
    if (!widgets.some(widget => changed.has(widget)) && !isChanged(document, ref, changed)) continue
    dropXfa(document)
    if (kind === 'text' || kind === 'dropdown' || kind === 'list') stale.push(ref)
    // The appearances of these fields are searched as text of their page, and buttons need their states.
    else if (kind === 'signature' || kind === 'checkbox' || kind === 'radio') continue
    // Other kinds of buttons show a caption. Viewers draw the changed caption if there is no appearance.
    else for (const widget of widgets) if (changed.has(widget)) document.edit(widget).delete(Name.AP)
  }
  await drawFields(document, stale)
}

/** Returns whether the field, a parent field or an object with its value or its options was changed. */
function isChanged(document: PdfDocument, start: PDFRef, changed: ReadonlySet<PDFRef>): boolean {
  let ref: PDFObject | undefined = start
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    const dict: PDFDict | undefined = document.peekDict(ref)
    if (changed.has(ref) || VALUES.some(key => refersTo(document, dict?.get(key), changed))) return true
    ref = dict?.get(Name.Parent)
  }
  return false
}

function refersTo(
  document: PdfDocument,
  value: PDFObject | undefined,
  changed: ReadonlySet<PDFRef>,
  depth = 0,
): boolean {
  if (value instanceof PDFRef && changed.has(value)) return true
  const list = document.peek(value)
  return (
    depth < MAX_ARRAYS &&
    list instanceof PDFArray &&
    list.asArray().some(item => refersTo(document, item, changed, depth + 1))
  )
}

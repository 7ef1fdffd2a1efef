import { PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { drawFields, dropXfa, readFormFields } from '../../../pdf/forms'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'

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

function isChanged(document: PdfDocument, start: PDFRef, changed: ReadonlySet<PDFRef>): boolean {
  let ref: PDFObject | undefined = start
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    if (changed.has(ref)) return true
    ref = document.peekDict(ref)?.get(Name.Parent)
  }
  return false
}

import { PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readFormFields } from '../../forms/form-field'
import { drawFields } from '../../forms/missing-appearances'
import type { PdfDocument } from '../../pdf-core/document/document'
import { dropXfa } from '../../pdf-core/fields/xfa'
import * as Name from '../../pdf-core/syntax/names'

/** Levels of fields above one another that are looked at. */
const MAX_DEPTH = 64

/**
 * Draws fields anew of which something was changed, at the field, above it or at its widgets; XFA would still say the
 * old.
 */
export async function redrawFields(document: PdfDocument, changed: ReadonlySet<PDFRef>): Promise<void> {
  const stale: PDFRef[] = []
  for (const { ref, kind, widgets } of readFormFields(document)) {
    if (!widgets.some(widget => changed.has(widget)) && !isChanged(document, ref, changed)) continue
    dropXfa(document)
    if (kind === 'text' || kind === 'dropdown' || kind === 'list') stale.push(ref)
    // What these show is searched as text of their page, and buttons need the names of their states.
    else if (kind === 'signature' || kind === 'checkbox' || kind === 'radio') continue
    // What other kinds show is no value; a caption that was changed is drawn by nobody but viewers.
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

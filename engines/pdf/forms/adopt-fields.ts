import { PDFArray, PDFRef } from 'pdf-lib'
import { annotationsOf } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import { readTerminalFields } from './fields/terminal-fields'
import { findInherited } from './form-field'
import * as Name from '../syntax/names'

/** Maximum number of ancestors to follow. */
const MAX_DEPTH = 64

/**
 * Adds fields to the AcroForm that exist only as page annotations. Files have such fields if their form was lost or
 * damaged when pages were extracted. Viewers show them as fields anyway.
 */
export function adoptFields(document: PdfDocument): void {
  const knownRefs = new Set(readTerminalFields(document).flatMap(field => [field.ref, ...field.widgets]))
  const orphans = new Set<PDFRef>()
  for (const page of document.pages) {
    for (const annotation of annotationsOf(document, page)) {
      if (!(annotation instanceof PDFRef) || knownRefs.has(annotation)) continue
      if (
        document.peek(document.peekDict(annotation)?.get(Name.Subtype)) !== Name.Widget ||
        !findInherited(document, [annotation], Name.FT)
      )
        continue
      const top = topOf(document, annotation)
      if (top && !knownRefs.has(top)) orphans.add(top)
    }
  }
  if (orphans.size === 0) return
  const formFields = document.peek(document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.Fields))
  const fields = formFields instanceof PDFArray ? formFields.asArray() : []
  if (!document.peekDict(document.catalog.get(Name.AcroForm)))
    document.editCatalog().set(Name.AcroForm, document.register(document.context.obj({})))
  document
    .editDict(document.rootRef, Name.AcroForm)
    ?.set(Name.Fields, document.context.obj([...fields, ...[...orphans].filter(ref => !fields.includes(ref))]))
}

/** Returns the topmost ancestor of a widget. Undefined if no field in the chain has a name. */
function topOf(document: PdfDocument, widget: PDFRef): PDFRef | undefined {
  let top = widget
  let hasName = false
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const dict = document.peekDict(top)
    hasName ||= dict?.has(Name.T) ?? false
    const parent = dict?.get(Name.Parent)
    // In some files, /Parent refers to the page. Only a dictionary that lists the field in its /Kids is an ancestor.
    const kids = document.peekItems(document.peekDict(parent)?.get(Name.Kids))
    if (!(parent instanceof PDFRef) || !kids.includes(top)) return hasName ? top : undefined
    top = parent
  }
  return undefined // The chain of parents is circular.
}

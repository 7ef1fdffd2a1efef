import { PDFArray, PDFRef } from 'pdf-lib'
import { annotationsOf } from '../pdf-core/annotations/annotations'
import type { PdfDocument } from '../pdf-core/document/document'
import { readTerminalFields } from '../pdf-core/fields/terminal-fields'
import { findInherited } from './form-field'
import * as Name from '../pdf-core/syntax/names'

/** Levels of fields above one another that are looked at. */
const MAX_DEPTH = 64

/**
 * Takes fields into the form that stand on pages only, as in files whose form was lost or damaged when pages were taken
 * out of another one; viewers show them as fields all the same.
 */
export function adoptFields(document: PdfDocument): void {
  const known = new Set(readTerminalFields(document).flatMap(field => [field.ref, ...field.widgets]))
  const found = new Set<PDFRef>()
  for (const page of document.pages) {
    for (const annotation of annotationsOf(document, page)) {
      if (!(annotation instanceof PDFRef) || known.has(annotation)) continue
      if (
        document.peek(document.peekDict(annotation)?.get(Name.Subtype)) !== Name.Widget ||
        !findInherited(document, [annotation], Name.FT)
      )
        continue
      const top = topOf(document, annotation)
      if (top && !known.has(top)) found.add(top)
    }
  }
  if (found.size === 0) return
  const given = document.peek(document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.Fields))
  const fields = given instanceof PDFArray ? given.asArray() : []
  if (!document.peekDict(document.catalog.get(Name.AcroForm)))
    document.editCatalog().set(Name.AcroForm, document.register(document.context.obj({})))
  document
    .editDict(document.rootRef, Name.AcroForm)
    ?.set(Name.Fields, document.context.obj([...fields, ...[...found].filter(ref => !fields.includes(ref))]))
}

/** The field above all others; undefined where none of them has a name. */
function topOf(document: PdfDocument, widget: PDFRef): PDFRef | undefined {
  let top = widget
  let hasName = false
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const dict = document.peekDict(top)
    hasName ||= dict?.has(Name.T) ?? false
    const parent = dict?.get(Name.Parent)
    // Some files name the page there: only what lists the field among its kids is above it.
    const kids = document.peekArray(document.peekDict(parent)?.get(Name.Kids))?.asArray() ?? []
    if (!(parent instanceof PDFRef) || !kids.includes(top)) return hasName ? top : undefined
    top = parent
  }
  return undefined // fields in a circle
}

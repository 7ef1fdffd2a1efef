import { PDFArray, PDFName, PDFRef } from 'pdf-lib'
import { annotationsOf } from '../pdf-core/annotations/annotations'
import type { PdfDocument } from '../pdf-core/document/document'
import { readTerminalFields } from '../pdf-core/fields/terminal-fields'
import { findInherited } from './form-field'

const ACRO_FORM = PDFName.of('AcroForm')
const FIELDS = PDFName.of('Fields')
const SUBTYPE = PDFName.of('Subtype')
const WIDGET = PDFName.of('Widget')
const KIDS = PDFName.of('Kids')
const PARENT = PDFName.of('Parent')
const FT = PDFName.of('FT')
const T = PDFName.of('T')

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
      if (document.peek(document.peekDict(annotation)?.get(SUBTYPE)) !== WIDGET || !findInherited(document, [annotation], FT)) continue
      const top = topOf(document, annotation)
      if (top && !known.has(top)) found.add(top)
    }
  }
  if (found.size === 0) return
  const given = document.peek(document.peekDict(document.catalog.get(ACRO_FORM))?.get(FIELDS))
  const fields = given instanceof PDFArray ? given.asArray() : []
  if (!document.peekDict(document.catalog.get(ACRO_FORM))) document.editCatalog().set(ACRO_FORM, document.register(document.context.obj({})))
  document.editDict(document.rootRef, ACRO_FORM)?.set(FIELDS, document.context.obj([...fields, ...[...found].filter(ref => !fields.includes(ref))]))
}

/** The field above all others; undefined where none of them has a name. */
function topOf(document: PdfDocument, widget: PDFRef): PDFRef | undefined {
  let top = widget
  let hasName = false
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const dict = document.peekDict(top)
    hasName ||= dict?.has(T) ?? false
    const parent = dict?.get(PARENT)
    // Some files name the page there: only what lists the field among its kids is above it.
    const kids = document.peekArray(document.peekDict(parent)?.get(KIDS))?.asArray() ?? []
    if (!(parent instanceof PDFRef) || !kids.includes(top)) return hasName ? top : undefined
    top = parent
  }
  return undefined // fields in a circle
}

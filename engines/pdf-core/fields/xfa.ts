import { PDFArray, PDFBool, PDFName } from 'pdf-lib'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { asBuffer } from '../syntax/syntax'

const ACRO_FORM = PDFName.of('AcroForm')
const XFA = PDFName.of('XFA')
const NEEDS_RENDERING = PDFName.of('NeedsRendering')

/** What the configuration of a form says if viewers must render it anew (XFA 3.3, dynamicRender). */
const DYNAMIC = /<dynamicRender\s*>\s*required\s*<\/dynamicRender\s*>/

/** Whether the form is described a second time, in XFA. */
export function hasXfa(document: PdfDocument): boolean {
  return document.peekDict(document.catalog.get(ACRO_FORM))?.has(XFA) ?? false
}

/** The packets of the XFA form, decoded, in their order; those over the limit of a stream are left out. */
export function readXfaPackets(document: PdfDocument): Buffer[] {
  const value = document.peek(document.peekDict(document.catalog.get(ACRO_FORM))?.get(XFA))
  const parts = value instanceof PDFArray ? value.asArray() : [value]
  return parts.flatMap(part => {
    const bytes = decodeUpToLimit(document, part)
    return bytes ? [asBuffer(bytes)] : []
  })
}

/**
 * Whether the document has a dynamic XFA form, which Adobe Acrobat renders in place of the pages (ISO 32000-1, 12.7.8 and
 * table 28).
 */
export function hasDynamicXfa(document: PdfDocument): boolean {
  if (!hasXfa(document)) return false
  if (document.peek(document.catalog.get(NEEDS_RENDERING)) === PDFBool.True) return true
  return readXfaPackets(document).some(packet => packet.includes('dynamicRender') && DYNAMIC.test(packet.toString('latin1')))
}

/** Removes the XFA form, which would still hold what the pages no longer show; its AcroForm fields stay. */
export function dropXfa(document: PdfDocument): void {
  if (!hasXfa(document)) return
  document.editDict(document.rootRef, ACRO_FORM)?.delete(XFA)
  document.editCatalog().delete(NEEDS_RENDERING)
  document.warnings.add('xfa-dropped')
}

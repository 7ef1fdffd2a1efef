import { PDFArray, PDFBool } from 'pdf-lib'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { asBuffer } from '../syntax/syntax'
import * as Name from '../syntax/names'

/** What the configuration of a form says if viewers must render it anew (XFA 3.3, dynamicRender). */
const DYNAMIC = /<dynamicRender\s*>\s*required\s*<\/dynamicRender\s*>/

/** Whether the form is described a second time, in XFA. */
export function hasXfa(document: PdfDocument): boolean {
  return document.peekDict(document.catalog.get(Name.AcroForm))?.has(Name.XFA) ?? false
}

/** The packets of the XFA form, decoded, in their order; those over the limit of a stream are left out. */
export function readXfaPackets(document: PdfDocument): Buffer[] {
  const value = document.peek(document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.XFA))
  const parts = value instanceof PDFArray ? value.asArray() : [value]
  return parts.flatMap(part => {
    const bytes = decodeUpToLimit(document, part)
    return bytes ? [asBuffer(bytes)] : []
  })
}

/**
 * Whether the document has a dynamic XFA form, which Adobe Acrobat renders in place of the pages (ISO 32000-1, 12.7.8
 * and table 28).
 */
export function hasDynamicXfa(document: PdfDocument): boolean {
  if (!hasXfa(document)) return false
  if (document.peek(document.catalog.get(Name.NeedsRendering)) === PDFBool.True) return true
  return readXfaPackets(document).some(
    packet => packet.includes('dynamicRender') && DYNAMIC.test(packet.toString('latin1')),
  )
}

/** Removes the XFA form, which would still hold what the pages no longer show; its AcroForm fields stay. */
export function dropXfa(document: PdfDocument): void {
  if (!hasXfa(document)) return
  document.editDict(document.rootRef, Name.AcroForm)?.delete(Name.XFA)
  document.editCatalog().delete(Name.NeedsRendering)
  document.warnings.add('xfa-dropped')
}

import { PDFArray, PDFBool } from 'pdf-lib'
import { decodeUpToLimit } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { asBuffer } from '../../syntax/syntax'
import * as Name from '../../syntax/names'

/** The setting of an XFA form that requires viewers to render it dynamically (XFA 3.3, dynamicRender). */
const DYNAMIC = /<dynamicRender\s*>\s*required\s*<\/dynamicRender\s*>/

/** Returns whether the document has an XFA form. */
export function hasXfa(document: PdfDocument): boolean {
  return document.peekDict(document.catalog.get(Name.AcroForm))?.has(Name.XFA) ?? false
}

/** The decoded packets of the XFA form, in order. Leaves out packets that exceed the stream limit. */
export function readXfaPackets(document: PdfDocument): Buffer[] {
  const value = document.peek(document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.XFA))
  const parts = value instanceof PDFArray ? value.asArray() : [value]
  return parts.flatMap(part => {
    const bytes = decodeUpToLimit(document, part)
    return bytes ? [asBuffer(bytes)] : []
  })
}

/**
 * Returns whether the document has a dynamic XFA form, which Adobe Acrobat renders instead of the pages (ISO 32000-1,
 * 12.7.8 and table 28).
 */
export function hasDynamicXfa(document: PdfDocument): boolean {
  if (!hasXfa(document)) return false
  if (document.peek(document.catalog.get(Name.NeedsRendering)) === PDFBool.True) return true
  return readXfaPackets(document).some(
    packet => packet.includes('dynamicRender') && DYNAMIC.test(packet.toString('latin1')),
  )
}

/** Removes the XFA form, because it may still have data that the pages no longer show. Its AcroForm fields stay. */
export function dropXfa(document: PdfDocument): void {
  if (!hasXfa(document)) return
  document.editDict(document.rootRef, Name.AcroForm)?.delete(Name.XFA)
  document.editCatalog().delete(Name.NeedsRendering)
  document.warnings.add('xfa-dropped')
}

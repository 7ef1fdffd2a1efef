import { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { walkValues } from './all-objects'
import type { WritableObject } from './all-objects'

/**
 * Completes fonts. Sets the /Type that resources omit, and the /CIDToGIDMap that readers assume. Removes /CIDSet and
 * /CharSet, which are optional in PDF/A-2 and PDF/A-3 and often incomplete (ISO 19005-2, 6.2.11.4.2).
 */
export function fixFonts(document: PdfDocument, objects: readonly WritableObject[], part: 1 | 2 | 3): void {
  for (const { object } of objects)
    for (const value of walkValues(object)) {
      if (!(value instanceof PDFDict)) continue
      for (const font of fontsOf(document, value)) if (!font.has(Name.Type)) font.set(Name.Type, Name.Font)
      if (document.peekName(value.get(Name.Subtype)) === 'CIDFontType2' && isEmbedded(document, value))
        if (!value.has(Name.CIDToGIDMap)) value.set(Name.CIDToGIDMap, Name.Identity)
      if (part > 1 && value.has(Name.FontName)) for (const key of [Name.CIDSet, Name.CharSet]) value.delete(key)
    }
}

/** The fonts of a resource dictionary. */
function fontsOf(document: PdfDocument, resources: PDFDict): PDFDict[] {
  const fonts = document.peek(resources.get(Name.Font))
  if (!(fonts instanceof PDFDict)) return []
  return fonts.values().flatMap(value => {
    const font = document.peek(value)
    return font instanceof PDFDict && font.has(Name.Subtype) ? [font] : []
  })
}

function isEmbedded(document: PdfDocument, font: PDFDict): boolean {
  return document.peekDict(font.get(Name.FontDescriptor))?.has(Name.FontFile2) === true
}

import { PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readGlyphBounds } from './font'
import type { FontMetrics } from './font'
import { findStandardMetrics } from './standard-widths'
import * as Name from '../syntax/names'

/** How far slanted shapes extend beyond their advance, in ems. */
const OVERHANG = 0.08

/** Reads a Type 1 or TrueType font (ISO 32000-2, 9.6.2), which has one-byte codes. */
export function readSimpleFont(document: PdfDocument, dict: PDFDict): FontMetrics {
  const descriptor = document.peekDict(dict.get(Name.FontDescriptor))
  const isType1 = document.peekName(dict.get(Name.Subtype)) !== 'TrueType'
  const { bottom, top } = readGlyphBounds(document, descriptor, { isType1 })
  const { widths, isExact } = readWidths(document, dict)
  return {
    dict,
    isVertical: false,
    isExact,
    read(bytes, at, glyph) {
      const code = bytes[at] as number
      const width = widths[code] as number
      glyph.code = code
      glyph.length = 1
      glyph.advance = width
      glyph.left = -OVERHANG + Math.min(width, 0)
      glyph.right = OVERHANG + Math.max(width, 0)
      glyph.bottom = bottom
      glyph.top = top
    },
  }
}

/** The advance of each code's glyph in ems: from /Widths, or from the metrics of the standard font of the same name. */
function readWidths(document: PdfDocument, dict: PDFDict): { widths: Float64Array; isExact: boolean } {
  const widths = new Float64Array(256)
  const stated = document.peekArray(dict.get(Name.Widths))
  if (stated) {
    widths.fill(
      (document.peekNumber(document.peekDict(dict.get(Name.FontDescriptor))?.get(Name.MissingWidth)) ?? 0) / 1000,
    )
    const first = document.peekNumber(dict.get(Name.FirstChar)) ?? 0
    for (let index = 0; index < Math.min(stated.size(), 256); index++) {
      const code = first + index
      if (code >= 0 && code < 256) widths[code] = (document.peekNumber(stated.get(index)) ?? 0) / 1000
    }
    return { widths, isExact: true }
  }
  const metrics = findStandardMetrics(document.peekName(dict.get(Name.BaseFont)) ?? '')
  const fallback = metrics ?? findStandardMetrics('Helvetica')
  const { base, names } = readEncoding(document, dict)
  for (let code = 0; code < 256; code++) {
    const name = names.get(code) ?? fallback?.nameOf(code, base)
    widths[code] = (name === undefined ? undefined : fallback?.widthOf(name)) ?? 0
  }
  return { widths, isExact: metrics !== undefined }
}

/** The base encoding of a simple font, and the glyph names in /Differences (ISO 32000-2, 9.6.5). */
export function readEncoding(
  document: PdfDocument,
  font: PDFDict,
): { base: string | undefined; names: Map<number, string> } {
  const names = new Map<number, string>()
  const value = document.peek(font.get(Name.Encoding))
  if (!(value instanceof PDFDict)) return { base: document.peekName(value) || undefined, names }
  let code = 0
  for (const item of document.peekArray(value.get(Name.Differences))?.asArray().slice(0, 2000) ?? []) {
    const entry = document.peek(item)
    if (entry instanceof PDFNumber) code = entry.asNumber()
    else if (entry instanceof PDFName) names.set(code++, entry.decodeText())
  }
  return { base: document.peekName(value.get(Name.BaseEncoding)) || undefined, names }
}

import { PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { CffProgram } from './programs/cff/cff'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'
import type { OpenedProgram } from './font-program'

/** Returns the glyph of a CID. 0 if the program has none. Glyphs of TrueType programs may exceed their glyph count. */
export type GlyphOfCid = (cid: number) => number

/**
 * Reads the glyphs of a CIDFont with an embedded program (ISO 32000-2, 9.7.4.2). Undefined if /CIDToGIDMap can't be
 * decoded, and for Type 1 programs.
 */
export function readCidGlyphs(
  document: PdfDocument,
  descendant: PDFDict,
  opened: OpenedProgram,
): GlyphOfCid | undefined {
  if (opened.format === 'cff') return glyphsOfCff(opened.program)
  if (opened.format !== 'true-type') return undefined
  const map = readCidMap(document, descendant)
  return map === 'identity' ? cid => cid : map?.glyphOf
}

/** The glyphs of a TrueType program by CID. CIDs from `count` on have glyph 0. */
export interface CidMap {
  count: number
  glyphOf: GlyphOfCid
}

/** Reads /CIDToGIDMap. `identity` if it isn't a stream, and undefined if it can't be decoded. */
export function readCidMap(document: PdfDocument, descendant: PDFDict | undefined): CidMap | 'identity' | undefined {
  const value = document.peek(descendant?.get(Name.CIDToGIDMap))
  if (!(value instanceof PDFRawStream)) return 'identity'
  const map = decodeUpToLimit(document, value)
  return (
    map && {
      count: (map.length + 1) >> 1,
      glyphOf: cid => ((map[cid * 2] ?? 0) << 8) + (map[cid * 2 + 1] ?? 0),
    }
  )
}

/** Reads the glyphs of a CFF program. Without CIDs, the CID is the glyph index. */
export function glyphsOfCff(program: CffProgram): GlyphOfCid {
  return cid => (program.isCid ? (program.glyphOfCid(cid) ?? 0) : cid < program.glyphCount ? cid : 0)
}

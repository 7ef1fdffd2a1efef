import { deflateSync } from 'node:zlib'
import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import { emptyGlyph } from '../content/font'
import { Fonts } from '../content/fonts'
import { listShownStrings } from '../content/shown-strings'
import { decodeUpToLimit } from '../pdf-core/decode-content'
import type { PdfDocument } from '../pdf-core/document'
import { forgetInMap } from './code-map'
import { keyOfCode } from './removed-codes'
import type { RemovedCodes } from './removed-codes'

const TO_UNICODE = PDFName.of('ToUnicode')
const USE_CMAP = PDFName.of('UseCMap')

/** Maps that refer to others are followed so far. */
const MAX_CHAIN = 8

const ENCODED = ['Filter', 'DecodeParms', 'Length', 'DL', 'F', 'FFilter', 'FDecodeParms'].map(name => PDFName.of(name))

/**
 * Takes out of /ToUnicode of fonts what the codes of removed glyphs stood for, unless the document still shows them
 * somewhere: a code may stand for a whole word, and fonts of few letters list them in the order in which they were used.
 * Fonts that share a map count as one. Codes that were not found again when the limit of decoded bytes is reached go, too.
 */
export function forgetCodes(document: PdfDocument, removed: RemovedCodes): void {
  const byMap = new Map<PDFRef, Set<number>>()
  for (const [font, codes] of removed) {
    const map = mapOf(font)
    if (map) byMap.set(map, new Set([...(byMap.get(map) ?? []), ...codes]))
  }
  if (byMap.size === 0) return
  keepShown(document, byMap)
  for (const [map, codes] of byMap) if (codes.size > 0) forgetIn(document, map, codes)
}

function mapOf(font: PDFDict): PDFRef | undefined {
  const map = font.get(TO_UNICODE)
  return map instanceof PDFRef ? map : undefined
}

/** Leaves those codes over that nothing shows any more. */
function keepShown(document: PdfDocument, byMap: ReadonlyMap<PDFRef, Set<number>>): void {
  const fonts = new Fonts(document)
  const glyph = emptyGlyph()
  const known = new Set<PDFDict>()
  let openCount = [...byMap.values()].filter(codes => codes.size > 0).length
  const isWanted = (font: PDFDict): boolean => {
    const isOne = (byMap.get(mapOf(font) ?? PDFRef.of(0))?.size ?? 0) > 0
    if (isOne) known.add(font)
    return isOne
  }
  for (const { font, bytes } of listShownStrings(document, isWanted)) {
    for (const one of font ? [font] : known) {
      const codes = byMap.get(mapOf(one) ?? PDFRef.of(0))
      if (!codes || codes.size === 0) continue
      const reader = fonts.find(one)
      for (let at = 0; at < bytes.length; at += glyph.length) {
        reader.read(bytes, at, glyph)
        codes.delete(keyOfCode(glyph.code, glyph.length))
      }
      if (codes.size === 0 && --openCount === 0) return
    }
  }
}

function forgetIn(document: PdfDocument, first: PDFRef, codes: ReadonlySet<number>): void {
  let ref: PDFRef | undefined = first
  for (let depth = 0; depth < MAX_CHAIN && ref; depth++) {
    const stream = document.peek(ref)
    const bytes = stream instanceof PDFRawStream ? decodeUpToLimit(document, stream) : undefined
    if (!(stream instanceof PDFRawStream) || !bytes) return
    const left = forgetInMap(Buffer.from(bytes).toString('latin1'), codes)
    if (left !== undefined) {
      const entries = new Map(stream.dict.entries().filter(([key]) => !ENCODED.includes(key)))
      entries.set(PDFName.of('Filter'), PDFName.of('FlateDecode'))
      document.store.set(ref, PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), deflateSync(Buffer.from(left, 'latin1'))))
    }
    const next = stream.dict.get(USE_CMAP)
    ref = next instanceof PDFRef ? next : undefined
  }
}

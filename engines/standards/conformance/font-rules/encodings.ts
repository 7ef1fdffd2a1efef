import type { PDFDict } from 'pdf-lib'
import { NOTDEF, listEncoding, readEncoding } from '../../../pdf/fonts'
import type { PdfDocument } from '../../../pdf/document'

const NAMED_ENCODINGS = new Set(['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding'])

let macCodes: ReadonlyMap<string, number> | undefined

/** The glyph names of /Encoding. Undefined for codes that the font program's encoding applies to (ISO 32000-2, 9.6.5). */
export function readNames(document: PdfDocument, font: PDFDict): (code: number) => string | undefined {
  const { base, names } = readEncoding(document, font)
  const list = base !== undefined && NAMED_ENCODINGS.has(base) ? listEncoding(base) : undefined
  return code => names.get(code) ?? list?.[code]
}

/** The code of a glyph name in the (1,0) subtable of a TrueType font (ISO 32000-2, 9.6.5.4). */
export function macCodeOf(glyphName: string): number | undefined {
  macCodes ??= new Map([
    ...[...(listEncoding('MacintoshEncoding') ?? []).entries()]
      .map(([code, name]) => [name, code] as const)
      .toReversed(),
    ['Euro', 219],
    ['space', 32],
  ])
  return glyphName === NOTDEF ? undefined : macCodes.get(glyphName)
}

import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFRawStream } from 'pdf-lib'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { FontData, readUnlessDamaged } from '../fonts/programs/font-data'
import { hasTrueTypeVersion, readSfntTables, writeSfnt } from '../fonts/programs/true-type/sfnt'
import { blankCffTexts, blankType1Texts } from './blank-program-texts'
import { cleanEncoding, decodeGeneral } from './clean-encoding'

/** Tables of an OpenType file that a reader of PDF may need (ISO 32000-2, 9.9.1). Names and rules of shaping aren't. */
const NEEDED = new Set(
  'CFF |OS/2|VORG|cmap|cvt |fpgm|gasp|glyf|head|hhea|hmtx|loca|maxp|post|prep|vhea|vmtx'.split('|'),
)

/** The length of a program (ISO 32000-2, table 125). */
const LENGTH = PDFName.of('Length1')

/** The version of OpenType files with CFF outlines. */
const OTTO = 0x4f54544f

/**
 * Returns a font program without notices and without names of the font, and in an OpenType file without tables that no
 * reader of PDF needs. Glyphs don't change. Undefined if nothing changes.
 */
export function cleanProgram(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  const written = bytes && (readUnlessDamaged(() => withoutTables(bytes)) ?? withoutTexts(bytes))
  if (!written || Buffer.compare(written, bytes) === 0) return cleanEncoding(document, stream)
  const program = deflatedStream(document, stream.dict, written)
  if (written.length !== bytes.length && program.dict.has(LENGTH))
    program.dict.set(LENGTH, PDFNumber.of(written.length))
  return program
}

function withoutTexts(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  if (copy[0] === 1) blankCffTexts(copy)
  else blankType1Texts(copy)
  return copy
}

/** Undefined if the bytes aren't an OpenType file. */
function withoutTables(bytes: Uint8Array): Uint8Array | undefined {
  const version = new FontData(bytes).u32(0)
  if (version !== OTTO && !hasTrueTypeVersion(bytes)) return undefined
  const tables = new Map([...readSfntTables(bytes)].filter(([tag]) => NEEDED.has(tag)))
  const outlines = tables.get('CFF ')
  if (outlines) tables.set('CFF ', withoutTexts(outlines))
  return outlines || tables.has('head') ? writeSfnt(version, tables) : undefined
}

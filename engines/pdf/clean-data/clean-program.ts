import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFRawStream } from 'pdf-lib'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { FontData, readUnlessDamaged } from '../fonts/programs/font-data'
import { hasTrueTypeVersion, readSfntTables, writeSfnt } from '../fonts/programs/true-type/sfnt'
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
 * Returns a font program in an OpenType file without tables that no reader of PDF needs, and without bytes between
 * tables. Other programs stay. Undefined if nothing changes.
 */
export function cleanProgram(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  const written = bytes && readUnlessDamaged(() => withoutTables(bytes))
  if (!written) return cleanEncoding(document, stream)
  const program = deflatedStream(document, stream.dict, written)
  if (program.dict.has(LENGTH)) program.dict.set(LENGTH, PDFNumber.of(written.length))
  return program
}

/** Undefined if the bytes aren't an OpenType file, or if it has exactly the needed tables. */
function withoutTables(bytes: Uint8Array): Uint8Array | undefined {
  const version = new FontData(bytes).u32(0)
  if (version !== OTTO && !hasTrueTypeVersion(bytes)) return undefined
  const tables = [...readSfntTables(bytes)]
  const needed = tables.filter(([tag]) => NEEDED.has(tag))
  if (!needed.some(([tag]) => tag === 'head' || tag === 'CFF ')) return undefined
  const written = writeSfnt(version, new Map(needed))
  return needed.length === tables.length && written.length === bytes.length ? undefined : written
}

import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFRawStream } from 'pdf-lib'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { openCff } from '../fonts/programs/cff/cff'
import { subsetCff } from '../fonts/programs/cff/subset-cff'
import { FontData, readUnlessDamaged } from '../fonts/programs/font-data'
import { hasTrueTypeVersion, readSfntTables, writeSfnt } from '../fonts/programs/true-type/sfnt'
import { subsetType1 } from '../fonts/programs/type1/subset-type1'
import { openType1 } from '../fonts/programs/type1/type1'
import { blankCffTexts, blankType1Texts } from './blank-program-texts'
import { cleanEncoding, decodeGeneral } from './clean-encoding'
import { cleanTrueType } from './clean-true-type'

/** Tables of an OpenType file that a reader of PDF may need (ISO 32000-2, 9.9.1). Names and rules of shaping aren't. */
const NEEDED = new Set('CFF |VORG|cmap|cvt |fpgm|gasp|glyf|head|hhea|hmtx|loca|maxp|post|prep|vhea|vmtx'.split('|'))

/** The lengths of a program and of its parts (ISO 32000-2, table 125). */
const LENGTHS = ['Length1', 'Length2', 'Length3'].map(name => PDFName.of(name))

/** The version of OpenType files with CFF outlines. */
const OTTO = 0x4f54544f

/**
 * Returns a font program with all its glyphs and only what a reader of PDF reads: no notices, no names of the font, no
 * other tables, no bytes between and after its parts, and no subroutines that no glyph calls. Glyphs don't change.
 * Undefined if nothing changes.
 */
export function cleanProgram(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  const written = bytes && (readUnlessDamaged(() => cleanOpenType(bytes)) ?? cleanBare(bytes))
  if (!written || Buffer.compare(written.bytes, bytes) === 0) return cleanEncoding(document, stream)
  const program = deflatedStream(document, stream.dict, written.bytes)
  for (const [index, key] of LENGTHS.entries()) {
    const length = written.lengths?.[index] ?? (index === 0 ? written.bytes.length : 0)
    if (program.dict.has(key)) program.dict.set(key, PDFNumber.of(length))
  }
  return program
}

interface Written {
  bytes: Uint8Array
  /** The lengths of the three parts of a Type 1 program. */
  lengths?: readonly number[]
}

/** Undefined if the bytes aren't an OpenType file. */
function cleanOpenType(bytes: Uint8Array): Written | undefined {
  const version = new FontData(bytes).u32(0)
  if (version !== OTTO && !hasTrueTypeVersion(bytes)) return undefined
  const trueType = cleanTrueType(bytes)
  if (trueType) return { bytes: trueType }
  const tables = new Map([...readSfntTables(bytes)].filter(([tag]) => NEEDED.has(tag)))
  const outlines = tables.get('CFF ')
  if (outlines) tables.set('CFF ', cleanCff(bytes) ?? blankCff(outlines))
  return outlines || tables.has('head') ? { bytes: writeSfnt(version, tables) } : undefined
}

function cleanBare(bytes: Uint8Array): Written {
  return bytes[0] === 1 ? { bytes: cleanCff(bytes) ?? blankCff(bytes) } : cleanType1(bytes)
}

/** The CFF program of bytes, bare or in an OpenType file, written anew. */
function cleanCff(bytes: Uint8Array): Uint8Array | undefined {
  const program = openCff(bytes)
  const glyphs = Array.from({ length: program?.glyphCount ?? 0 }, (_, glyph) => glyph)
  const subset = program && subsetCff(program, { glyphs })
  // Readers find glyphs by their numbers too.
  const isSame = subset && glyphs.every(glyph => subset.numbers.get(glyph) === glyph)
  return isSame ? blankCff(subset.bytes) : undefined
}

function blankCff(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  blankCffTexts(copy)
  return copy
}

function cleanType1(bytes: Uint8Array): Written {
  const program = openType1(bytes)
  const subset = program && subsetType1(program, { names: program.names })
  const copy = Buffer.from(subset?.bytes ?? bytes)
  blankType1Texts(copy)
  return { bytes: copy, ...(subset && { lengths: [subset.length1, subset.length2, subset.length3] }) }
}

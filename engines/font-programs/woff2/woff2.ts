import { brotliDecompressSync } from 'node:zlib'
import { DamagedFontError, FontData, FontWriter } from '../font-data'
import { writeSfnt } from '../true-type/sfnt'
import { restoreGlyphs } from './restore-glyphs'

const SIGNATURE = 0x774f4632 // wOF2
const COLLECTION = 0x74746366 // ttcf
const HEADER_BYTES = 48

/** Tags that the directory refers to by their index in this list (WOFF 2.0, table 3). */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT ' +
  'VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar ' +
  'fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map(tag => tag.replace('_', ' '))
const OTHER_TAG = 63

/** The transformation of `glyf` and `loca` that changes nothing. For other tables, it is 0. */
const UNCHANGED = 3

interface Row {
  tag: string
  isTransformed: boolean
  /** Bytes of the table in the compressed stream. */
  length: number
}

/**
 * Returns the OpenType file in a WOFF2 file with one font (W3C WOFF File Format 2.0). The bytes belong to the caller.
 * Throws `DamagedFontError` if the file is incomplete, and an Error of zlib if its stream is damaged.
 */
export function decodeWoff2(file: Uint8Array): Uint8Array {
  const data = new FontData(file)
  if (data.u32(0) !== SIGNATURE || data.u32(4) === COLLECTION)
    throw new DamagedFontError('the file is not WOFF2 with one font')
  const { rows, end } = readDirectory(data, data.u16(12))
  const stream = new FontData(brotliDecompressSync(data.slice(end, end + data.u32(20))))
  const stored = new Map<string, Uint8Array>()
  let at = 0
  for (const { tag, length } of rows) {
    stored.set(tag, stream.slice(at, at + length))
    at += length
  }
  const isTransformed = (tag: string): boolean => rows.some(row => row.tag === tag && row.isTransformed)
  const tables = new Map(stored)
  const glyf = stored.get('glyf')
  if (glyf && isTransformed('glyf')) {
    const restored = restoreGlyphs(glyf)
    tables.set('glyf', restored.glyf).set('loca', restored.loca)
    if (isTransformed('hmtx')) tables.set('hmtx', restoreMetrics(stored, restored.leftSides))
  }
  return writeSfnt(data.u32(4), tables)
}

/** Reads the table directory (WOFF 2.0, 4.2). */
function readDirectory(data: FontData, count: number): { rows: Row[]; end: number } {
  const rows: Row[] = []
  let at = HEADER_BYTES
  const readLength = (): number => {
    let value = 0
    let byte: number
    do {
      byte = data.u8(at++)
      value = value * 128 + (byte & 0x7f)
    } while (byte & 0x80)
    return value
  }
  while (rows.length < count) {
    const flags = data.u8(at++)
    let tag = KNOWN_TAGS[flags & 0x3f] ?? ''
    if ((flags & 0x3f) === OTHER_TAG) {
      tag = Buffer.from(data.slice(at, at + 4)).toString('latin1')
      at += 4
    }
    const version = flags >> 6
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== UNCHANGED : version !== 0
    const originalLength = readLength()
    rows.push({ tag, isTransformed, length: isTransformed ? readLength() : originalLength })
  }
  return { rows, end: at }
}

/** Bits of a transformed `hmtx` table. A set bit means that left side bearings are taken from the outlines. */
const OMITS_LONG = 1
const OMITS_SHORT = 2

/** Restores the left side bearings that equal the left sides of the outlines (WOFF 2.0, 5.4). */
function restoreMetrics(stored: ReadonlyMap<string, Uint8Array>, leftSides: Int16Array): Uint8Array {
  const data = new FontData(stored.get('hmtx') ?? new Uint8Array())
  const longCount = new FontData(stored.get('hhea') ?? new Uint8Array()).u16(34)
  const flags = data.u8(0)
  const written = new FontWriter()
  let at = 1 + longCount * 2
  for (let glyph = 0; glyph < leftSides.length; glyph++) {
    if (glyph < longCount) written.u16(data.u16(1 + glyph * 2))
    const isOmitted = (flags & (glyph < longCount ? OMITS_LONG : OMITS_SHORT)) !== 0
    written.u16(isOmitted ? (leftSides[glyph] ?? 0) : data.i16(at))
    if (!isOmitted) at += 2
  }
  return written.finish()
}

import { FontWriter } from '../font-data'

/** A map from numbers to numbers: from codes to glyphs, or from old glyphs to new ones. */
export type Numbers = ReadonlyMap<number, number>

/** First code of symbolic fonts in the (3,0) subtable (ISO 32000-2, 9.6.5.4). */
const SYMBOL_BASE = 0xf000

const BYTE_MAP_BYTES = 262
const LAST_CODE = 0xffff

/** The mappings of a `cmap` table. */
export interface CmapContent {
  /** Glyphs by code from 0 to 255, for a (1,0) subtable and, from U+F000 on, a (3,0) subtable. */
  codes?: Numbers
  /** Glyphs by code from 0 to 255, for a (3,0) subtable only. */
  symbols?: Numbers
  /** Glyphs by code point up to U+FFFF, for a (3,1) subtable. */
  unicodes?: Numbers
}

/** Writes a `cmap` table. Leaves out codes of glyph 0. Undefined without content. */
export function writeCmap({ codes, symbols = codes, unicodes }: CmapContent): Uint8Array | undefined {
  const subtables: { platform: number; encoding: number; bytes: Uint8Array }[] = []
  if (codes) subtables.push({ platform: 1, encoding: 0, bytes: writeByteMap(codes) })
  if (symbols) {
    const places = new Map([...symbols].map(([code, glyph]) => [SYMBOL_BASE + (code & 0xff), glyph] as const))
    subtables.push({ platform: 3, encoding: 0, bytes: writeSegments(places) })
  }
  if (unicodes) subtables.push({ platform: 3, encoding: 1, bytes: writeSegments(unicodes) })
  if (subtables.length === 0) return undefined
  const table = new FontWriter().u16(0).u16(subtables.length)
  let start = 4 + subtables.length * 8
  for (const { platform, encoding, bytes } of subtables) {
    table.u16(platform).u16(encoding).u32(start)
    start += bytes.length
  }
  for (const { bytes } of subtables) table.bytes(bytes)
  return table.finish()
}

/** Writes format 0 if all glyph indexes fit into bytes, else format 6. */
function writeByteMap(codes: Numbers): Uint8Array {
  const glyphs = Array.from({ length: 256 }, (_, code) => codes.get(code) ?? 0)
  const table = new FontWriter()
  if (glyphs.every(glyph => glyph < 256)) {
    table.u16(0).u16(BYTE_MAP_BYTES).u16(0)
    for (const glyph of glyphs) table.u8(glyph)
  } else {
    const first = glyphs.findIndex(glyph => glyph !== 0)
    const listed = glyphs.slice(first, glyphs.findLastIndex(glyph => glyph !== 0) + 1)
    table
      .u16(6)
      .u16(10 + listed.length * 2)
      .u16(0)
      .u16(first)
      .u16(listed.length)
    for (const glyph of listed) table.u16(glyph)
  }
  return table.finish()
}

interface Segment {
  first: number
  last: number
  delta: number
}

/** Writes format 4, with a segment for each run in which codes and glyph indexes rise together. */
function writeSegments(codes: Numbers): Uint8Array {
  const segments: Segment[] = []
  for (const [code, glyph] of [...codes].sort(([one], [other]) => one - other)) {
    if (glyph === 0 || code < 0 || code >= LAST_CODE) continue
    const before = segments.at(-1)
    const delta = (glyph - code) & 0xffff
    if (before && before.last + 1 === code && before.delta === delta) before.last = code
    else segments.push({ first: code, last: code, delta })
  }
  segments.push({ first: LAST_CODE, last: LAST_CODE, delta: 1 })
  const count = segments.length
  const power = Math.floor(Math.log2(count))
  const table = new FontWriter()
    .u16(4)
    .u16(16 + count * 8)
    .u16(0)
    .u16(count * 2)
  table
    .u16(2 << power)
    .u16(power)
    .u16(count * 2 - (2 << power))
  for (const { last } of segments) table.u16(last)
  table.u16(0)
  for (const { first } of segments) table.u16(first)
  for (const { delta } of segments) table.u16(delta)
  for (let index = 0; index < count; index++) table.u16(0)
  return table.finish()
}

import { FontData, FontWriter } from '../font-data'
import type { GlyphOutline } from './glyf'
import type { SfntTables } from './sfnt'

/** Offsets in `hhea` and `vhea`, and their size (OpenType). */
const MOST_ADVANCE = 10
const CARET = 18
const LONG_COUNT = 34
const HEADER_BYTES = 36

/** The metrics of a glyph, in units of the font. */
interface Metric {
  advance: number
  /** Distance from the origin to the left side of the outline, or to its upper side for vertical writing. */
  bearing: number
}

interface KeptGlyph {
  glyph: number
  /** The font with the metrics. If omitted, the font whose other values stay. */
  from?: SfntTables
  /** Whether its metrics become 0. */
  isBlank: boolean
  /** The advance width that replaces the one in the font. */
  advance?: number | undefined
  box: GlyphOutline['box'] | undefined
}

/** Adds `hhea` and `hmtx` for the remaining glyphs to `tables`, and `vhea` and `vmtx` if the font has both. */
export function cutMetrics(font: SfntTables, kept: readonly KeptGlyph[], tables: Map<string, Uint8Array>): void {
  for (const direction of ['h', 'v'] as const) {
    const [header, list] = [font.get(`${direction}hea`), font.get(`${direction}mtx`)]
    if (!header || !list || header.length < HEADER_BYTES) continue
    const metrics = kept.map(({ glyph, from = font, box, isBlank, advance }) => ({
      ...(isBlank ? { advance: 0, bearing: 0 } : readMetric(from, direction, glyph)),
      ...(advance !== undefined && direction === 'h' && { advance }),
      size: sizeOf(direction, box),
    }))
    tables.set(`${direction}hea`, writeHeader(header, metrics))
    tables.set(`${direction}mtx`, writeList(metrics))
  }
}

/** Reads metrics like FreeType. Glyphs after the last advance repeat it. Values beyond the end of the table are 0. */
export function readMetric(font: SfntTables, direction: 'h' | 'v', glyph: number): Metric {
  const [header, list] = [font.get(`${direction}hea`), font.get(`${direction}mtx`)]
  if (!header || !list || header.length < HEADER_BYTES) return { advance: 0, bearing: 0 }
  const longCount = new FontData(header).u16(LONG_COUNT)
  const data = new FontData(list)
  const has = (end: number): boolean => end <= list.length
  if (glyph < longCount) {
    const at = glyph * 4
    return has(at + 4) ? { advance: data.u16(at), bearing: data.i16(at + 2) } : { advance: 0, bearing: 0 }
  }
  const end = longCount * 4
  if (longCount === 0 || !has(end)) return { advance: 0, bearing: 0 }
  const at = end + (glyph - longCount) * 2
  return { advance: data.u16(end - 4), bearing: has(at + 2) ? data.i16(at) : 0 }
}

function sizeOf(direction: 'h' | 'v', box: GlyphOutline['box'] | undefined): number | undefined {
  if (!box) return undefined
  return direction === 'h' ? box.right - box.left : box.top - box.bottom
}

function writeHeader(header: Uint8Array, metrics: readonly (Metric & { size: number | undefined })[]): Uint8Array {
  const data = new FontData(header)
  const drawn = metrics.flatMap(({ advance, bearing, size }) =>
    size === undefined ? [] : [{ near: bearing, far: advance - bearing - size, end: bearing + size }],
  )
  const [first] = drawn
  return new FontWriter()
    .bytes(data.slice(0, MOST_ADVANCE))
    .u16(metrics.reduce((most, { advance }) => Math.max(most, advance), 0))
    .u16(toSigned(drawn.reduce((least, { near }) => Math.min(least, near), first?.near ?? 0)))
    .u16(toSigned(drawn.reduce((least, { far }) => Math.min(least, far), first?.far ?? 0)))
    .u16(toSigned(drawn.reduce((most, { end }) => Math.max(most, end), first?.end ?? 0)))
    .bytes(data.slice(CARET, LONG_COUNT))
    .u16(metrics.length)
    .finish()
}

function toSigned(value: number): number {
  return Math.max(-0x8000, Math.min(0x7fff, value))
}

function writeList(metrics: readonly Metric[]): Uint8Array {
  const list = new FontWriter()
  for (const { advance, bearing } of metrics) list.u16(advance).u16(bearing)
  return list.finish()
}

import { FontData, FontWriter, readUnlessDamaged } from '../fonts/programs/font-data'
import { writeSfnt } from '../fonts/programs/true-type/sfnt'
import { subsetTrueType } from '../fonts/programs/true-type/subset-true-type'
import { openTrueType } from '../fonts/programs/true-type/true-type'

/** Lengths of the head of `post`, and number of the first own name (OpenType, post). */
const [POST_HEAD, FIRST_OWN] = [32, 258]
const WITH_NAMES = 0x20000

const VERSION = 0x10000
const MOST_CMAPS = 100

/**
 * Returns a TrueType program with the same glyphs, and in each table only what a reader of PDF reads: no other tables, no
 * bytes between glyphs and after tables. Undefined if it can't be read.
 */
export function cleanTrueType(bytes: Uint8Array): Uint8Array | undefined {
  const program = openTrueType(bytes)
  if (!program) return undefined
  const glyphs = Array.from({ length: program.glyphCount }, (_, glyph) => glyph)
  const subset = subsetTrueType(program, { glyphs, keepsBounds: true })
  const written = subset && openTrueType(subset.bytes)
  if (!written) return undefined
  const tables = new Map(written.tables)
  const [cmap, post] = [program.tables.get('cmap'), program.tables.get('post')]
  const maps = cmap && readUnlessDamaged(() => cleanCmap(new FontData(cmap)))
  if (maps) tables.set('cmap', maps)
  const names = post && readUnlessDamaged(() => cleanPost(new FontData(post)))
  if (names) tables.set('post', names)
  return writeSfnt(VERSION, tables)
}

/** Writes `cmap` anew with its subtables, without bytes between them (OpenType, cmap). */
function cleanCmap(data: FontData): Uint8Array {
  const count = Math.min(data.u16(2), MOST_CMAPS)
  const bodies: { at: number; bytes: Uint8Array }[] = []
  const rows: [platform: number, encoding: number, body: number][] = []
  for (let row = 4; row < 4 + count * 8; row += 8) {
    const at = data.u32(row + 4)
    const bytes = readUnlessDamaged(() => data.slice(at, at + lengthOfCmap(data, at)))
    if (!bytes) continue
    const known = bodies.findIndex(body => body.at === at)
    const body = known < 0 ? bodies.push({ at, bytes }) - 1 : known
    rows.push([data.u16(row), data.u16(row + 2), body])
  }
  const head = new FontWriter().u16(0).u16(rows.length)
  let end = 4 + rows.length * 8
  const starts = bodies.map(({ bytes }) => (end += bytes.length) - bytes.length)
  for (const [platform, encoding, body] of rows)
    head
      .u16(platform)
      .u16(encoding)
      .u32(starts[body] ?? 0)
  for (const { bytes } of bodies) head.bytes(bytes)
  return head.finish()
}

/** The length of a subtable, by its format: up to 6, format 14, or the others. */
function lengthOfCmap(data: FontData, at: number): number {
  const format = data.u16(at)
  if (format < 8) return data.u16(at + 2)
  return data.u32(at + (format === 14 ? 2 : 4))
}

/** Returns `post` with the names of its glyphs, without bytes after the last name. Undefined if it has no names. */
function cleanPost(data: FontData): Uint8Array | undefined {
  if (data.u32(0) !== WITH_NAMES) return undefined
  const count = data.u16(POST_HEAD)
  let own = 0
  for (let glyph = 0; glyph < count; glyph++) own = Math.max(own, data.u16(POST_HEAD + 2 + glyph * 2) - FIRST_OWN + 1)
  let end = POST_HEAD + 2 + count * 2
  for (; own > 0; own--) end += 1 + data.u8(end)
  return data.slice(0, end)
}

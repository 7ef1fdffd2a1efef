import { FontData, readUnlessDamaged } from '../font-data'
import { addTo } from '../../../../map-entries'

/** Returns the glyph of a code, or 0 if it has none. */
export type CodeMap = (code: number) => number

/** Receives a code and its glyph. */
type TakeCode = (code: number, glyph: number) => void

interface CodeTable {
  map: CodeMap
  /**
   * Visits the codes of the subtable, including codes with glyph 0. Visits codes twice that a damaged table lists
   * twice.
   */
  each(take: TakeCode): void
}

/** A `cmap` subtable with its platform and encoding (OpenType, `cmap`). */
interface CmapRecord {
  platform: number
  encoding: number
  table: CodeTable
}

/** The subtables of a `cmap` table that have a supported format. */
export interface Cmaps {
  find(platform: number, encoding: number): CodeMap | undefined
  /** Returns the subtable that maps Unicode, for whatever platform. */
  findUnicode(): CodeMap | undefined
  hasPlatform(platform: number): boolean
  /** Lists the characters of each glyph in all subtables that map Unicode. */
  listCharacters(): Map<number, number[]>
}

const MOST_SUBTABLES = 64

/** Maximum number of codes to visit in one subtable. */
const MOST_CODES = 200_000

/** Platforms and encodings of Unicode subtables. Those with more characters come first. */
const UNICODE_KINDS: readonly (readonly [number, number])[] = [
  [3, 10],
  [0, 6],
  [0, 4],
  [3, 1],
  [0, 3],
  [0, 2],
  [0, 1],
  [0, 0],
]

/**
 * Opens a `cmap` table. As in FreeType, a damaged subtable counts as missing. A damaged or missing table has no
 * subtables.
 */
export function openCmaps(table: Uint8Array | undefined): Cmaps {
  const records = (table && readUnlessDamaged(() => readRecords(table))) ?? []
  const find = (platform: number, encoding: number): CodeMap | undefined =>
    records.find(record => record.platform === platform && record.encoding === encoding)?.table.map
  return {
    find,
    findUnicode() {
      for (const [platform, encoding] of UNICODE_KINDS) {
        const map = find(platform, encoding)
        if (map) return map
      }
      return undefined
    },
    hasPlatform: platform => records.some(record => record.platform === platform),
    listCharacters: () => listCharacters(new Set(records.filter(isUnicode).map(record => record.table))),
  }
}

function isUnicode({ platform, encoding }: CmapRecord): boolean {
  return UNICODE_KINDS.some(kind => kind[0] === platform && kind[1] === encoding)
}

function listCharacters(tables: ReadonlySet<CodeTable>): Map<number, number[]> {
  const characters = new Map<number, number[]>()
  for (const { each } of tables) {
    each((code, glyph) => {
      if (glyph === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return
      addTo(characters, glyph, code)
    })
  }
  return characters
}

function readRecords(bytes: Uint8Array): CmapRecord[] {
  const data = new FontData(bytes)
  const records: CmapRecord[] = []
  const opened = new Map<number, CodeTable | undefined>()
  const count = Math.min(data.u16(2), MOST_SUBTABLES)
  for (let index = 0; index < count; index++) {
    const row = 4 + index * 8
    const [platform, encoding, start] = [data.u16(row), data.u16(row + 2), data.u32(row + 4)]
    if (!opened.has(start))
      opened.set(
        start,
        readUnlessDamaged(() => openTable(new FontData(data.slice(start, data.length)))),
      )
    const table = opened.get(start)
    if (table) records.push({ platform, encoding, table })
  }
  return records
}

function openTable(data: FontData): CodeTable | undefined {
  switch (data.u16(0)) {
    case 0:
      return openByteMap(data.slice(6, 262))
    case 4:
      return openSegments(data)
    case 6:
      return openTrimmed(data, { first: data.u16(6), count: data.u16(8), start: 10 })
    case 10:
      return openTrimmed(data, { first: data.u32(12), count: data.u32(16), start: 20 })
    case 12:
      return openGroups(data, 1)
    case 13:
      return openGroups(data, 0)
    default:
      return undefined
  }
}

function openByteMap(glyphs: Uint8Array): CodeTable {
  return { map: code => glyphs[code] ?? 0, each: take => glyphs.forEach((glyph, code) => take(code, glyph)) }
}

function openTrimmed(data: FontData, list: { first: number; count: number; start: number }): CodeTable {
  const { first, count, start } = list
  const glyphs = new FontData(data.slice(start, Math.min(data.length, start + count * 2)))
  return {
    map: code => (code >= first && (code - first + 1) * 2 <= glyphs.length ? glyphs.u16((code - first) * 2) : 0),
    each(take) {
      for (let at = 0; at + 2 <= glyphs.length && at < MOST_CODES; at += 2) take(first + at / 2, glyphs.u16(at))
    },
  }
}

/** Opens a subtable of format 4. Ignores the length in the subtable, because many fonts state a wrong one. */
function openSegments(data: FontData): CodeTable {
  const doubled = data.u16(6) & ~1
  const [ends, starts] = [14, 16 + doubled]
  const [deltas, ranges] = [starts + doubled, starts + doubled * 2]
  data.slice(ends, ranges + doubled)
  /** Returns the glyph of a code in the segment at `at`. Undefined for a segment that has none. */
  const glyphIn = (at: number, code: number): number | undefined => {
    const [delta, range] = [data.u16(deltas + at), data.u16(ranges + at)]
    if (range === 0xffff) return undefined
    if (range === 0) return (code + delta) & 0xffff
    const place = ranges + at + range + (code - data.u16(starts + at)) * 2
    const glyph = place + 2 <= data.length ? data.u16(place) : 0
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return {
    map(code) {
      if (code > 0xffff) return 0
      for (let at = 0; at < doubled; at += 2) {
        if (code > data.u16(ends + at) || code < data.u16(starts + at)) continue
        const glyph = glyphIn(at, code)
        if (glyph !== undefined) return glyph
      }
      return 0
    },
    each(take) {
      let left = MOST_CODES
      for (let at = 0; at < doubled; at += 2) {
        const end = Math.min(data.u16(ends + at), 0xfffe)
        for (let code = data.u16(starts + at); code <= end && left > 0; code++, left--)
          take(code, glyphIn(at, code) ?? 0)
      }
    },
  }
}

/** Opens a subtable of format 12 or 13. Within a group, the glyph index rises by `step` for each code. */
function openGroups(data: FontData, step: 0 | 1): CodeTable {
  const count = data.u32(12)
  data.slice(16, 16 + count * 12)
  return {
    map(code) {
      let [low, high] = [0, count]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (data.u32(16 + middle * 12 + 4) < code) low = middle + 1
        else high = middle
      }
      if (low === count) return 0
      const row = 16 + low * 12
      return code < data.u32(row) ? 0 : data.u32(row + 8) + (code - data.u32(row)) * step
    },
    each(take) {
      let left = MOST_CODES
      for (let row = 16; row < 16 + count * 12 && left > 0; row += 12) {
        const [first, last, glyph] = [data.u32(row), data.u32(row + 4), data.u32(row + 8)]
        for (let code = first; code <= last && left > 0; code++, left--) take(code, glyph + (code - first) * step)
      }
    },
  }
}

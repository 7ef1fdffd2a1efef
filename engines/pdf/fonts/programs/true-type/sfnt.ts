import { FontData, FontWriter } from '../font-data'

/** Versions of table directories for TrueType outlines: 1.0, 2.0 and Apple's `true`. */
const TRUE_TYPE_VERSIONS: ReadonlySet<number> = new Set([0x00010000, 0x00020000, 0x74727565])

const HEADER_BYTES = 12
const ROW_BYTES = 16

/** Tables that renderers read even if the file ends before they do. */
const MAY_BE_SHORT: ReadonlySet<string> = new Set(['hmtx', 'vmtx'])

/** Offset of `checkSumAdjustment` in `head`, which depends on the checksum of the whole file. */
const ADJUSTMENT_AT = 8
const MAGIC_SUM = 0xb1b0afba

/** The tables of an OpenType file by tag, not copied. */
export type SfntTables = ReadonlyMap<string, Uint8Array>

/** Returns whether a table directory announces TrueType outlines. Collections and `OTTO` don't. */
export function hasTrueTypeVersion(bytes: Uint8Array): boolean {
  return TRUE_TYPE_VERSIONS.has(new FontData(bytes).u32(0))
}

/**
 * Reads the tables in a table directory (OpenType, "Organization of an OpenType font"). As in FreeType, the first of
 * several tables with the same tag counts, and a table outside the file is left out. Throws `DamagedFontError` if the
 * directory itself is incomplete.
 */
export function readSfntTables(bytes: Uint8Array): SfntTables {
  const data = new FontData(bytes)
  const tables = new Map<string, Uint8Array>()
  const count = data.u16(4)
  for (let row = HEADER_BYTES; row < HEADER_BYTES + count * ROW_BYTES; row += ROW_BYTES) {
    const tag = Buffer.from(data.slice(row, row + 4)).toString('latin1')
    const [start, length] = [data.u32(row + 8), data.u32(row + 12)]
    if (tables.has(tag) || start > bytes.length) continue
    if (start + length > bytes.length && !MAY_BE_SHORT.has(tag)) continue
    tables.set(tag, data.bytes.subarray(start, start + length))
  }
  return tables
}

/**
 * Writes an OpenType file with these tables, sorted by tag. Computes the checksums, and `checkSumAdjustment` in `head`.
 */
export function writeSfnt(version: number, tables: SfntTables): Uint8Array {
  const sorted = [...tables].sort(([one], [other]) => (one < other ? -1 : 1))
  const power = Math.floor(Math.log2(sorted.length))
  const directory = new FontWriter().u32(version).u16(sorted.length)
  directory
    .u16(16 << power)
    .u16(power)
    .u16((sorted.length << 4) - (16 << power))
  const start = HEADER_BYTES + sorted.length * ROW_BYTES
  const file = new Uint8Array(sorted.reduce((end, [, { length }]) => end + padded(length), start))
  let [at, sum] = [start, 0]
  let headAt: number | undefined
  for (const [tag, table] of sorted) {
    file.set(table, at)
    if (tag === 'head') {
      headAt = at
      file.fill(0, at + ADJUSTMENT_AT, at + ADJUSTMENT_AT + 4)
    }
    const tableSum = sumOf(file.subarray(at, at + padded(table.length)))
    directory.text(tag).u32(tableSum).u32(at).u32(table.length)
    sum += tableSum
    at += padded(table.length)
  }
  file.set(directory.finish())
  sum += sumOf(file.subarray(0, start))
  if (headAt !== undefined) file.set(new FontWriter().u32(MAGIC_SUM - sum).finish(), headAt + ADJUSTMENT_AT)
  return file
}

/** Returns the length of a table including its padding. */
function padded(length: number): number {
  return (length + 3) & ~3
}

/** Returns the sum of the 32-bit numbers in the bytes. Their length must be a multiple of four. */
function sumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) | 0
  return sum >>> 0
}

import { FontWriter } from '../font-data'
import { readSfntTables, writeSfnt } from './sfnt'

/** Windows, Unicode, English (OpenType, `name`), and the ID of the family name. */
const WINDOWS = 3
const UNICODE = 1
const ENGLISH = 0x409
const FAMILY = 1

const HEADER_BYTES = 18

/**
 * Returns a TrueType font with this family name and no other names. The name has ASCII characters only. Throws
 * `DamagedFontError` if the table directory is incomplete.
 */
export function nameTrueType(font: Uint8Array, family: string): Uint8Array {
  const text = Buffer.from(family, 'utf16le').swap16()
  const table = new FontWriter().u16(0).u16(1).u16(HEADER_BYTES)
  table.u16(WINDOWS).u16(UNICODE).u16(ENGLISH).u16(FAMILY).u16(text.length).u16(0)
  return writeSfnt(0x00010000, new Map([...readSfntTables(font), ['name', table.bytes(text).finish()]]))
}

const UNITS_PER_EM = 1000

/** Width of every glyph, in thousandths of the font's size. */
export const GLYPH_WIDTH = 500

/** Height of a line above its baseline, in thousandths of the font's size. */
export const ASCENT = 800

/** Depth of a line below its baseline, as a negative number. In thousandths of the font's size. */
export const DESCENT = -200

/** Maximum number of glyphs in a TrueType font. */
export const MAX_GLYPHS = 65_535

/**
 * Builds a TrueType font in which all glyphs have the same width and no outline. It sets text that users can search and
 * select but not see. It has the tables that a font embedded as a CIDFontType2 must have (ISO 32000-2, 9.9.1). The
 * tables follow the OpenType specification, version 1.9.
 */
export function createGlyphlessFont(glyphCount: number): Buffer {
  return writeTables([
    // No glyph refers to these bytes. They are here because readers treat an empty table as a missing one.
    ['glyf', Buffer.alloc(4)],
    ['head', head()],
    ['hhea', hhea()],
    ['hmtx', hmtx(glyphCount)],
    ['loca', Buffer.alloc(2 * (glyphCount + 1))],
    ['maxp', maxp(glyphCount)],
  ])
}

function head(): Buffer {
  const table = Buffer.alloc(54)
  table.writeUInt32BE(0x00010000, 0)
  table.writeUInt32BE(0x00010000, 4)
  table.writeUInt32BE(0x5f0f3cf5, 12)
  table.writeUInt16BE(3, 16) // baseline at 0, left side bearing at 0
  table.writeUInt16BE(UNITS_PER_EM, 18)
  table.writeInt16BE(DESCENT, 38)
  table.writeInt16BE(GLYPH_WIDTH, 40)
  table.writeInt16BE(ASCENT, 42)
  table.writeUInt16BE(8, 46) // smallest readable size, in pixels
  table.writeInt16BE(2, 48)
  return table
}

function hhea(): Buffer {
  const table = Buffer.alloc(36)
  table.writeUInt32BE(0x00010000, 0)
  table.writeInt16BE(ASCENT, 4)
  table.writeInt16BE(DESCENT, 6)
  table.writeUInt16BE(GLYPH_WIDTH, 10)
  table.writeInt16BE(1, 18) // upright caret
  table.writeUInt16BE(1, 34) // number of widths in `hmtx`
  return table
}

/** One width that applies to all glyphs, then a left side bearing of 0 for every other glyph. */
function hmtx(glyphCount: number): Buffer {
  const table = Buffer.alloc(4 + 2 * (glyphCount - 1))
  table.writeUInt16BE(GLYPH_WIDTH, 0)
  return table
}

function maxp(glyphCount: number): Buffer {
  const table = Buffer.alloc(32)
  table.writeUInt32BE(0x00010000, 0)
  table.writeUInt16BE(glyphCount, 4)
  table.writeUInt16BE(1, 14) // number of zones
  return table
}

function writeTables(tables: [string, Buffer][]): Buffer {
  const power = Math.floor(Math.log2(tables.length))
  const directory = Buffer.alloc(12 + 16 * tables.length)
  directory.writeUInt32BE(0x00010000, 0)
  directory.writeUInt16BE(tables.length, 4)
  directory.writeUInt16BE(16 * 2 ** power, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(16 * (tables.length - 2 ** power), 10)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  for (const [index, [name, table]] of tables.entries()) {
    const at = 12 + 16 * index
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
    directory.write(name, at, 'latin1')
    directory.writeUInt32BE(checksum(padded), at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(table.length, at + 12)
    parts.push(padded)
    offset += padded.length
  }
  const font = Buffer.concat(parts)
  const headAt = directory.readUInt32BE(12 + 16 * tables.findIndex(([name]) => name === 'head') + 8)
  font.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, headAt + 8)
  return font
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}

import { FontData, openCmaps, openPostNames, readSfntTables, readUnlessDamaged } from '../../../pdf/fonts'
import type { Cmaps, PostNames, SfntTables } from '../../../pdf/fonts'

/** Tables without which a program has no widths, with the fewest bytes of each. */
const NEEDED = { hhea: 36, hmtx: 4 } as const

const DEFAULT_UNITS = 1000

/** What rules need to know of a program with TrueType outlines. Unlike renderers, they don't need the outlines. */
export interface SfntProgram {
  readonly glyphCount: number
  /** The number of glyphs that have their own width. */
  readonly widthCount: number
  readonly cmaps: Cmaps
  /** Platform and encoding of each subtable of `cmap`, such as `3,1`, also of those that can't be read. */
  readonly subtables: readonly string[]
  readonly names: PostNames
  /** The width of a glyph in thousandths of an em. */
  widthOf(glyph: number): number
}

/** Opens a program with TrueType outlines. Undefined if it has no metrics. */
export function openSfnt(bytes: Uint8Array): SfntProgram | undefined {
  return readUnlessDamaged(() => {
    const tables = readSfntTables(bytes)
    const [hhea, hmtx] = (['hhea', 'hmtx'] as const).map(tag => {
      const table = tables.get(tag)
      return table && table.length >= NEEDED[tag] ? new FontData(table) : undefined
    })
    return hhea && hmtx && toProgram(tables, hhea, hmtx)
  })
}

/** Wraps the tables of a program. Reads a width only when asked. */
function toProgram(tables: SfntTables, hhea: FontData, hmtx: FontData): SfntProgram {
  const widthCount = Math.min(hhea.u16(34), hmtx.length >> 2)
  const glyphCount = readNumber(tables.get('maxp'), 4) ?? widthCount
  const scale = 1000 / (readNumber(tables.get('head'), 18) || DEFAULT_UNITS)
  const cmap = tables.get('cmap')
  return {
    glyphCount,
    widthCount,
    cmaps: openCmaps(cmap),
    subtables: (cmap && readUnlessDamaged(() => listSubtables(new FontData(cmap)))) ?? [],
    names: openPostNames(tables.get('post'), glyphCount),
    widthOf(glyph) {
      // Glyphs without their own width repeat the last one.
      const row = glyph < widthCount ? glyph : glyph < glyphCount ? widthCount - 1 : 0
      return widthCount === 0 ? 0 : hmtx.u16(row * 4) * scale
    },
  }
}

function readNumber(table: Uint8Array | undefined, at: number): number | undefined {
  return table && table.length >= at + 2 ? new FontData(table).u16(at) : undefined
}

function listSubtables(data: FontData): string[] {
  const count = Math.min(data.u16(2), (data.length - 4) >> 3)
  return Array.from({ length: count }, (_, row) => `${data.u16(4 + row * 8)},${data.u16(6 + row * 8)}`)
}

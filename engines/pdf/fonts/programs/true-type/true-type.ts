import type { Bounds } from '../../../geometry/geometry'
import { DamagedFontError, FontData, readUnlessDamaged } from '../font-data'
import { moveBox, scaleBox } from '../glyph-pen'
import { openOutlines } from './glyf'
import type { OutlineTable } from './glyf'
import { openPostNames } from './post-names'
import { hasTrueTypeVersion, readSfntTables } from './sfnt'
import type { SfntTables } from './sfnt'
import { openCmaps } from './true-type-cmap'
import { readMetric } from './true-type-metrics'
import { findGlyphOfCode } from './true-type-codes'
import type { CodeReading } from './true-type-codes'

/** Tables that FreeType needs to open a font with TrueType outlines, and their minimum sizes in bytes. */
const NEEDED = { head: 54, maxp: 6, hhea: 36, hmtx: 0, loca: 0, glyf: 0 } as const

/** A font program with TrueType outlines (FontFile2). Glyph index 0 is `.notdef`. */
export interface TrueTypeProgram {
  readonly glyphCount: number
  /** Returns whether the glyph has bytes for an outline. */
  hasOutline(glyph: number): boolean
  /** Lists the glyphs that have outlines, in ascending order. */
  listOutlines(): number[]
  /** Returns the vertical extent of an outline, in ems from the baseline. Undefined for an empty or damaged glyph. */
  reachOf(glyph: number): { bottom: number; top: number } | undefined
  /**
   * Returns the boxes around an outline where readers may draw it, in ems: where it is, and moved to the left side that
   * `hmtx` states. Empty for an empty or damaged glyph.
   */
  inkOf(glyph: number): Bounds[]
  /** Returns the glyph that a simple PDF font with this program shows for a code from 0 to 255. 0 if it shows none. */
  glyphOfCode(code: number, reading: CodeReading): number
  /** Returns the characters of a glyph in the Unicode subtables of `cmap`. Empty if they have none. */
  charactersOf(glyph: number): readonly number[]
  /** Returns the name of a glyph in `post`. Undefined if it has none. */
  nameOf(glyph: number): string | undefined
  readonly tables: SfntTables
  readonly outlines: OutlineTable
}

/**
 * Opens a TrueType font program. Tables that embedded subsets leave out (`cmap`, `post`, `name`, `OS/2`) may be
 * missing. Undefined for a collection, for `OTTO`, and for a program that can't be read safely. Keeps a reference to
 * `bytes`.
 */
export function openTrueType(bytes: Uint8Array): TrueTypeProgram | undefined {
  return readUnlessDamaged(() => (hasTrueTypeVersion(bytes) ? open(readSfntTables(bytes)) : undefined))
}

function open(tables: SfntTables): TrueTypeProgram {
  for (const tag of ['hhea', 'hmtx'] as const) getTable(tables, tag)
  const glyphCount = new FontData(getTable(tables, 'maxp')).u16(4)
  const headData = new FontData(getTable(tables, 'head'))
  const [glyf, loca] = [getTable(tables, 'glyf'), getTable(tables, 'loca')]
  const unitsPerEm = headData.u16(18)
  if (unitsPerEm === 0 || glyphCount === 0) throw new DamagedFontError('the font has no size or no glyphs')
  const outlines = openOutlines({ glyf, loca, isLong: headData.i16(50) !== 0, glyphCount })
  const cmaps = openCmaps(tables.get('cmap'))
  const names = openPostNames(tables.get('post'), glyphCount)
  let characters: ReadonlyMap<number, readonly number[]> | undefined
  return {
    glyphCount,
    tables,
    outlines,
    hasOutline: outlines.has,
    listOutlines: () => Array.from({ length: glyphCount }, (_, glyph) => glyph).filter(outlines.has),
    charactersOf: glyph => (characters ??= cmaps.listCharacters()).get(glyph) ?? [],
    nameOf: names.nameOf,
    reachOf(glyph) {
      const box = readUnlessDamaged(() => outlines.read(glyph))?.box
      return box && { bottom: box.bottom / unitsPerEm, top: box.top / unitsPerEm }
    },
    inkOf(glyph) {
      const boxes = readUnlessDamaged(() => {
        const [ink, stated] = [outlines.inkOf(glyph), outlines.read(glyph)?.box]
        const aside = stated ? readMetric(tables, 'h', glyph).bearing - stated.left : 0
        return [ink, ...(ink && aside !== 0 ? [moveBox(ink, aside, 0)] : [])]
      })
      return (boxes ?? []).flatMap(box => scaleBox(box, [1 / unitsPerEm, 0, 0, 1 / unitsPerEm, 0, 0]) ?? [])
    },
    glyphOfCode(code, reading) {
      const glyph = findGlyphOfCode({ cmaps, glyphOfName: names.glyphOf }, code, reading)
      return glyph < glyphCount ? glyph : 0
    },
  }
}

function getTable(tables: SfntTables, tag: keyof typeof NEEDED): Uint8Array {
  const table = tables.get(tag)
  if (!table || table.length < NEEDED[tag]) throw new DamagedFontError(`the font has no ${tag} table`)
  return table
}

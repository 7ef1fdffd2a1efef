import type { Outline } from './outlines'

/** The content of a font program in any format. Glyphs are counted from 0, which is `.notdef`. */
export interface FontProgram {
  unitsPerEm: number
  outlines: Outline[]
  /** Component glyphs of a glyph. */
  parts: number[][]
  advances: number[]
  /** Names of glyphs, if the program has them. */
  names: (string | undefined)[]
  /** CIDs of glyphs in a CID-keyed program. */
  cids?: number[]
  /** Glyphs by code, for each `platform,encoding`, or `built-in` for the encoding of a Type 1 or CFF program. */
  cmaps: Map<string, Map<number, number>>
}

import type { Outline } from './outlines'

/** What a font program holds, whatever its format. Glyphs are counted from 0, which is `.notdef`. */
export interface FontProgram {
  unitsPerEm: number
  outlines: Outline[]
  /** Glyphs that a glyph is made of. */
  parts: number[][]
  advances: number[]
  /** Names of glyphs, where the program has them. */
  names: (string | undefined)[]
  /** CIDs of glyphs, in a CID-keyed program. */
  cids?: number[]
  /** Glyphs by code, by `platform,encoding`; `built-in` for the encoding of a Type 1 or CFF program. */
  cmaps: Map<string, Map<number, number>>
}

import type { UNDECIDED } from '../examination/rules'

/** A fact about a glyph. Undefined if there is none, and UNDECIDED if it can't be read here. */
export type Fact<Value> = Value | undefined | typeof UNDECIDED

/** What the font dictionary and the font program say about a code. Keys are those of `keyOfCode`. */
export interface GlyphReader {
  /** The glyph name, if the font dictionary has one. Of composite fonts, only `.notdef`. */
  nameOf(key: number): Fact<string>
  /** Whether the font program has the glyph. Undefined without a font program. */
  isPresent(key: number): Fact<boolean>
  /** The width by the font program, in thousandths of an em. */
  programWidth(key: number): Fact<number>
  /** The width by the font dictionary. */
  dictionaryWidth(key: number): number
  /** The Unicode text that the code stands for. */
  textOf(key: number): Fact<string>
}

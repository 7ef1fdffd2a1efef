import { readUnlessDamaged } from '../font-data'
import { readType1Encoding } from './type1-encoding'
import type { Type1Encoding } from './type1-encoding'
import { readClearPart, splitType1 } from './type1-parts'
import { readPrivate } from './type1-private'
import type { Type1Private } from './type1-private'
import { walkType1 } from './type1-walk'

/** Operators that are run to find the glyphs with outlines. */
const LISTING_BUDGET = 5_000_000

/** A Type 1 font program (FontFile). */
export interface Type1Program {
  /** Names of the glyphs in the order of the program. */
  readonly names: readonly string[]
  /** Glyph names by code of the program's own encoding; without `.notdef`. */
  readonly encoding: ReadonlyMap<number, string>
  /** If the program's own encoding is StandardEncoding. */
  readonly isStandardEncoding: boolean
  /** The names of the glyphs that draw something; a glyph that can't be read counts as one of them. */
  listOutlines(): string[]
  readonly content: Type1Content
}

/** What a program is rebuilt from. */
export interface Type1Content {
  clear: string
  encoding: Type1Encoding | undefined
  hidden: Type1Private
}

/**
 * Opens a Type 1 program: private part in binary or hexadecimal form, with or without PFB segment headers, whatever
 * `lenIV` is. It finds its parts itself, because the lengths in stream dictionaries are often wrong. Undefined for a
 * program that can't be read safely.
 */
export function openType1(bytes: Uint8Array): Type1Program | undefined {
  return readUnlessDamaged(() => {
    const { clear, hidden } = splitType1(bytes)
    const content = { clear, encoding: readType1Encoding(clear), hidden: readPrivate(hidden) }
    return describe(content)
  })
}

/** The program's own encoding, read without its encrypted part. Undefined if it has none that can be read. */
export function readOwnEncoding(bytes: Uint8Array): Type1Encoding | undefined {
  return readUnlessDamaged(() => readType1Encoding(readClearPart(bytes)))
}

function describe(content: Type1Content): Type1Program {
  const { charStrings, subrs } = content.hidden
  return {
    names: [...charStrings.keys()],
    encoding: content.encoding?.names ?? new Map(),
    isStandardEncoding: content.encoding?.isStandard ?? false,
    content,
    listOutlines() {
      const terms = { subrs, used: new Map<number, number>(), budget: { left: LISTING_BUDGET } }
      const draws = (bytes: Uint8Array): boolean => readUnlessDamaged(() => walkType1(bytes, terms).draws) ?? true
      return [...charStrings].flatMap(([name, bytes]) => (draws(bytes) ? [name] : []))
    },
  }
}

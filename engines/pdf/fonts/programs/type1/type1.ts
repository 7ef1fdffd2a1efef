import type { Bounds } from '../../../geometry/geometry'
import type { Matrix } from '../../../geometry/matrix'
import { listStandardEncoding } from '../cff/cff-predefined'
import { readUnlessDamaged } from '../font-data'
import { joinBoxes, moveBox, scaleBox, toMatrix } from '../glyph-pen'
import { readType1Encoding } from './type1-encoding'
import type { Type1Encoding } from './type1-encoding'
import { readClearPart, splitType1 } from './type1-parts'
import { readPrivate } from './type1-private'
import type { Type1Private } from './type1-private'
import { walkType1 } from './type1-walk'

/** Maximum number of operators to run to find the glyphs with outlines. */
const LISTING_BUDGET = 5_000_000

/** A Type 1 font program (FontFile). */
export interface Type1Program {
  /** Glyph names in the order of the program. */
  readonly names: readonly string[]
  /** Glyph names of the built-in encoding by code, without `.notdef`. */
  readonly encoding: ReadonlyMap<number, string>
  /** Whether the built-in encoding is StandardEncoding. */
  readonly isStandardEncoding: boolean
  /** Returns whether a glyph draws something, or can't be read. False if the program doesn't have it. */
  hasOutline(name: string): boolean
  /** Lists the names of the glyphs that have outlines. */
  listOutlines(): string[]
  /** Returns the box around an outline, in ems. Undefined for an empty glyph, and if the box isn't known. */
  inkOf(name: string): Bounds | undefined
  readonly content: Type1Content
}

/** The parsed contents of a program, from which a new program is written. */
export interface Type1Content {
  clear: string
  encoding: Type1Encoding | undefined
  hidden: Type1Private
}

/**
 * Opens a Type 1 program. The private part may be binary or hexadecimal, with or without PFB segment headers, and have
 * any `lenIV`. Searches for the parts, because the lengths in stream dictionaries are often wrong. Undefined for a
 * program that can't be read safely.
 */
export function openType1(bytes: Uint8Array): Type1Program | undefined {
  return readUnlessDamaged(() => {
    const { clear, hidden } = splitType1(bytes)
    const content = { clear, encoding: readType1Encoding(clear), hidden: readPrivate(hidden) }
    return toProgram(content)
  })
}

/** Reads the built-in encoding without decrypting the private part. Undefined if there is none that can be read. */
export function readOwnEncoding(bytes: Uint8Array): Type1Encoding | undefined {
  return readUnlessDamaged(() => readType1Encoding(readClearPart(bytes)))
}

/** Wraps parsed contents with the questions that callers ask. Finds out which glyphs draw something only when asked. */
function toProgram(content: Type1Content): Type1Program {
  const { charStrings, subrs } = content.hidden
  const terms = { subrs, used: new Map<number, number>(), budget: { left: LISTING_BUDGET } }
  const hasOutline = (name: string): boolean => {
    const bytes = charStrings.get(name)
    return bytes !== undefined && (readUnlessDamaged(() => walkType1(bytes, terms).draws) ?? true)
  }
  const inkOf = (name: string): Bounds | undefined => {
    const bytes = charStrings.get(name)
    if (!bytes) return undefined
    const { box, components, accent } = walkType1(bytes, terms)
    const parts = components.map((code, index) => {
      const part = charStrings.get(listStandardEncoding().get(code) ?? '')
      const own = part && walkType1(part, terms).box
      return own && index === 1 ? moveBox(own, ...accent) : own
    })
    return scaleBox(parts.reduce(joinBoxes, box), matrixOf(content.clear))
  }
  return {
    names: [...charStrings.keys()],
    encoding: content.encoding?.names ?? new Map(),
    isStandardEncoding: content.encoding?.isStandard ?? false,
    content,
    hasOutline,
    listOutlines: () => [...charStrings.keys()].filter(hasOutline),
    inkOf: name => readUnlessDamaged(() => inkOf(name)),
  }
}

const MATRIX = /\/FontMatrix\s{0,9}\[([-+\d.eE\s]{1,200})\]/

function matrixOf(clear: string): Matrix {
  const numbers = MATRIX.exec(clear)?.[1]?.trim().split(/\s+/)
  return toMatrix(numbers?.map(Number)) ?? [0.001, 0, 0, 0.001, 0, 0]
}

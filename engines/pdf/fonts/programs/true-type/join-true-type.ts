import type { Outlines } from './glyf'
import { writeSfnt } from './sfnt'
import { cutHead, cutMaxp, renumberComponents, writeOutlines, writePost } from './subset-true-type'
import type { TrueTypeProgram } from './true-type'
import { cutMetrics } from './true-type-metrics'
import { writeCmap } from './write-cmap'

/** Maximum number of glyphs in a font (OpenType, `maxp`). */
const MOST_GLYPHS = 0xffff

/**
 * Joins TrueType programs with the same number of units per em, such as slices of one typeface. The result has the
 * glyphs of all characters up to U+FFFF. If several programs have a character, the first one counts. Glyph 0 and the
 * metrics of lines come from the first program. Hinting, names, and rules for shaping are left out. Throws RangeError
 * if there are no programs or too many glyphs, and `DamagedFontError` if an outline is cut off.
 */
export function joinTrueType(programs: readonly TrueTypeProgram[]): Uint8Array {
  const [first] = programs
  if (!first) throw new RangeError('there are no fonts to join')
  const outlines: Outlines = new Map()
  const kept: Parameters<typeof cutMetrics>[1][number][] = []
  const unicodes = new Map<number, number>()
  for (const program of programs) {
    const numbers = numberGlyphs(program, unicodes, { count: outlines.size, hasMissing: program === first })
    for (const [glyph, number] of numbers) {
      const outline = program.outlines.read(glyph)
      const moved = outline && {
        ...outline,
        bytes: renumberComponents(outline, numbers),
        components: outline.components.map(({ glyph: part, at }) => ({ glyph: numbers.get(part) ?? 0, at })),
      }
      outlines.set(number, moved)
      kept.push({ glyph, from: program.tables, isBlank: false, box: outline?.box })
    }
    if (outlines.size > MOST_GLYPHS) throw new RangeError('the joined font has too many glyphs')
  }
  return write(first, { outlines, kept, unicodes })
}

/**
 * Returns the new glyph indexes of a program's glyphs with new characters, and of their components. Adds the characters
 * to `unicodes`.
 */
function numberGlyphs(
  program: TrueTypeProgram,
  unicodes: Map<number, number>,
  { count, hasMissing }: { count: number; hasMissing: boolean },
): Map<number, number> {
  const numbers = new Map<number, number>(hasMissing ? [[0, count]] : [])
  const numberOf = (glyph: number): number => {
    const number = numbers.get(glyph) ?? count + numbers.size
    numbers.set(glyph, number)
    return number
  }
  for (let glyph = 1; glyph < program.glyphCount; glyph++)
    for (const character of program.charactersOf(glyph))
      if (character <= 0xffff && !unicodes.has(character)) unicodes.set(character, numberOf(glyph))
  // The loop also visits components that are added meanwhile.
  for (const glyph of numbers.keys())
    for (const component of program.outlines.read(glyph)?.components ?? []) numberOf(component.glyph)
  return numbers
}

function write(
  { tables: old }: TrueTypeProgram,
  {
    outlines,
    kept,
    unicodes,
  }: { outlines: Outlines; kept: Parameters<typeof cutMetrics>[1]; unicodes: ReadonlyMap<number, number> },
): Uint8Array {
  const same = new Map([...outlines.keys()].map(glyph => [glyph, glyph] as const))
  const { glyf, loca, isLong } = writeOutlines(outlines, same)
  const boxes = [...outlines.values()].map(outline => outline?.box)
  const tables = new Map<string, Uint8Array>([
    ['glyf', glyf],
    ['loca', loca],
    ['head', cutHead(old.get('head') ?? new Uint8Array(), boxes, isLong)],
    ['maxp', cutMaxp(old.get('maxp') ?? new Uint8Array(), outlines)],
    ['cmap', writeCmap({ unicodes }) ?? new Uint8Array()],
    ['post', writePost(old.get('post'))],
  ])
  cutMetrics(old, kept, tables)
  return writeSfnt(0x00010000, tables)
}

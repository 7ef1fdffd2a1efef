import type { CffContent } from '../cff/cff'
import { addEntry, DictKey } from '../cff/cff-dict'
import { EMPTY_INDEX } from '../cff/cff-index'
import { listStandardEncoding } from '../cff/cff-predefined'
import { STANDARD_STRINGS } from '../cff/standard-strings'
import { writeCff } from '../cff/write-cff'
import type { CffGlyph } from '../cff/write-cff'
import { DamagedFontError, readUnlessDamaged } from '../font-data'
import type { Type1Content, Type1Program } from '../type1/type1'
import { chooseWidths, stateWidth } from './choose-widths'
import type { WidthTerms } from './choose-widths'
import { convertDicts } from './convert-dicts'
import type { Outline } from './outline'
import { runType1 } from './run-type1'
import { writeType2 } from './write-type2'

const MISSING = '.notdef'

/** Maximum number of glyphs. No Type 1 program has nearly as many. */
const MOST_GLYPHS = 20_000

/** Maximum number of operators to run to convert one program. */
const BUDGET = 2_000_000

/** Maximum number of steps in all outlines of one program. */
const MOST_STEPS = 200_000

/** Maximum total size of the charstrings of one program, in bytes. */
const MOST_BYTES = 8_000_000

/** A glyph of width 0 that draws nothing, for programs without `.notdef`. */
const EMPTY_OUTLINE: Outline = { width: 0, steps: [], composed: undefined }

/**
 * Converts a Type 1 program to a bare CFF program (FontFile3 with the subtype `Type1C`). Glyphs, names, hints, widths
 * and the built-in encoding stay the same. Subroutines become part of the charstrings. Undefined if CFF can't express
 * the program, or if readers treat it differently.
 */
export function convertType1(program: Type1Program): Uint8Array | undefined {
  return readUnlessDamaged(() => convert(program.content))
}

function convert({ clear, encoding, hidden }: Type1Content): Uint8Array {
  if (!encoding) throw new DamagedFontError('the encoding of the program was not found')
  const dicts = convertDicts(clear, `${hidden.beforeSubrs}\n${hidden.beforeChars ?? ''}\n${hidden.tail}`)
  const names = sortNames([...hidden.charStrings.keys()], encoding.names)
  const outlines = readOutlines(names, hidden)
  const widths = chooseWidths(outlines.map(({ width }) => width))
  const privateDict = new Map(dicts.private)
  if (widths.standard !== 0) addEntry(privateDict, DictKey.defaultWidth, [widths.standard])
  if (widths.nominal !== 0) addEntry(privateDict, DictKey.nominalWidth, [widths.nominal])
  const content: CffContent = {
    name: Buffer.from(dicts.name, 'latin1'),
    top: dicts.top,
    unitsPerEm: 1000,
    charStrings: EMPTY_INDEX,
    charset: new Uint16Array(),
    globalSubrs: EMPTY_INDEX,
    parts: [{ dict: privateDict, fontDict: new Map(), subrs: EMPTY_INDEX }],
    partOf: new Uint8Array(),
    encoding: new Map(),
    encodingAt: 0,
    stringOf: number => dicts.strings[number - STANDARD_STRINGS.length],
  }
  const glyphs = writeGlyphs(names, outlines, widths)
  const codes = encoding.isStandard ? undefined : listCodes(encoding.names, names)
  return writeCff({ content, isCid: false, glyphs, globalSubrs: [], localSubrs: [], codes, isTight: true })
}

/** Sorts glyphs by code, then by standard string, so that the encoding and the charset have few ranges. */
function sortNames(names: readonly string[], encoding: ReadonlyMap<number, string>): string[] {
  if (names.length > MOST_GLYPHS || names.includes('')) throw new DamagedFontError('the glyphs can not be listed')
  const ranks = new Map(STANDARD_STRINGS.map((name, number) => [name, number + 256] as const))
  for (const [code, name] of [...encoding].sort(([one], [other]) => other - one)) ranks.set(name, code)
  const rankOf = (name: string): number => ranks.get(name) ?? STANDARD_STRINGS.length + 256
  const others = names.filter(name => name !== MISSING)
  return [MISSING, ...others.sort((one, other) => rankOf(one) - rankOf(other))]
}

function readOutlines(names: readonly string[], { charStrings, subrs }: Type1Content['hidden']): Outline[] {
  const terms = { subrs, budget: { left: BUDGET } }
  const outlines = new Map<string, Outline>()
  let steps = 0
  for (const name of names) {
    const bytes = charStrings.get(name)
    const outline = bytes ? runType1(bytes, terms) : EMPTY_OUTLINE
    steps += outline.steps.length
    if (steps > MOST_STEPS) throw new DamagedFontError('the outlines are too long')
    outlines.set(name, outline)
  }
  const standard = listStandardEncoding()
  const isPart = (code: number): boolean => {
    const outline = outlines.get(standard.get(code) ?? '')
    return outline !== undefined && !outline.composed
  }
  for (const { composed } of outlines.values())
    if (composed && !(isPart(composed.base) && isPart(composed.accent)))
      throw new DamagedFontError('a part of a composed character is missing')
  return [...outlines.values()]
}

function writeGlyphs(names: readonly string[], outlines: readonly Outline[], widths: WidthTerms): CffGlyph[] {
  let bytes = 0
  return outlines.map((outline, old) => {
    const charstring = writeType2(outline, stateWidth(outline.width, widths))
    bytes += charstring.length
    if (bytes > MOST_BYTES) throw new DamagedFontError('the charstrings are too long')
    return { old, key: names[old] as string, charstring, part: 0 }
  })
}

function listCodes(encoding: ReadonlyMap<number, string>, names: readonly string[]): Map<number, number> {
  const numbers = new Map(names.map((name, number) => [name, number] as const))
  return new Map(
    [...encoding].flatMap(([code, name]) => {
      const number = numbers.get(name)
      return number ? [[code, number] as const] : []
    }),
  )
}

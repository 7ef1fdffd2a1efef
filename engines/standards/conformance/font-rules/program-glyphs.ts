import type { CffProgram, Type1Program } from '../../../pdf/fonts'
import { UNDECIDED } from '../examination/rules'
import { NOTDEF, builtInName, listEncoding } from '../../../pdf/fonts'
import { readNames } from './encodings'
import type { EmbeddedProgram } from './font-programs'
import type { Fact } from './glyph-reader'
import { widthOfCffGlyph, widthOfType1Glyph } from './outline-widths'
import { readTrueTypeGlyphs } from './true-type-glyphs'
import { textOfName } from './unicode'
import type { UsedFont } from './used-font'

/** What the font program of a simple font says about a code. */
export interface ProgramGlyphs {
  isPresent(code: number): boolean
  /** Undefined if the program has no width for the code. */
  widthOf(code: number): Fact<number>
  /** The text of a code without a glyph name in the font dictionary. */
  textOf(code: number): string | undefined
}

type Names = (code: number) => string | undefined

/** Undefined without a font program, or with a damaged one. */
export function readProgramGlyphs(font: UsedFont, embedded: EmbeddedProgram, names: Names): Fact<ProgramGlyphs> {
  switch (embedded.format) {
    case 'true-type':
      return readTrueTypeGlyphs(font, embedded.program, names)
    case 'cff':
      return readCffGlyphs(embedded.program, readGlyphNames(font, embedded))
    case 'type1':
      return readType1Glyphs(embedded.program, readGlyphNames(font, embedded))
    case 'unreadable':
      return UNDECIDED
    default:
      return undefined
  }
}

/** The name that a code of a Type 1 font has by the font dictionary, or else by the font program. */
export function readGlyphNames({ document, dict }: UsedFont, embedded: EmbeddedProgram): (code: number) => string {
  const names = readNames(document, dict)
  return code => names(code) ?? nameInProgram(embedded, code)
}

function nameInProgram(embedded: EmbeddedProgram, code: number): string {
  if (embedded.format !== 'type1' && embedded.format !== 'cff') return NOTDEF
  // The program may lack glyphs of StandardEncoding.
  const isStandard = embedded.format === 'cff' && embedded.program.content.encodingAt === 0
  return (isStandard ? listEncoding('StandardEncoding')?.[code] : builtInName(embedded, code)) ?? NOTDEF
}

function readType1Glyphs(program: Type1Program, nameOf: (code: number) => string): ProgramGlyphs {
  const { charStrings } = program.content.hidden
  return {
    isPresent: code => code === 0 || (nameOf(code) !== NOTDEF && charStrings.has(nameOf(code))),
    widthOf(code) {
      const name = nameOf(code)
      return charStrings.has(name) ? (widthOfType1Glyph(program, name) ?? UNDECIDED) : undefined
    },
    textOf(code) {
      const name = program.encoding.get(code)
      return name === undefined ? undefined : textOfName(name)
    },
  }
}

function readCffGlyphs(program: CffProgram, nameOf: (code: number) => string): ProgramGlyphs {
  const glyphOf = (code: number): number | undefined => program.glyphOfName(nameOf(code))
  return {
    isPresent: code => code === 0 || glyphOf(code) !== undefined,
    // Renderers show .notdef for a name that the program lacks.
    widthOf: code => widthOfCffGlyph(program, glyphOf(code) ?? 0) ?? UNDECIDED,
    textOf: code => textOfName(nameInProgram({ format: 'cff', program }, code)),
  }
}

import { PDFDict } from 'pdf-lib'
import { entryOf } from '../examination/model'
import { listedCharacter } from './adobe-glyph-list'
import { NOTDEF, listEncoding } from '../../../pdf/fonts'
import { macCodeOf } from './encodings'
import { isSymbolic } from './font-flags'
import type { ProgramGlyphs } from './program-glyphs'
import type { SfntProgram } from './sfnt-program'
import { SOME_TEXT, textOfName } from './unicode'
import type { UsedFont } from './used-font'
import * as Name from '../../../pdf/names'

/** Where the codes of a symbolic font may begin in the (3,0) subtable (ISO 32000-2, 9.6.5.4). */
const SYMBOL_BASES = [0, 0xf000, 0xf100, 0xf200]

/**
 * Reads the glyphs of a simple TrueType font: by the names of /Encoding if the font is nonsymbolic and has one, and
 * otherwise by code.
 */
export function readTrueTypeGlyphs(
  font: UsedFont,
  program: SfntProgram,
  names: (code: number) => string | undefined,
): ProgramGlyphs {
  const list = isSymbolic(font) ? undefined : listNames(font, names)
  return list ? readByName(program, list) : readByCode(program, isSymbolic(font))
}

/** The glyph name of each code. Codes without a name have that of StandardEncoding. */
function listNames(
  { document, dict }: UsedFont,
  names: (code: number) => string | undefined,
): ((code: number) => string) | undefined {
  const encoding = entryOf(document, dict, 'Encoding')
  if (encoding === undefined) return undefined
  if (!(encoding instanceof PDFDict)) return code => names(code) ?? NOTDEF
  const base = listEncoding(document.peekName(encoding.get(Name.BaseEncoding)))
  const standard = listEncoding('StandardEncoding')
  return code => {
    const name = names(code) ?? base?.[code] ?? NOTDEF
    return name === NOTDEF ? (standard?.[code] ?? NOTDEF) : name
  }
}

function readByName(program: SfntProgram, nameOf: (code: number) => string): ProgramGlyphs {
  const hasNames = (name: string): boolean => program.subtables.length > 0 || program.names.glyphOf(name) !== undefined
  return {
    isPresent(code) {
      const name = nameOf(code)
      const glyph = name === NOTDEF ? 0 : glyphOfName(program, name)
      return code === 0 || (glyph > 0 && glyph < program.glyphCount)
    },
    widthOf(code) {
      const name = nameOf(code)
      return program.widthOf(hasNames(name) ? glyphOfName(program, name) : 0)
    },
    textOf: code => textOfName(nameOf(code)),
  }
}

function glyphOfName({ cmaps, names }: SfntProgram, name: string): number {
  const [character, macCode] = [listedCharacter(name), macCodeOf(name)]
  const found =
    (character === undefined ? 0 : cmaps.find(3, 1)?.(character)) ||
    (macCode === undefined ? 0 : cmaps.find(1, 0)?.(macCode))
  return found || (names.glyphOf(name) ?? 0)
}

function readByCode(program: SfntProgram, isSymbolicFont: boolean): ProgramGlyphs {
  const { cmaps, subtables } = program
  const symbolGlyph = (code: number): number => {
    const map = cmaps.find(3, 0)
    const base = SYMBOL_BASES.find(start => map?.(start + code))
    return map && base !== undefined ? map(base + code) : 0
  }
  const macGlyph = (code: number): number => cmaps.find(1, 0)?.(code) ?? 0
  const anyGlyph = (code: number): number => {
    for (const subtable of subtables) {
      const [platform = 0, encoding = 0] = subtable.split(',').map(Number)
      const glyph = cmaps.find(platform, encoding)?.(code)
      if (glyph) return glyph
    }
    return 0
  }
  return {
    isPresent: code => code === 0 || (subtables.includes('3,0') ? symbolGlyph(code) : macGlyph(code)) > 0,
    widthOf(code) {
      const glyph = symbolGlyph(code)
      if (glyph) return program.widthOf(glyph)
      return program.widthOf(cmaps.find(1, 0) ? macGlyph(code) : anyGlyph(code))
    },
    // Only /ToUnicode tells what the codes of a symbolic font mean. Other fonts need an encoding by another rule.
    textOf: () => (isSymbolicFont ? undefined : SOME_TEXT),
  }
}

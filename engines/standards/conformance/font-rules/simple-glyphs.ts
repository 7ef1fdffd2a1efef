import { PDFName } from 'pdf-lib'
import { entryOf } from '../examination/model'
import { UNDECIDED } from '../examination/rules'
import { readNames } from './encodings'
import type { EmbeddedProgram } from './font-programs'
import type { Fact, GlyphReader } from './glyph-reader'
import { readProgramGlyphs } from './program-glyphs'
import type { ProgramGlyphs } from './program-glyphs'
import { openText, textOfName } from './unicode'
import type { UsedFont } from './used-font'
import * as Name from '../../../pdf/names'
import { decodeUpToLimit } from '../../../pdf/document'
import { ContentReader } from '../../../pdf/syntax'

/** Reads the glyphs of a Type 1, TrueType or Type 3 font. Its keys are the codes. */
export function readSimpleGlyphs(font: UsedFont, embedded: EmbeddedProgram): GlyphReader {
  const nameOf = readNames(font.document, font.dict)
  const dictionaryWidth = readWidths(font)
  const text = openText(font)
  const program = font.subtype === 'Type3' ? readType3Glyphs(font, nameOf) : readProgramGlyphs(font, embedded, nameOf)
  const missingWidth = font.document.peekNumber(entryOf(font.document, font.descriptor, 'MissingWidth')) ?? 0
  return {
    // In TrueType fonts without an encoding, code 0 is never a character.
    nameOf: code => nameOf(code) ?? (code === 0 && font.subtype === 'TrueType' ? '.notdef' : undefined),
    isPresent: code => program && (program === UNDECIDED ? UNDECIDED : program.isPresent(code)),
    programWidth(code) {
      if (program === undefined || program === UNDECIDED) return program
      const width = program.widthOf(code)
      return width === undefined ? missingWidth : width
    },
    dictionaryWidth,
    textOf(code): Fact<string> {
      const stated = text(code)
      if (stated !== undefined) return stated
      const name = nameOf(code)
      if (name !== undefined) return textOfName(name)
      return program && (program === UNDECIDED ? UNDECIDED : program.textOf(code))
    },
  }
}

/** The widths of /Widths and /MissingWidth. */
function readWidths({ document, dict, descriptor }: UsedFont): (code: number) => number {
  const number = (key: string): number | undefined => document.peekNumber(dict.get(PDFName.of(key)))
  const widths = document.peekArray(dict.get(Name.Widths))
  const [first, last] = [number('FirstChar'), number('LastChar')]
  const missing = document.peekNumber(entryOf(document, descriptor, 'MissingWidth')) ?? 0
  return code => {
    if (!widths || first === undefined || last === undefined || code < first || code > last) return missing
    const index = code - first
    return index < widths.size() ? (document.peekNumber(widths.get(index)) ?? 0) : 0
  }
}

/** Reads the glyphs of a Type 3 font, whose widths are operands of `d0` or `d1` (ISO 32000-2, 9.6.4). */
function readType3Glyphs({ document, dict }: UsedFont, names: (code: number) => string | undefined): ProgramGlyphs {
  const procedures = document.peekDict(entryOf(document, dict, 'CharProcs'))
  const procedureOf = (code: number) => {
    const name = names(code)
    return name === undefined ? undefined : document.peek(procedures?.get(PDFName.of(name)))
  }
  return {
    isPresent: code => procedureOf(code) !== undefined,
    widthOf(code) {
      const bytes = decodeUpToLimit(document, procedureOf(code))
      const reader = new ContentReader(bytes ?? new Uint8Array(0))
      if (!reader.next()) return undefined
      if (reader.operator === 'd0') return reader.number(1)
      return reader.operator === 'd1' ? reader.number(5) : undefined
    },
    textOf: () => undefined,
  }
}

import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'
import { toCodeText } from './code-text'
import type { CodeText, CodeTexts } from './code-text'
import { readNumberedNames } from './numbered-names'
import { openProgramTexts } from './program-texts'
import { readTextOfName } from './programs/glyph-names'
import { findStandardMetrics } from './standard-widths'
import { builtInName } from './built-in-names'
import { findProgram } from './font-program'
import { readSimpleCodes } from './simple-codes'

/** Base encodings of Latin text (ISO 32000-2, table 112). */
const LATIN: ReadonlySet<string> = new Set(['StandardEncoding', 'MacRomanEncoding', 'WinAnsiEncoding'])

/**
 * Reads what the codes of a Type 1, TrueType or Type 3 font mean, apart from /ToUnicode. Names in /Differences come
 * first. Then comes the base encoding, or without one the encoding of the program or of the standard font.
 */
export function readSimpleTexts(document: PdfDocument, font: PDFDict): CodeTexts {
  const kind = document.peekName(font.get(Name.Subtype))
  const descriptor = document.peekDict(font.get(Name.FontDescriptor))
  const codes = readSimpleCodes(document, font, descriptor)
  const base = codes.base !== undefined && LATIN.has(codes.base) ? codes.base : undefined
  const numbered = readNumberedNames(codes.differences)
  const found = kind === 'Type3' ? undefined : findProgram(document, descriptor)
  const program = openProgramTexts(document, found)
  const metrics = findStandardMetrics(document.peekName(font.get(Name.BaseFont)) ?? '')
  const latin = findStandardMetrics('Helvetica')

  const byProgram = (code: number): string | undefined => {
    if (program?.opened.format !== 'true-type') return textOfName(builtInName(program?.opened, code))
    return program.textOf(program.opened.program.glyphOfCode(code, { ...codes.readingOf(code), isSymbolic: true }))
  }
  /** Readers treat the codes of a program without an encoding as ASCII, and those of an absent program as Latin. */
  const byHabit = (code: number): string | undefined => {
    if (found) return kind === 'TrueType' && code > 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined
    if (metrics && !metrics.isText) return signOf(metrics, metrics.nameOf(code, undefined))
    return textOfName(latin?.nameOf(code, kind === 'TrueType' ? 'WinAnsiEncoding' : 'StandardEncoding'))
  }
  /** The sources of the text of a code, the most certain one first. */
  const read = (code: number): CodeText | undefined => {
    const name = codes.differences.get(code)
    if (name !== undefined && name !== '.notdef') {
      const text = signOf(metrics, name) ?? textOfName(name) ?? numbered.get(code)
      return toCodeText(text, 'glyph-name') ?? toCodeText(kind === 'TrueType' ? byProgram(code) : undefined, 'program')
    }
    if (kind === 'Type3') return undefined
    if (base !== undefined && (!metrics || metrics.isText))
      return toCodeText(textOfName(latin?.nameOf(code, base)), 'encoding')
    return toCodeText(byProgram(code), 'program') ?? toCodeText(byHabit(code), 'encoding')
  }
  return { of: code => (code >= 0 && code < 256 ? read(code) : undefined) }
}

function textOfName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : readTextOfName(name)
}

/** The character of a sign in Symbol or ZapfDingbats. */
function signOf(metrics: ReturnType<typeof findStandardMetrics>, name: string | undefined): string | undefined {
  const character = metrics && !metrics.isText && name !== undefined ? metrics.characterOf(name) : undefined
  return character === undefined ? undefined : String.fromCodePoint(character)
}

import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'
import { toCodeText } from './code-text'
import type { CodeText, CodeTexts } from './code-text'
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

/** A glyph name of a prefix and a number, such as `g65`, `C0041` or `4A`. */
const NUMBERED = /^([A-Za-z]*?)([0-9A-Fa-f]{2,6})$/

/** Printable characters of ASCII. */
const FIRST = 0x21
const LAST = 0x7e

/**
 * Reads glyph names that only number characters, such as `/G41` for A. The numbers count if all names without a meaning
 * have the same prefix, and if all numbers are the codes themselves, in decimal or hexadecimal digits. Hexadecimal
 * numbers of two digits with letters among them count too, as in readers. Only printable ASCII is certain. Returns texts
 * by code.
 */
function readNumberedNames(names: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const numbered: { code: number; prefix: string; digits: string }[] = []
  for (const [code, name] of names) {
    if (name === '.notdef' || readTextOfName(name) !== undefined) continue
    const prefix = prefixOf(name)
    if (prefix === undefined) return new Map()
    numbered.push({ code, prefix, digits: name.slice(prefix.length) })
  }
  const [first] = numbered
  if (!first || numbered.some(({ prefix }) => prefix !== first.prefix)) return new Map()
  const radix = [10, 16].find(one => numbered.every(({ code, digits }) => toNumber(digits, one) === code))
  const isHex =
    numbered.every(({ digits }) => digits.length === 2) && numbered.some(({ digits }) => /[A-F]/i.test(digits))
  const chosen = radix ?? (isHex && first.prefix.length <= 1 ? 16 : undefined)
  if (chosen === undefined) return new Map()
  return new Map(
    numbered.flatMap(({ code, digits }) => {
      const character = toNumber(digits, chosen)
      return character >= FIRST && character <= LAST ? [[code, String.fromCharCode(character)] as const] : []
    }),
  )
}

/** The letters before the number: `g` in `g65` and `gA` in `gA5`. Empty in `4A` and `A5B`, which are hexadecimal. */
function prefixOf(name: string): string | undefined {
  const match = NUMBERED.exec(name)
  if (!match) return undefined
  const decimal = /^[A-Za-z]+(?=\d+$)/.exec(name)?.[0]
  return decimal ?? match[1]
}

function toNumber(digits: string, radix: number): number {
  return radix === 10 && !/^\d+$/.test(digits) ? -1 : Number.parseInt(digits, radix)
}

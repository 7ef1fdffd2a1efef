import { createHash } from 'node:crypto'
import { PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import {
  emptyGlyph,
  findStandardMetrics,
  readCharacterOfName,
  readEncoding,
  readSimpleFont,
  subsetTrueType,
} from '../../pdf/fonts'
import { keyOfCode, writeToUnicode } from '../../pdf/rewrite-content'
import { addDeflatedStream } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { walkValues } from './all-objects'
import type { WritableObject } from './all-objects'
import { findByWidths, findSubstitute } from './substitute-fonts'
import type { SubstituteFont } from './substitute-fonts'

const SIMPLE = new Set(['Type1', 'MMType1', 'TrueType'])
const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'].map(name => PDFName.of(name))
/** Encodings that a TrueType font may have without being symbolic (ISO 19005-2, 6.2.11.6). */
const PLAIN_ENCODINGS = new Set(['WinAnsiEncoding', 'MacRomanEncoding'])

// Flags of font descriptors (ISO 32000-2, table 121).
const FIXED_PITCH = 1
const SERIF = 2
const SYMBOLIC = 4
const NONSYMBOLIC = 32
const ITALIC = 64

/** What a code of a simple font shows. */
interface CodeMeaning {
  code: number
  character: number
  glyph: number
  /** Advance in thousandths of an em. */
  width: number
}

/**
 * Embeds fonts with the same widths in place of simple fonts that aren't embedded. The glyphs get exactly the widths
 * that the file states, so that no text moves. Returns whether any font was replaced. Fonts without a substitute stay
 * as they are.
 */
export function embedMissingFonts(document: PdfDocument, objects: readonly WritableObject[]): boolean {
  const seen = new Set<PDFDict>()
  let isChanged = false
  for (const { object } of objects)
    for (const value of walkValues(object)) {
      if (!(value instanceof PDFDict) || seen.has(value) || !lacksProgram(document, value)) continue
      seen.add(value)
      const name = document.peekName(value.get(Name.BaseFont)) ?? ''
      const font = findSubstitute(name) ?? findByWidths(readCharacterWidths(document, value))
      if (font && embed(document, value, font)) isChanged = true
    }
  return isChanged
}

function lacksProgram(document: PdfDocument, dict: PDFDict): boolean {
  if (document.peek(dict.get(Name.Type)) !== Name.Font || !SIMPLE.has(document.peekName(dict.get(Name.Subtype)) ?? ''))
    return false
  const descriptor = document.peekDict(dict.get(Name.FontDescriptor))
  return !PROGRAMS.some(key => descriptor?.has(key))
}

function embed(document: PdfDocument, dict: PDFDict, font: SubstituteFont): boolean {
  const meanings = readMeanings(document, dict, font)
  if (meanings.length === 0) return false
  const encoding = document.peek(dict.get(Name.Encoding))
  const isPlain = encoding instanceof PDFName && PLAIN_ENCODINGS.has(encoding.decodeText())
  const advances = new Map<number, number>()
  for (const { glyph, width } of meanings) advances.set(glyph, Math.round((width * font.unitsPerEm) / 1000))
  const subset = subsetTrueType(font.program, {
    glyphs: meanings.map(({ glyph }) => glyph),
    advances,
    ...(isPlain
      ? { unicodes: new Map(meanings.map(({ character, glyph }) => [character, glyph])) }
      : { symbols: new Map(meanings.map(({ code, glyph }) => [code, glyph])) }),
  })
  if (!subset) return false
  const name = `${prefixOf(subset.bytes)}+${font.name}`
  const program = addDeflatedStream(document, subset.bytes, { Length1: subset.bytes.length })
  writeEntries(document, dict, { font, name, program, isPlain, meanings })
  return true
}

interface Embedded {
  font: SubstituteFont
  name: string
  program: PDFRef
  isPlain: boolean
  meanings: readonly CodeMeaning[]
}

/** Writes widths, descriptor and text of an embedded TrueType font (ISO 32000-2, 9.6.3 and 9.8) into its dictionary. */
function writeEntries(
  document: PdfDocument,
  dict: PDFDict,
  { font, name, program, isPlain, meanings }: Embedded,
): void {
  const { metrics } = font
  const shape = (font.isFixedPitch ? FIXED_PITCH : 0) | (font.isSerif ? SERIF : 0) | (font.isItalic ? ITALIC : 0)
  const descriptor = document.context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: shape | (isPlain ? NONSYMBOLIC : SYMBOLIC),
    FontBBox: metrics.box,
    ItalicAngle: font.isItalic ? -12 : 0,
    Ascent: metrics.ascent,
    Descent: metrics.descent,
    CapHeight: metrics.capHeight,
    StemV: font.isBold ? 140 : 80,
    FontFile2: program,
  })
  const first = Math.min(...meanings.map(({ code }) => code))
  const last = Math.max(...meanings.map(({ code }) => code))
  const widths = new Map(meanings.map(({ code, width }) => [code, width]))
  const texts = meanings.map(({ code, character }) => [keyOfCode(code, 1), String.fromCodePoint(character)] as const)
  dict.set(Name.Subtype, Name.TrueType)
  dict.set(Name.BaseFont, PDFName.of(name))
  dict.set(Name.FirstChar, PDFNumber.of(first))
  dict.set(Name.LastChar, PDFNumber.of(last))
  dict.set(
    Name.Widths,
    document.context.obj(Array.from({ length: last - first + 1 }, (_, index) => widths.get(first + index) ?? 0)),
  )
  dict.set(Name.FontDescriptor, document.register(descriptor))
  if (!isPlain) dict.delete(Name.Encoding)
  if (!dict.has(Name.ToUnicode)) dict.set(Name.ToUnicode, addDeflatedStream(document, writeToUnicode(texts)))
}

/** The widths in /Widths by character. */
function readCharacterWidths(document: PdfDocument, dict: PDFDict): Map<number, number> {
  const first = document.peekNumber(dict.get(Name.FirstChar)) ?? 0
  const count = document.peekArray(dict.get(Name.Widths))?.size() ?? 0
  const stated = readCodes(document, dict).filter(
    ({ code, width }) => code >= first && code < first + count && width > 0,
  )
  return new Map(stated.map(({ character, width }) => [character, width] as const))
}

/** What each code of the font shows, as far as the substitute has the glyph. */
function readMeanings(document: PdfDocument, dict: PDFDict, font: SubstituteFont): CodeMeaning[] {
  const meanings: CodeMeaning[] = []
  const shown = new Map<number, number>()
  for (const { code, character, width } of readCodes(document, dict)) {
    const glyph = font.glyphs.get(character)
    // Codes that show the same glyph with different widths can't share it.
    if (glyph === undefined || (shown.get(glyph) ?? width) !== width) continue
    shown.set(glyph, width)
    meanings.push({ code, character, glyph, width })
  }
  return meanings
}

/** The character and the width of each code whose glyph has a known name. */
function readCodes(document: PdfDocument, dict: PDFDict): Omit<CodeMeaning, 'glyph'>[] {
  const { base, names } = readEncoding(document, dict)
  const standard =
    findStandardMetrics(document.peekName(dict.get(Name.BaseFont)) ?? '') ?? findStandardMetrics('Helvetica')
  const reader = readSimpleFont(document, dict)
  const glyph = emptyGlyph()
  const usual = base ?? (document.peekName(dict.get(Name.Subtype)) === 'TrueType' ? 'WinAnsiEncoding' : undefined)
  return Array.from({ length: 256 }, (_, code) => {
    const name = names.get(code) ?? standard?.nameOf(code, usual)
    const character = name === undefined ? undefined : (readCharacterOfName(name) ?? standard?.characterOf(name))
    if (character === undefined) return []
    reader.read(Uint8Array.of(code), 0, glyph)
    return [{ code, character, width: Math.round(glyph.advance * 1e6) / 1e3 }]
  }).flat()
}

/** The tag of a subset (ISO 32000-2, 9.9.2). The same subset always has the same tag. */
function prefixOf(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest()
  return Array.from(digest.subarray(0, 6), byte => String.fromCharCode(65 + (byte % 26))).join('')
}

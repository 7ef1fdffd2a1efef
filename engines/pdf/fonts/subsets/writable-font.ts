import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { readCMap } from '../cmaps/cmap'
import { emptyGlyph } from '../font'
import type { Font } from '../font'
import { Fonts } from '../fonts'
import { readEncoding } from '../simple-font'
import { findStandardMetrics } from '../standard-widths'
import { readCharacterOfName } from '../programs/glyph-names'
import { codeOfKey, keyOfCode, writeCode } from '../../content/code-keys'
import type { PdfDocument } from '../../document/document'
import * as Name from '../../syntax/names'
import { builtInName } from '../built-in-names'
import { readCidGlyphs } from '../cid-glyphs'
import { findDescendant, findProgram, openProgram } from '../font-program'
import type { OpenedProgram } from '../font-program'
import { readSimpleCodes } from '../simple-codes'
import { readToUnicode } from '../cmaps/to-unicode'

/** A glyph for writing. All measures are in thousandths of the font size. */
export interface WritableGlyph {
  /** The code in hexadecimal digits. */
  code: string
  advance: number
  /** How far the shape reaches from the baseline. */
  top: number
  bottom: number
}

/** A font of the document in which new text can be written. All measures are in thousandths of the font size. */
export interface WritableFont {
  /** The line of text around the baseline. */
  ascent: number
  descent: number
  capHeight: number
  /** Returns the glyph of a character. Undefined if the font doesn't have it. */
  glyphOf(character: string): WritableGlyph | undefined
}

/** How far letters such as g reach below the baseline. */
const DESCENDER = -220
/** Heights of capital letters, in ems. Descriptors outside of these limits are wrong. */
const USUAL_CAP_HEIGHT = 0.7
const PLAUSIBLE_CAP_HEIGHT = { least: 0.3, most: 1 }

const NO_BREAK_SPACE = '\u00a0'
const PRIVATE = /\p{Co}/u

/** A program whose glyphs have names. */
type NamedProgram = Exclude<OpenedProgram, { format: 'true-type' }>

/** Returns the bytes of a character's code. Undefined if the font has no glyph for the character. */
type CodeOf = (character: string) => Uint8Array | undefined

/**
 * Opens a font of the document for new text. Fonts must be embedded, have procedures (Type 3), be standard fonts, or
 * state the widths and the names of their glyphs, so that viewers replace them by similar fonts.
 * Undefined for other fonts, for vertical writing, and for fonts whose glyphs, widths or characters aren't known.
 */
export function openWritableFont(document: PdfDocument, dict: PDFDict): WritableFont | undefined {
  const metrics = new Fonts(document).find(dict)
  if (!metrics.isExact || metrics.isVertical) return undefined
  const kind = document.peekName(dict.get(Name.Subtype))
  const codeOf = kind === 'Type0' ? openComposite(document, dict) : openSimple(document, dict, metrics)
  if (!codeOf) return undefined
  const isType3 = kind === 'Type3'
  const descendant = kind === 'Type0' ? findDescendant(document, dict) : dict
  const stated =
    (document.peekNumber(document.peekDict(descendant?.get(Name.FontDescriptor))?.get(Name.CapHeight)) ?? 0) / 1000
  const capHeight =
    stated > PLAUSIBLE_CAP_HEIGHT.least && stated < PLAUSIBLE_CAP_HEIGHT.most
      ? stated
      : (findStandardMetrics(document.peekName(dict.get(Name.BaseFont)) ?? '')?.capHeight ?? USUAL_CAP_HEIGHT)
  const measured = emptyGlyph()
  const read = (code: Uint8Array): WritableGlyph => {
    metrics.read(code, 0, measured)
    return {
      code: Buffer.from(code).toString('hex').toUpperCase(),
      advance: measured.advance * 1000,
      // Fonts other than Type 3 only state the bounds of all their glyphs together.
      top: isType3 ? measured.top * 1000 : capHeight * 1000,
      bottom: isType3 ? measured.bottom * 1000 : DESCENDER,
    }
  }
  const known = new Map<string, WritableGlyph | undefined>()
  const glyphOf = (character: string): WritableGlyph | undefined => {
    if (known.has(character)) return known.get(character)
    const code = codeOf(character) ?? (character === NO_BREAK_SPACE ? codeOf(' ') : undefined)
    const glyph = code && read(code)
    // A glyph whose width isn't stated would overlap the next one.
    const found = glyph && glyph.advance > 0 ? glyph : undefined
    known.set(character, found)
    return found
  }
  // Any glyph tells the bounds of the font. In Type 3 fonts, digits are as high as any glyph.
  const sample = read(codeOf('0') ?? codeOf('A') ?? Uint8Array.of(0, 0))
  return {
    ascent: measured.top * 1000,
    descent: measured.bottom * 1000,
    capHeight: sample.top,
    glyphOf,
  }
}

function openSimple(document: PdfDocument, dict: PDFDict, metrics: Font): CodeOf | undefined {
  const found = findProgram(document, document.peekDict(dict.get(Name.FontDescriptor)))
  const opened = found && openProgram(document, found)
  const standard = findStandardMetrics(document.peekName(dict.get(Name.BaseFont)) ?? '')
  if (!opened && !metrics.procedureOf && (found || !(standard ?? statesNames(document, dict)))) return undefined
  const { nameOf, has } = readGlyphs(document, dict, { opened, metrics })
  const toUnicode = readToUnicode(document, dict)
  const characterOf = (code: number): string | undefined => {
    const stated = toUnicode?.textOf(keyOfCode(code, 1))
    if (stated !== undefined) return stated
    const name = nameOf(code)
    const point = name === undefined ? undefined : (readCharacterOfName(name) ?? standard?.characterOf(name))
    const character = point === undefined ? undefined : String.fromCodePoint(point)
    return character === undefined || PRIVATE.test(character) ? undefined : character
  }
  const codes = new Map<string, number>()
  const signs = new Map<string, number>()
  for (let code = 0; code < 256; code++) {
    const character = characterOf(code)
    if (!has(code, character === ' ')) continue
    if (character !== undefined && !codes.has(character)) codes.set(character, code)
    // Viewers show the signs of symbol fonts for the characters whose codes these signs have.
    if ((character === undefined || standard?.isText === false) && code > 0x20 && code < 0x7f)
      signs.set(String.fromCharCode(code), code)
  }
  return character => {
    const code = codes.get(character) ?? signs.get(character)
    return code === undefined ? undefined : Uint8Array.of(code)
  }
}

/** Returns whether a font without a program has Latin letters, as its encoding says. */
function statesNames(document: PdfDocument, dict: PDFDict): boolean {
  const { base } = readEncoding(document, dict)
  return base === 'WinAnsiEncoding' || base === 'MacRomanEncoding'
}

/** Reads the glyph names of a simple font, and whether it has the glyph of a code. Blank glyphs may have no outline. */
function readGlyphs(
  document: PdfDocument,
  dict: PDFDict,
  { opened, metrics }: { opened: OpenedProgram | undefined; metrics: Font },
): { nameOf(code: number): string | undefined; has(code: number, isBlank: boolean): boolean } {
  const { names, base } = readEncoding(document, dict)
  const descriptor = document.peekDict(dict.get(Name.FontDescriptor))
  const { nameOfCode: statedName, isSymbolic, readingOf } = readSimpleCodes(document, dict, descriptor)
  if (metrics.procedureOf) {
    const procedures = document.peekDict(dict.get(Name.CharProcs))
    const has = (code: number): boolean =>
      document.peek(procedures?.get(PDFName.of(names.get(code) ?? ''))) instanceof PDFRawStream
    return { nameOf: code => names.get(code), has }
  }
  if (opened?.format === 'true-type') {
    const { program } = opened
    const latin = findStandardMetrics('Helvetica')
    const glyphOf = (code: number): number => program.glyphOfCode(code, readingOf(code))
    const ownName = (code: number): string | undefined => {
      const [character] = program.charactersOf(glyphOf(code))
      return character === undefined ? undefined : `u${character.toString(16).toUpperCase().padStart(4, '0')}`
    }
    return {
      nameOf: code => statedName(code) ?? (isSymbolic ? ownName(code) : latin?.nameOf(code, 'StandardEncoding')),
      has: (code, isBlank) => glyphOf(code) > 0 && (isBlank || program.hasOutline(glyphOf(code))),
    }
  }
  if (opened) {
    const nameOf = (code: number): string | undefined => statedName(code) ?? builtInName(opened, code)
    return { nameOf, has: (code, isBlank) => hasNamed(opened, nameOf(code), isBlank) }
  }
  const standard =
    findStandardMetrics(document.peekName(dict.get(Name.BaseFont)) ?? '') ?? findStandardMetrics('Helvetica')
  const nameOf = (code: number): string | undefined => names.get(code) ?? standard?.nameOf(code, base)
  return { nameOf, has: code => standard?.widthOf(nameOf(code) ?? '') !== undefined }
}

function hasNamed(opened: NamedProgram, name: string | undefined, isBlank: boolean): boolean {
  if (name === undefined) return false
  if (opened.format === 'type1') return isBlank ? opened.program.names.includes(name) : opened.program.hasOutline(name)
  const glyph = opened.program.glyphOfName(name) ?? 0
  return glyph > 0 && (isBlank || opened.program.hasOutline(glyph))
}

function openComposite(document: PdfDocument, dict: PDFDict): CodeOf | undefined {
  const cmap = readCMap(document, dict.get(Name.Encoding))
  const descendant = findDescendant(document, dict)
  const toUnicode = readToUnicode(document, dict)
  const found = findProgram(document, document.peekDict(descendant?.get(Name.FontDescriptor)))
  const opened = found && openProgram(document, found)
  const glyphOf = descendant && opened && readCidGlyphs(document, descendant, opened)
  if (!cmap.knowsGlyphs || !toUnicode || !glyphOf || opened.format === 'type1') return undefined
  const { program } = opened
  return character => {
    const key = toUnicode.keyOf(character)
    if (key === undefined) return undefined
    const { code } = codeOfKey(key)
    // Some CMaps state other code lengths than the text has.
    const length = [2, codeOfKey(key).length].find(one => cmap.has(code, one))
    if (length === undefined) return undefined
    const glyph = glyphOf(cmap.cidOf(code, length))
    const isKnown = glyph > 0 && glyph < program.glyphCount && (character === ' ' || program.hasOutline(glyph))
    return isKnown ? Buffer.from(writeCode(code, length), 'hex') : undefined
  }
}

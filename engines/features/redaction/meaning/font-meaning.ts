import type { PDFDict } from 'pdf-lib'
import {
  findDescendant,
  findProgram,
  hasKnownCharacters,
  openProgram,
  readBuiltInNames,
  readCidMap,
  readCMap,
  readCollection,
  readMeaningOfName,
  readSimpleCodes,
  readToUnicode,
} from '../../../pdf/fonts'
import type { TrueTypeProgram } from '../../../pdf/fonts'
import type { PdfDocument } from '../../../pdf/document'
import { codeOfKey, keyOfCode } from '../../../pdf/rewrite-content'
import * as Name from '../../../pdf/names'
import { contradictsShapes } from './letter-shapes'
import type { LetterShape } from './letter-shapes'
import { isEquivalentText } from './equivalent-text'

/** Names of symbol fonts, whose codes don't stand for text. */
const OF_SIGNS =
  /symbol|dingbat|wingding|webding|marlett|awesome|icon|emoji|bullet|^(?:[A-Z]{6}\+)?(?:CMEX|CMSY|MSAM|MSBM|LASY|STMARY|WASY|MT-?Extra|MTEX|MTSY|ESINT)/i

/** Text without a meaning: control characters, U+FFFD, unpaired surrogates and unassigned code points. */
const NO_MEANING = /^(?:[\p{Cc}\p{Cn}\p{Cs}\ufffd])+$/u
const PRIVATE = /^\p{Co}+$/u
const UNSEEN = /^[\p{Cf}\p{Z}\s]+$/u
const LETTER = /[\p{L}\p{N}]/u
const ASCII_LETTER = /^[A-Za-z0-9]$/

/**
 * What a code stands for: a letter or digit, another sign, nothing known, or a private-use character. `false` means
 * another character than the one that the file's Unicode mapping claims.
 */
export type CodeMeaning = 'letter' | 'sign' | 'unknown' | 'private' | 'false'

/**
 * The text that a file maps a code to, or `sign` if readers know the code from another source. Undefined without a
 * mapping.
 */
type MappedText = { text: string } | 'sign' | undefined

/** What the file maps a code to, and what the font program draws for it (`shown`). */
interface Evidence {
  mappedTextOf(code: number, length: number): MappedText
  shown(code: number, length: number): readonly { text: string; isSmallCap: boolean }[]
  hasShape(code: number, length: number): boolean | undefined
  reachOf(code: number, length: number): { bottom: number; top: number } | undefined
}

/** Judges whether the Unicode mappings of a font's codes can be trusted. */
export class FontMeaning {
  /** Whether the font is a symbol font. */
  readonly isOfSigns: boolean
  private readonly evidence: Evidence
  private readonly meanings = new Map<number, CodeMeaning>()
  /** Keys of codes by the text that the file maps them to. */
  private readonly codesOf = new Map<string, Set<number>>()
  /** The vertical extents of letters that only the file's mapping identifies. */
  private readonly shapes = new Map<number, LetterShape>()

  constructor(document: PdfDocument, dict: PDFDict) {
    this.isOfSigns = OF_SIGNS.test(document.peekName(dict.get(Name.BaseFont)) ?? '')
    this.evidence =
      document.peekName(dict.get(Name.Subtype)) === 'Type0'
        ? collectCompositeEvidence(document, dict)
        : collectSimpleEvidence(document, dict)
  }

  /** Returns the meaning of a shown code by its key. */
  of(key: number): CodeMeaning {
    const known = this.meanings.get(key)
    if (known) return known
    const meaning = this.judge(key)
    this.meanings.set(key, meaning)
    return meaning
  }

  /**
   * Returns the keys of shown codes whose mappings are wrong. Either many codes map to the same text, or the glyph
   * shapes contradict the text.
   */
  listDoubtful(): Set<number> {
    const total = [...this.codesOf.values()].reduce((sum, codes) => sum + codes.size, 0)
    const isMany = (size: number): boolean => size >= MOST_ALIKE || (size >= LEAST_ALIKE && size >= total / 2)
    const alike = [...this.codesOf.values()].filter(({ size }) => isMany(size))
    const misshapen = contradictsShapes([...this.shapes.values()]) ? [...this.shapes.keys()] : []
    return new Set([...alike.flatMap(codes => [...codes]), ...misshapen])
  }

  private judge(key: number): CodeMeaning {
    const { mappedTextOf, shown, hasShape } = this.evidence
    const { code, length } = codeOfKey(key)
    const mapped = mappedTextOf(code, length)
    if (mapped === 'sign') return 'sign'
    const text = mapped?.text ?? ''
    if (text === '' || NO_MEANING.test(text)) {
      return hasShape(code, length) === false || /^[\t\n\r ]+$/.test(text) ? 'sign' : 'unknown'
    }
    if (PRIVATE.test(text)) return 'private'
    this.record(key, text)
    const proofs = shown(code, length)
    // A sign and a letter may share a glyph, such as a quotation mark and a letter that looks like it.
    const isProven = proofs.some(proof => LETTER.test(proof.text))
    if (isProven && !proofs.some(proof => isEquivalentText(text, proof))) return 'false'
    const reach = !isProven && ASCII_LETTER.test(text) ? this.evidence.reachOf(code, length) : undefined
    if (reach) this.shapes.set(key, { letter: text, ...reach })
    if (UNSEEN.test(text)) return hasShape(code, length) === true && text !== '\u00ad' ? 'false' : 'sign'
    return LETTER.test(text) ? 'letter' : 'sign'
  }

  private record(key: number, text: string): void {
    const codes = this.codesOf.get(text) ?? new Set()
    this.codesOf.set(text, codes)
    codes.add(key)
  }
}

/**
 * How many codes with the same text make their mappings doubtful: `MOST_ALIKE` in any case, or `LEAST_ALIKE` if they
 * are at least half of the font's codes.
 */
const MOST_ALIKE = 7
const LEAST_ALIKE = 3

function collectCompositeEvidence(document: PdfDocument, dict: PDFDict): Evidence {
  const toUnicode = readToUnicode(document, dict)
  const encoding = document.peekName(dict.get(Name.Encoding)) ?? ''
  const descendant = findDescendant(document, dict)
  const cmap = readCMap(document, dict.get(Name.Encoding))
  const isNumbered = /^(Identity-[HV])?$/.test(encoding)
  const isKnown = !isNumbered || hasKnownCharacters(readCollection(document, descendant?.get(Name.CIDSystemInfo)))
  const program = openTrueTypeProgram(document, document.peekDict(descendant?.get(Name.FontDescriptor)))
  const map = readCidMap(document, descendant)
  const isTrueType = document.peekName(descendant?.get(Name.Subtype)) === 'CIDFontType2' && cmap.knowsGlyphs
  const glyphOf = (code: number, length: number): number => {
    const cid = cmap.cidOf(code, length)
    return map === 'identity' ? cid : (map?.glyphOf(cid) ?? cid)
  }
  return {
    mappedTextOf: (code, length) =>
      toMappedText(toUnicode?.textOf(keyOfCode(code, length))) ?? (isKnown ? 'sign' : undefined),
    shown: (code, length) => (isTrueType ? listProofs(program, glyphOf(code, length)) : []),
    hasShape: (code, length) => (isTrueType ? hasShape(program, glyphOf(code, length)) : undefined),
    reachOf: (code, length) => (isTrueType ? program?.reachOf(glyphOf(code, length)) : undefined),
  }
}

/** Returns whether a glyph has an outline. Undefined if that isn't known. */
function hasShape(program: TrueTypeProgram | undefined, glyph: number): boolean | undefined {
  return program && glyph < program.glyphCount ? program.reachOf(glyph) !== undefined : undefined
}

function listProofs(program: TrueTypeProgram | undefined, glyph: number): { text: string; isSmallCap: boolean }[] {
  if (!program || glyph === 0) return []
  const characters = program.charactersOf(glyph)
  if (characters.length > 0)
    return characters.map(character => ({ text: String.fromCodePoint(character), isSmallCap: false }))
  const name = program.nameOf(glyph)
  const meaning = name === undefined ? undefined : readMeaningOfName(name)
  return meaning && meaning !== 'sign' ? [meaning] : []
}

function collectSimpleEvidence(document: PdfDocument, dict: PDFDict): Evidence {
  const toUnicode = readToUnicode(document, dict)
  const kind = document.peekName(dict.get(Name.Subtype))
  const descriptor = document.peekDict(dict.get(Name.FontDescriptor))
  const { base, differences, hasDifferences, isSymbolic, readingOf } = readSimpleCodes(document, dict, descriptor)
  const program = kind === 'TrueType' ? openTrueTypeProgram(document, descriptor) : undefined
  const builtIn =
    kind === 'Type3' || program || (base !== undefined && !hasDifferences)
      ? undefined
      : readBuiltInNames(document, descriptor)
  const nameAt = (code: number): string | undefined =>
    differences.get(code) ?? (base === undefined ? builtIn?.get(code) : undefined)
  // In symbolic TrueType fonts, codes select glyphs directly and /Encoding is ignored (ISO 32000-2, 9.6.5.4).
  const isUnencoded = program !== undefined && base === undefined && !hasDifferences
  const isByName = kind !== 'TrueType' || !program || !(isSymbolic || isUnencoded)
  const glyphOf = (code: number): number =>
    isByName ? 0 : (program?.glyphOfCode(code, { ...readingOf(code), isSymbolic: true }) ?? 0)
  const byEncoding = (code: number): string | undefined =>
    base !== undefined && code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined
  return {
    mappedTextOf(code) {
      const mapped = toMappedText(toUnicode?.textOf(keyOfCode(code, 1)))
      if (mapped) return mapped
      const name = nameAt(code)
      const meaning = name === undefined ? undefined : readMeaningOfName(name)
      if (meaning === undefined && name === undefined && isBlank(code) && isStandard(document, dict)) return 'sign'
      if (meaning) return meaning
      if (name !== undefined || kind === 'Type3' || (builtIn && base === undefined)) return undefined
      // Readers treat the codes of such font programs as ASCII.
      if (isUnencoded && code > 0x20 && code < 0x7f) return { text: String.fromCharCode(code) }
      return code >= 0x20 ? (toMappedText(byEncoding(code)) ?? 'sign') : undefined
    },
    shown(code) {
      if (!toUnicode && !isUnencoded) return []
      if (!isByName) return listProofs(program, glyphOf(code))
      const name = nameAt(code)
      const meaning = name === undefined ? undefined : readMeaningOfName(name)
      if (name !== undefined) return meaning && meaning !== 'sign' ? [meaning] : []
      const text =
        byEncoding(code) ??
        (isStandard(document, dict) && code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined)
      return text === undefined ? [] : [{ text, isSmallCap: false }]
    },
    hasShape: code => (glyphOf(code) > 0 ? hasShape(program, glyphOf(code)) : undefined),
    reachOf: code => (glyphOf(code) > 0 ? program?.reachOf(glyphOf(code)) : undefined),
  }
}

function toMappedText(text: string | undefined): MappedText {
  return text === undefined ? undefined : { text }
}

/** Returns whether a code is a tab or a line end, which some programs leave in strings. */
function isBlank(code: number): boolean {
  return code === 9 || code === 10 || code === 13
}

/** Returns whether a font without a font program shows Latin letters at their ASCII codes. */
function isStandard(document: PdfDocument, dict: PDFDict): boolean {
  const descriptor = document.peekDict(dict.get(Name.FontDescriptor))
  return (
    !findProgram(document, descriptor) &&
    document.peekName(dict.get(Name.Subtype)) !== 'Type3' &&
    !OF_SIGNS.test(document.peekName(dict.get(Name.BaseFont)) ?? '')
  )
}

function openTrueTypeProgram(document: PdfDocument, descriptor: PDFDict | undefined): TrueTypeProgram | undefined {
  const found = findProgram(document, descriptor)
  const opened = found && openProgram(document, found)
  return opened?.format === 'true-type' ? opened.program : undefined
}

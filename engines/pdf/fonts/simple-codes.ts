import type { PDFDict } from 'pdf-lib'
import { readEncoding } from './simple-font'
import { findStandardMetrics } from './standard-widths'
import type { CodeReading } from './programs/true-type/true-type-codes'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'

// Flags of font descriptors (ISO 32000-2, table 121).
const SYMBOLIC = 4
const NONSYMBOLIC = 32

/** How the dictionary of a simple font reads its codes (ISO 32000-2, 9.6.5). */
export interface SimpleCodes {
  /** The base encoding. Undefined if the dictionary has none. */
  base: string | undefined
  /** The glyph names in /Differences, by code. */
  differences: ReadonlyMap<number, string>
  hasDifferences: boolean
  isSymbolic: boolean
  /** The flags of the descriptor, as those of a symbolic font. */
  symbolicFlags: number
  /** Returns the glyph name of a code in /Differences, else in the base encoding. Undefined if neither has one. */
  nameOfCode(code: number): string | undefined
  /** Returns what a TrueType program must know to find the glyph of a code. */
  readingOf(code: number): CodeReading
}

/** Reads how a simple font reads its codes. */
export function readSimpleCodes(document: PdfDocument, font: PDFDict, descriptor: PDFDict | undefined): SimpleCodes {
  const { base, names: differences } = readEncoding(document, font)
  const metrics = findStandardMetrics('Helvetica')
  const flags = document.peekNumber(descriptor?.get(Name.Flags)) ?? 0
  const isSymbolic = (flags & SYMBOLIC) !== 0 && (flags & NONSYMBOLIC) === 0
  const hasDifferences = differences.size > 0
  const nameOfCode = (code: number): string | undefined =>
    differences.get(code) ?? (base === undefined ? undefined : metrics?.nameOf(code, base))
  return {
    base,
    differences,
    hasDifferences,
    isSymbolic,
    symbolicFlags: (flags | SYMBOLIC) & ~NONSYMBOLIC,
    nameOfCode,
    readingOf: code => ({ isSymbolic, glyphName: nameOfCode(code), base, hasDifferences }),
  }
}

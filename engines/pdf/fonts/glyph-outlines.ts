import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { Bounds } from '../geometry/geometry'
import * as Name from '../syntax/names'
import { builtInName } from './built-in-names'
import { readCidGlyphs } from './cid-glyphs'
import { readCMap } from './cmaps/cmap'
import { findDescendant, findProgram, openProgram } from './font-program'
import type { OpenedProgram } from './font-program'
import { readSimpleCodes } from './simple-codes'
import { findStandardMetrics } from './standard-widths'

/** Returns the boxes around what the glyph of a code may draw, in ems. Empty if it draws nothing, or if that isn't known. */
export type InkOfCode = (code: number, length: number) => Bounds[]

/** Opens the outlines of a font's embedded program. Undefined if it has none that can be read. */
export function openGlyphOutlines(document: PdfDocument, font: PDFDict): InkOfCode | undefined {
  const descendant = findDescendant(document, font)
  const descriptor = document.peekDict((descendant ?? font).get(Name.FontDescriptor))
  const found = findProgram(document, descriptor)
  const opened = found && openProgram(document, found)
  if (!opened) return undefined
  return descendant
    ? openComposite(document, font, { descendant, opened })
    : openSimple(document, font, { descriptor, opened })
}

function openComposite(
  document: PdfDocument,
  font: PDFDict,
  { descendant, opened }: { descendant: PDFDict; opened: OpenedProgram },
): InkOfCode | undefined {
  const cmap = readCMap(document, font.get(Name.Encoding))
  const glyphOf = readCidGlyphs(document, descendant, opened)
  if (!glyphOf || opened.format === 'type1') return undefined
  return (code, length) => listOf(opened.program.inkOf(glyphOf(cmap.cidOf(code, length))))
}

function openSimple(
  document: PdfDocument,
  font: PDFDict,
  { descriptor, opened }: { descriptor: PDFDict | undefined; opened: OpenedProgram },
): InkOfCode {
  const { nameOfCode, readingOf } = readSimpleCodes(document, font, descriptor)
  if (opened.format === 'true-type')
    return code => opened.program.inkOf(opened.program.glyphOfCode(code, readingOf(code)))
  const nameOf = (code: number): string =>
    nameOfCode(code) ??
    builtInName(opened, code) ??
    findStandardMetrics('Helvetica')?.nameOf(code, 'StandardEncoding') ??
    '.notdef'
  if (opened.format === 'type1') return code => listOf(opened.program.inkOf(nameOf(code)))
  const { program } = opened
  return code => listOf(program.inkOf(program.isCid ? code : (program.glyphOfName(nameOf(code)) ?? 0)))
}

function listOf(ink: Bounds[] | Bounds | undefined): Bounds[] {
  return Array.isArray(ink) ? ink : ink ? [ink] : []
}

import { PDFArray, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { openCff } from './programs/cff/cff'
import type { CffProgram } from './programs/cff/cff'
import { openTrueType } from './programs/true-type/true-type'
import type { TrueTypeProgram } from './programs/true-type/true-type'
import { openType1 } from './programs/type1/type1'
import type { Type1Program } from './programs/type1/type1'
import * as Name from '../syntax/names'

/** The keys of font programs in a font descriptor (ISO 32000-2, table 124). */
export const PROGRAM_KEYS = ['FontFile', 'FontFile2', 'FontFile3'].map(name => PDFName.of(name))

/** An embedded font program. */
export interface Program {
  key: 'FontFile' | 'FontFile2' | 'FontFile3'
  stream: PDFRawStream
}

/** Returns the descendant of a Type 0 font (ISO 32000-2, 9.7.6). */
export function findDescendant(document: PdfDocument, font: PDFDict): PDFDict | undefined {
  const value = document.peek(font.get(Name.DescendantFonts))
  return document.peekDict(value instanceof PDFArray ? value.asArray()[0] : value)
}

/** Returns the embedded program of a font descriptor. */
export function findProgram(document: PdfDocument, descriptor: PDFDict | undefined): Program | undefined {
  for (const name of PROGRAM_KEYS) {
    const stream = document.peek(descriptor?.get(name))
    if (stream instanceof PDFRawStream) return { key: name.decodeText() as Program['key'], stream }
  }
  return undefined
}

/** An embedded font program that was opened. */
export type OpenedProgram =
  | { format: 'true-type'; program: TrueTypeProgram }
  | { format: 'cff'; program: CffProgram }
  | { format: 'type1'; program: Type1Program }

/** Opens an embedded font program. Returns undefined if it can't be read safely. */
export function openProgram(document: PdfDocument, { key, stream }: Program): OpenedProgram | undefined {
  const bytes = decodeUpToLimit(document, stream)
  if (!bytes) return undefined
  if (key === 'FontFile') {
    const type1 = openType1(bytes)
    if (type1) return { format: 'type1', program: type1 }
  }
  // Some files store programs under the wrong key, and readers detect the format from the bytes.
  const trueType = openTrueType(bytes)
  if (trueType) return { format: 'true-type', program: trueType }
  const cff = openCff(bytes)
  return cff && { format: 'cff', program: cff }
}

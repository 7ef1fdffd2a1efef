import type { PDFDict, PDFObject } from 'pdf-lib'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { readMatrix } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { readNumbers } from '../geometry/read-numbers'
import * as Name from '../syntax/names'
import { FontData, readUnlessDamaged } from './programs/font-data'
import { readSfntTables } from './programs/true-type/sfnt'
import { findStandardMetrics } from './standard-widths'
import { findDescendant, findProgram } from './font-program'

/** How far letters extend above and below the baseline, in ems. */
export interface FontExtent {
  ascent: number
  descent: number
}

const USUAL: FontExtent = { ascent: 0.75, descent: -0.25 }

/** Units of glyphs are thousandths of an em (ISO 32000-2, 9.2.4). */
const USUAL_MATRIX: Matrix = [0.001, 0, 0, 0.001, 0, 0]

/** Offsets in the tables `head` and `hhea` (OpenType). */
const UNITS_PER_EM_AT = 18
const ASCENDER_AT = 4
const DESCENDER_AT = 6

/** Larger values are mistakes. */
const LARGEST = 8

/** Descents above this are written without their sign, in thousandths of an em. */
const UNSIGNED = 10

/**
 * Reads the extent of a font: from its descriptor, else from its program, its bounding box or the standard font of the
 * same name.
 */
export function readFontExtent(document: PdfDocument, font: PDFDict): FontExtent {
  const isType3 = document.peekName(font.get(Name.Subtype)) === 'Type3'
  const described = isType3 ? undefined : (findDescendant(document, font) ?? font)
  const descriptor = document.peekDict(described?.get(Name.FontDescriptor))
  const scale = isType3 ? readMatrix(document, font.get(Name.FontMatrix), USUAL_MATRIX)[3] : USUAL_MATRIX[3]
  const box = (descriptor ?? font).get(Name.FontBBox)
  return (
    plausible(readStated(document, descriptor)) ??
    plausible(readHeader(document, descriptor)) ??
    plausible(readBox(document, box, scale)) ??
    (isType3 ? undefined : findStandardMetrics(document.peekName(font.get(Name.BaseFont)) ?? '')?.extent) ??
    USUAL
  )
}

function plausible(extent: FontExtent | undefined): FontExtent | undefined {
  if (!extent || (extent.ascent === 0 && extent.descent === 0)) return undefined
  return Math.abs(extent.ascent) <= LARGEST && Math.abs(extent.descent) <= LARGEST ? extent : undefined
}

function readStated(document: PdfDocument, descriptor: PDFDict | undefined): FontExtent {
  const ascent = document.peekNumber(descriptor?.get(Name.Ascent)) ?? 0
  const descent = document.peekNumber(descriptor?.get(Name.Descent)) ?? 0
  return { ascent: ascent / 1000, descent: (descent > UNSIGNED ? -descent : descent) / 1000 }
}

/** Reads the horizontal header of a TrueType or OpenType program. */
function readHeader(document: PdfDocument, descriptor: PDFDict | undefined): FontExtent | undefined {
  const found = findProgram(document, descriptor)
  const bytes = found && found.key !== 'FontFile' ? decodeUpToLimit(document, found.stream) : undefined
  return (
    bytes &&
    readUnlessDamaged(() => {
      const tables = readSfntTables(bytes)
      const [head, hhea] = [tables.get('head'), tables.get('hhea')]
      const units = head ? new FontData(head).u16(UNITS_PER_EM_AT) : 0
      if (!hhea || units === 0) return undefined
      const data = new FontData(hhea)
      return { ascent: data.i16(ASCENDER_AT) / units, descent: data.i16(DESCENDER_AT) / units }
    })
  )
}

function readBox(document: PdfDocument, value: PDFObject | undefined, scale: number): FontExtent {
  const [, low = 0, , high = 0] = readNumbers(document, value) ?? []
  return { ascent: Math.max(low * scale, high * scale), descent: Math.min(low * scale, high * scale) }
}

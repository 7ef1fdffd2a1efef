import { PDFName } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import * as Name from '../../pdf-core/syntax/names'

/** A glyph as a font gives it. One object is used again for every glyph. */
export interface Glyph {
  code: number
  /** Bytes of the string that the code takes; at least 1. */
  length: number
  /** How far the next glyph is: across for horizontal writing, upwards (usually negative) for vertical, in ems. */
  advance: number
  /** Where its shape may lie, in ems from the origin of the glyph. */
  left: number
  bottom: number
  right: number
  top: number
}

/** What has to be known of a font to place its text; one em is 1 in text space at font size 1. */
export interface Font {
  /** The font in the document. */
  readonly dict: PDFDict
  isVertical: boolean
  /** Whether the advances are known; otherwise they are guesses and text must not be taken apart. */
  isExact: boolean
  /** The name of a glyph's procedure, for Type 3 fonts. */
  procedureOf?(code: number): string | undefined
  /** Bytes of the code at `at`, at least 1; missing for fonts whose codes all have one byte. */
  lengthAt?(bytes: Uint8Array, at: number): number
  /** Reads the glyph whose code stands at `at` into `glyph`. */
  read(bytes: Uint8Array, at: number, glyph: Glyph): void
}

/** A glyph to be filled by `read`. */
export function emptyGlyph(): Glyph {
  return { code: 0, length: 1, advance: 0, left: 0, bottom: 0, right: 0, top: 0 }
}

/** How far shapes reach below and above the baseline, in ems. */
export interface GlyphBounds {
  bottom: number
  top: number
}

const USUAL: GlyphBounds = { bottom: -0.25, top: 0.95 }

/**
 * The reach of a font's glyphs from its descriptor. Descriptors are often wrong: values that no text font has are
 * ignored. Type 1 fonts state the box of their own glyphs, and those of formulas hang far below the baseline.
 */
export function readGlyphBounds(document: PdfDocument, descriptor: PDFDict | undefined, isType1: boolean): GlyphBounds {
  const number = (key: string): number => (document.peekNumber(descriptor?.get(PDFName.of(key))) ?? 0) / 1000
  const box =
    document
      .peekArray(descriptor?.get(Name.FontBBox))
      ?.asArray()
      .map(item => (document.peekNumber(item) ?? 0) / 1000) ?? []
  const [, low = 0, , high = 0] = box
  if (isType1 && high > low && low > -4 && high < 4) return { bottom: Math.min(low, 0), top: Math.max(high, 0) }
  const [ascent, descent] = [number('Ascent'), -Math.abs(number('Descent'))]
  return {
    bottom: descent < -0.05 && descent > -1 ? Math.min(descent, USUAL.bottom) : USUAL.bottom,
    top: ascent > 0.3 && ascent < 1.5 ? Math.max(ascent, USUAL.top) : USUAL.top,
  }
}

import { PDFName } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { CodeText } from './code-text'
import type { FontStyle } from './font-style'
import * as Name from '../syntax/names'

/** Metrics of a glyph. One object is reused for every glyph. */
export interface Glyph {
  code: number
  /** Length of the code in bytes, at least 1. */
  length: number
  /** Advance to the next glyph in ems: to the right for horizontal, upward (usually negative) for vertical writing. */
  advance: number
  /** Bounds of the glyph's shape, in ems from its origin. */
  left: number
  bottom: number
  right: number
  top: number
}

/** The metrics of a font for placing text. In text space at font size 1, one em is 1. */
export interface FontMetrics {
  /** The font in the document. */
  readonly dict: PDFDict
  isVertical: boolean
  /** Whether the advances are known. If not, they are estimates, and text must not be split. */
  isExact: boolean
  /** The name of a glyph's procedure. Only for Type 3 fonts. */
  procedureOf?(code: number): string | undefined
  /** Length in bytes of the code at `at`, at least 1. Undefined for fonts with one-byte codes only. */
  lengthAt?(bytes: Uint8Array, at: number): number
  /**
   * Returns the distance from a glyph's origin for horizontal writing to the one for vertical writing, in ems. Undefined
   * for horizontal fonts.
   */
  originOf?(code: number, length: number): readonly [x: number, y: number]
  /** Reads the metrics of the glyph with the code at `at` into `glyph`. */
  read(bytes: Uint8Array, at: number, glyph: Glyph): void
}

/** A font of a document: its metrics, what its codes mean, and its style. */
export interface Font extends FontMetrics {
  /** How far letters extend above and below the baseline, in ems. The descent is usually negative. */
  readonly ascent: number
  readonly descent: number
  readonly style: FontStyle
  /** Returns what a code with this length in bytes stands for. Undefined if nothing tells it for certain. */
  textOf(code: number, length: number): CodeText | undefined
}

/** Creates a glyph for `read`. */
export function emptyGlyph(): Glyph {
  return { code: 0, length: 1, advance: 0, left: 0, bottom: 0, right: 0, top: 0 }
}

/** How far shapes extend below and above the baseline, in ems. */
export interface GlyphBounds {
  bottom: number
  top: number
}

/** Bounds of usual Latin fonts. */
const DEFAULT_BOUNDS: GlyphBounds = { bottom: -0.25, top: 0.95 }
/** A bounding box that extends further from the baseline, in ems, is a mistake. */
const FARTHEST_BOX = 4
/** A descender nearer to the baseline or as far as a whole em, in ems, is a mistake. */
const PLAUSIBLE_DESCENT = { nearest: -0.05, farthest: -1 }
/** An ascender below lowercase letters or far above accents, in ems, is a mistake. */
const PLAUSIBLE_ASCENT = { nearest: 0.3, farthest: 1.5 }

/**
 * Reads the vertical bounds of a font's glyphs from its descriptor. Descriptors are often wrong, so implausible values
 * are ignored. Type 1 fonts state the bounding box of their glyphs, and glyphs of math fonts extend far below the
 * baseline.
 */
export function readGlyphBounds(
  document: PdfDocument,
  descriptor: PDFDict | undefined,
  { isType1 }: { isType1: boolean },
): GlyphBounds {
  const number = (key: string): number => (document.peekNumber(descriptor?.get(PDFName.of(key))) ?? 0) / 1000
  const box =
    document
      .peekArray(descriptor?.get(Name.FontBBox))
      ?.asArray()
      .map(item => (document.peekNumber(item) ?? 0) / 1000) ?? []
  const [, low = 0, , high = 0] = box
  if (isType1 && high > low && low > -FARTHEST_BOX && high < FARTHEST_BOX)
    return { bottom: Math.min(low, 0), top: Math.max(high, 0) }
  const [ascent, descent] = [number('Ascent'), -Math.abs(number('Descent'))]
  const hasDescent = descent < PLAUSIBLE_DESCENT.nearest && descent > PLAUSIBLE_DESCENT.farthest
  const hasAscent = ascent > PLAUSIBLE_ASCENT.nearest && ascent < PLAUSIBLE_ASCENT.farthest
  return {
    bottom: hasDescent ? Math.min(descent, DEFAULT_BOUNDS.bottom) : DEFAULT_BOUNDS.bottom,
    top: hasAscent ? Math.max(ascent, DEFAULT_BOUNDS.top) : DEFAULT_BOUNDS.top,
  }
}

import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { findDescendant } from './font-program'
import * as Name from '../syntax/names'

/** Bit of a font's flags: the font is bold at small sizes (ISO 32000-2, table 121). */
const FORCE_BOLD = 1 << 18

/** Bit of a font's flags: all glyphs have the same width (ISO 32000-2, table 121). */
const FIXED_PITCH = 1

/** The width of a letter of fonts with equal widths, in thousandths of an em. Only so many widths are compared. */
const NARROWEST = 450
const WIDEST = 750
const MOST_WIDTHS = 300

/** Width of vertical stems from which a font is bold, and the largest plausible one, in thousandths of an em. */
const BOLD_STEM = 120
const THICKEST_STEM = 215

/** What the name and the descriptor of a font say about its style. */
export interface FontStyle {
  isBold: boolean
  isItalic: boolean
  isMonospaced: boolean
  /** The name of the font, with its subset tag. Empty if it has none. */
  name: string
}

/** Reads the style of a font. Names are the best evidence, because many descriptors state the style wrongly. */
export function readFontStyle(document: PdfDocument, font: PDFDict): FontStyle {
  const descendant = findDescendant(document, font)
  const descriptor = document.peekDict((descendant ?? font).get(Name.FontDescriptor))
  const name =
    [font.get(Name.BaseFont), descendant?.get(Name.BaseFont), descriptor?.get(Name.FontName)]
      .map(value => document.peekName(value))
      .find(Boolean) ?? ''
  const flags = document.peekNumber(descriptor?.get(Name.Flags)) ?? 0
  return {
    isBold:
      /bold|black|heavy|demi|[-,](bd|hv)\b|w[789]\b/i.test(name) ||
      (isHeavy(document, descriptor) && !/regular|roman|book|light/i.test(name)) ||
      (flags & FORCE_BOLD) !== 0,
    isItalic: /italic|oblique|[-,]it\b/i.test(name),
    isMonospaced:
      hasEqualWidths(document, font, descendant, flags) ||
      /mono|courier|consol|menlo|typewriter|cmtt|lettergothic|(?<!bar|qr|uni)code/i.test(name),
    name,
  }
}

/**
 * Returns whether a font that says so has letters of equal widths (ISO 32000-2, 9.2.4 and 9.7.4.3). Fonts for Chinese, Japanese and Korean are
 * wider.
 */
function hasEqualWidths(document: PdfDocument, font: PDFDict, descendant: PDFDict | undefined, flags: number): boolean {
  if ((flags & FIXED_PITCH) === 0) return false
  const list = document.peek((descendant ?? font).get(descendant ? Name.W : Name.Widths))
  if (!(list instanceof PDFArray)) return false
  const widths = new Set<number>()
  const add = (item: PDFObject | undefined): void => void widths.add(document.peekNumber(item) ?? 0)
  const items = list.asArray().slice(0, MOST_WIDTHS)
  if (!descendant) items.forEach(add)
  // A list gives the widths of glyphs from a number on. A number in its place is the last glyph of one width.
  else
    for (let at = 1; at < items.length; at += 2) {
      const value = document.peek(items[at])
      if (value instanceof PDFArray) value.asArray().slice(0, MOST_WIDTHS).forEach(add)
      else add(items[++at])
    }
  widths.delete(0)
  const [width = 0] = widths
  return widths.size === 1 && width >= NARROWEST && width <= WIDEST
}

/** Returns whether stems are as thick as those of bold fonts, but not implausibly thick. */
function isHeavy(document: PdfDocument, descriptor: PDFDict | undefined): boolean {
  const stem = document.peekNumber(descriptor?.get(Name.StemV)) ?? 0
  return stem >= BOLD_STEM && stem <= THICKEST_STEM
}

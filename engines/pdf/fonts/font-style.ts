import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { findDescendant } from './font-program'
import * as Name from '../syntax/names'

/** Bit of a font's flags: the font is bold at small sizes (ISO 32000-2, table 121). */
const FORCE_BOLD = 1 << 18

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
    isMonospaced: /mono|courier|consol|menlo|typewriter|cmtt|lettergothic|(?<!bar|qr|uni)code/i.test(name),
    name,
  }
}

/** Returns whether stems are as thick as those of bold fonts, but not implausibly thick. */
function isHeavy(document: PdfDocument, descriptor: PDFDict | undefined): boolean {
  const stem = document.peekNumber(descriptor?.get(Name.StemV)) ?? 0
  return stem >= BOLD_STEM && stem <= THICKEST_STEM
}

import { PDFDict, PDFName } from 'pdf-lib'
import { keyOfCode } from '../content/code-keys'
import { readToUnicode } from './subsets/to-unicode'
import { readSimpleCodes } from './subsets/simple-codes'
import { readBuiltInNames } from './subsets/built-in-names'
import { findDescendant } from './subsets/font-spaces'
import { findStandardMetrics } from './standard-widths'
import { readTextOfName } from './programs/glyph-names'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readCompositeFont } from './composite-font'
import type { Font } from './font'
import { readSimpleFont } from './simple-font'
import { readType3Font } from './type3-font'
import * as Name from '../syntax/names'

/** Cache of a document's fonts. Each font is read once. */
export class Fonts {
  private readonly fonts = new Map<PDFDict, Font>()

  constructor(private readonly document: PdfDocument) {}

  private missing: Font | undefined

  /** Finds the font of a resource. If it is missing, viewers use a font of their own, so returns default metrics. */
  find(value: PDFObject | undefined): Font {
    const dict = this.document.peekDict(value)
    if (!dict) return (this.missing ??= this.read(PDFDict.withContext(this.document.context)))
    const cached = this.fonts.get(dict)
    if (cached) return cached
    const font = this.read(dict)
    this.fonts.set(dict, font)
    return font
  }

  private read(dict: PDFDict): Font {
    return { ...this.readMetrics(dict), ...shim(this.document, dict) }
  }

  private readMetrics(dict: PDFDict): Omit<Font, 'textOf' | 'ascent' | 'descent' | 'style'> {
    const kind = this.document.peekName(dict.get(Name.Subtype))
    if (kind === 'Type0') return readCompositeFont(this.document, dict)
    return kind === 'Type3' ? readType3Font(this.document, dict) : readSimpleFont(this.document, dict)
  }
}

function shim(document: PdfDocument, dict: PDFDict): Pick<Font, 'textOf' | 'ascent' | 'descent' | 'style'> {
  const toUnicode = readToUnicode(document, dict)
  const descriptor =
    document.peekDict(dict.get(Name.FontDescriptor)) ??
    document.peekDict(findDescendant(document, dict)?.get(Name.FontDescriptor))
  const { nameOfCode } = readSimpleCodes(document, dict, descriptor)
  const builtIn = readBuiltInNames(document, descriptor)
  const standard = findStandardMetrics('Helvetica')
  const name = document.peekName(dict.get(Name.BaseFont)) ?? ''
  const flags = document.peekNumber(descriptor?.get(Name.Flags)) ?? 0
  const number = (key: string): number => (document.peekNumber(descriptor?.get(PDFName.of(key))) ?? 0) / 1000
  const [ascent, descent] = [number('Ascent') || 0.75, -Math.abs(number('Descent')) || -0.25]
  return {
    ascent,
    descent,
    style: {
      isBold: /bold|black|heavy|demi|[-,](bd|hv)\b|w[789]\b/i.test(name) || (flags & (1 << 18)) !== 0,
      isItalic: /italic|oblique|[-,]it\b/i.test(name),
      isMonospaced: /mono|courier|consol|menlo|typewriter|cmtt|lettergothic|(?<!bar|qr|uni)code/i.test(name),
    },
    textOf(code, length) {
      const text = toUnicode?.textOf(keyOfCode(code, length))
      if (text) return { text }
      if (length > 1) return undefined
      const glyph = nameOfCode(code) ?? builtIn?.get(code) ?? standard?.nameOf(code, undefined)
      const named = glyph === undefined ? undefined : readTextOfName(glyph)
      return named === undefined ? undefined : { text: named }
    },
  }
}

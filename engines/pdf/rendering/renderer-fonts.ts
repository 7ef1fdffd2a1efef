import type { PdfDocument } from '../document/document'
import type { Pdfium } from './pdfium/pdfium'
import { chooseFont } from './system-fonts/choose-font'
import type { FontRequest } from './pdfium/font-mapper'
import { openMetricFont } from './system-fonts/system-font'
import type { SystemFont } from './system-fonts/system-font'
import { hasUndrawnText } from './undrawn-text'
import { UnembeddedFonts } from './system-fonts/unembedded-fonts'
import { findOrAdd } from '../../map-entries'

/** Maximum bytes of fonts that PDFium gets for one document. It copies a font for each weight. */
const MOST_BYTES = 64 * 2 ** 20

/** The fonts that PDFium gets for the pages of one document. */
export class RendererFonts {
  private readonly unembedded: UnembeddedFonts
  private readonly given = new Set<string>()
  private readonly undrawn = new Map<number, boolean>()
  private givenBytes = 0
  private isAsked = false

  constructor(document: PdfDocument) {
    this.unembedded = new UnembeddedFonts(document)
  }

  /** Chooses a font for a request of PDFium that the page at this position (from 0) causes. */
  choose(request: FontRequest, pageIndex: number): SystemFont | undefined {
    this.isAsked = true
    const font = chooseFont(request, this.unembedded.list(pageIndex))
    if (!font) return undefined
    const key = `${font.name} ${request.weight} ${request.isItalic}`
    if (this.given.has(key)) return font
    if (this.givenBytes + font.bytes.length > MOST_BYTES) return undefined
    this.given.add(key)
    this.givenBytes += font.bytes.length
    return font
  }

  /** Returns whether a loaded page has visible text that no available font can draw. */
  hasUndrawnText(pdfium: Pdfium, page: number, pageIndex: number): boolean {
    return findOrAdd(this.undrawn, pageIndex, () => this.isAsked && this.findUndrawn(pdfium, page, pageIndex))
  }

  private findUndrawn(pdfium: Pdfium, page: number, pageIndex: number): boolean {
    const unembedded = this.unembedded.list(pageIndex)
    if (unembedded.length === 0) return false
    const isWide = unembedded.some(({ characters }) => characters.length > 0)
    return hasUndrawnText(pdfium, page, {
      fallback: isWide ? openMetricFont('Arimo', { isBold: false, isItalic: false }) : undefined,
      hasUnknown: unembedded.some(({ isUnknown }) => isUnknown),
    })
  }
}

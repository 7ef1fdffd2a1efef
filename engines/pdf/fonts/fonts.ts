import { PDFDict } from 'pdf-lib'
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
    const kind = this.document.peekName(dict.get(Name.Subtype))
    if (kind === 'Type0') return readCompositeFont(this.document, dict)
    return kind === 'Type3' ? readType3Font(this.document, dict) : readSimpleFont(this.document, dict)
  }
}

import { PDFDict } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readCompositeFont } from './composite-font'
import type { Font } from './font'
import { nameOf, readSimpleFont } from './simple-font'
import { readType3Font } from './type3-font'
import * as Name from '../../pdf-core/syntax/names'

/** The fonts of a document, each read once. */
export class Fonts {
  private readonly known = new Map<PDFDict, Font>()

  constructor(private readonly document: PdfDocument) {}

  private missing: Font | undefined

  /** The font that a resource names; in the place of one that is missing viewers show some font of their own. */
  find(value: PDFObject | undefined): Font {
    const dict = this.document.peekDict(value)
    if (!dict) return (this.missing ??= this.read(PDFDict.withContext(this.document.context)))
    const known = this.known.get(dict)
    if (known) return known
    const font = this.read(dict)
    this.known.set(dict, font)
    return font
  }

  private read(dict: PDFDict): Font {
    const kind = nameOf(this.document, dict.get(Name.Subtype))
    if (kind === 'Type0') return readCompositeFont(this.document, dict)
    return kind === 'Type3' ? readType3Font(this.document, dict) : readSimpleFont(this.document, dict)
  }
}

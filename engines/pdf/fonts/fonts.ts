import { PDFDict } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { keyOfCode } from '../content/code-keys'
import type { CodeText, CodeTexts } from './code-text'
import { readCodeTexts } from './read-code-texts'
import { readCompositeFont } from './composite-font'
import type { Font, FontMetrics } from './font'
import { readFontExtent } from './font-extent'
import type { FontExtent } from './font-extent'
import { readFontStyle } from './font-style'
import type { FontStyle } from './font-style'
import { readSimpleFont } from './simple-font'
import { readType3Font } from './type3-font'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'

/** Maximum number of codes of a font whose texts are kept. */
const MOST_KNOWN = 70_000

/** Cache of a document's fonts. Each font is read once. */
export class Fonts {
  private readonly fonts = new Map<PDFDict, Font>()

  constructor(private readonly document: PdfDocument) {}

  private missing: Font | undefined

  /** Finds the font of a resource. If it is missing, viewers use a font of their own, so returns default metrics. */
  find(value: PDFObject | undefined): Font {
    const dict = this.document.peekDict(value)
    if (!dict) return (this.missing ??= this.read(PDFDict.withContext(this.document.context)))
    return findOrAdd(this.fonts, dict, () => this.read(dict))
  }

  private read(dict: PDFDict): Font {
    const kind = this.document.peekName(dict.get(Name.Subtype))
    const read = kind === 'Type0' ? readCompositeFont : kind === 'Type3' ? readType3Font : readSimpleFont
    return new DocumentFont(this.document, read(this.document, dict))
  }
}

/** A font that reads what it says of itself on first use, because most walks need only the metrics. */
class DocumentFont implements Font {
  readonly dict: PDFDict
  readonly isVertical: boolean
  readonly isExact: boolean
  readonly read: Font['read']
  declare readonly procedureOf?: NonNullable<Font['procedureOf']>
  declare readonly lengthAt?: NonNullable<Font['lengthAt']>
  declare readonly originOf?: NonNullable<Font['originOf']>
  private extent: FontExtent | undefined
  private ownStyle: FontStyle | undefined
  private texts: CodeTexts | undefined
  /** The texts of codes with one byte. `known` has the texts of longer codes. `null` if a code has no text. */
  private readonly bytes: (CodeText | null | undefined)[] = Array.from({ length: 256 })
  private readonly known = new Map<number, CodeText | null>()

  constructor(
    private readonly document: PdfDocument,
    { dict, isVertical, isExact, read, procedureOf, lengthAt, originOf }: FontMetrics,
  ) {
    this.dict = dict
    this.isVertical = isVertical
    this.isExact = isExact
    this.read = read
    if (procedureOf) this.procedureOf = procedureOf
    if (lengthAt) this.lengthAt = lengthAt
    if (originOf) this.originOf = originOf
  }

  get ascent(): number {
    return (this.extent ??= readFontExtent(this.document, this.dict)).ascent
  }

  get descent(): number {
    return (this.extent ??= readFontExtent(this.document, this.dict)).descent
  }

  get style(): FontStyle {
    return (this.ownStyle ??= readFontStyle(this.document, this.dict))
  }

  textOf(code: number, length: number): CodeText | undefined {
    const key = keyOfCode(code, length)
    const isByte = length === 1 && code >= 0 && code < 256
    const known = isByte ? this.bytes[code] : this.known.get(key)
    if (known !== undefined) return known ?? undefined
    const text = (this.texts ??= readCodeTexts(this.document, this.dict)).of(code, length)
    if (isByte) this.bytes[code] = text ?? null
    else if (this.known.size < MOST_KNOWN) this.known.set(key, text ?? null)
    return text
  }
}

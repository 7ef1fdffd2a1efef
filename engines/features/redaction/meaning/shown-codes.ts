import type { PDFDict, PDFObject } from 'pdf-lib'
import { Fonts, readCodes } from '../../../pdf/fonts'
import { decodeUpToLimit } from '../../../pdf/document'
import type { Page, PdfDocument } from '../../../pdf/document'
import { TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import type { ContentReader } from '../../../pdf/syntax'
import { ContentWalk, readTextItems } from '../../../pdf/walk-content'

/** Minimum gap between two glyphs of different words, in thousandths of an em. */
const WORD_GAP = 250

/** Receives the keys of the codes of consecutive glyphs. */
export type TakeCodes = (font: PDFDict, keys: readonly number[]) => void

/**
 * Reads the codes of the glyphs that pages show, including form XObjects, patterns, soft masks and annotation
 * appearances.
 */
export class ShownCodes {
  private readonly fonts: Fonts
  /** Decoded content streams, so that each one is decoded once. */
  private readonly contents = new Map<PDFObject | undefined, Uint8Array | undefined>()

  constructor(private readonly document: PdfDocument) {
    this.fonts = new Fonts(document)
  }

  /** Calls `take` with the codes of all text strings that a page shows. Throws EngineError `too_large`. */
  read(page: Page, take: TakeCodes): void {
    const walk = new ContentWalk(this.document, {
      operator: at => {
        if (TEXT_SHOWING_OPERATORS.has(at.reader.operator) && at.font) this.takeStrings(at.reader, at.font, take)
      },
      enter: ({ kind, state }) => (kind === 'glyph' ? undefined : `${walk.idOf(state.fontValue)}`),
      decode: (document, value) => {
        if (!this.contents.has(value)) this.contents.set(value, decodeUpToLimit(document, value))
        return this.contents.get(value)
      },
    })
    walk.readPage(page)
    walk.readAppearances(page)
  }

  private takeStrings(content: ContentReader, font: PDFDict, take: TakeCodes): void {
    const reader = this.fonts.find(font)
    let keys: number[] = []
    for (const item of readTextItems(content)) {
      if (typeof item !== 'number') for (const key of readCodes(reader, item)) keys.push(key)
      else if (Math.abs(item) >= WORD_GAP && keys.length > 0) {
        take(font, keys)
        keys = []
      }
    }
    if (keys.length > 0) take(font, keys)
  }
}

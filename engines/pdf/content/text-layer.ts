import { PDFDict, PDFHexString } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { keyOfCode, writeCode } from './code-keys'
import { addDeflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { ASCENT, DESCENT, GLYPH_WIDTH, MAX_GLYPHS, createGlyphlessFont } from './glyphless-font'
import { writeToUnicode } from './write-to-unicode'

/** A word and its position. All positions and lengths share one coordinate space, which the caller chooses. */
export interface PlacedWord {
  /** The characters in the order in which they stand on the line. */
  text: string
  /** The start of the word's baseline. */
  x: number
  y: number
  /** Length along the baseline. */
  length: number
  /** Font size: the distance from the lowest descender to the highest ascender. */
  size: number
  /** Angle of the baseline in degrees, counter-clockwise from the x axis. */
  angleDeg: number
  /** Whether a space follows on the same line. */
  isSpaced: boolean
}

/**
 * Writes invisible words that users can search, select and copy, for pages whose text is part of an image. All pages of
 * a document share one font without outlines. Each word is stretched to its length.
 */
export class TextLayer {
  private readonly glyphs = new Map<string, number>()
  private reserved: PDFRef | undefined

  constructor(private readonly document: PdfDocument) {}

  /** The font, to add to the resources of the pages. `finish` writes its content. */
  get fontRef(): PDFRef {
    return (this.reserved ??= this.document.register(PDFDict.withContext(this.document.context)))
  }

  /** Returns content that draws the words with the font of this name. Empty if there are no words. */
  draw(words: PlacedWord[], fontName: string): string {
    const lines = words.map(word => this.drawWord(word, fontName)).filter(line => line !== '')
    return lines.length ? `BT\n3 Tr\n${lines.join('\n')}\nET\n` : ''
  }

  /** Writes the font with all characters drawn so far. Call `finish` once, after the last page. */
  finish(): void {
    if (!this.reserved) return
    const { document } = this
    document.saving.addedFeatures.add('untagged-content')
    const { context } = document
    const program = createGlyphlessFont(this.glyphs.size + 1)
    const file = addDeflatedStream(document, program, { Length1: program.length })
    const descriptor = document.register(
      context.obj({
        Type: 'FontDescriptor',
        FontName: 'Invisible',
        Flags: 4,
        FontBBox: [0, DESCENT, GLYPH_WIDTH, ASCENT],
        ItalicAngle: 0,
        Ascent: ASCENT,
        Descent: DESCENT,
        CapHeight: ASCENT,
        StemV: 80,
        FontFile2: file,
      }),
    )
    const system = {
      Registry: PDFHexString.of('41646F6265'),
      Ordering: PDFHexString.of('4964656E74697479'),
      Supplement: 0,
    } // Adobe-Identity-0
    const descendant = document.register(
      context.obj({
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: 'Invisible',
        CIDSystemInfo: system,
        FontDescriptor: descriptor,
        DW: GLYPH_WIDTH,
        CIDToGIDMap: 'Identity',
      }),
    )
    const toUnicode = addDeflatedStream(
      document,
      writeToUnicode(Array.from(this.glyphs, ([character, glyph]) => [keyOfCode(glyph, 2), character] as const)),
    )
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'Invisible',
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: toUnicode,
    })
    document.store.set(this.reserved, font)
  }

  private drawWord({ text, x, y, length, size, angleDeg, isSpaced }: PlacedWord, fontName: string): string {
    const characters = Array.from(text)
    const codes = (isSpaced ? [...characters, ' '] : characters).map(character => this.encode(character)).join('')
    if (codes === '' || !(length > 0) || !(size > 0)) return ''
    const stretch = (100 * length) / ((characters.length * size * GLYPH_WIDTH) / 1000)
    const [cos, sin] = [Math.cos((angleDeg * Math.PI) / 180), Math.sin((angleDeg * Math.PI) / 180)]
    const turn = [cos, sin, -sin, cos].map(number => writeRounded(number, 5))
    const place = [x, y].map(number => writeRounded(number, 3))
    const look = `/${fontName} ${writeRounded(size, 2)} Tf ${writeRounded(stretch, 2)} Tz`
    return `${look} ${[...turn, ...place].join(' ')} Tm <${codes}> Tj`
  }

  /** Returns four hexadecimal digits, or an empty string if the font has no room for the character. */
  private encode(character: string): string {
    let glyph = this.glyphs.get(character)
    if (glyph === undefined && this.glyphs.size + 1 < MAX_GLYPHS)
      this.glyphs.set(character, (glyph = this.glyphs.size + 1))
    return glyph === undefined ? '' : writeCode(glyph, 2)
  }
}

/** Writes a number for a content stream. A number that would need an exponent becomes 0. */
function writeRounded(number: number, digits: number): string {
  return String(Number(number.toFixed(digits)) || 0).replace(/^.*e.*$/, '0')
}

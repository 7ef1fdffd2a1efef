import { PDFName, StandardFonts } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { openWritableFont } from '../fonts/subsets/writable-font'
import type { WritableFont } from '../fonts/subsets/writable-font'
import { findAppearance } from '../annotations/appearance'
import type { PdfDocument } from '../document/document'
import { writeRounded } from '../syntax/number-text'
import type { DocumentFonts } from '../text/document-fonts'
import type { Face, Ink } from '../text/face'
import { showText } from '../text/show-text'
import { measureInk } from '../text/typesetter'
import type { TextStyle, Typesetter } from '../text/typesetter'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'

/** A line of text. All measures are in thousandths of the font size. */
export interface FieldLine {
  width: number
  ascent: number
  descent: number
  isRightToLeft: boolean
  /** The bounding box of the shapes. Undefined if there are none. */
  ink: Ink | undefined
  /** Returns the operators that show the line, for use between BT and ET. Empty for a line without characters. */
  show(sizePt: number): string
}

/** The font in which a field shows its text. */
export interface FieldFont {
  /** Measures of lines, whatever characters they have. */
  metrics: Pick<Face, 'ascent' | 'descent' | 'capHeight'>
  shape(text: string): FieldLine
}

/** Returns the name of a font in the resources of an appearance. */
export type NameFont = (font: PDFObject) => string

/** Resource names that Acrobat uses for the standard fonts. Viewers know them even if the form doesn't define them. */
const KNOWN_NAMES: ReadonlyMap<string, StandardFonts> = new Map([
  ['Helv', StandardFonts.Helvetica],
  ['HeBo', StandardFonts.HelveticaBold],
  ['HeOb', StandardFonts.HelveticaOblique],
  ['HeBO', StandardFonts.HelveticaBoldOblique],
  ['TiRo', StandardFonts.TimesRoman],
  ['TiBo', StandardFonts.TimesRomanBold],
  ['TiIt', StandardFonts.TimesRomanItalic],
  ['TiBI', StandardFonts.TimesRomanBoldItalic],
  ['Cour', StandardFonts.Courier],
  ['CoBo', StandardFonts.CourierBold],
  ['CoOb', StandardFonts.CourierOblique],
  ['CoBO', StandardFonts.CourierBoldOblique],
  ['Symb', StandardFonts.Symbol],
  ['ZaDb', StandardFonts.ZapfDingbats],
  ...Object.values(StandardFonts).map(name => [name, name] as const),
])

/** Scripts whose characters stand beside each other unchanged, from left to right. */
const UNSHAPED =
  /^[\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Co}]*$/u

/** Returns the fonts of the text module as a font for fields. */
export function bundledFont(
  typesetter: Typesetter,
  { style, ...shown }: { style: TextStyle; fonts: DocumentFonts; nameFont: (font: PDFRef) => string },
): FieldFont {
  return {
    metrics: typesetter.mainFace(style),
    shape(text) {
      const shaped = typesetter.shape(text, style)
      return {
        ...shaped,
        ink: measureInk(shaped),
        show: sizePt => showText(shaped, { ...shown, sizePt }),
      }
    },
  }
}

/** Finds the fonts that default appearances name, and opens them for new text. */
export class FormFonts {
  private readonly opened = new Map<PDFDict, WritableFont | undefined>()
  private readonly standard = new Map<string, PDFRef>()

  constructor(private readonly document: PdfDocument) {}

  /**
   * Returns the font with this name if it has all characters of the text. Undefined for other fonts, and for text whose
   * glyphs depend on each other.
   */
  find(
    name: string,
    text: string,
    { widget, nameFont }: { widget: PDFRef; nameFont: NameFont },
  ): FieldFont | undefined {
    if (!UNSHAPED.test(text)) return undefined
    const value = this.lookUp(name, widget)
    const dict = this.document.peekDict(value)
    if (!value || !dict) return undefined
    if (!this.opened.has(dict)) this.opened.set(dict, openWritableFont(this.document, dict))
    const font = this.opened.get(dict)
    if (!font) return undefined
    for (const character of text) if (character !== '\n' && !font.glyphOf(character)) return undefined
    return ownFont(font, () => nameFont(value))
  }

  /** Looks in the form's resources, then in the resources of the appearance, then among the standard fonts. */
  private lookUp(name: string, widget: PDFRef): PDFObject | undefined {
    const { document } = this
    const form = document.peekDict(document.catalog.get(Name.AcroForm))
    const annotation = document.peekDict(widget)
    const appearance = document.peekDict(annotation && findAppearance(document, annotation))
    for (const resources of [form?.get(Name.DR), appearance?.get(Name.Resources)]) {
      const value = document.peekDict(document.peekDict(resources)?.get(Name.Font))?.get(PDFName.of(name))
      if (document.peekDict(value)) return value
    }
    const baseFont = KNOWN_NAMES.get(name)
    return baseFont && this.addStandard(baseFont)
  }

  private addStandard(baseFont: StandardFonts): PDFRef {
    const { document, standard } = this
    return findOrAdd(standard, baseFont, () => {
      const hasOwnEncoding = baseFont === StandardFonts.Symbol || baseFont === StandardFonts.ZapfDingbats
      const entries = { Type: 'Font', Subtype: 'Type1', BaseFont: baseFont }
      return document.register(
        document.context.obj({ ...entries, ...(!hasOwnEncoding && { Encoding: 'WinAnsiEncoding' }) }),
      )
    })
  }
}

function ownFont(font: WritableFont, nameOf: () => string): FieldFont {
  return {
    metrics: font,
    shape(text) {
      const glyphs = Array.from(text).flatMap(character => font.glyphOf(character) ?? [])
      const width = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0)
      const codes = glyphs.map(glyph => glyph.code).join('')
      return {
        width,
        ascent: font.ascent,
        descent: font.descent,
        isRightToLeft: false,
        ink: glyphs.length
          ? {
              left: 0,
              right: width,
              bottom: Math.min(...glyphs.map(glyph => glyph.bottom)),
              top: Math.max(...glyphs.map(glyph => glyph.top)),
            }
          : undefined,
        show: sizePt => (codes ? `/${nameOf()} ${writeRounded(sizePt)} Tf\n<${codes}> Tj` : ''),
      }
    },
  }
}

import type { PDFRef } from 'pdf-lib'
import type { TextLook } from '../forms/default-appearance'
import { makeDrawable } from '../forms/field-text'
import type { TextSpace } from '../forms/field-text'
import type { PdfDocument } from '../pdf-core/document/document'
import { fontsOf } from '../text/document-fonts'
import { showText } from '../text/show-text'
import { openTypesetter } from '../text/typesetter'
import type { ShapedText, Typesetter } from '../text/typesetter'
import type { Point } from './drawing'
import { numbers } from '../pdf-core/annotations/annotation-style'

/** Characters of one annotation that are drawn. */
const MAX_TEXT = 20_000

/** Thousandths of the font size, in which widths of text are measured. */
const FULL = 1000

/** Sets the texts of annotations; fonts are opened when the first one has text. */
export class TextWriter {
  constructor(private readonly document: PdfDocument) {}

  /** Begins the text of one annotation. */
  async begin(): Promise<AnnotationText> {
    return new AnnotationText(this.document, await openTypesetter())
  }
}

/** A line of text with its place. */
interface PlacedText {
  shaped: ShapedText
  /** Where its baseline begins. */
  at: Point
  /** In which direction it runs, a vector of length 1. */
  direction: Point
  sizePt: number
}

/** The text of one annotation, with the fonts that it uses. */
export class AnnotationText {
  /** Their names in the resources of the appearance. */
  readonly fonts = new Map<PDFRef, string>()

  /** Use `TextWriter.begin`. */
  constructor(
    private readonly document: PdfDocument,
    readonly typesetter: Typesetter,
  ) {}

  /** The text as it can be drawn; what no font has becomes a white square (warning `characters-missing`). */
  drawable(text: string): string {
    const { text: drawable, isComplete } = makeDrawable(text.slice(0, MAX_TEXT), this.typesetter)
    if (!isComplete) this.document.warnings.add('characters-missing')
    return drawable
  }

  /** A box with its lower left corner at 0,0 that text is laid out in. */
  space(box: Pick<TextSpace, 'width' | 'height' | 'inset' | 'quadding'> & { look: TextLook }): TextSpace {
    return {
      ...box,
      typesetter: this.typesetter,
      fonts: fontsOf(this.document),
      nameFont: font => this.nameFont(font),
      noteCut: () => this.document.warnings.add('text-cut'),
    }
  }

  /** The operators that show a line in a color, which is given as an operator. */
  show({ shaped, at, direction: [dx, dy], sizePt }: PlacedText, color: string): string {
    if (shaped.runs.length === 0) return ''
    const text = showText(shaped, { fonts: fontsOf(this.document), nameFont: font => this.nameFont(font), sizePt })
    return `BT\n${color}\n${numbers(dx, dy, -dy, dx, ...at)} Tm\n${text}\nET`
  }

  private nameFont(font: PDFRef): string {
    const name = this.fonts.get(font) ?? `F${this.fonts.size + 1}`
    this.fonts.set(font, name)
    return name
  }
}

/** The width of a line of text in points. */
export function widthOf({ width }: ShapedText, sizePt: number): number {
  return (width * sizePt) / FULL
}

/** The height of capital letters in points. */
export function capHeightOf(typesetter: Typesetter, weight: number, sizePt: number): number {
  return (typesetter.mainFace({ weight }).capHeight * sizePt) / FULL
}

import type { PDFRef } from 'pdf-lib'
import type { TextLook } from '../../forms/default-appearance'
import { bundledFont } from '../../forms/field-font'
import { makeDrawable } from '../../forms/field-text'
import type { TextSpace } from '../../forms/field-text'
import type { PdfDocument } from '../../document/document'
import { fontsOf } from '../../text/document-fonts'
import { showText } from '../../text/show-text'
import { openTypesetter } from '../../text/typesetter'
import type { ShapedText, Typesetter } from '../../text/typesetter'
import type { Point } from './drawing'
import { numbers } from '../annotation-style'

/** Maximum number of characters of an annotation that are drawn. */
const MAX_TEXT = 20_000

/** Text widths are measured in thousandths of the font size. */
const FULL = 1000

/** Creates the text of annotations. Opens fonts only if an annotation has text. */
export class TextWriter {
  constructor(private readonly document: PdfDocument) {}

  /** Starts the text of an annotation. */
  async begin(): Promise<AnnotationText> {
    return new AnnotationText(this.document, await openTypesetter())
  }
}

/** A line of text with its position. */
interface PlacedText {
  shaped: ShapedText
  /** Start of the baseline. */
  at: Point
  /** Direction of the text as a unit vector. */
  direction: Point
  sizePt: number
}

/** The text of an annotation with its fonts. */
export class AnnotationText {
  /** Font names in the resources of the appearance. */
  readonly fonts = new Map<PDFRef, string>()

  /** Use `TextWriter.begin` to create an instance. */
  constructor(
    private readonly document: PdfDocument,
    readonly typesetter: Typesetter,
  ) {}

  /**
   * Returns the text without undrawable characters. Characters that no font has become white squares (warning
   * `characters-missing`).
   */
  drawable(text: string): string {
    const { text: drawable, isComplete } = makeDrawable(text.slice(0, MAX_TEXT), this.typesetter)
    if (!isComplete) this.document.warnings.add('characters-missing')
    return drawable
  }

  /** Returns a text area with its lower-left corner at 0,0. */
  space(box: Pick<TextSpace, 'width' | 'height' | 'inset' | 'quadding'> & { look: TextLook }): TextSpace {
    return {
      ...box,
      font: bundledFont(this.typesetter, {
        style: box.look,
        fonts: fontsOf(this.document),
        nameFont: font => this.nameFont(font),
      }),
      onCut: () => this.document.warnings.add('text-cut'),
    }
  }

  /** Returns the operators that show a line of text. `color` is an operator. */
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

/** Returns the width of a line of text in points. */
export function widthOf({ width }: ShapedText, sizePt: number): number {
  return (width * sizePt) / FULL
}

/** Returns the height of capital letters in points. */
export function capHeightOf(typesetter: Typesetter, weight: number, sizePt: number): number {
  return (typesetter.mainFace({ weight }).capHeight * sizePt) / FULL
}

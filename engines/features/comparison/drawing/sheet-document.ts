import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { makeDrawable } from '../../../pdf/forms'
import { addContentStream } from '../../../pdf/rewrite-content'
import type { Page, PdfDocument } from '../../../pdf/document'
import { setPages, writeOutline } from '../../../pdf/document'
import type { Box } from '../../../pdf/geometry'
import { createDocument, createPage } from '../../../pdf/page'
import { writeNumbers, writeRounded, writeText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import { fontsOf, openTypesetter, showText } from '../../../pdf/typeset'
import type { ShapedText, Typesetter } from '../../../pdf/typeset'
import { writeColor } from '../../../options/colors'
import type { Color } from '../../../options/colors'
import type { EngineLimits } from '../../../types'
import { findOrAdd } from '../../../map-entries'

/** How a line of text looks. */
export interface TextLook {
  sizePt: number
  color: Color
  isBold?: boolean
}

interface PlacedLine extends TextLook {
  x: number
  /** The baseline. */
  y: number
  /** Longer text is cut off, with an ellipsis. */
  maxWidth: number
}

/** A page of the result under construction. Positions are in points from its lower-left corner. */
export class Sheet {
  private readonly operators: string[] = []
  private readonly resources = new Map<string, PDFDict>()
  private readonly names = new Map<PDFRef, string>()
  private readonly links: PDFRef[] = []

  /** Use `SheetDocument.addSheet`. */
  constructor(
    private readonly owner: SheetDocument,
    readonly page: Page,
    readonly size: { width: number; height: number },
  ) {}

  /** Adds operators in their own graphics state. */
  draw(operators: string): void {
    this.operators.push(`q\n${operators}\nQ`)
  }

  paint({ x, y, width, height }: Box, color: Color): void {
    this.draw(`${writeColor(color, 'rg')}\n${[x, y, width, height].map(writeRounded).join(' ')} re f`)
  }

  /** Returns the name of a resource, such as a form XObject, in the content of this sheet. */
  name(category: 'Font' | 'XObject' | 'ExtGState', ref: PDFRef): string {
    const existing = this.names.get(ref)
    if (existing) return existing
    const { document } = this.owner
    const part = findOrAdd(this.resources, category, () => PDFDict.withContext(document.context))
    const name = `${category.charAt(0)}${this.names.size + 1}`
    part.set(PDFName.of(name), ref)
    this.names.set(ref, name)
    return name
  }

  /** Writes a line of text. Returns its width in points. */
  write(text: string, { x, y, maxWidth, sizePt, color, isBold = false }: PlacedLine): number {
    const shaped = this.owner.shape(text, { maxWidth: (maxWidth / sizePt) * 1000, weight: isBold ? 700 : 400 })
    if (shaped.runs.length === 0) return 0
    const shown = showText(shaped, {
      fonts: fontsOf(this.owner.document),
      sizePt,
      nameFont: ref => this.name('Font', ref),
    })
    this.draw(`BT\n${writeColor(color, 'rg')}\n1 0 0 1 ${writeRounded(x)} ${writeRounded(y)} Tm\n${shown}\nET`)
    return (shaped.width * sizePt) / 1000
  }

  /** Adds a link to another sheet. */
  link({ x, y, width, height }: Box, target: Sheet): void {
    const { document } = this.owner
    const box = [x, y, x + width, y + height].map(value => Math.round(value * 100) / 100)
    this.links.push(
      document.register(
        document.context.obj({
          Type: 'Annot',
          Subtype: 'Link',
          Rect: box,
          Border: [0, 0, 0],
          F: 4,
          Dest: [target.page.ref, 'Fit'],
        }),
      ),
    )
  }

  /** Writes the content into the page. */
  finish(): void {
    const { document } = this.owner
    const dict = document.edit(this.page.ref)
    const resources = PDFDict.withContext(document.context)
    for (const [category, part] of this.resources) resources.set(PDFName.of(category), part)
    dict.set(Name.Resources, resources)
    dict.set(Name.Contents, addContentStream(document, this.operators.join('\n')))
    // Blending needs a color space that doesn't depend on the reader.
    dict.set(Name.Group, document.context.obj({ Type: 'Group', S: 'Transparency', CS: 'DeviceRGB' }))
    if (this.links.length) dict.set(Name.Annots, document.context.obj(this.links))
  }
}

/** The document with the sheets of a comparison. */
export class SheetDocument {
  private readonly sheets: Sheet[] = []
  private readonly bookmarks: { title: string; sheet: Sheet }[] = []

  private constructor(
    readonly document: PdfDocument,
    private readonly typesetter: Typesetter,
  ) {}

  static async open(limits: EngineLimits): Promise<SheetDocument> {
    return new SheetDocument(createDocument(limits), await openTypesetter())
  }

  addSheet(size: { width: number; height: number }): Sheet {
    const sheet = new Sheet(this, createPage(this.document, size), size)
    this.sheets.push(sheet)
    return sheet
  }

  bookmark(title: string, sheet: Sheet): void {
    this.bookmarks.push({ title, sheet })
  }

  /** Shapes a line of text, and cuts it off at `maxWidth`, in thousandths of the font size. */
  shape(text: string, { maxWidth, weight }: { maxWidth: number; weight: number }): ShapedText {
    const { text: drawable } = makeDrawable(text.slice(0, MAX_LINE).replaceAll('\n', ' '), this.typesetter)
    const shaped = this.typesetter.shape(drawable, { weight })
    if (shaped.width <= maxWidth) return shaped
    const characters = Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(drawable))
    let [low, high] = [0, characters.length]
    const cut = (end: number): ShapedText => {
      const kept = characters.slice(0, end).map(({ segment }) => segment)
      return this.typesetter.shape(`${kept.join('').trimEnd()}…`, { weight })
    }
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (cut(middle).width <= maxWidth) low = middle
      else high = middle - 1
    }
    return cut(low)
  }

  /** Writes all sheets, in the order in which they were added. */
  finish(): PdfDocument {
    const { document } = this
    setPages(
      document,
      this.sheets.map(({ page }) => page),
    )
    for (const sheet of this.sheets) sheet.finish()
    writeOutline(
      document,
      this.bookmarks.map(({ title, sheet }) => {
        const dict = document.context.obj({ Dest: [sheet.page.ref, 'Fit'] })
        dict.set(Name.Title, writeText(title))
        return { ref: document.register(dict), dict, children: [], isOpen: false }
      }),
    )
    return document
  }
}

/** Maximum number of characters of a line. Longer ones don't fit on any sheet. */
const MAX_LINE = 400

/** The operators that draw a form XObject at a position and scale. */
export function placeForm(name: string, { x, y, scale }: { x: number; y: number; scale: number }): string {
  return `${writeNumbers([scale, 0, 0, scale, Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000])} cm /${name} Do`
}

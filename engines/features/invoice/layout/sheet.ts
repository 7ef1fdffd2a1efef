import { writeRounded } from '../../../pdf/syntax'
import type { Page, PdfDocument } from '../../../pdf/document'
import type { Box } from '../../../pdf/geometry'
import { drawImage } from '../../../pdf/images'
import type { EmbeddedImage } from '../../../pdf/images'
import { createPage } from '../../../pdf/page'
import { addContentStream } from '../../../pdf/rewrite-content'
import { setPages } from '../../../pdf/document'
import { fontsOf, showText } from '../../../pdf/typeset'
import type { DocumentFonts } from '../../../pdf/typeset'
import * as Name from '../../../pdf/names'
import { PDFName, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { writeColor } from '../../../options/colors'
import type { Color } from '../../../options/colors'
import type { Part } from './line-setter'
import type { Tag, TagTree } from './tag-tree'
import type { Theme } from './theme'

/** Annotation flag: the annotation is printed (ISO 32000-2, table 167). */
const PRINT = 4

interface DrawnPage {
  /** Lower limit of the body, measured from the upper edge. */
  bottom: number
  page: Page
  operators: string[]
  annotations: PDFRef[]
}

/** An area in points, measured from the edge where lines begin and from the upper edge. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/**
 * The pages of an invoice, and the current position on the last page. Positions are measured from the edge where lines
 * begin, so right-to-left invoices are mirrored.
 */
export class Sheet {
  /** Current position, measured from the upper edge. */
  y: number
  /** Called on each further page. Moves `y` below the drawn header. */
  onNewPage: (() => void) | undefined
  private readonly drawn: DrawnPage[] = []
  private readonly annotations: PDFDict[] = []
  private readonly fonts: DocumentFonts
  private readonly resources: PDFDict
  private readonly resourcesRef: PDFRef
  private readonly names = new Map<PDFRef, string>()
  private readonly colors = new Map<Color, string>()
  /** Start of the body on this page. */
  private bodyTop: number
  /** Height of the body on the pages before this one. */
  private filledPt = 0

  constructor(
    private readonly document: PdfDocument,
    readonly theme: Theme,
    private readonly structure: { tags: TagTree; isRightToLeft: boolean },
  ) {
    this.fonts = fontsOf(document)
    this.resources = document.context.obj({ Font: {}, XObject: {} })
    this.resourcesRef = document.register(this.resources)
    this.y = this.bodyTop = theme.top
    this.addPage()
  }

  get tags(): TagTree {
    return this.structure.tags
  }

  get pageCount(): number {
    return this.drawn.length
  }

  /** Width between the margins in points. */
  get width(): number {
    return this.theme.page.width - 2 * this.theme.margin
  }

  get remaining(): number {
    return this.bottomOf(this.drawn.length - 1) - this.y
  }

  /** Whether the body of this page is empty. */
  get isFresh(): boolean {
    return this.y <= this.bodyTop
  }

  /** Minimum height for content that flows over several pages, in points. */
  get bodyHeight(): number {
    return this.theme.bottom - this.theme.top - RESERVED
  }

  /** Lower limit of the body of a page, measured from the upper edge. */
  bottomOf(pageIndex: number): number {
    return this.drawn[pageIndex]?.bottom ?? this.theme.bottom
  }

  /** Ends the body of the last page higher up, so that other content has room below it. */
  raiseBottom(bottom: number): void {
    const page = this.drawn.at(-1)
    if (page) page.bottom = bottom
  }

  /** Height by which the body of all pages exceeds the first page. */
  get overflowPt(): number {
    return this.filledPt + this.y - this.bodyTop - (this.theme.bottom - this.theme.top)
  }

  /** Starts a new page. `gapPt` stays free below its header. */
  newPage(gapPt = 0): void {
    this.filledPt += this.y - this.bodyTop
    this.addPage()
    this.y = this.theme.top
    this.onNewPage?.()
    this.y += gapPt
    this.bodyTop = this.y
  }

  /** Appends operators to a page, by default the last one. */
  private write(operators: string, pageIndex = this.drawn.length - 1): void {
    this.drawn[pageIndex]?.operators.push(operators)
  }

  /** Draws content of a structure element, or an artifact without one. */
  mark(tag: Tag | undefined, operators: string): void {
    const page = this.drawn.at(-1)?.page
    if (!tag || !page) this.write(`/Artifact BMC\n${operators}\nEMC`)
    else this.write(`/${tag.kind} <</MCID ${this.tags.mark(tag, page.ref)}>> BDC\n${operators}\nEMC`)
  }

  /** Draws a header or footer as a pagination artifact (ISO 32000-2, 14.8.2.2). */
  decorate(pageIndex: number, subtype: 'Header' | 'Footer', operators: string): void {
    this.write(`/Artifact <</Type /Pagination /Subtype /${subtype}>> BDC\n${operators}\nEMC`, pageIndex)
  }

  /** Returns the operators that show a text in a column. `y` is its baseline. */
  textOperators({ shaped, look, align }: Part, { x, y, width }: Omit<Area, 'height'>): string {
    const textWidth = (shaped.width * look.sizePt) / 1000
    const left = this.leftOf({ x: align === 'start' ? x : x + width - textWidth, width: textWidth })
    const show = showText(shaped, {
      fonts: this.fonts,
      sizePt: look.sizePt,
      nameFont: ref => this.name('Font', 'F', ref),
    })
    return (
      `BT\n${this.colorOf(look.color)}\n1 0 0 1 ${writeRounded(left)} ${writeRounded(this.theme.page.height - y)} ` +
      `Tm\n${show}\nET`
    )
  }

  /** Adds a link to a URI. */
  link(uri: string, area: Area, tag: Tag): void {
    const page = this.drawn.at(-1)
    if (!page) return
    const { x, y, width, height } = this.boxOf(area)
    const { context } = this.document
    const dict = context.obj({
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [x, y, x + width, y + height].map(round),
      Border: [0, 0, 0],
      F: PRINT,
    })
    const escaped = new URL(uri).href.replace(/[\\()]/g, '\\$&') // as in a literal string (7.3.4.2)
    dict.set(Name.A, context.obj({ S: 'URI', URI: PDFString.of(escaped) }))
    dict.set(Name.Contents, PDFString.of('Link'))
    const ref = this.document.register(dict)
    this.tags.own(tag, ref, page.page.ref)
    this.annotations.push(dict)
    page.annotations.push(ref)
  }

  fillOperators(area: Area, color: Color): string {
    const { x, y, width, height } = this.boxOf(area)
    return `${this.colorOf(color)}\n${[x, y, width, height].map(writeRounded).join(' ')} re f`
  }

  paint(area: Area, color: Color): void {
    this.mark(undefined, this.fillOperators(area, color))
  }

  /** Draws a rule across a column, by default at the current position. */
  rule(color: Color, thickness: number, { x = this.theme.margin, width = this.width, y = this.y } = {}): void {
    this.paint({ x, y, width, height: thickness }, color)
  }

  image(image: EmbeddedImage, area: Area, tag: Tag): void {
    this.mark(tag, `q\n${drawImage(image, this.name('XObject', 'Im', image.ref), this.boxOf(area))}\nQ`)
  }

  /** Converts an area to default user space. */
  boxOf({ x, y, width, height }: Area): Box {
    return { x: this.leftOf({ x, width }), y: this.theme.page.height - y - height, width, height }
  }

  /** Adds the drawn pages to the document. */
  finish(): void {
    const { document } = this
    setPages(
      document,
      this.drawn.map(({ page }) => page),
    )
    for (const { page, operators, annotations } of this.drawn) {
      const dict = document.edit(page.ref)
      dict.set(Name.Resources, this.resourcesRef)
      dict.set(Name.Contents, addContentStream(document, operators.join('\n')))
      dict.set(Name.Tabs, Name.S)
      if (annotations.length) dict.set(Name.Annots, document.context.obj(annotations))
    }
    this.tags.write(this.annotations)
  }

  private colorOf(color: Color): string {
    const operator = this.colors.get(color) ?? writeColor(color, 'rg')
    this.colors.set(color, operator)
    return operator
  }

  private leftOf({ x, width }: { x: number; width: number }): number {
    return this.structure.isRightToLeft ? this.theme.page.width - x - width : x
  }

  private addPage(): void {
    this.drawn.push({
      bottom: this.theme.bottom,
      page: createPage(this.document, this.theme.page),
      operators: [],
      annotations: [],
    })
    const { band, page: size, accent } = this.theme
    if (band) this.paint({ x: 0, y: 0, width: size.width, height: band }, accent)
  }

  private name(category: 'Font' | 'XObject', prefix: string, ref: PDFRef): string {
    const existingName = this.names.get(ref)
    if (existingName) return existingName
    const name = `${prefix}${this.names.size + 1}`
    const part = this.resources.get(PDFName.of(category)) as PDFObject as PDFDict // The constructor created this dictionary.
    part.set(PDFName.of(name), ref)
    this.names.set(ref, name)
    return name
  }
}

/** Height reserved for the header of each further page. */
const RESERVED = 60

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

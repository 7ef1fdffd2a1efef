import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import { setPages } from '../../../pdf/document'
import type { Page, PdfDocument } from '../../../pdf/document'
import { boundsOf, chainMatrices, mapCorners, measureFrame, seenMatrix } from '../../../pdf/geometry'
import type { Matrix } from '../../../pdf/geometry'
import * as Name from '../../../pdf/names'
import { reopenDocument } from '../../../pdf/open'
import { createPage } from '../../../pdf/page'
import { writeNumbers } from '../../../pdf/syntax'
import type { DocumentImage, ImageUse } from './document-images'

/** Entries that say which pixels an image has. Without masks and layers, all of its pixels show. */
const SHOWN = new Set(
  'Width Height ColorSpace BitsPerComponent Decode ImageMask Filter DecodeParms'.split(' ').map(key => PDFName.of(key)),
)

/** Entries that say how a page is displayed. */
const FRAME = ['MediaBox', 'CropBox', 'Rotate'].map(key => PDFName.of(key))

const UNIT_SQUARE = { left: 0, bottom: 0, right: 1, top: 1 }

/** The resolution at which sheets are read, in DPI. */
const SHEET_DPI = 216

/** Points of white paper around an image, because text at the very edge is hard to read. */
const MARGIN_PT = 6

/** Pixels to which small images are enlarged and large ones reduced, and the largest factor. */
const FEW_PIXELS = 3_000_000
const MANY_PIXELS = 16_000_000
const MOST_ENLARGED = 3

/** How far from an axis the rows of an image must run to be read as drawn too, as the sine of the angle. */
const SLOPING = 0.08

/** The least sine of the angle between rows and columns of an image that is read as drawn. */
const LEAST_ANGLE = 0.3

/** A page that shows one image, completely and alone. */
export interface ImageSheet {
  image: DocumentImage
  /** The position of the page, from 0. */
  index: number
  /** Maps the unit square of the image to the sheet. Sheets aren't rotated, and one unit is one point. */
  matrix: Matrix
  /** At `SHEET_DPI`. */
  pixels: number
}

/** A copy of a document whose pages show one image each. */
export class ImageSheets {
  private readonly pages: Page[] = []

  private constructor(
    private readonly original: PdfDocument,
    private readonly document: PdfDocument,
  ) {}

  /** Makes the copy. Then add pages, and call `finish` before you draw them. */
  static open(document: PdfDocument): ImageSheets {
    return new ImageSheets(document, reopenDocument(document))
  }

  /** Adds sheets of an image: upright, and as it is drawn if rows run aslant there, or if the image is mirrored. */
  addImage(image: DocumentImage): ImageSheet[] {
    const { stream, width, height, uses } = image
    const enlarged = Math.min(MOST_ENLARGED, Math.max(1, Math.sqrt(FEW_PIXELS / (width * height))))
    const factor = Math.min(enlarged, Math.sqrt(MANY_PIXELS / (width * height)))
    const size = { width: (width * factor * 72) / SHEET_DPI, height: (height * factor * 72) / SHEET_DPI }
    const drawn = uses.map(use => this.turnAsDrawn(use, size)).find(matrix => matrix !== undefined)
    const upright: Matrix = [size.width, 0, 0, size.height, 0, 0]
    const turns: Matrix[] = drawn ? [upright, drawn] : [upright]
    return turns.map(matrix => {
      const { left, bottom, right, top } = boundsOf(mapCorners(matrix, UNIT_SQUARE))
      const [across, up] = [right - left + 2 * MARGIN_PT, top - bottom + 2 * MARGIN_PT]
      const placed = chainMatrices(matrix, [1, 0, 0, 1, MARGIN_PT - left, MARGIN_PT - bottom])
      const page = createPage(this.document, { width: across, height: up })
      const index = this.add(page, stream, placed)
      return { image, index, matrix: placed, pixels: across * up * (SHEET_DPI / 72) ** 2 }
    })
  }

  /** Adds a page that only shows an image at its place on a page of the document. Returns its position, from 0. */
  addUse({ stream }: DocumentImage, { pageIndex, matrix }: ImageUse): number {
    const { original } = this
    const page = createPage(this.document, { width: 1, height: 1 })
    const dict = this.document.edit(page.ref)
    const source = original.pages[pageIndex]
    for (const key of FRAME) {
      const value = source && original.peek(source.attribute(key))
      if (value) dict.set(key, value)
    }
    const unit = source && original.peek(source.dict.get(Name.UserUnit))
    if (unit) dict.set(Name.UserUnit, unit)
    return this.add(page, stream, matrix)
  }

  /** Makes the sheets the pages of the copy. */
  finish(): PdfDocument {
    const { document, pages } = this
    setPages(document, pages)
    document.editCatalog().delete(Name.AcroForm)
    document.editCatalog().delete(PDFName.of('OCProperties'))
    return document
  }

  private add(page: Page, stream: PDFRawStream, matrix: Matrix): number {
    const { document } = this
    const { context } = document
    const entries = new Map(stream.dict.entries().filter(([key]) => SHOWN.has(key)))
    entries.set(Name.Type, Name.XObject)
    entries.set(Name.Subtype, Name.Image)
    const image = document.register(PDFRawStream.of(PDFDict.fromMapWithContext(entries, context), stream.contents))
    const dict = document.edit(page.ref)
    dict.set(Name.Resources, context.obj({ XObject: { I: image } }))
    const content = `${writeNumbers(matrix)} cm /I Do`
    dict.set(Name.Contents, document.register(PDFRawStream.of(context.obj({}), Buffer.from(content))))
    return this.pages.push(page) - 1
  }

  /**
   * Returns the matrix of an image of this size in points, turned as on the page as displayed. Undefined if its rows
   * run along an axis, because recognition tries quarter turns, or if its rows and columns are almost parallel.
   */
  private turnAsDrawn(
    { pageIndex, matrix }: ImageUse,
    { width, height }: { width: number; height: number },
  ): Matrix | undefined {
    const page = this.original.pages[pageIndex]
    if (!page) return undefined
    const [a, b, c, d] = chainMatrices(matrix, seenMatrix(measureFrame(this.original, page)))
    const [across, up] = [Math.hypot(a, b), Math.hypot(c, d)]
    const [rowX, rowY, columnX, columnY] = [a / across, b / across, c / up, d / up]
    const sine = rowX * columnY - rowY * columnX
    const isStraight = Math.min(Math.abs(rowX), Math.abs(rowY)) < SLOPING
    // A mirrored image has a negative sine. An image without area has no angle.
    if (!(Math.abs(sine) >= LEAST_ANGLE) || (isStraight && sine > 0)) return undefined
    return [rowX * width, rowY * width, columnX * height, columnY * height, 0, 0]
  }
}

import { PDFName } from 'pdf-lib'
import { intersectBoxes } from '../geometry/box'
import type { Box } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { measureFrame } from '../geometry/frame'
import { chainMatrices, mapBox } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import type { Page } from '../document/page-tree'
import { boundsOf } from './page-objects'
import { memoryOf, openPdfium } from './pdfium/pdfium'
import type { Pdfium } from './pdfium/pdfium'
import * as Name from '../syntax/names'

const SEE_THROUGH = ['SMask', 'Mask', 'ImageMask'].map(name => PDFName.of(name))

/** FPDF_PAGEOBJ_*: types of page objects. */
const [PATH, IMAGE, SHADING, FORM] = [2, 3, 4, 5]

/** Minimum covered share of the page. Scans may leave thin edges free. */
const COVERED = 0.95

/** Limits on pages, objects of a page and file size. The check is only for a warning, so it must be fast. */
const MAX_PAGES = 50
const MAX_OBJECTS = 5000
const MAX_FORM_DEPTH = 8
const MAX_BYTES = 50_000_000

/**
 * Returns whether an opaque object covers any of these pages as they are in the file: a scan, or a filled background.
 * Content under it isn't visible. Checks only the first fifty pages, and no file above 50 MB.
 */
export async function hasCoveredPage(document: PdfDocument, pageIndexes: readonly number[]): Promise<boolean> {
  const { bytes } = document.source
  if (bytes.length > MAX_BYTES) return false
  const pdfium = await openPdfium()
  const place = pdfium.pdfium.wasmExports.malloc(bytes.length)
  const values = pdfium.pdfium.wasmExports.malloc(32)
  memoryOf(pdfium).set(bytes, place)
  const opened = pdfium.FPDF_LoadMemDocument(place, bytes.length, '')
  try {
    // PDFium may find other pages than Sheaf in a damaged file.
    if (opened === 0 || pdfium.FPDF_GetPageCount(opened) !== document.pageCount) return false
    return pageIndexes.slice(0, MAX_PAGES).some(pageIndex => {
      const page = document.pages[pageIndex]
      return page !== undefined && new CoverSearch(pdfium, values, { document, page }).covers(opened, pageIndex)
    })
  } finally {
    if (opened !== 0) pdfium.FPDF_CloseDocument(opened)
    pdfium.pdfium.wasmExports.free(values)
    pdfium.pdfium.wasmExports.free(place)
  }
}

interface PageObject {
  object: number
  /** Maps the space in which the object is drawn to the space of the page. */
  matrix: Matrix
  depth: number
}

/** Checks one page. */
class CoverSearch {
  private readonly visible: Box
  private readonly seeThrough: ReadonlySet<string>
  private checkedCount = 0

  constructor(
    private readonly pdfium: Pdfium,
    private readonly values: number,
    { document, page }: { document: PdfDocument; page: Page },
  ) {
    this.visible = measureFrame(document, page).visible
    this.seeThrough = findSeeThrough(document, page)
  }

  covers(opened: number, pageIndex: number): boolean {
    const { pdfium } = this
    const page = pdfium.FPDF_LoadPage(opened, pageIndex)
    if (page === 0) return false
    let open: PageObject[] = Array.from(
      { length: Math.min(MAX_OBJECTS, pdfium.FPDFPage_CountObjects(page)) },
      (_, index) => ({ object: pdfium.FPDFPage_GetObject(page, index), matrix: [1, 0, 0, 1, 0, 0], depth: 0 }),
    )
    let images = 0
    while (open.length && this.checkedCount < MAX_OBJECTS) {
      const inner: PageObject[] = []
      for (const item of open) {
        this.checkedCount++
        if (pdfium.FPDFPageObj_HasTransparency(item.object)) continue
        const kind = pdfium.FPDFPageObj_GetType(item.object)
        if (kind === FORM) inner.push(...this.open(item))
        // A scan may be split into strips, so add up all images.
        else if (kind === IMAGE) images += this.isSeeThrough(item.object) ? 0 : this.shareOf(item)
        else if (
          (kind === SHADING || (kind === PATH && this.isFilledBox(item.object))) &&
          this.shareOf(item) >= COVERED
        )
          images = 1
      }
      if (images >= COVERED) break
      open = inner
    }
    pdfium.FPDF_ClosePage(page)
    return images >= COVERED
  }

  private open({ object, matrix, depth }: PageObject): PageObject[] {
    const { pdfium } = this
    if (depth >= MAX_FORM_DEPTH || !pdfium.FPDFPageObj_GetMatrix(object, this.values)) return []
    const formMatrix = chainMatrices([0, 4, 8, 12, 16, 20].map(at => this.float(at)) as Matrix, matrix) // six numbers
    return Array.from({ length: Math.min(MAX_OBJECTS, pdfium.FPDFFormObj_CountObjects(object)) }, (_, index) => ({
      object: pdfium.FPDFFormObj_GetObject(object, index),
      matrix: formMatrix,
      depth: depth + 1,
    }))
  }

  /** The share of the visible page that the bounds of an object cover. */
  private shareOf({ object, matrix }: PageObject): number {
    const { values, visible } = this
    const bounds = boundsOf(this.pdfium, object, values)
    if (!bounds) return 0
    const [left, bottom, right, top] = bounds
    const common = intersectBoxes(
      mapBox(matrix, { x: left, y: bottom, width: right - left, height: top - bottom }),
      visible,
    )
    return common ? (common.width * common.height) / (visible.width * visible.height) : 0
  }

  /** Returns whether a path is a single upright rectangle and filled. */
  private isFilledBox(object: number): boolean {
    const { pdfium, values } = this
    if (!pdfium.FPDFPath_GetDrawMode(object, values, values + 4) || pdfium.pdfium.getValue(values, 'i32') === 0)
      return false
    const count = pdfium.FPDFPath_CountSegments(object)
    if (count < 4 || count > 5) return false
    const points = Array.from({ length: count }, (_, index) => {
      pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFPath_GetPathSegment(object, index), values, values + 4)
      return { x: this.float(0), y: this.float(4) }
    })
    return points.every(
      (point, index) => index === 0 || point.x === points[index - 1]?.x || point.y === points[index - 1]?.y,
    )
  }

  private isSeeThrough(object: number): boolean {
    const { pdfium, values } = this
    if (!pdfium.FPDFImageObj_GetImagePixelSize(object, values, values + 4)) return true
    return this.seeThrough.has(`${pdfium.pdfium.getValue(values, 'i32')} ${pdfium.pdfium.getValue(values + 4, 'i32')}`)
  }

  private float(at: number): number {
    return this.pdfium.pdfium.getValue(this.values + at, 'float')
  }
}

/** Pixel sizes of the page's images that have a mask or are an image mask. PDFium doesn't report masks. */
function findSeeThrough(document: PdfDocument, page: Page): Set<string> {
  const sizes = new Set<string>()
  const resources = document.peekDict(page.attribute(Name.Resources))
  for (const value of document.peekDict(resources?.get(Name.XObject))?.values() ?? []) {
    const dict = document.peekDict(value)
    if (dict && SEE_THROUGH.some(key => dict.has(key)))
      sizes.add(`${document.peekNumber(dict.get(Name.Width))} ${document.peekNumber(dict.get(Name.Height))}`)
  }
  return sizes
}

import { EngineError, isEngineError } from '../../errors'
import { PageContent } from '../../pdf/rewrite-content'
import type { PdfDocument } from '../../pdf/document'
import { readPageLabels, setPages, writeLabel } from '../../pdf/document'
import { measureFrame } from '../../pdf/geometry'
import { createDocument, createPage } from '../../pdf/page'
import { reopenDocument } from '../../pdf/open'
import * as Name from '../../pdf/names'
import { writeRounded } from '../../pdf/syntax'
import { openRenderer, toGray, toRgb, visitPages } from '../../pdf/render'
import type { Bitmap } from '../../pdf/render'
import { fontsOf, openTypesetter, showText } from '../../pdf/typeset'
import type { ShapedText, Typesetter } from '../../pdf/typeset'
import { FORMAT_FACTS, encodeImage } from './image-format'
import { assertDrawable } from './draw-page-images'
import type { PageImageStyle } from './draw-page-images'

/** How pages are arranged on a contact sheet. All lengths are in pixels. */
export interface SheetLayout {
  columns: number
  /** Width of the column in which a page has to fit. */
  pageWidth: number
  gap: number
  labels: boolean
}

const POINTS_PER_INCH = 72

/** Maximum height of a page on the sheet, as a multiple of `pageWidth`. */
const TALLEST = 1.5

/** The font size of labels as a share of `pageWidth`, and the smallest and largest one in pixels. */
const LABEL_SHARE = 1 / 16
const LABEL_SIZES = { least: 9, most: 28 }

/** Distance from a page to the baseline of its label, and height of a label, as a multiple of the font size. */
const BASELINE = 1.25
const LABEL_HEIGHT = 1.7

/** The gray of the line around each page. */
const LINE = 190

/** Maximum number of characters of a label that are drawn. */
const MOST_CHARACTERS = 40

/** The largest side of a PDF page in points. */
const MOST_PT = 14_400

/** A page on the sheet, in pixels from the upper-left corner. */
interface Cell {
  pageIndex: number
  left: number
  top: number
  width: number
  height: number
  dpi: number
  /** Left edge of the column. */
  columnLeft: number
}

/**
 * Draws pages at these positions (from 0) as one image file, row by row, each with a thin line around it and its page
 * label under it. Throws EngineError `too_large` if the sheet has too many pixels, and like `drawPageImages`.
 */
export async function drawContactSheet(
  document: PdfDocument,
  pageIndexes: readonly number[],
  { layout, style }: { layout: SheetLayout; style: PageImageStyle },
): Promise<Uint8Array> {
  const sheet = arrange(document, pageIndexes, layout)
  assertSize(document, sheet, style)
  const bitmap = await drawLabels(document, sheet, layout)
  let at = 0
  for await (const { index, renderer } of visitPages(document, pageIndexes)) {
    const cell = sheet.cells[at++]
    if (!cell) break
    assertDrawable(document, index, style)
    const page = renderer.draw(index, {
      dpi: cell.dpi,
      color: 'rgba',
      background: 'white',
      annotations: style.annotations,
    })
    drawLine(bitmap, { left: cell.left - 1, top: cell.top - 1, width: page.width + 2, height: page.height + 2 })
    copyPixels(bitmap, page, cell)
  }
  return encodeImage(style.format === 'png' ? withChannels(bitmap, style.color) : bitmap, style)
}

function arrange(document: PdfDocument, pageIndexes: readonly number[], layout: SheetLayout) {
  const { gap, pageWidth, labels } = layout
  const columns = Math.min(layout.columns, pageIndexes.length)
  const labelHeight = labels ? Math.round(labelSize(layout) * LABEL_HEIGHT) : 0
  const cells: Cell[] = []
  let top = gap
  for (let start = 0; start < pageIndexes.length; start += columns) {
    const row = pageIndexes
      .slice(start, start + columns)
      .map(pageIndex => ({ pageIndex, ...fit(document, pageIndex, pageWidth) }))
    const height = Math.max(...row.map(cell => cell.height))
    for (const [column, cell] of row.entries()) {
      const columnLeft = gap + column * (pageWidth + gap)
      cells.push({
        ...cell,
        columnLeft,
        left: columnLeft + Math.floor((pageWidth - cell.width) / 2),
        top: top + height - cell.height,
      })
    }
    top += height + labelHeight + gap
  }
  return { cells, width: gap + columns * (pageWidth + gap), height: top }
}

function fit(document: PdfDocument, pageIndex: number, pageWidth: number): Pick<Cell, 'width' | 'height' | 'dpi'> {
  const page = document.pages[pageIndex]
  if (!page) throw new RangeError(`there is no page at position ${pageIndex}`)
  const { width, height } = measureFrame(document, page)
  const scale = Math.min(pageWidth / width, (pageWidth * TALLEST) / height)
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    dpi: scale * POINTS_PER_INCH,
  }
}

function assertSize(
  { limits }: PdfDocument,
  { width, height }: { width: number; height: number },
  { format }: PageImageStyle,
): void {
  const { maxSide, label } = FORMAT_FACTS[format]
  const isLong = Math.max(width, height) > maxSide
  if (!isLong && width * height <= limits.maxPixels) return
  const rule = isLong
    ? `sides of at most ${maxSide.toLocaleString('en')} pixels in ${label}`
    : `at most ${limits.maxPixels.toLocaleString('en')} pixels`
  throw new EngineError(
    'too_large',
    `options.contactSheet: must give an image with ${rule}. Got ${width.toLocaleString('en')} × ` +
      `${height.toLocaleString('en')} pixels. Use a smaller pageWidth or fewer pages.`,
    { param: 'options.contactSheet' },
  )
}

function labelSize({ pageWidth }: SheetLayout): number {
  return Math.min(LABEL_SIZES.most, Math.max(LABEL_SIZES.least, pageWidth * LABEL_SHARE))
}

/** A white sheet with all labels, four bytes per pixel. The labels are text on a page that PDFium draws. */
async function drawLabels(
  document: PdfDocument,
  { cells, width, height }: { cells: readonly Cell[]; width: number; height: number },
  layout: SheetLayout,
): Promise<Bitmap> {
  if (!layout.labels) {
    return { width, height, channels: 4, pixels: new Uint8Array(width * height * 4).fill(255), dpi: POINTS_PER_INCH }
  }
  const scale = Math.min(1, MOST_PT / Math.max(width, height))
  const sheet = createDocument(document.limits)
  const page = createPage(sheet, { width: width * scale, height: height * scale })
  setPages(sheet, [page])
  const content = new PageContent(sheet, page)
  const fonts = fontsOf(sheet)
  const typesetter = await openTypesetter()
  const labels = readPageLabels(document)
  const shown = cells.map(({ pageIndex, columnLeft, top, height: cellHeight }) => {
    const label = labels?.[pageIndex]
    const shaped = shapeLabel(typesetter, (label && writeLabel(label)) || String(pageIndex + 1), pageIndex)
    const size = Math.min(labelSize(layout), (layout.pageWidth * 1000) / Math.max(1, shaped.width))
    const x = columnLeft + (layout.pageWidth - (shaped.width * size) / 1000) / 2
    const y = height - top - cellHeight - labelSize(layout) * BASELINE
    return (
      `1 0 0 1 ${writeRounded(x * scale)} ${writeRounded(y * scale)} Tm\n` +
      showText(shaped, { fonts, sizePt: size * scale, nameFont: ref => content.name(Name.Font, 'Label', ref) })
    )
  })
  content.drawOver(`BT\n0.2 g\n${shown.join('\n')}\nET`)
  content.write()
  const renderer = await openRenderer(reopenDocument(sheet))
  try {
    return {
      ...renderer.draw(0, { dpi: POINTS_PER_INCH / scale, color: 'rgba', annotations: false }),
      dpi: POINTS_PER_INCH,
    }
  } finally {
    renderer.close()
  }
}

/** The label as a line of text. If no font has its characters, the page number stands in for it. */
function shapeLabel(typesetter: Typesetter, label: string, pageIndex: number): ShapedText {
  try {
    return typesetter.shape(label.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, MOST_CHARACTERS))
  } catch (error) {
    if (isEngineError(error) && error.reason === 'options_invalid') return typesetter.shape(String(pageIndex + 1))
    throw error
  }
}

/** Draws a line of one pixel along the inside of a box. */
function drawLine({ width, pixels }: Bitmap, box: { left: number; top: number; width: number; height: number }): void {
  const [right, bottom] = [box.left + box.width, box.top + box.height]
  for (let y = box.top; y < bottom; y++) {
    const isEdge = y === box.top || y === bottom - 1
    for (let x = box.left; x < right; x += isEdge ? 1 : Math.max(1, box.width - 1)) {
      const at = (y * width + x) * 4
      pixels.fill(LINE, at, at + 3)
    }
  }
}

/** Copies the pixels of a page into the sheet, from the upper-left corner of a cell. */
function copyPixels(sheet: Bitmap, page: Bitmap, { left, top }: Cell): void {
  const rowBytes = page.width * 4
  for (let row = 0; row < page.height; row++) {
    const start = row * rowBytes
    sheet.pixels.set(page.pixels.subarray(start, start + rowBytes), ((top + row) * sheet.width + left) * 4)
  }
}

/** A bitmap of three bytes per pixel, or one. */
function withChannels({ width, height, pixels, dpi }: Bitmap, color: 'rgb' | 'gray'): Bitmap {
  const convert = color === 'gray' ? toGray : toRgb
  return { width, height, dpi, channels: color === 'gray' ? 1 : 3, pixels: convert(pixels, width * 4, width, height) }
}

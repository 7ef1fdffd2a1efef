import type { PDFRef } from 'pdf-lib'
import { EngineError, isEngineError } from '../../../errors'
import { writeColor } from '../../../options/colors'
import type { Color } from '../../../options/colors'
import { addContentStream } from '../../../pdf/rewrite-content'
import type { Page, PdfDocument } from '../../../pdf/document'
import { addPageForm, addSourcePages } from '../../../pdf/page'
import { writeNumbers, writeRounded } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import type { EngineLimits } from '../../../types'
import { describePair, numberOf } from './describe-pair'
import { drawSummary } from './draw-summary'
import type { SummaryFacts } from './draw-summary'
import { MARK_COLORS, collectMarks, drawMarks, markState, outline } from './marks'
import type { Marks } from './marks'
import type { ComparedPage, Comparison, PagePair } from '../model'
import { SheetDocument, placeForm } from './sheet-document'
import type { Sheet } from './sheet-document'
import { findOrAdd } from '../../../map-entries'

/** Lengths in points: around and between pages, and above them for their titles. */
const MARGIN = 16
const TITLE_HEIGHT = 40

/** Maximum width and height of a page in points (ISO 32000-1, Annex C). */
const MAX_SIDE = 14_400

const BACKGROUND: Color = { r: 236, g: 238, b: 241 }
const WHITE: Color = { r: 255, g: 255, b: 255 }
const INK: Color = { r: 31, g: 41, b: 55 }
const QUIET: Color = { r: 107, g: 114, b: 128 }

interface SheetOptions extends SummaryFacts {
  layout: 'side-by-side' | 'overlay'
  show: 'all' | 'changed'
  summary: boolean
  limits: EngineLimits
}

/** The result of drawing a comparison. */
export interface DrawnComparison {
  document: PdfDocument
  /** Whether the content of a page couldn't be read, so that a note replaces the page. */
  hasUnreadable: boolean
}

/**
 * Draws a comparison as a PDF with one sheet for each pair of pages. The pages stay vector content. Throws EngineError
 * `too_large` if there are more sheets than a result may have pages.
 */
export async function drawSheets(comparison: Comparison, options: SheetOptions): Promise<DrawnComparison> {
  const { before, after, pairs } = comparison
  const shown = options.show === 'all' ? pairs : pairs.filter(({ change }) => change !== 'same')
  if (shown.length > options.limits.maxPagesOut)
    throw new EngineError(
      'too_large',
      `The result would have more than ${options.limits.maxPagesOut.toLocaleString('en')} pages. Set options.show to ` +
        '"changed", or select fewer pages.',
    )
  const sheets = await SheetDocument.open(options.limits)
  const { document } = sheets
  const forms = {
    before: new PageForms(document, addSourcePages(document, before.document)),
    after: new PageForms(document, addSourcePages(document, after.document)),
  }
  const drawing = { sheets, forms, comparison, marks: collectMarks(pairs) }
  const summary = options.summary ? drawSummary(sheets, comparison, { ...options, shown }) : undefined
  for (const pair of shown) {
    const sheet = options.layout === 'overlay' ? drawOverlay(pair, drawing) : drawSideBySide(pair, drawing)
    summary?.link(pair, sheet)
    if (pair.change !== 'same') sheets.bookmark(`${pageTitle(pair)}: ${describePair(pair)}`, sheet)
  }
  return {
    document: sheets.finish(),
    hasUnreadable: forms.before.hasUnreadable || forms.after.hasUnreadable,
  }
}

function pageTitle({ before, after }: PagePair): string {
  if (!before || !after || before.index === after.index) return `Page ${numberOf(after ?? before)}`
  return `Page ${numberOf(before)} → ${numberOf(after)}`
}

/** The form XObjects of the pages of a file. */
class PageForms {
  hasUnreadable = false

  constructor(
    private readonly document: PdfDocument,
    private readonly pages: readonly Page[],
  ) {}

  /** Undefined if the content of the page can't be read. */
  formOf({ index }: ComparedPage): PDFRef | undefined {
    const page = this.pages[index]
    try {
      if (page) return addPageForm(this.document, page, 'files').ref
    } catch (error) {
      // A note replaces the page, and the response has a warning.
      if (!isEngineError(error) || error.reason !== 'damaged') throw error
    }
    this.hasUnreadable = true
    return undefined
  }
}

interface Drawing {
  sheets: SheetDocument
  forms: { before: PageForms; after: PageForms }
  comparison: Comparison
  marks: Marks
}

type Side = 'before' | 'after'

function drawSideBySide(pair: PagePair, drawing: Drawing): Sheet {
  const { before, after } = pair
  const [left, right] = [before?.frame ?? after?.frame, after?.frame ?? before?.frame]
  const sizes = { before: left ?? { width: 1, height: 1 }, after: right ?? { width: 1, height: 1 } }
  const [across, up] = [sizes.before.width + sizes.after.width, Math.max(sizes.before.height, sizes.after.height)]
  const scale = Math.min(1, (MAX_SIDE - 3 * MARGIN) / across, (MAX_SIDE - MARGIN - TITLE_HEIGHT) / up)
  // Titles need some width, even above small pages.
  const widths = { before: sizes.before.width * scale, after: sizes.after.width * scale }
  const columns = { before: Math.max(LEAST_COLUMN, widths.before), after: Math.max(LEAST_COLUMN, widths.after) }
  const sheet = drawing.sheets.addSheet({
    width: columns.before + columns.after + 3 * MARGIN,
    height: up * scale + TITLE_HEIGHT + MARGIN,
  })
  sheet.paint({ x: 0, y: 0, ...sheet.size }, BACKGROUND)
  for (const side of ['before', 'after'] as const) {
    const page = pair[side]
    const x = side === 'before' ? MARGIN : 2 * MARGIN + columns.before
    const size = { width: widths[side], height: sizes[side].height * scale }
    const place = { x, y: sheet.size.height - TITLE_HEIGHT - size.height, scale }
    drawTitle(sheet, pair, { side, name: drawing.comparison[side].name, x, maxWidth: columns[side] })
    if (page) drawPage(sheet, page, { side, place, size, drawing })
    else drawMissing(sheet, place, size, side === 'before' ? 'Not in the first file' : 'Not in the second file')
  }
  return sheet
}

/** Minimum width in points for the titles of a page. */
const LEAST_COLUMN = 180

function drawTitle(
  sheet: Sheet,
  pair: PagePair,
  { side, name, x, maxWidth }: { side: Side; name: string; x: number; maxWidth: number },
): void {
  const page = pair[side]
  const label = side === 'before' ? 'Before' : 'After'
  const title = page ? `${label}: page ${numberOf(page)}, ${name}` : `${label}: ${name}`
  const top = sheet.size.height
  sheet.write(title, { x, y: top - 18, maxWidth, sizePt: 9, color: INK, isBold: true })
  // The description is above the page of the second file, or above a removed page.
  if ((side === 'after') !== (pair.change === 'removed'))
    sheet.write(describePair(pair), { x, y: top - 31, maxWidth, sizePt: 8, color: colorOf(pair) })
}

function colorOf({ change, text, visual }: PagePair): Color {
  if (change === 'same') return QUIET
  if (change === 'changed') return text.length === 0 && visual.length > 0 ? MARK_COLORS.visual : INK
  return MARK_COLORS[change]
}

interface Place {
  x: number
  y: number
  scale: number
}

interface Size {
  width: number
  height: number
}

function drawPage(
  sheet: Sheet,
  page: ComparedPage,
  { side, place, size, drawing }: { side: Side; place: Place; size: Size; drawing: Drawing },
): void {
  sheet.paint({ ...place, ...size }, WHITE)
  const form = drawing.forms[side].formOf(page)
  if (!form) {
    drawMissing(sheet, place, size, "The content of this page can't be read")
    return
  }
  sheet.draw(placeForm(sheet.name('XObject', form), place))
  const marks = drawing.marks[side].get(page.index)
  if (!marks) return
  const state = sheet.name('ExtGState', markState(drawing.sheets.document))
  const clip = `${[place.x, place.y, size.width, size.height].map(writeRounded).join(' ')} re W n`
  const matrix = writeNumbers(
    [place.scale, 0, 0, place.scale, place.x, place.y].map(value => Math.round(value * 1e6) / 1e6),
  )
  sheet.draw(`${clip}\n${matrix} cm\n${drawMarks(marks, state)}`)
}

function drawMissing(sheet: Sheet, place: Place, { width, height }: Size, note: string): void {
  sheet.draw(
    `${writeColor(QUIET, 'RG')} 0.75 w [4 3] 0 d ` +
      `${[place.x + 0.5, place.y + 0.5, Math.max(1, width - 1), Math.max(1, height - 1)].map(writeRounded).join(' ')} re S`,
  )
  const maxWidth = width - 2 * MARGIN
  if (maxWidth > 40 && height > 40)
    sheet.write(note, { x: place.x + MARGIN, y: place.y + height - 30, maxWidth, sizePt: 10, color: QUIET })
}

/** Colors in which the files are drawn on top of each other. Content of both files becomes almost black. */
const OVERLAY_COLORS: Record<Side, Color> = { before: { r: 225, g: 40, b: 40 }, after: { r: 30, g: 110, b: 235 } }

function drawOverlay(pair: PagePair, drawing: Drawing): Sheet {
  const { sheets, forms, comparison } = drawing
  const frames = [pair.before?.frame, pair.after?.frame].filter(frame => frame !== undefined)
  const [width, height] = [
    Math.max(...frames.map(frame => frame.width)),
    Math.max(...frames.map(frame => frame.height)),
  ]
  const scale = Math.min(1, (MAX_SIDE - 2 * MARGIN) / width, (MAX_SIDE - MARGIN - TITLE_HEIGHT) / height)
  const size = { width: width * scale, height: height * scale }
  const column = Math.max(2 * LEAST_COLUMN, size.width)
  const sheet = sheets.addSheet({ width: column + 2 * MARGIN, height: size.height + TITLE_HEIGHT + MARGIN })
  sheet.paint({ x: 0, y: 0, ...sheet.size }, BACKGROUND)
  const top = sheet.size.height
  const titles = (['before', 'after'] as const).flatMap(side => {
    const page = pair[side]
    return page
      ? [{ side, title: `${side === 'before' ? 'Before' : 'After'}: page ${numberOf(page)}, ${comparison[side].name}` }]
      : []
  })
  for (const [index, { side, title }] of titles.entries()) {
    const x = MARGIN + (index * column) / 2
    sheet.write(title, {
      x,
      y: top - 18,
      maxWidth: column / 2 - 8,
      sizePt: 9,
      color: OVERLAY_COLORS[side],
      isBold: true,
    })
  }
  sheet.write(describePair(pair), { x: MARGIN, y: top - 31, maxWidth: column, sizePt: 8, color: INK })
  const place = { x: MARGIN, y: MARGIN, scale }
  sheet.paint({ ...place, ...size }, WHITE)
  for (const side of ['before', 'after'] as const) {
    const page = pair[side]
    const form = page && forms[side].formOf(page)
    if (!page) continue
    const own = { ...place, y: place.y + (height - page.frame.height) * scale }
    if (!form)
      drawMissing(
        sheet,
        own,
        { width: page.frame.width * scale, height: page.frame.height * scale },
        "The content of this page can't be read",
      )
    else
      sheet.draw(
        `/${sheet.name('ExtGState', multiplyState(sheets.document))} gs\n${placeForm(sheet.name('XObject', tint(sheets.document, form, page, OVERLAY_COLORS[side])), own)}`,
      )
  }
  const marks = pair.after && drawing.marks.after.get(pair.after.index)?.filter(({ kind }) => kind === 'visual')
  if (pair.after && marks?.length) {
    const y = place.y + (height - pair.after.frame.height) * scale
    const matrix = writeNumbers([scale, 0, 0, scale, place.x, y].map(value => Math.round(value * 1e6) / 1e6))
    const boxes = marks.flatMap(mark => mark.boxes).map(box => outline(box, MARK_COLORS.visual))
    sheet.draw(`${matrix} cm\n${boxes.join('\n')}`)
  }
  return sheet
}

/** A page in shades of one color, as a form XObject: black becomes the color, and white stays white. */
function tint(document: PdfDocument, form: PDFRef, { frame }: ComparedPage, color: Color): PDFRef {
  const { context } = document
  document.saving.addedFeatures.add('transparency')
  const box = `0 0 ${writeRounded(frame.width)} ${writeRounded(frame.height)} re f`
  // The page must begin with the initial colors, so the white background has its own graphics state.
  const operators = `q 1 g ${box} Q\nq /Page Do Q\nq /Gray gs 1 g ${box} Q\nq /Lighten gs ${writeColor(color, 'rg')} ${box} Q`
  return addContentStream(document, operators, {
    Type: Name.XObject,
    Subtype: Name.Form,
    BBox: context.obj([0, 0, frame.width, frame.height].map(value => Math.round(value * 10_000) / 10_000)),
    Group: context.obj({ Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true }),
    Resources: context.obj({
      XObject: { Page: form },
      // The saturation of white removes the color of the backdrop.
      ExtGState: { Gray: { BM: 'Saturation' }, Lighten: { BM: 'Lighten' } },
    }),
  })
}

const multiplyStates = new WeakMap<PdfDocument, PDFRef>()

function multiplyState(document: PdfDocument): PDFRef {
  return findOrAdd(multiplyStates, document, () =>
    document.register(document.context.obj({ Type: 'ExtGState', BM: 'Multiply' })),
  )
}

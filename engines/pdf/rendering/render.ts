import { EngineError } from '../../errors'
import type { PdfDocument } from '../document/document'
import { measureFrame } from '../geometry/frame'
import type { Box } from '../geometry/box'
import type { Frame } from '../geometry/frame'
import { withoutHiddenAnnotations } from '../content/rewriting/visible-document'
import { writeDocument } from '../writer/writer'
import { drawInTime, timeOut } from './pdfium/draw-in-time'
import { boxInk } from './ink'
import type { PixelBox } from './ink'
import { boundObjects } from './page-objects'
import { abandonPdfium, memoryOf, openPdfium } from './pdfium/pdfium'
import type { Pdfium } from './pdfium/pdfium'
import { readPageText } from './page-text'
import type { PageText } from './page-text'
import { PageWeights } from './page-weight'
import { PdfiumFile } from './pdfium/pdfium-file'
import { copyRgba, toGray, toRgb, toRgba } from './pixels'
import { answerFontRequests } from './pdfium/font-mapper'
import { RendererFonts } from './renderer-fonts'

/** Flags of FPDF_RenderPageBitmap. */
const WITH_ANNOTATIONS = 0x01
const RED_FIRST = 0x10

/** FPDFBitmap_BGRx: four bytes per pixel, the last one unused. */
const FOUR_BYTES = 3
const BYTES = 4

/** FPDFBitmap_BGRA: four bytes per pixel, the last one the opacity. Colors aren't multiplied by it. */
const WITH_OPACITY = 4

/**
 * Margin in pixels to draw around a part of a page. PDFium leaves out objects beside the part, even if their
 * anti-aliased edges show in it. It also rounds glyph positions to the left of or above the bitmap differently.
 */
const BEFORE = { across: 64, down: 24 }
const AFTER = 2

const POINTS_PER_INCH = 72

/** Maximum width or height in pixels of a page that is drawn in part. PDFium uses 32-bit coordinates. */
const MOST_ACROSS = 2 ** 24

/** Default limit for drawing a page, in milliseconds of CPU time. */
const LIMIT_MS = 8000

const CHANNELS = { gray: 1, rgb: 3, rgba: 4 } as const

/** Options for drawing a page. */
export interface RenderOptions {
  /** Pixels per inch of the displayed page. */
  dpi: number
  /** Minimum pixels per inch. If a page would have too many pixels even so, it is rejected. Default 72. */
  leastDpi?: number
  color: 'gray' | 'rgb' | 'rgba'
  /** Whether to draw annotations and form fields, as on screen. */
  annotations: boolean
  /**
   * What is under the page. For `transparent`, `color` must be `rgba`, and the fourth byte is the opacity. Without this
   * option, it is white, and drawing is faster, but PDFium smooths the text of form fields with colored edges, as for
   * LCD screens.
   */
  background?: 'white' | 'transparent'
  /** Limit for drawing a page in milliseconds of CPU time. Default 8000. */
  limitMs?: number
}

/** A drawn page, on white unless the options say otherwise. */
export interface Bitmap {
  width: number
  height: number
  /** Bytes per pixel: 1 (gray), 3 (red, green, blue) or 4 (with the opacity, which is 255 on white). */
  channels: 1 | 3 | 4
  /** Rows from the top, without padding. */
  pixels: Uint8Array
  /** Pixels per inch. Lower than requested if the page would have had more than `limits.maxPixels` pixels. */
  dpi: number
}

interface Size {
  width: number
  height: number
}

interface Painting extends Pick<RenderOptions, 'annotations' | 'background' | 'limitMs'> {
  /** Returns whether the time is over. If undefined, the time starts now. */
  isLate?: () => boolean
}

/** A part of a page, in pixels. */
interface Part extends Size {
  left: number
  top: number
}

/**
 * Opens the current state of a document for drawing, without annotations on hidden layers. Later changes have no effect.
 * `original` gets the warnings if the document is a copy. Call `close` when done. Throws EngineError `damaged` if
 * PDFium can't open the document.
 */
export async function openRenderer(document: PdfDocument, original = document): Promise<PdfiumRenderer> {
  const pdfium = await openPdfium()
  // PDFium hides content of hidden layers, but not their annotations.
  const file = openFile(pdfium, withoutHiddenAnnotations(document))
  if (!file) throw new EngineError('damaged', "The PDF is damaged. Its pages can't be rendered.")
  return new PdfiumRenderer(document, file, original)
}

function openFile(pdfium: Pdfium, document: PdfDocument): PdfiumFile | undefined {
  const isAsRead = document.store.isUntouched && document.source.repairs.length === 0
  return (
    (isAsRead ? openBytes(pdfium, document, document.source.bytes) : undefined) ??
    openBytes(pdfium, document, writeDocument(document).join())
  )
}

/** Undefined if PDFium finds a different number of pages than Sheaf, because page numbers would then not match. */
function openBytes(pdfium: Pdfium, document: PdfDocument, bytes: Uint8Array): PdfiumFile | undefined {
  const file = PdfiumFile.open(pdfium, bytes)
  if (!file || file.pageCount === document.pageCount) return file
  file.close()
  return undefined
}

/**
 * Draws pages at these positions (from 0), one after another. A page that can't be drawn has no image. Consume all
 * pages or exit the loop, so that PDFium's memory is freed. Throws EngineError like `openRenderer`, `too_large` and
 * `timed_out`.
 */
export async function* drawPages(
  document: PdfDocument,
  indexes: Iterable<number>,
  drawing: RenderOptions,
): AsyncGenerator<{ index: number; image: Bitmap | undefined; renderer: PdfiumRenderer }> {
  for await (const { index, renderer } of visitPages(document, indexes)) {
    yield { index, image: ifDrawable(() => renderer.draw(index, drawing)), renderer }
  }
}

/**
 * Yields a renderer for each of these positions. It is only valid during that iteration. Otherwise like `drawPages`.
 */
export async function* visitPages(
  document: PdfDocument,
  indexes: Iterable<number>,
): AsyncGenerator<{ index: number; renderer: PdfiumRenderer }> {
  let renderer: PdfiumRenderer | undefined
  try {
    for (const index of indexes) {
      if (renderer?.isBroken) renderer = undefined
      renderer ??= await openRenderer(document)
      yield { index, renderer }
    }
  } finally {
    renderer?.close()
  }
}

/** Returns the result of `draw`. Undefined if the page can't be drawn. */
export function ifDrawable<Result>(draw: () => Result): Result | undefined {
  try {
    return draw()
  } catch (error) {
    // The missing image tells the caller.
    if (error instanceof EngineError && error.reason === 'damaged') return undefined
    throw error
  }
}

/** Draws the pages of one document. */
export class PdfiumRenderer {
  private formInfo = 0
  private form = 0
  private readonly weights: PageWeights
  private readonly fonts: RendererFonts
  private isLost = false

  /** Use `openRenderer`. */
  constructor(
    private readonly document: PdfDocument,
    private readonly file: PdfiumFile,
    private readonly original: PdfDocument,
  ) {
    this.weights = new PageWeights(document)
    this.fonts = new RendererFonts(document)
  }

  /**
   * Draws the page at this position (from 0) as displayed: rotated, cropped to its CropBox, and in true size regardless
   * of /UserUnit. Throws EngineError `too_large` if the page has too many pixels even at `leastDpi`, `damaged` if
   * PDFium can't draw the page, and `timed_out` if drawing takes longer than `limitMs`.
   */
  draw(pageIndex: number, drawing: RenderOptions): Bitmap {
    const size = this.measure(pageIndex, drawing)
    const channels = CHANNELS[drawing.color]
    return this.withPage(pageIndex, page => {
      const pixels = this.paint({ page, pageIndex }, size, drawing, readPixels(drawing, size))
      this.recordUndrawnText(page, pageIndex)
      return { ...size, channels, pixels }
    })
  }

  /**
   * Returns whether the content of a page has visible text for which no font is available, so that it isn't drawn.
   * Throws EngineError `damaged`.
   */
  hasUndrawnText(pageIndex: number): boolean {
    return this.withPage(pageIndex, page => this.fonts.hasUndrawnText(this.file.pdfium, page, pageIndex))
  }

  private recordUndrawnText(page: number, pageIndex: number): void {
    if (this.fonts.hasUndrawnText(this.file.pdfium, page, pageIndex)) this.original.warnings.add('text-not-drawn')
  }

  /**
   * Runs `work` to search for ink on parts of the page at this position (from 0). Loads the page once and draws the
   * parts exactly like `draw`, but not the rest. `boxInk` returns the box around all pixels in a part that aren't
   * white, in pixels of the page. `likely` is the box of the page's objects. Throws like `draw`.
   */
  searchInk<Result>(
    pageIndex: number,
    drawing: Omit<RenderOptions, 'color'>,
    work: (
      page: { size: Size; likely: PixelBox | undefined },
      boxInk: (part: PixelBox) => PixelBox | undefined,
    ) => Result,
  ): Result {
    const { width, height } = this.measure(pageIndex, drawing)
    // The time limit applies to all parts together.
    const { annotations } = drawing
    const painting = { annotations, isLate: timeOut(drawing.limitMs ?? LIMIT_MS) }
    return this.withPage(pageIndex, page => {
      this.recordUndrawnText(page, pageIndex)
      return work(
        { size: { width, height }, likely: boundObjects(this.file.pdfium, page, { width, height }) },
        ({ left, top, right, bottom }) => {
          const [across, down] = [Math.min(left, BEFORE.across), Math.min(top, BEFORE.down)]
          const around = {
            left: left - across,
            top: top - down,
            width: Math.min(width, right + AFTER) - left + across,
            height: Math.min(height, bottom + AFTER) - top + down,
          }
          const ink = this.paint(
            { page, pageIndex },
            { width, height },
            painting,
            (rows, stride) =>
              boxInk(rows.subarray(down * stride + across * BYTES), stride, {
                width: right - left,
                height: bottom - top,
              }),
            around,
          )
          return ink && { left: ink.left + left, right: ink.right + left, top: ink.top + top, bottom: ink.bottom + top }
        },
      )
    })
  }

  /**
   * Runs `work` with the text in the content of the page at this position (from 0). Throws EngineError `damaged`.
   */
  readCharacters<Result>(pageIndex: number, work: (text: PageText) => Result): Result {
    return this.withPage(pageIndex, page => readPageText(this.file.pdfium, page, work))
  }

  /**
   * Runs `work` with the text of the page at this position (from 0), and with an image of a part of the page,
   * with or without annotations and fields. `box` is in points from the lower-left corner of the displayed page. The
   * image has whole pixels at `dpi`. Its upper-left corner is `left` and `top` pixels from the page's. Throws
   * EngineError `damaged`.
   */
  inspect<Result>(
    pageIndex: number,
    { box, dpi, annotations }: { box: Box; dpi: number; annotations: boolean },
    work: (text: PageText, part: { image: Bitmap; left: number; top: number }) => Result,
  ): Result {
    const frame = this.frameOf(pageIndex)
    const { maxPixels } = this.document.limits
    // Only the part needs memory, regardless of the size of the page.
    const scale = Math.min(
      dpi / POINTS_PER_INCH,
      Math.sqrt(maxPixels / Math.max(1, box.width * box.height)) / 2,
      MOST_ACROSS / Math.max(frame.width, frame.height),
    )
    const size = {
      width: Math.max(1, Math.round(frame.width * scale)),
      height: Math.max(1, Math.round(frame.height * scale)),
    }
    const [left, right] = [
      Math.max(0, Math.floor(box.x * scale)),
      Math.min(size.width, Math.ceil((box.x + box.width) * scale)),
    ]
    const [top, bottom] = [
      Math.max(0, Math.floor(size.height - (box.y + box.height) * scale)),
      Math.min(size.height, Math.ceil(size.height - box.y * scale)),
    ]
    const part = { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
    return this.withPage(pageIndex, page => {
      const pixels = this.paint({ page, pageIndex }, size, { annotations }, readPixels({ color: 'rgb' }, part), part)
      const image: Bitmap = {
        width: part.width,
        height: part.height,
        dpi: scale * POINTS_PER_INCH,
        channels: 3,
        pixels,
      }
      return readPageText(this.file.pdfium, page, text => work(text, { image, left, top }))
    })
  }

  /** Whether PDFium has crashed. This renderer can't draw any more pages, but a new one may draw the others. */
  get isBroken(): boolean {
    return this.isLost
  }

  close(): void {
    if (this.isLost) return
    const { pdfium } = this.file
    if (this.formInfo !== 0) {
      pdfium.PDFiumExt_ExitFormFillEnvironment(this.form)
      pdfium.PDFiumExt_CloseFormFillInfo(this.formInfo)
    }
    this.file.close()
  }

  private frameOf(pageIndex: number): Frame {
    const page = this.document.pages[pageIndex]
    if (!page) throw new RangeError(`there is no page at position ${pageIndex}`)
    return measureFrame(this.document, page)
  }

  private measure(
    pageIndex: number,
    { dpi, leastDpi = POINTS_PER_INCH }: Omit<RenderOptions, 'color'>,
  ): { width: number; height: number; dpi: number } {
    const { maxPixels } = this.document.limits
    const frame = this.frameOf(pageIndex)
    const inches = { width: frame.width / POINTS_PER_INCH, height: frame.height / POINTS_PER_INCH }
    const count = (scale: number): { width: number; height: number; dpi: number } => {
      return {
        width: Math.max(1, Math.round(inches.width * scale)),
        height: Math.max(1, Math.round(inches.height * scale)),
        dpi: scale,
      }
    }
    const requested = count(dpi)
    if (requested.width * requested.height <= maxPixels) return requested
    // Use half a pixel less than fits, because both sides are rounded.
    const reduced = Math.max(
      0,
      Math.sqrt(maxPixels / (inches.width * inches.height)) - 0.5 / Math.min(inches.width, inches.height),
    )
    const fitting = count(reduced)
    if (reduced >= Math.min(leastDpi, dpi) && fitting.width * fitting.height <= maxPixels) return fitting
    const shown = `${Math.round(frame.width)} × ${Math.round(frame.height)} points`
    throw new EngineError(
      'too_large',
      `Page ${pageIndex + 1} is too large to render. ${shown} are more than the ` +
        `${maxPixels.toLocaleString('en')} pixels allowed at ${Math.min(leastDpi, dpi)} DPI.`,
    )
  }

  /** Draws a page of this size or a part of it. `read` gets the rows of the bitmap, which are freed afterwards. */
  private paint<Result>(
    { page, pageIndex }: { page: number; pageIndex: number },
    whole: Size,
    { annotations, background, limitMs = LIMIT_MS, isLate = timeOut(limitMs) }: Painting,
    read: (rows: Uint8Array, stride: number) => Result,
    { left, top, width, height }: Part = { ...whole, left: 0, top: 0 },
  ): Result {
    const { pdfium } = this.file
    if (annotations) this.openForm()
    const area = { left: -left, top: -top, width: whole.width, height: whole.height }
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, background ? WITH_OPACITY : FOUR_BYTES, 0, 0)
    if (bitmap === 0)
      throw new EngineError(
        'too_large',
        'The page is too large to render with the available memory. Use a lower resolution or smaller pages.',
      )
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, background === 'transparent' ? 0 : 0xffffffff)
      const isDrawn = drawInTime(pdfium, { bitmap, page }, area, {
        flags: annotations ? WITH_ANNOTATIONS | RED_FIRST : RED_FIRST,
        isLate,
      })
      if (!isDrawn)
        throw new EngineError(
          'timed_out',
          `Page ${pageIndex + 1} takes more than ${limitMs / 1000} seconds to render. Send it with smaller ` +
            'images or fewer objects.',
        )
      if (annotations) this.paintFields(page, bitmap, area)
      const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
      const stride = pdfium.FPDFBitmap_GetStride(bitmap)
      return read(memoryOf(pdfium).subarray(start, start + stride * height), stride)
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap)
    }
  }

  /** Starts PDFium's form code. It needs seconds for thousands of fields, and text doesn't need it. */
  private openForm(): void {
    if (this.formInfo !== 0) return
    const { pdfium, document } = this.file
    this.formInfo = pdfium.PDFiumExt_OpenFormFillInfo()
    this.form = pdfium.PDFiumExt_InitFormFillEnvironment(document, this.formInfo)
    // Readers highlight form fields, but the page itself doesn't have this color.
    pdfium.FPDF_SetFormFieldHighlightAlpha(this.form, 0)
  }

  /** Draws form fields. Only PDFium's form code draws fields without an appearance. */
  private paintFields(page: number, bitmap: number, { left, top, width, height }: Part): void {
    const { pdfium } = this.file
    if (this.form === 0) return
    pdfium.FORM_OnAfterLoadPage(page, this.form)
    pdfium.FPDF_FFLDraw(this.form, bitmap, page, left, top, width, height, 0, RED_FIRST)
    pdfium.FORM_OnBeforeClosePage(page, this.form)
  }

  /** Loads a page and runs `work`. If PDFium itself throws, its state is unknown, so it isn't used any more. */
  private withPage<Result>(pageIndex: number, work: (page: number) => Result): Result {
    const { pdfium, document } = this.file
    const problem = this.weights.findProblem(pageIndex)
    if (problem !== undefined)
      throw new EngineError('damaged', `Page ${pageIndex + 1} is too large to render. ${problem}`)
    try {
      return answerFontRequests(
        request => this.fonts.choose(request, pageIndex),
        () => {
          const page = this.isLost ? 0 : pdfium.FPDF_LoadPage(document, pageIndex)
          if (page === 0) throw damaged(pageIndex)
          try {
            return work(page)
          } finally {
            pdfium.FPDF_ClosePage(page)
          }
        },
      )
    } catch (error) {
      if (error instanceof EngineError) throw error
      this.isLost = true
      abandonPdfium()
      throw damaged(pageIndex, error)
    }
  }
}

function readPixels(
  { color, background }: Pick<RenderOptions, 'color' | 'background'>,
  { width, height }: Size,
): (rows: Uint8Array, stride: number) => Uint8Array {
  const convert = { gray: toGray, rgb: toRgb, rgba: background === 'transparent' ? copyRgba : toRgba }[color]
  return (rows, stride) => convert(rows, stride, width, height)
}

function damaged(pageIndex: number, cause?: unknown): EngineError {
  return new EngineError('damaged', `Page ${pageIndex + 1} is damaged. It can't be rendered.`, { cause })
}

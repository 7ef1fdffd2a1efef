import { EngineError } from '../../errors'
import type { PdfDocument } from '../../pdf/document'
import { openRenderer } from '../../pdf/render'
import type { PdfiumRenderer } from '../../pdf/render'
import type { GrayImage } from './scans/gray-image'

/** The lowest resolution at which text can be recognized. A page that is too large even at this resolution fails. */
const LEAST_DPI = 72

/** The share of a page's time limit that rendering may take. Recognition needs the rest. */
const DRAWING_SHARE = 0.5

/** Renders pages of a document, in any order. Call `close` at the end. */
export class PageRenderer {
  private renderer: PdfiumRenderer | undefined

  constructor(private readonly document: PdfDocument) {}

  /**
   * Renders the page in shades of gray, with fields and annotations. Lowers the resolution if the page would have too
   * many pixels. Returns undefined if rendering takes too long. Throws EngineError `too_large`, `damaged`.
   */
  async draw(
    pageIndex: number,
    { dpi, pageLimitMs }: { dpi: number; pageLimitMs: number },
  ): Promise<{ image: GrayImage; dpi: number } | undefined> {
    const renderer = await this.open()
    try {
      const image = renderer.draw(pageIndex, {
        dpi,
        leastDpi: LEAST_DPI,
        color: 'gray',
        annotations: true,
        limitMs: pageLimitMs * DRAWING_SHARE,
      })
      return { image, dpi: image.dpi }
    } catch (error) {
      // The result of the page reports this as `isTimedOut`.
      if (error instanceof EngineError && error.reason === 'timed_out') return undefined
      throw error
    }
  }

  close(): void {
    this.renderer?.close()
    this.renderer = undefined
  }

  private async open(): Promise<PdfiumRenderer> {
    if (this.renderer?.isBroken) throw new EngineError('damaged', "The PDF is damaged. Its pages can't be rendered.")
    return (this.renderer ??= await openRenderer(this.document))
  }
}

import { EngineError } from '../errors'
import type { PdfDocument } from '../pdf-core/document/document'
import { openRenderer } from '../pdfium/render'
import type { PdfiumRenderer, SeenWords } from '../pdfium/render'
import type { GrayImage } from './image/gray-image'

/** Below this no text can be read; a page that is too large even so is refused. */
const LEAST_DPI = 72

/** Of the time that a page may take, what drawing it may: reading what was drawn needs the rest. */
const DRAWING_SHARE = 0.5

/** Draws pages of a document, and tells what text they have, in any order. Close it. */
export class PageImages {
  private renderer: PdfiumRenderer | undefined

  constructor(private readonly document: PdfDocument) {}

  /** The words of the page at this position (from 0). Throws EngineError `unreadable`. */
  async tellWords(pageIndex: number): Promise<SeenWords> {
    return (await this.open()).tellWords(pageIndex)
  }

  /**
   * The page in shades of gray, fields and annotations too; at less pixels an inch where it would have too many.
   * Undefined when that takes too much of the time that the page may take. Throws EngineError `too-large`,
   * `unreadable`.
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
      // Told by the page's `isTimedOut`.
      if (error instanceof EngineError && error.reason === 'timed-out') return undefined
      throw error
    }
  }

  close(): void {
    this.renderer?.close()
    this.renderer = undefined
  }

  private async open(): Promise<PdfiumRenderer> {
    if (this.renderer?.isBroken) throw new EngineError('unreadable', 'The PDF is damaged: its pages can not be drawn.')
    return (this.renderer ??= await openRenderer(this.document))
  }
}

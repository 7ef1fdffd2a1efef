import { EngineError } from '../errors'
import type { PdfDocument } from '../pdf-core/document'
import { openRenderer } from '../pdfium/render'
import type { PageRenderer, SeenWords } from '../pdfium/render'
import type { GreyPicture } from './grey-picture'

/** Below this no text can be read; a page that is too large even so is refused. */
const LEAST_DPI = 72

/** Draws pages of a document, and tells what text they have, in any order. Close it. */
export class PageSource {
  private renderer: PageRenderer | undefined

  constructor(private readonly document: PdfDocument) {}

  /** The words of the page at this position (from 0). Throws EngineError `unreadable`. */
  async tellWords(pageIndex: number): Promise<SeenWords> {
    return (await this.open()).tellWords(pageIndex)
  }

  /** The page in shades of grey, fields and annotations too; at less pixels an inch where it would have too many. Throws EngineError `too-large`, `unreadable`. */
  async draw(pageIndex: number, dpi: number): Promise<{ picture: GreyPicture; dpi: number }> {
    const picture = (await this.open()).draw(pageIndex, { dpi, leastDpi: LEAST_DPI, color: 'grey', annotations: true })
    return { picture, dpi: picture.dpi }
  }

  close(): void {
    this.renderer?.close()
    this.renderer = undefined
  }

  private async open(): Promise<PageRenderer> {
    if (this.renderer?.isBroken) throw new EngineError('unreadable', 'The PDF is damaged: its pages can not be drawn.')
    return (this.renderer ??= await openRenderer(this.document))
  }
}

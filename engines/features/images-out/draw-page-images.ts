import { EngineError } from '../../errors'
import { contentsOf, decodeContent } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import { assertFewAnnotations, visitPages } from '../../pdf/render'
import { PDFRawStream } from 'pdf-lib'
import { bitmapFor, encodeImage } from './image-format'
import type { ImageStyle } from './image-format'
import type { SizedPage } from './image-size'

/** Maximum size of all images of a response together. Sheaf holds them in memory until they are sent. */
const MOST_BYTES = 400_000_000

/** How pages become images. */
export interface PageImageStyle extends ImageStyle {
  annotations: boolean
}

/**
 * Draws pages as image files, one after another. Throws EngineError `damaged` for a page that can't be drawn,
 * `timed_out` for one that takes too long, and `too_large` if all images together have too many bytes.
 */
export async function* drawPageImages(
  document: PdfDocument,
  pages: readonly SizedPage[],
  style: PageImageStyle,
): AsyncGenerator<{ pageIndex: number; bytes: Uint8Array }> {
  let total = 0
  let at = 0
  for await (const { index, renderer } of visitPages(
    document,
    pages.map(({ pageIndex }) => pageIndex),
  )) {
    const dpi = pages[at++]?.dpi ?? 0
    assertDrawable(document, index, style)
    const bitmap = renderer.draw(index, { dpi, annotations: style.annotations, ...bitmapFor(style) })
    const bytes = await encodeImage(bitmap, style)
    total += bytes.length
    if (total > MOST_BYTES)
      throw new EngineError(
        'too_large',
        `The images up to page ${index + 1} have more than ${MOST_BYTES / 1_000_000} MB together. Select fewer ` +
          'pages, or use a lower resolution or format "jpeg".',
      )
    yield { pageIndex: index, bytes }
  }
}

/**
 * Throws EngineError `damaged` if content of the page at this position (from 0) can't be decoded. PDFium would leave
 * it out and draw a white page. Throws `too_large` if the page has too many annotations to draw them.
 */
export function assertDrawable(
  document: PdfDocument,
  pageIndex: number,
  { annotations }: Pick<PageImageStyle, 'annotations'>,
): void {
  const page = document.pages[pageIndex]
  if (annotations) assertFewAnnotations(document, pageIndex)
  for (const item of page ? contentsOf(document, page) : []) {
    const stream = document.peek(item)
    const isEmpty = stream instanceof PDFRawStream && stream.contents.length === 0
    if (isEmpty || decodeContent(document, item) !== undefined) continue
    throw new EngineError('damaged', `Page ${pageIndex + 1} is damaged. Its content can't be decoded.`)
  }
}

import { PDFName } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { ContentFilter, PixelCut, Verdict } from '../../pdf/rewrite-content'
import { rewriteContent, withoutHidden } from '../../pdf/rewrite-content'
import { addDeflatedStream } from '../../pdf/document'
import type { Page, PdfDocument } from '../../pdf/document'
import { frameMatrix, measureFrame } from '../../pdf/geometry'
import { writeNumbers } from '../../pdf/syntax'
import { addPageImage, openRenderer } from '../../pdf/render'
import * as Name from '../../pdf/names'

/** Page entries that describe the old content: the transparency group, separation info, private data of programs. */
const REMOVED_KEYS = ['Group', 'SeparationInfo', 'PieceInfo'].map(name => PDFName.of(name))

/**
 * Replaces the visible content of pages (positions from 0, with the resolution of each) by one image without text. Page
 * size, /Rotate, annotations, fields and the tags of other pages stay. Adds the warning `page-rasterized`. Throws
 * EngineError `too_large` for a page with too many pixels, and `damaged` for a page that can't be rendered.
 */
export async function replaceWithImages(
  document: PdfDocument,
  pages: readonly { pageIndex: number; dpi: number }[],
): Promise<void> {
  if (pages.length === 0) return
  const rendered: { page: Page; image: PDFRef }[] = []
  const renderer = await openRenderer(await withoutHidden(document), document)
  try {
    for (const { pageIndex, dpi } of pages) {
      const page = document.pages[pageIndex]
      if (page)
        rendered.push({
          page,
          image: await addPageImage(
            document,
            renderer.draw(pageIndex, { dpi, color: 'rgba', annotations: false }),
            'jpeg',
          ),
        })
    }
  } finally {
    renderer.close()
  }
  // This removes the old content with its tags.
  await rewriteContent(
    document,
    rendered.map(({ page }) => ({ page, filter: new RemoveEverything() })),
  )
  for (const { page, image } of rendered) replaceContent(document, page, image)
  document.warnings.add('page-rasterized')
}

function replaceContent(document: PdfDocument, page: Page, image: PDFRef): void {
  const frame = measureFrame(document, page)
  const content = Buffer.from(
    `q ${writeNumbers(frameMatrix(frame))} cm ${writeNumbers([frame.width, 0, 0, frame.height, 0, 0])} cm /P Do Q\n`,
    'latin1',
  )
  const dict = document.edit(page.ref)
  for (const key of REMOVED_KEYS) dict.delete(key)
  dict.set(Name.Resources, document.context.obj({ XObject: { P: image } }))
  dict.set(Name.Contents, addDeflatedStream(document, content))
}

class RemoveEverything implements ContentFilter {
  readonly key = 'everything'
  readonly area = undefined

  decide(): Verdict {
    return 'remove'
  }

  /** Never called, because no image is cut. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}

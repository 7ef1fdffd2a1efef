import { PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { ContentFilter, Element, PixelCut, Verdict } from '../../content/content-filter'
import { rewriteContent } from '../../content/rewrite-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import { findReachable } from '../../pdf-core/document/reachable'
import * as Name from '../../pdf-core/syntax/names'

/**
 * Removes all pictures of the document: from pages with the tags that stood for them, and what else holds any, such as
 * patterns, stamps and thumbnails. Gives how many there were, each place of a picture on a page counted. Glyphs that
 * are drawn as pictures stay. Throws EngineError `too-large` where a limit of the document is reached.
 */
export async function removeAllImages(document: PdfDocument): Promise<number> {
  const decider = new ImageDecider()
  await rewriteContent(
    document,
    document.pages.map(page => ({ page, decider })),
  )
  const others = findImages(document)
  for (const ref of others)
    document.store.set(
      ref,
      PDFRawStream.of(
        document.context.obj({
          Type: 'XObject',
          Subtype: 'Image',
          Width: 1,
          Height: 1,
          ImageMask: true,
          BitsPerComponent: 1,
        }),
        Uint8Array.of(0x80),
      ),
    )
  for (const page of document.pages) if (page.dict.has(Name.Thumb)) document.edit(page.ref).delete(Name.Thumb)
  return decider.count + others.length
}

function findImages(document: PdfDocument): PDFRef[] {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  return [...reached.inOrder()].flatMap(slot => {
    const ref = reached.refOf(slot)
    const object = reached.isStream(slot) ? document.peek(ref) : undefined
    return object instanceof PDFRawStream && document.peek(object.dict.get(Name.Subtype)) === Name.Image ? [ref] : []
  })
}

class ImageDecider implements ContentFilter {
  readonly key = 'pictures'
  readonly area = undefined
  /** Pictures that were removed. */
  count = 0

  decide({ kind }: Element): Verdict {
    if (kind === 'form') return 'cut'
    if (kind !== 'image') return 'keep'
    this.count++
    return 'remove'
  }

  /** Never asked for: pictures go as a whole. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}

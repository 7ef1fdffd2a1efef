import { PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFRef } from 'pdf-lib'
import type { ContentFilter, Element, PixelCut, Verdict } from '../../../pdf/rewrite-content'
import { rewriteContent } from '../../../pdf/rewrite-content'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable } from '../../../pdf/document'
import { createEmptyImage } from '../../../pdf/images'
import * as Name from '../../../pdf/names'

/**
 * Removes all images of the document and their tags, including images in patterns, stamps and thumbnails. Returns the
 * number of images. An image counts once for each place on a page. Glyphs that are drawn as images stay. Throws
 * EngineError `too_large` if a limit of the document is reached.
 */
export async function removeAllImages(document: PdfDocument): Promise<number> {
  const filter = new ImageFilter()
  await rewriteContent(
    document,
    document.pages.map(page => ({ page, filter })),
  )
  const remainingImages = findImages(document)
  for (const ref of remainingImages) document.store.set(ref, createEmptyImage(document))
  for (const page of document.pages) if (page.dict.has(Name.Thumb)) document.edit(page.ref).delete(Name.Thumb)
  return filter.count + remainingImages.length
}

/** Returns the references of all images that are reachable from the catalog. */
export function findImages(document: PdfDocument): PDFRef[] {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  return [...reached.inOrder()].flatMap(slot => {
    const ref = reached.refOf(slot)
    const object = reached.isStream(slot) ? document.peek(ref) : undefined
    return object instanceof PDFRawStream && isImage(document, object.dict) ? [ref] : []
  })
}

/** The subtype of thumbnails is optional (ISO 32000-2, 12.3.4). */
function isImage(document: PdfDocument, dict: PDFDict): boolean {
  const subtype = document.peek(dict.get(Name.Subtype))
  return subtype === Name.Image || (subtype === undefined && dict.has(Name.Width) && dict.has(Name.Height))
}

class ImageFilter implements ContentFilter {
  readonly key = 'pictures'
  readonly area = undefined
  /** The number of removed images. */
  count = 0

  decide({ kind }: Element): Verdict {
    if (kind === 'form') return 'cut'
    if (kind !== 'image') return 'keep'
    this.count++
    return 'remove'
  }

  /** Never called, because every image is removed as a whole. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}

import { PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { findReachable } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { DrawnSize } from './image-uses'
import { roleOf } from './read-image'
import type { ImageSettings } from './settings'
import { shrinkImage } from './shrink-image'
import type { ImageRequest } from './shrink-image'

/** An image of a document that may be coded anew. */
export interface CompressibleImage extends ImageRequest {
  ref: PDFRef
}

/** Lists the images of a document, in the order of their object numbers. `sizes` are those at which they are drawn. */
export function listImages(
  document: PdfDocument,
  { mayUseGray, sizes }: { mayUseGray: boolean; sizes: Map<PDFObject, DrawnSize> | undefined },
): CompressibleImage[] {
  const streams = listImageStreams(document)
  const masks = new Set<PDFObject | undefined>()
  for (const { image } of streams) {
    masks.add(document.peek(image.dict.get(Name.SMask)))
    masks.add(document.peek(image.dict.get(Name.Mask)))
  }
  const thumbnails = new Set(document.pages.map(page => document.peek(page.dict.get(Name.Thumb))))
  // A mask covers the same area as its image.
  for (const { image } of sizes ? streams : []) {
    const drawn = sizes?.get(image)
    const mask = document.peek(image.dict.get(Name.SMask)) ?? document.peek(image.dict.get(Name.Mask))
    if (!drawn || !(mask instanceof PDFRawStream)) continue
    const known = sizes?.get(mask)
    sizes?.set(mask, {
      width: Math.max(drawn.width, known?.width ?? 0),
      height: Math.max(drawn.height, known?.height ?? 0),
    })
  }
  return streams.flatMap(({ ref, image }) => {
    const role = thumbnails.has(image) ? undefined : roleOf(document, image, masks)
    return role ? [{ ref, image, role, drawn: sizes?.get(image), mayUseGray }] : []
  })
}

/** Returns whether a document has images that objects refer to. */
export function hasImages(document: PdfDocument): boolean {
  return listImageStreams(document).length > 0
}

function listImageStreams(document: PdfDocument): { ref: PDFRef; image: PDFRawStream }[] {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  const images: { ref: PDFRef; image: PDFRawStream }[] = []
  for (const slot of reached.inOrder()) {
    if (!reached.isStream(slot)) continue
    const ref = reached.refOf(slot)
    const image = document.peek(ref)
    if (image instanceof PDFRawStream && document.peek(image.dict.get(Name.Subtype)) === Name.Image)
      images.push({ ref, image })
  }
  return images
}

/** Codes all images anew, one after another. Returns whether any image changed. */
export async function compressImages(
  document: PdfDocument,
  images: readonly CompressibleImage[],
  settings: ImageSettings,
): Promise<boolean> {
  let isChanged = false
  for (const request of images) {
    const smaller = await shrinkImage(document, request, settings)
    if (!smaller) continue
    replaceImage(document, request.ref, smaller)
    isChanged = true
  }
  return isChanged
}

/** Puts another image in the place of an image. */
export function replaceImage(document: PdfDocument, ref: PDFRef, image: PDFRawStream): void {
  document.store.set(ref, image)
  const filter = document.peekName(image.dict.get(Name.Filter))
  // JBIG2Decode came with PDF 1.4 (ISO 32000-1, table 6).
  if (filter === 'JBIG2Decode' && document.saving.leastVersion < '1.4') document.saving.leastVersion = '1.4'
}

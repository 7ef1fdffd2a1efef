import { EngineError } from '../../errors'
import type { PdfDocument } from '../../pdf/document'
import type { EmbeddedImage } from '../../pdf/images'
import { addImage, assertSize, BrokenImage, LargeImage } from '../../pdf/images'
import { decodeBmp, readBmp } from './bmp'
import { decodeGif, readGif } from './gif'
import { addRaster } from './raster'
import { readTiff } from './tiff'
import { FORMAT_NAMES, describeOtherFormat, findImageFormat } from './file-format'
import { embedTiffPage } from './tiff-image'
import { embedWebp } from './webp-image'

/** How image files are added. */
export interface EmbedSettings {
  /** The parameter to blame for the file. */
  param: string
  /** Pixels per inch of images that don't state it. */
  usualDpi: number
  /** Maximum number of images in the file. */
  maxImages: number
}

/**
 * Adds an image file to a document: one image, or one for each page of a TIFF file. The content of the file decides its
 * format. Throws EngineError `damaged` for other formats and damaged files, and `too_large` for an image of more than
 * `limits.maxPixels` pixels.
 */
export async function embedImageFile(
  document: PdfDocument,
  bytes: Uint8Array,
  settings: EmbedSettings,
): Promise<EmbeddedImage[]> {
  const { param } = settings
  try {
    return await embed(document, bytes, settings)
  } catch (error) {
    if (!(error instanceof BrokenImage)) throw error
    const reason = error instanceof LargeImage ? 'too_large' : 'damaged'
    throw new EngineError(reason, `${param}: ${error.message}`, { param, cause: error.cause })
  }
}

async function embed(
  document: PdfDocument,
  bytes: Uint8Array,
  { usualDpi, maxImages }: EmbedSettings,
): Promise<EmbeddedImage[]> {
  const usualPerInch = { x: usualDpi, y: usualDpi }
  switch (findImageFormat(bytes)) {
    case 'jpeg':
    case 'png':
      return [addImage(document, bytes, { usualPerInch, keepsProfiles: true })]
    case 'webp':
      return [await embedWebp(document, bytes, usualPerInch)]
    case 'gif': {
      const gif = readGif(bytes)
      assertSize(gif, document)
      return [addRaster(document, decodeGif(gif), usualPerInch)]
    }
    case 'bmp': {
      const bmp = readBmp(bytes)
      assertSize(bmp, document)
      return [addRaster(document, decodeBmp(bmp), usualPerInch)]
    }
    case 'tiff': {
      const images: EmbeddedImage[] = []
      for (const page of readTiff(bytes, maxImages))
        images.push(await embedTiffPage(document, page, { pageNumber: images.length + 1, usualPerInch }))
      return images
    }
    case undefined:
      throw new BrokenImage(
        `must be a ${FORMAT_NAMES} image. Got ${describeOtherFormat(bytes)}. Convert it to JPEG or PNG.`,
      )
  }
}

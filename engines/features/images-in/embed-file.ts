import { EngineError } from '../../errors'
import type { PdfDocument } from '../../pdf/document'
import {
  addImage,
  assertSize,
  BrokenImage,
  LargeImage,
  addImageStream,
  addMask,
  addProfile,
  addSamples,
  describeImage,
  sizeEntries,
  splitAlpha,
} from '../../pdf/images'
import type { EmbeddedImage, Density } from '../../pdf/images'
import { decodeBmp, readBmp } from './bmp'
import { decodeGif, readGif } from './gif'
import { addRaster, deviceSpace } from './raster'
import { readTiff } from './tiff'
import type { TiffPage } from './tiff'
import { FORMAT_NAMES, describeOtherFormat, findImageFormat } from './file-format'
import { embedFax, isFax } from './tiff-fax'
import { JPEG, embedWholeJpeg } from './tiff-jpeg'
import { toRaster } from './tiff-colors'
import { TiffProblem } from './tiff-problem'
import { decodeParts } from './decode-tiff-samples'
import * as Name from '../../pdf/names'
import { decodeWebp, encodeJpeg } from '../../pdf/render'
import { readWebp } from './webp-file'

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

/**
 * Adds a page of a TIFF file as an image XObject. Fax data stays black and white in Group 4. JPEG data of a single part
 * is copied. Everything else is stored without loss. Throws BrokenImage, LargeImage.
 */
async function embedTiffPage(
  document: PdfDocument,
  page: TiffPage,
  { pageNumber, usualPerInch }: { pageNumber: number; usualPerInch: Density },
): Promise<EmbeddedImage> {
  assertSize(page, document)
  try {
    if (isFax(page)) return embedFax(document, page, usualPerInch)
    const copied = page.compression === JPEG ? embedWholeJpeg(document, page, usualPerInch) : undefined
    return copied ?? addRaster(document, toRaster(page, await decodeParts(page)), usualPerInch)
  } catch (error) {
    if (error instanceof TiffProblem)
      throw new BrokenImage(`is a TIFF file ${error.message.replace('{page}', String(pageNumber))}`, {
        cause: error.cause,
      })
    throw error
  }
}

/** JPEG quality for the pixels of lossy WebP files. Its loss is below what is visible. */
const QUALITY = 95

const CHANNELS = 3

/**
 * Adds a WebP file as an image XObject. Pixels of a lossless file are stored without loss. Pixels of a lossy file become
 * JPEG data of high quality. Opacity is always stored without loss. Throws BrokenImage, LargeImage.
 */
async function embedWebp(document: PdfDocument, bytes: Uint8Array, usualPerInch: Density): Promise<EmbeddedImage> {
  const file = readWebp(bytes)
  assertSize(file, document)
  const decoded = await decodeWebp(bytes)
  if (!decoded || decoded.width !== file.width || decoded.height !== file.height)
    throw new BrokenImage("is a damaged WebP file. Its pixels can't be decoded.")
  const size = { width: file.width, height: file.height, bits: 8 }
  const { colors, mask } = splitAlpha(decoded.pixels, { ...size, channels: 4 }, { colors: CHANNELS, alpha: CHANNELS })
  const space = addProfile(document, file.profile, CHANNELS) ?? deviceSpace(CHANNELS)
  const jpeg = file.isLossless ? undefined : await encodeJpeg(decoded, false, { quality: QUALITY })
  const ref = jpeg
    ? addImageStream(document, jpeg, {
        ...sizeEntries(document, size),
        Filter: Name.DCTDecode,
        ColorSpace: space,
        ...(mask && { SMask: addMask(document, mask) }),
      })
    : addSamples(document, { ...size, channels: CHANNELS, samples: colors }, { ColorSpace: space, mask })
  return describeImage(ref, { ...file, perInch: file.pixelsPerInch ?? usualPerInch })
}

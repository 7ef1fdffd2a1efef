import type { PdfDocument } from '../../pdf/document'
import {
  addImageStream,
  addMask,
  addProfile,
  addSamples,
  assertSize,
  BrokenImage,
  describeImage,
  sizeEntries,
  splitAlpha,
} from '../../pdf/images'
import type { Density, EmbeddedImage } from '../../pdf/images'
import * as Name from '../../pdf/names'
import { decodeWebp, encodeJpeg } from '../../pdf/render'
import { deviceSpace } from './raster'
import { readWebp } from './webp-file'

/** JPEG quality for the pixels of lossy WebP files. Its loss is below what is visible. */
const QUALITY = 95

const CHANNELS = 3

/**
 * Adds a WebP file as an image XObject. Pixels of a lossless file are stored without loss. Pixels of a lossy file become
 * JPEG data of high quality. Opacity is always stored without loss. Throws BrokenImage, LargeImage.
 */
export async function embedWebp(
  document: PdfDocument,
  bytes: Uint8Array,
  usualPerInch: Density,
): Promise<EmbeddedImage> {
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

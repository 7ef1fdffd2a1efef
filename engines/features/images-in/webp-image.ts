import type { PdfDocument } from '../../pdf/document/document'
import { addProfile } from '../../pdf/images/color-profile'
import {
  addImageStream,
  addMask,
  addSamples,
  describeImage,
  sizeEntries,
  splitAlpha,
} from '../../pdf/images/embed-samples'
import type { Density, EmbeddedImage } from '../../pdf/images/embed-samples'
import { assertSize } from '../../pdf/images/images'
import { BrokenImage } from '../../pdf/images/png'
import { deviceSpace } from './raster'
import { readWebp } from './webp-file'
import * as Name from '../../pdf/syntax/names'
import { encodeJpeg } from '../../pdf/rendering/rasterize/jpeg'
import { decodeWebp } from '../../pdf/rendering/rasterize/webp'

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

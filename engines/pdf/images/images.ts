import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PDFName } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { Box } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { isJpeg, readJpeg, stripJpeg } from './jpeg'
import { chainMatrices } from '../geometry/matrix'
import { writeNumbers } from '../syntax/number-text'
import { BrokenImage, LargeImage, inflatePng, isPng, readPng, rowBytesOf, sampleAt, unfilterPng } from './png'
import type { Png } from './png'
import { applyPngFilters } from './png-filters'
import { addImageStream, addMask, flateEntries, sizeEntries, splitAlpha } from './embed-samples'
import type { Mask } from './embed-samples'
import { describeImage } from './embedded-image'
import type { Density, EmbeddedImage } from './embedded-image'
import { addProfile, indexedSpace, readJpegProfile, readPngProfile } from './color-profile'
import * as Name from '../syntax/names'
import { findOrAdd } from '../../map-entries'

/** How images are added. */
export interface EmbedOptions {
  /** Pixels per inch of images that don't state it. Default: 96, like in browsers. */
  usualPerInch?: Density
  /** Whether color profiles of images become their color spaces. If not, samples count as device colors. */
  keepsProfiles?: boolean
}

const USUAL_PER_INCH: Density = { x: 96, y: 96 }

const imagesOf = new WeakMap<PdfDocument, Map<string, EmbeddedImage>>()

/**
 * Adds a PNG or JPEG file as an image XObject, once for the same bytes. JPEG data and PNG pixels without an alpha
 * channel are copied unchanged. An alpha channel becomes a soft mask. Color profiles are left out, so the samples count
 * as device colors. Throws EngineError `options_invalid` for `param` if the file is neither PNG nor JPEG, is damaged, or is
 * too large.
 */
export function embedImage(document: PdfDocument, bytes: Uint8Array, param: string): EmbeddedImage {
  const images = findOrAdd(imagesOf, document, () => new Map())
  const key = createHash('sha256').update(bytes).digest('hex')
  const existing = images.get(key)
  if (existing) return existing
  try {
    const image = addImage(document, bytes)
    recordFeatures(document, document.peekDict(image.ref))
    images.set(key, image)
    return image
  } catch (error) {
    if (error instanceof BrokenImage)
      throw new EngineError('options_invalid', `${param}: ${error.message}`, { param, cause: error.cause })
    throw error
  }
}

/** The operators that draw an image into a box. `name` is the image's resource name. */
export function drawImage({ orientation }: EmbeddedImage, name: string, { x, y, width, height }: Box): string {
  return `${writeNumbers(chainMatrices(orientation, [width, 0, 0, height, x, y]))} cm /${name} Do`
}

/**
 * Adds a PNG or JPEG file like `embedImage`. Throws BrokenImage, or LargeImage if it has more than `limits.maxPixels`
 * pixels. Images whose pixels needn't be decoded may have more.
 */
export function addImage(document: PdfDocument, bytes: Uint8Array, options: EmbedOptions = {}): EmbeddedImage {
  if (isPng(bytes)) return addPng(document, readPng(bytes), options)
  if (isJpeg(bytes)) return addJpeg(document, bytes, options)
  throw new BrokenImage('must be a PNG or JPEG file.')
}

function recordFeatures(document: PdfDocument, image: PDFDict | undefined): void {
  const { addedFeatures } = document.saving
  const space = document.peek(image?.get(Name.ColorSpace))
  if (space === Name.DeviceGray) addedFeatures.add('device-gray')
  else addedFeatures.add(space === Name.DeviceCMYK ? 'device-cmyk' : 'device-rgb') // palettes are RGB
  if (image?.has(Name.SMask)) addedFeatures.add('transparency')
  if (document.peekNumber(image?.get(Name.BitsPerComponent)) === 16) addedFeatures.add('images-of-16-bits')
}

/** How many times `limits.maxPixels` an image may have whose data is copied without being decoded. */
const COPIED = 10

/** Bytes that the rows of an image may take in memory for each pixel of `limits.maxPixels`. */
const BYTES_PER_PIXEL = 4

/** Throws LargeImage if an image has more than `limits.maxPixels` pixels, or more than another number. */
export function assertSize(
  { width, height }: { width: number; height: number },
  { limits }: PdfDocument,
  most = limits.maxPixels,
): void {
  if (width * height <= most) return
  throw new LargeImage(
    `must have at most ${most.toLocaleString('en')} pixels. Got ${width} × ${height}. Send a smaller image.`,
  )
}

function addJpeg(
  document: PdfDocument,
  bytes: Uint8Array,
  { usualPerInch = USUAL_PER_INCH, keepsProfiles = false }: EmbedOptions,
): EmbeddedImage {
  const jpeg = readJpeg(bytes)
  if (!jpeg?.isWhole || jpeg.width === 0 || jpeg.height === 0) throw new BrokenImage('is a damaged JPEG file.')
  assertSize(jpeg, document, document.limits.maxPixels * COPIED)
  const space = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }[jpeg.channels]
  if (!jpeg.isReadable || jpeg.bits !== 8 || !space)
    throw new BrokenImage(
      "is a JPEG file of a type that PDF doesn't support. Save it as baseline or progressive JPEG with 8 " +
        'bits, or as PNG.',
    )
  const isInverted = jpeg.channels === 4 && jpeg.hasAdobeMark
  const ref = addImageStream(document, stripJpeg(bytes) ?? bytes, {
    ...sizeEntries(document, jpeg),
    ColorSpace: (keepsProfiles && addProfile(document, readJpegProfile(bytes), jpeg.channels)) || PDFName.of(space),
    Filter: Name.DCTDecode,
    ...(isInverted && { Decode: document.context.obj([1, 0, 1, 0, 1, 0, 1, 0]) }),
  })
  return describeImage(ref, { ...jpeg, perInch: jpeg.pixelsPerInch ?? usualPerInch })
}

function addPng(
  document: PdfDocument,
  png: Png,
  { usualPerInch = USUAL_PER_INCH, keepsProfiles = false }: EmbedOptions,
): EmbeddedImage {
  const canCopyPixels = !png.isInterlaced && png.colorType < 4
  const hasAlpha = hasAlphaOf(png)
  const { maxPixels } = document.limits
  const pixelBytes = Math.max(rowBytesOf(png) / png.width, 1 / BYTES_PER_PIXEL)
  // Pixels that are copied are only inflated once, to find damage.
  assertSize(
    png,
    document,
    canCopyPixels && !hasAlpha ? Math.floor((maxPixels * BYTES_PER_PIXEL) / pixelBytes) : maxPixels,
  )
  const filtered = inflatePng(png)
  const samples = canCopyPixels && !hasAlpha ? undefined : unfilterPng(png, filtered)
  const { colors, mask } =
    samples && png.colorType >= 4
      ? splitAlpha(samples, png, { colors: png.channels - 1, alpha: png.channels - 1 })
      : { colors: samples, mask: samples && hasAlpha ? maskOf(png, samples) : undefined }
  const layout = { ...png, channels: png.colorType === 2 || png.colorType === 6 ? 3 : 1 }
  const ref = addImageStream(
    document,
    canCopyPixels || !colors ? png.deflated : deflateSync(applyPngFilters(colors, layout)),
    {
      ...sizeEntries(document, layout),
      ...flateEntries(document, layout),
      ColorSpace: colorSpaceOf(document, png, keepsProfiles),
      ...(mask && { SMask: addMask(document, mask) }),
      ...transparentColor(document, png),
    },
  )
  return describeImage(ref, { ...png, perInch: png.pixelsPerInch ?? usualPerInch })
}

function colorSpaceOf(document: PdfDocument, { colorType, palette, profile }: Png, keepsProfiles: boolean): PDFObject {
  const hasColor = palette !== undefined || colorType === 2 || colorType === 6
  const space =
    (keepsProfiles && addProfile(document, readPngProfile(profile), hasColor ? 3 : 1)) ||
    (hasColor ? Name.DeviceRGB : Name.DeviceGray)
  return palette ? indexedSpace(document, space, palette) : space
}

/**
 * The /Mask entry for the transparent color of a gray or RGB image (ISO 32000-2, 8.9.6.4). Images with 16 bits get a
 * soft mask instead, because some readers (PDFium) compare only 8 bits.
 */
function transparentColor(document: PdfDocument, { colorType, transparency, bits }: Png): Record<string, PDFObject> {
  const count = colorType === 0 ? 1 : 3
  if (!transparency || colorType > 2 || bits > 8 || transparency.length < count * 2) return {}
  const largestSample = 2 ** bits - 1
  const values = Array.from({ length: count }, (_, index) => (transparency[index * 2 + 1] ?? 0) & largestSample)
  return { Mask: document.context.obj(values.flatMap(value => [value, value])) }
}

/** Returns whether the pixels need a soft mask for their opacity. */
function hasAlphaOf({ colorType, transparency, bits, channels }: Png): boolean {
  if (colorType === 3) return transparency?.some(alpha => alpha < 255) ?? false
  return colorType >= 4 || (bits === 16 && transparency?.length === channels * 2)
}

/** The alpha of each pixel by its color: from the palette, or 0 for the one transparent color. */
function maskOf(png: Png, samples: Uint8Array): Mask {
  const { width, height, bits, transparency } = png
  const rowBytes = rowBytesOf(png)
  const alpha = new Uint8Array(width * height)
  if (bits === 16) {
    const pixelBytes = png.channels * 2
    for (let index = 0; index < alpha.length; index++) {
      const start = index * pixelBytes
      alpha[index] = transparency?.every((byte, at) => byte === samples[start + at]) ? 0 : 255
    }
    return { samples: alpha, width, height, bits: 8, channels: 1 }
  }
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++)
      alpha[row * width + column] = transparency?.[sampleAt(samples, row * rowBytes, { index: column, bits })] ?? 255
  }
  return { samples: alpha, width, height, bits: 8, channels: 1 }
}

import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PDFHexString, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { Box } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { isJpeg, readJpeg, stripJpeg } from './jpeg'
import { chainMatrices, IDENTITY } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import { writeNumbers } from '../syntax/number-text'
import { BrokenImage, inflatePng, isPng, readPng, rowBytesOf, sampleAt, unfilterPng } from './png'
import type { Png, SampleLayout } from './png'
import { applyPngFilters } from './png-filters'
import * as Name from '../syntax/names'

/** An image in a document, to draw with `drawImage`. */
export interface EmbeddedImage {
  ref: PDFRef
  /** Width in pixels as displayed, after applying the EXIF orientation. */
  width: number
  height: number
  /** Width in points at the file's resolution. If the file has none, at 96 pixels per inch, like in browsers. */
  widthPt: number
  heightPt: number
  /** Maps the unit square in which PDF draws the image to the unit square as displayed. */
  orientation: Matrix
}

/** Matrices of the eight EXIF orientations, starting with orientation 1. */
const ORIENTATIONS: readonly Matrix[] = [
  IDENTITY,
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
]

/** The first EXIF orientation that swaps width and height. */
const FIRST_TURNED = 5

const USUAL_PER_INCH = { x: 96, y: 96 }

const imagesOf = new WeakMap<PdfDocument, Map<string, EmbeddedImage>>()

/**
 * Adds a PNG or JPEG file as an image XObject, once for the same bytes. JPEG data and PNG pixels without an alpha
 * channel are copied unchanged. An alpha channel becomes a soft mask. Color profiles are left out, so the samples count
 * as device colors. Throws EngineError `bad-options` for `param` if the file is neither PNG nor JPEG, is damaged, or
 * has more pixels than `limits.maxPixels`.
 */
export function embedImage(document: PdfDocument, bytes: Uint8Array, param: string): EmbeddedImage {
  const images = imagesOf.get(document) ?? new Map<string, EmbeddedImage>()
  imagesOf.set(document, images)
  const key = createHash('sha256').update(bytes).digest('hex')
  const existing = images.get(key)
  if (existing) return existing
  try {
    const image = addImage(document, bytes)
    noteFeatures(document, document.peekDict(image.ref))
    images.set(key, image)
    return image
  } catch (error) {
    if (error instanceof BrokenImage)
      throw new EngineError('bad-options', `${param}: ${error.message}`, { param, cause: error.cause })
    throw error
  }
}

/** The operators that draw an image into a box. `name` is the image's resource name. */
export function drawImage({ orientation }: EmbeddedImage, name: string, { x, y, width, height }: Box): string {
  return `${writeNumbers(chainMatrices(orientation, [width, 0, 0, height, x, y]))} cm /${name} Do`
}

function addImage(document: PdfDocument, bytes: Uint8Array): EmbeddedImage {
  if (isPng(bytes)) return addPng(document, readPng(bytes))
  if (isJpeg(bytes)) return addJpeg(document, bytes)
  throw new BrokenImage('must be a PNG or JPEG file.')
}

function noteFeatures(document: PdfDocument, image: PDFDict | undefined): void {
  const { addedFeatures } = document
  const space = document.peek(image?.get(Name.ColorSpace))
  if (space === Name.DeviceGray) addedFeatures.add('device-gray')
  else addedFeatures.add(space === Name.DeviceCMYK ? 'device-cmyk' : 'device-rgb') // palettes are RGB
  if (image?.has(Name.SMask)) addedFeatures.add('transparency')
  if (document.peekNumber(image?.get(Name.BitsPerComponent)) === 16) addedFeatures.add('images-of-16-bits')
}

function assertSize({ width, height }: { width: number; height: number }, document: PdfDocument): void {
  const { maxPixels } = document.limits
  if (width * height <= maxPixels) return
  throw new BrokenImage(
    `must have at most ${maxPixels.toLocaleString('en')} pixels. Got ${width} × ${height}. Send a smaller image.`,
  )
}

function addJpeg(document: PdfDocument, bytes: Uint8Array): EmbeddedImage {
  const jpeg = readJpeg(bytes)
  if (!jpeg?.isWhole || jpeg.width === 0 || jpeg.height === 0) throw new BrokenImage('is a damaged JPEG file.')
  assertSize(jpeg, document)
  const space = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }[jpeg.channels]
  if (!jpeg.isReadable || jpeg.bits !== 8 || !space)
    throw new BrokenImage(
      "is a JPEG file of a type that PDF doesn't support. Save it as baseline or progressive JPEG with 8 " +
        'bits, or as PNG.',
    )
  const isInverted = jpeg.channels === 4 && jpeg.hasAdobeMark
  const ref = addImageStream(document, stripJpeg(bytes) ?? bytes, {
    ...sizeEntries(document, jpeg),
    ColorSpace: PDFName.of(space),
    Filter: Name.DCTDecode,
    ...(isInverted && { Decode: document.context.obj([1, 0, 1, 0, 1, 0, 1, 0]) }),
  })
  const isTurned = jpeg.orientation >= FIRST_TURNED
  const { x, y } = jpeg.pixelsPerInch ?? USUAL_PER_INCH
  const [width, height, perInch] = isTurned
    ? [jpeg.height, jpeg.width, { x: y, y: x }]
    : [jpeg.width, jpeg.height, { x, y }]
  return {
    ref,
    width,
    height,
    ...measure({ width, height }, perInch),
    orientation: ORIENTATIONS[jpeg.orientation - 1] ?? IDENTITY,
  }
}

function addPng(document: PdfDocument, png: Png): EmbeddedImage {
  assertSize(png, document)
  const filtered = inflatePng(png)
  const canCopyPixels = !png.isInterlaced && png.colorType < 4
  const hasAlpha = hasAlphaOf(png)
  const samples = canCopyPixels && !hasAlpha ? undefined : unfilterPng(png, filtered)
  const { colors, mask } =
    samples && png.colorType >= 4
      ? splitAlpha(png, samples)
      : { colors: samples, mask: samples && hasAlpha ? maskOf(png, samples) : undefined }
  const layout = { ...png, channels: png.colorType === 2 || png.colorType === 6 ? 3 : 1 }
  const ref = addImageStream(
    document,
    canCopyPixels || !colors ? png.deflated : deflateSync(applyPngFilters(colors, layout)),
    {
      ...sizeEntries(document, layout),
      ...flateEntries(document, layout),
      ColorSpace: colorSpaceOf(document, png),
      ...(mask && { SMask: addMask(document, mask) }),
      ...transparentColor(document, png),
    },
  )
  return {
    ref,
    width: png.width,
    height: png.height,
    ...measure(png, png.pixelsPerInch ?? USUAL_PER_INCH),
    orientation: IDENTITY,
  }
}

function measure(
  { width, height }: { width: number; height: number },
  perInch: { x: number; y: number },
): { widthPt: number; heightPt: number } {
  return { widthPt: (width / perInch.x) * 72, heightPt: (height / perInch.y) * 72 }
}

interface Mask extends SampleLayout {
  samples: Uint8Array
}

function colorSpaceOf(document: PdfDocument, { colorType, palette }: Png): PDFObject {
  if (!palette) return PDFName.of(colorType === 2 || colorType === 6 ? 'DeviceRGB' : 'DeviceGray')
  return document.context.obj([
    'Indexed',
    'DeviceRGB',
    palette.length / 3 - 1,
    PDFHexString.of(Buffer.from(palette).toString('hex').toUpperCase()),
  ])
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

/** Splits colors and alpha. There is no mask if all pixels are opaque. */
function splitAlpha(png: Png, samples: Uint8Array): { colors: Uint8Array; mask: Mask | undefined } {
  const bytes = png.bits / 8
  const pixel = png.channels * bytes
  const colorBytes = pixel - bytes
  const count = png.width * png.height
  const colors = new Uint8Array(count * colorBytes)
  const alpha = new Uint8Array(count * bytes)
  let least = 255
  let [from, color, opacity] = [0, 0, 0]
  for (let index = 0; index < count; index++) {
    // The number of samples was checked against the header.
    for (let byte = 0; byte < colorBytes; byte++) colors[color++] = samples[from++] as number
    for (let byte = 0; byte < bytes; byte++) {
      const value = samples[from++] as number // checked as above
      least &= value
      alpha[opacity++] = value
    }
  }
  return {
    colors,
    mask:
      least === 255 ? undefined : { samples: alpha, width: png.width, height: png.height, bits: png.bits, channels: 1 },
  }
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

function addMask(document: PdfDocument, mask: Mask): PDFRef {
  return addImageStream(document, deflateSync(applyPngFilters(mask.samples, mask)), {
    ...sizeEntries(document, mask),
    ...flateEntries(document, mask),
    ColorSpace: Name.DeviceGray,
  })
}

function sizeEntries(
  document: PdfDocument,
  { width, height, bits }: Omit<SampleLayout, 'channels'>,
): Record<string, PDFObject> {
  return {
    Width: document.context.obj(width),
    Height: document.context.obj(height),
    BitsPerComponent: document.context.obj(bits),
  }
}

function flateEntries(document: PdfDocument, { width, bits, channels }: SampleLayout): Record<string, PDFObject> {
  return {
    Filter: Name.FlateDecode,
    DecodeParms: document.context.obj({ Predictor: 15, Colors: channels, BitsPerComponent: bits, Columns: width }),
  }
}

function addImageStream(document: PdfDocument, data: Uint8Array, entries: Record<string, PDFObject>): PDFRef {
  return document.register(
    PDFRawStream.of(document.context.obj({ Type: 'XObject', Subtype: 'Image', ...entries }), data),
  )
}

import { PDFArray, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { EngineError } from '../../../errors'
import { hasFaxRows, isMask, openSamples, readFax, readLayout, readSize } from '../../../pdf/rewrite-content'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { averageBlocks } from './raster'
import type { Bitmap, Raster } from './raster'

/** Image filters whose data is lossy. */
const LOSSY = new Set(['DCTDecode', 'DCT', 'JPXDecode'])
const FAX = new Set(['CCITTFaxDecode', 'CCF'])
const BILEVEL = new Set([...FAX, 'JBIG2Decode'])

/** Bytes that an image may have in memory for each pixel of the limit `maxPixels`. */
const BYTES_PER_PIXEL = 4

/** Samples of a pixel in CMYK. */
export const CMYK_COMPONENTS = 4

/** How an image may be decoded. */
export interface ReadSettings {
  /** Whether the width and height of an image may be divided by a factor, so that it fits into memory. */
  mayReduce(factor: number): boolean
  /** Whether CMYK images are converted to RGB. If not, they aren't decoded. */
  convertsCmyk: boolean
}

/** The decoded samples of an image: one bit or one byte each. */
export interface DecodedSamples {
  bitmap?: Bitmap
  raster?: Raster
  /** Bits per sample of the file. */
  bits: number
  /** Whether the samples were converted to DeviceGray or DeviceRGB. */
  isConverted: boolean
}

/** The name of the last filter of a stream. Empty if there is none. */
export function lastFilter(document: PdfDocument, dict: PDFDict): string {
  const filter = document.peek(dict.get(Name.Filter))
  return document.peekName(filter instanceof PDFArray ? filter.asArray().at(-1) : filter) ?? ''
}

/** Returns whether a filter changes pixels when it encodes them. */
export function isLossyFilter(filter: string): boolean {
  return LOSSY.has(filter)
}

/**
 * Decodes an image with one or three samples per pixel. Undefined if it has other samples, or if it is damaged, so that
 * the image must stay as it is. Throws EngineError `too_large` if it doesn't fit into memory and may not be reduced, and
 * other EngineErrors if the decoder fails.
 */
export async function readImage(
  document: PdfDocument,
  image: PDFRawStream,
  { mayReduce, convertsCmyk }: ReadSettings,
): Promise<DecodedSamples | undefined> {
  const size = readSize(document, image.dict)
  const { components: own = 3, bits } = readLayout(document, image.dict)
  const filter = lastFilter(document, image.dict)
  const components = convertsCmyk && isCmyk(document, image.dict) ? 3 : own
  if (!size || (components !== 1 && components !== 3) || ![1, 2, 4, 8].includes(bits)) return undefined
  if (BILEVEL.has(filter) && bits !== 1) return undefined
  const { width, height } = size
  const rowBytes = bits === 1 && components === 1 ? Math.ceil(width / 8) : width * components
  const most = document.limits.maxPixels * BYTES_PER_PIXEL
  const factor = Math.ceil(Math.sqrt((rowBytes * height) / most))
  if (factor > 1 && (bits !== 8 || isIndexed(document, image.dict) || !mayReduce(factor)))
    throw new EngineError('too_large', `An image of ${width} × ${height} pixels is too large to be decoded.`)
  // Viewers show rows that are missing in different ways, and PDFium adds rows to fax data.
  if (FAX.has(filter) && !hasFaxRows(readFax(document, image), height)) return undefined
  const samples = await openSamples(document, image)
  if (!samples) return undefined
  try {
    const isConverted = samples.space !== undefined
    const channels = samples.components === 3 ? 3 : 1
    if (factor > 1) {
      if (samples.bits !== 8 || samples.components !== channels) return undefined
      const raster = await averageBlocks(samples.chunks, { ...size, channels }, factor)
      return raster && { raster, bits: 8, isConverted }
    }
    const packed = Math.ceil((width * samples.components * samples.bits) / 8)
    const data = new Uint8Array(packed * height)
    let length = 0
    for await (const chunk of samples.chunks) {
      const part = chunk.subarray(0, data.length - length)
      data.set(part, length)
      length += part.length
      if (length === data.length) break
    }
    if (length < data.length) return undefined
    if (samples.bits === 1 && samples.components === 1) return { bitmap: { ...size, bits: data }, bits, isConverted }
    if (samples.components !== channels) return undefined
    const spread =
      samples.bits === 8 ? data : spreadSamples(data, { width: width * channels, height, bits: samples.bits })
    return { raster: { ...size, channels, samples: spread }, bits: samples.bits, isConverted }
  } finally {
    samples.close()
  }
}

/** Palette indexes can't be averaged. */
function isIndexed(document: PdfDocument, dict: PDFDict): boolean {
  const space = document.peek(dict.get(Name.ColorSpace))
  return space instanceof PDFArray && document.peekName(space.asArray()[0]) === 'Indexed'
}

/** Whether an image is in DeviceCMYK, or in a color space of a CMYK profile. */
function isCmyk(document: PdfDocument, dict: PDFDict): boolean {
  const space = document.peek(dict.get(Name.ColorSpace))
  if (!(space instanceof PDFArray)) return document.peekName(space) === 'DeviceCMYK'
  const [family, profile] = space.asArray()
  if (document.peekName(family) !== 'ICCBased' || profile === undefined) return false
  return readLayout(document, dict).components === CMYK_COMPONENTS
}

/** Spreads packed samples to one byte each, with the same values. */
function spreadSamples(
  data: Uint8Array,
  { width, height, bits }: { width: number; height: number; bits: number },
): Uint8Array {
  const rowBytes = Math.ceil((width * bits) / 8)
  const spread = new Uint8Array(width * height)
  const mask = (1 << bits) - 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * bits
      spread[y * width + x] = ((data[y * rowBytes + (bit >> 3)] as number) >> (8 - bits - (bit & 7))) & mask
    }
  }
  return spread
}

/** Height of the strips that stand for an image, their distance in heights, and the height of images without strips. */
const STRIP_ROWS = 64
const STRIP_DISTANCE = 8
const MOST_WHOLE_ROWS = 512

/** Returns some strips of an image, one below the other, and their share of all rows. Small images stay whole. */
export function takeStrips({ bitmap, raster, ...facts }: DecodedSamples): { strips: DecodedSamples; share: number } {
  const whole = bitmap ?? raster
  if (!whole || whole.height <= MOST_WHOLE_ROWS)
    return { strips: { ...facts, ...(bitmap && { bitmap }), ...(raster && { raster }) }, share: 1 }
  const data = bitmap?.bits ?? raster?.samples ?? new Uint8Array(0)
  const rowBytes = data.length / whole.height
  const parts: Uint8Array[] = []
  const distance = STRIP_ROWS * STRIP_DISTANCE
  for (let top = (whole.height % distance) / 2; top < whole.height; top += distance) {
    const first = Math.floor(top)
    parts.push(data.subarray(first * rowBytes, Math.min(whole.height, first + STRIP_ROWS) * rowBytes))
  }
  const joined = new Uint8Array(Buffer.concat(parts))
  const height = joined.length / rowBytes
  return {
    strips: {
      ...facts,
      ...(bitmap && { bitmap: { ...bitmap, height, bits: joined } }),
      ...(raster && { raster: { ...raster, height, samples: joined } }),
    },
    share: height / whole.height,
  }
}

/** Keeps decoded images in memory up to a limit, so that they needn't be decoded again. */
export class DecodedImages {
  private readonly decoded = new Map<PDFRawStream, DecodedSamples | undefined>()
  private left: number

  constructor(mostBytes: number) {
    this.left = mostBytes
  }

  /** Decodes an image like `readImage`, with the same settings each time. Callers must not change the samples. */
  readonly read: typeof readImage = async (document, image, settings) => {
    if (this.decoded.has(image)) return this.decoded.get(image)
    const samples = await readImage(document, image, settings)
    const byteLength = samples?.bitmap?.bits.length ?? samples?.raster?.samples.length ?? 0
    if (byteLength <= this.left) {
      this.left -= byteLength
      this.decoded.set(image, samples)
    }
    return samples
  }
}

/** What an image is for. */
export type ImageRole = 'color' | 'stencil' | 'alpha'

/** Returns the role of an image that may be coded anew. Undefined for other objects and images. */
export function roleOf(document: PdfDocument, image: unknown, masks: ReadonlySet<unknown>): ImageRole | undefined {
  if (!(image instanceof PDFRawStream) || document.peekName(image.dict.get(Name.Subtype)) !== 'Image') return undefined
  const { dict } = image
  const mask = document.peekDict(dict.get(Name.SMask))
  // Colors that are blended with the mask's color in advance fit the pixels of this mask only.
  if (dict.has(Name.Matte) || mask?.has(Name.Matte) || dict.has(Name.Alternates) || dict.has(Name.OPI)) return undefined
  if ((document.peekNumber(dict.get(Name.SMaskInData)) ?? 0) !== 0) return undefined
  if (isMask(document, dict)) return 'stencil'
  return masks.has(image) ? 'alpha' : 'color'
}

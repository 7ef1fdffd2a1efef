import { PDFArray, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { isMask, openSamples, readLayout, readSize } from '../../content/images/image-samples'
import type { PdfDocument } from '../../pdf-core/document/document'
import * as Name from '../../pdf-core/syntax/names'
import type { Bitmap, Raster } from './raster'

/** Image filters whose data is lossy. */
const LOSSY = new Set(['DCTDecode', 'DCT', 'JPXDecode'])
const BILEVEL = new Set(['CCITTFaxDecode', 'CCF', 'JBIG2Decode'])

/** Bytes that an image may have in memory for each pixel of the limit `maxPixels`. */
const BYTES_PER_PIXEL = 4

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
 * Decodes an image with one or three samples per pixel. Undefined if it has other samples, if it is too large, or if it
 * is damaged, so that the image must stay as it is. May throw EngineError if the decoder fails.
 */
export async function readImage(document: PdfDocument, image: PDFRawStream): Promise<DecodedSamples | undefined> {
  const size = readSize(document, image.dict)
  const { components = 3, bits } = readLayout(document, image.dict)
  const filter = lastFilter(document, image.dict)
  if (!size || (components !== 1 && components !== 3) || ![1, 2, 4, 8].includes(bits)) return undefined
  if (BILEVEL.has(filter) && bits !== 1) return undefined
  const { width, height } = size
  const rowBytes = bits === 1 && components === 1 ? Math.ceil(width / 8) : width * components
  const byteLength = rowBytes * height
  if (byteLength > document.limits.maxPixels * BYTES_PER_PIXEL) return undefined
  const samples = await openSamples(document, image)
  if (!samples) return undefined
  try {
    const packed = Math.ceil((width * samples.components * samples.bits) / 8)
    const data = new Uint8Array(packed * height)
    let length = 0
    for await (const chunk of samples.chunks) {
      const part = chunk.subarray(0, data.length - length)
      data.set(part, length)
      length += part.length
      if (length === data.length) break
    }
    // Viewers show rows that are missing in different ways.
    if (length < data.length) return undefined
    const isConverted = samples.space !== undefined
    if (samples.bits === 1 && samples.components === 1) return { bitmap: { ...size, bits: data }, bits, isConverted }
    const channels = samples.components === 3 ? 3 : 1
    if (samples.components !== channels) return undefined
    const spread =
      samples.bits === 8 ? data : spreadSamples(data, { width: width * channels, height, bits: samples.bits })
    return { raster: { ...size, channels, samples: spread }, bits: samples.bits, isConverted }
  } finally {
    samples.close()
  }
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

/** Keeps decoded images in memory up to a limit, for a search that codes them many times. */
export class DecodedImages {
  private readonly decoded = new Map<PDFRawStream, DecodedSamples | undefined>()
  private left: number

  constructor(mostBytes: number) {
    this.left = mostBytes
  }

  /** Decodes an image like `readImage`. Callers must not change the samples. */
  readonly read: typeof readImage = async (document, image) => {
    if (this.decoded.has(image)) return this.decoded.get(image)
    const samples = await readImage(document, image)
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

const [SUBTYPE, SMASK_IN_DATA, MATTE, ALTERNATES, OPI] = ['Subtype', 'SMaskInData', 'Matte', 'Alternates', 'OPI'].map(
  name => PDFName.of(name),
) as [PDFName, PDFName, PDFName, PDFName, PDFName]

/** Returns the role of an image that may be coded anew. Undefined for other objects and images. */
export function roleOf(document: PdfDocument, image: unknown, masks: ReadonlySet<unknown>): ImageRole | undefined {
  if (!(image instanceof PDFRawStream) || document.peekName(image.dict.get(SUBTYPE)) !== 'Image') return undefined
  const { dict } = image
  const mask = document.peekDict(dict.get(Name.SMask))
  // Colors that are blended with the mask's color in advance fit the pixels of this mask only.
  if (dict.has(MATTE) || mask?.has(MATTE) || dict.has(ALTERNATES) || dict.has(OPI)) return undefined
  if ((document.peekNumber(dict.get(SMASK_IN_DATA)) ?? 0) !== 0) return undefined
  if (isMask(document, dict)) return 'stencil'
  return masks.has(image) ? 'alpha' : 'color'
}

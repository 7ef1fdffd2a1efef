import { deflateSync } from 'node:zlib'
import { PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { applyPngFilters } from '../../../pdf/images'
import { encodeJpeg } from '../../../pdf/render'
import * as Name from '../../../pdf/names'
import { encodeJbig2 } from './jbig2-encoder'
import type { Bitmap, Raster } from './raster'

/** The value of /Predictor for rows that each name their PNG filter (ISO 32000-2, table 10). */
const PNG_PREDICTOR = 15

/** Size from which data is deflated at a medium level, because the best one takes several times as long. */
const LARGE_BYTES = 2_000_000

/** Number of pixels up to which JPEG data is progressive, which takes more time than it is worth for scans. */
const MOST_PROGRESSIVE = 1_000_000

/** Number and size of the strips that are deflated to estimate the size of a whole image. */
const STRIPS = 6
const SAMPLE_BYTES = 40_000

/** Entries that describe how samples are coded. */
const CODING = ['Filter', 'DecodeParms', 'F', 'DP', 'Length', 'DL', 'FFilter', 'FDecodeParms', 'BitsPerComponent'].map(
  name => PDFName.of(name),
)

/** Coded samples, and the entries of the image dictionary that belong to them. */
export interface CodedImage {
  width: number
  height: number
  data: Uint8Array
  bits: number
  filter: 'DCTDecode' | 'FlateDecode' | 'JBIG2Decode'
  parameters?: Record<string, number>
  /** The color space. Undefined to keep it. */
  space?: PDFObject
}

/** Codes one bit per pixel without loss. */
export function codeBitmap(bitmap: Bitmap): CodedImage {
  const { width, height } = bitmap
  return { width, height, bits: 1, filter: 'JBIG2Decode', data: encodeJbig2(bitmap) }
}

/** Codes samples as JPEG data of this quality. */
export async function codeJpeg(raster: Raster, quality: number): Promise<CodedImage> {
  const { width, height, channels } = raster
  const data = await encodeJpeg({ width, height, pixels: toPixels(raster) }, channels === 1, {
    quality,
    progressive: width * height <= MOST_PROGRESSIVE,
  })
  return { width, height, bits: 8, filter: 'DCTDecode', data }
}

function toPixels({ width, height, channels, samples }: Raster): Uint8Array {
  const pixels = new Uint8Array(width * height * 4)
  for (let pixel = 0, at = 0; pixel < pixels.length; pixel += 4, at += channels) {
    pixels[pixel] = samples[at] as number
    pixels[pixel + 1] = samples[channels === 1 ? at : at + 1] as number
    pixels[pixel + 2] = samples[channels === 1 ? at : at + 2] as number
    pixels[pixel + 3] = 255
  }
  return pixels
}

/** Codes samples without loss, with or without PNG predictors. A sample of the rows decides which is smaller. */
export function codeExactly(raster: Raster): CodedImage {
  const { width, height, channels, samples } = raster
  const level = samples.length > LARGE_BYTES ? 6 : 9
  const common = { width, height, bits: 8, filter: 'FlateDecode' } as const
  const { plain, filtered } = deflateSample(raster)
  if (plain <= filtered) return { ...common, data: deflateSync(samples, { level }) }
  return {
    ...common,
    data: deflateSync(applyPngFilters(samples, { width, height, channels, bits: 8 }), { level }),
    parameters: { Predictor: PNG_PREDICTOR, Colors: channels, BitsPerComponent: 8, Columns: width },
  }
}

/** Estimates the size of a raster without loss, in bytes, from a sample of its rows. */
export function estimateExactly(raster: Raster): number {
  const { plain, filtered, share } = deflateSample(raster)
  return Math.min(plain, filtered) / share
}

/** Deflates a few strips of rows, and returns their size without and with PNG predictors, and their share of all rows. */
function deflateSample({ width, height, channels, samples }: Raster): {
  plain: number
  filtered: number
  share: number
} {
  const rowBytes = width * channels
  const rows = Math.max(8, Math.ceil(SAMPLE_BYTES / rowBytes))
  const step = Math.max(rows, Math.floor(height / STRIPS))
  let [plain, filtered, sampled] = [0, 0, 0]
  for (let top = 0; top < height; top += step) {
    const strip = samples.subarray(top * rowBytes, Math.min(height, top + rows) * rowBytes)
    const stripHeight = strip.length / rowBytes
    plain += deflateSync(strip, { level: 6 }).length
    const layout = { width, height: stripHeight, channels, bits: 8 } as const
    filtered += deflateSync(applyPngFilters(strip, layout), { level: 6 }).length
    sampled += stripHeight
  }
  return { plain, filtered, share: sampled / height }
}

/** Codes palette indexes with as few bits as they need. */
export function codeIndexes({ width, height, samples }: Raster, colorCount: number): CodedImage {
  const bits = [1, 2, 4].find(count => colorCount <= 2 ** count) ?? 8
  if (bits === 8) return codeExactly({ width, height, channels: 1, samples })
  const rowBytes = Math.ceil((width * bits) / 8)
  const packed = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * rowBytes + ((x * bits) >> 3)
      packed[at] = (packed[at] as number) | ((samples[y * width + x] as number) << (8 - bits - ((x * bits) & 7)))
    }
  }
  return { width, height, bits, filter: 'FlateDecode', data: deflateSync(packed, { level: 9 }) }
}

/** Returns an image with these samples, and with all other entries of the original. */
export function writeImage(document: PdfDocument, { dict }: PDFRawStream, coded: CodedImage): PDFRawStream {
  const entries = new Map(dict.entries().filter(([key]) => !CODING.includes(key)))
  entries.set(Name.Width, PDFNumber.of(coded.width))
  entries.set(Name.Height, PDFNumber.of(coded.height))
  entries.set(Name.BitsPerComponent, PDFNumber.of(coded.bits))
  entries.set(Name.Filter, PDFName.of(coded.filter))
  if (coded.parameters) entries.set(Name.DecodeParms, document.context.obj(coded.parameters))
  if (coded.space) {
    entries.set(Name.ColorSpace, coded.space)
    entries.delete(Name.Decode)
  }
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), coded.data)
}

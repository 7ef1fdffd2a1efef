import { deflateSync } from 'node:zlib'
import { PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { encodeJpeg } from './jpeg'

/** The value of /Predictor for rows that each name their PNG filter (ISO 32000-2, table 10). */
const PNG_PREDICTOR = 15

/** Pixels of four bytes: red, green, blue, unused. */
interface Pixels {
  width: number
  height: number
  pixels: Uint8Array
}

/** The PNG filter that stores the difference from the row above (PNG specification, 9.2). */
const UP = 2

/**
 * Adds the pixels of a rendered page as an image XObject (ISO 32000-2, 8.9.5). An image without color becomes gray.
 * Format `png` is lossless.
 */
export async function addPageImage(document: PdfDocument, image: Pixels, format: 'jpeg' | 'png'): Promise<PDFRef> {
  const { width, height, pixels } = image
  const isGray = hasNoColor(pixels)
  const colors = isGray ? 1 : 3
  const data = format === 'jpeg' ? await encodeJpeg(image, isGray) : deflateSync(filterRows(image, colors))
  const filter =
    format === 'jpeg'
      ? { Filter: 'DCTDecode' }
      : {
          Filter: 'FlateDecode',
          DecodeParms: { Predictor: PNG_PREDICTOR, Colors: colors, BitsPerComponent: 8, Columns: width },
        }
  const dict = document.context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: isGray ? 'DeviceGray' : 'DeviceRGB',
    BitsPerComponent: 8,
    ...filter,
  })
  return document.register(PDFRawStream.of(dict, data))
}

function hasNoColor(pixels: Uint8Array): boolean {
  for (let at = 0; at < pixels.length; at += 4)
    if (pixels[at] !== pixels[at + 1] || pixels[at] !== pixels[at + 2]) return false
  return true
}

/** Returns the rows as in a PNG file before compression: each row starts with the number of its filter. */
function filterRows({ width, height, pixels }: Pixels, colors: 1 | 3): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * colors))
  let out = 0
  for (let row = 0; row < height; row++) {
    rows[out++] = UP
    for (let column = 0; column < width; column++) {
      const at = (row * width + column) * 4
      const above = at - width * 4
      for (let color = 0; color < colors; color++)
        rows[out++] = (pixels[at + color] as number) - (row === 0 ? 0 : (pixels[above + color] as number))
    }
  }
  return rows
}

import { deflateSync } from 'node:zlib'
import { PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { SampleLayout } from './png'
import { applyPngFilters } from './png-filters'
import * as Name from '../syntax/names'

/** The opacity of pixels, as one sample each. */
export interface Mask extends SampleLayout {
  samples: Uint8Array
}

/** Adds samples as an image XObject without loss. `entries` go into its dictionary. */
export function addSamples(
  document: PdfDocument,
  image: SampleLayout & { samples: Uint8Array },
  { mask, ...entries }: { mask?: Mask | undefined; ColorSpace: PDFObject; Decode?: PDFObject },
): PDFRef {
  return addImageStream(document, deflateSync(applyPngFilters(image.samples, image)), {
    ...sizeEntries(document, image),
    ...flateEntries(document, image),
    ...(mask && { SMask: addMask(document, mask) }),
    ...entries,
  })
}

/**
 * Splits pixels of whole bytes into colors and opacity. `colors` is the number of color channels, which come first, and
 * `alpha` the position of opacity. Other channels are left out. There is no mask if all pixels are opaque.
 */
export function splitAlpha(
  samples: Uint8Array,
  { width, height, bits, channels }: SampleLayout,
  { colors, alpha }: { colors: number; alpha: number | undefined },
): { colors: Uint8Array; mask: Mask | undefined } {
  const bytes = bits / 8
  const [pixelBytes, colorBytes, alphaAt] = [channels * bytes, colors * bytes, (alpha ?? 0) * bytes]
  const count = width * height
  const split = new Uint8Array(count * colorBytes)
  const opacity = new Uint8Array(alpha === undefined ? 0 : count * bytes)
  let least = 255
  let [color, at] = [0, 0]
  for (let from = 0; from < count * pixelBytes; from += pixelBytes) {
    // Callers check the number of samples against the size.
    for (let byte = 0; byte < colorBytes; byte++) split[color++] = samples[from + byte] as number
    if (alpha === undefined) continue
    for (let byte = 0; byte < bytes; byte++) {
      const value = samples[from + alphaAt + byte] as number // checked as above
      least &= value
      opacity[at++] = value
    }
  }
  return { colors: split, mask: least === 255 ? undefined : { samples: opacity, width, height, bits, channels: 1 } }
}

/** Adds a soft mask. */
export function addMask(document: PdfDocument, mask: Mask): PDFRef {
  return addSamples(document, mask, { ColorSpace: Name.DeviceGray })
}

/** The entries of an image dictionary for size and depth. */
export function sizeEntries(
  document: PdfDocument,
  { width, height, bits }: Omit<SampleLayout, 'channels'>,
): Record<string, PDFObject> {
  return {
    Width: document.context.obj(width),
    Height: document.context.obj(height),
    BitsPerComponent: document.context.obj(bits),
  }
}

/** The entries of an image dictionary for deflated rows with PNG filters. */
export function flateEntries(
  document: PdfDocument,
  { width, bits, channels }: SampleLayout,
): Record<string, PDFObject> {
  return {
    Filter: Name.FlateDecode,
    DecodeParms: document.context.obj({ Predictor: 15, Colors: channels, BitsPerComponent: bits, Columns: width }),
  }
}

/** Adds an image XObject with these data and entries. */
export function addImageStream(document: PdfDocument, data: Uint8Array, entries: Record<string, PDFObject>): PDFRef {
  return document.register(
    PDFRawStream.of(document.context.obj({ Type: 'XObject', Subtype: 'Image', ...entries }), data),
  )
}

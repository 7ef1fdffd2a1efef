import { PDFArray, PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject, PDFRawStream } from 'pdf-lib'
import { readInlineStream } from '../content/rewriting/erasing/inline-image'
import type { PdfDocument } from '../document/document'
import { ContentReader } from '../syntax/content-reader'
import { serialize } from '../syntax/serialize'
import { asBuffer } from '../syntax/syntax'
import { cleanImage } from './clean-image'

/** Keys of inline images (ISO 32000-2, table 91) and of their filters' parameters (tables 8 to 11 and 13). */
const KEYS = new Set(
  (
    'BitsPerComponent ColorSpace Decode DecodeParms Filter Height ImageMask Interpolate Width Intent K EndOfLine ' +
    'EncodedByteAlign Columns Rows EndOfBlock BlackIs1 DamagedRowsBeforeError Predictor Colors EarlyChange ColorTransform'
  )
    .split(' ')
    .map(name => PDFName.of(name)),
)

/**
 * Returns content with its inline images written anew: known entries without comments, and data with only what a
 * decoder reads. Undefined if there are no inline images.
 */
export function cleanInlineImages(document: PdfDocument, bytes: Uint8Array): Uint8Array | undefined {
  return rewriteInlineImages(document, bytes, image => cleanImage(document, image) ?? image)
}

/**
 * Returns content with the inline images that `rewrite` returns in place of its own. It gets each image as an image
 * XObject, and its position among the inline images of the content, from 0. Undefined keeps an image as it is. Returns
 * undefined if no image changes.
 */
export function rewriteInlineImages(
  document: PdfDocument,
  bytes: Uint8Array,
  rewrite: (image: PDFRawStream, position: number) => PDFRawStream | undefined,
): Uint8Array | undefined {
  if (!asBuffer(bytes).includes('BI')) return undefined
  const reader = new ContentReader(bytes)
  const parts: Uint8Array[] = []
  let [end, position] = [0, 0]
  while (reader.next()) {
    // The rest of an image without an end may be in the next stream of the page.
    if (reader.operator !== 'BI' || !hasEnd(reader)) continue
    const written = rewrite(
      readInlineStream(document, reader, () => undefined),
      position++,
    )
    if (!written) continue
    parts.push(bytes.subarray(end, reader.start), writeInlineImage(written))
    end = reader.end
  }
  return parts.length === 0 ? undefined : Buffer.concat([...parts, bytes.subarray(end)])
}

function hasEnd({ bytes, dataEnd, end }: ContentReader): boolean {
  return end > dataEnd && asBuffer(bytes).toString('latin1', end - 2, end) === 'EI'
}

function writeInlineImage({ dict, contents }: PDFRawStream): Buffer {
  const entries = dict.entries().filter(([key]) => KEYS.has(key))
  const written = entries.map(([key, value]) => `${key.toString()} ${serialize(knownParts(value), () => false)}`)
  return Buffer.concat([Buffer.from(`BI ${written.join(' ')} ID `, 'latin1'), contents, Buffer.from('\nEI')])
}

/** Returns a value without unknown entries of its dictionaries, which are parameters of filters. */
function knownParts(value: PDFObject): PDFObject {
  const dicts = value instanceof PDFArray ? value.asArray() : [value]
  for (const dict of dicts)
    if (dict instanceof PDFDict) for (const key of dict.keys()) if (!KEYS.has(key)) dict.delete(key)
  return value
}

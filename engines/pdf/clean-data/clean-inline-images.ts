import { PDFArray, PDFBool, PDFDict, PDFHexString, PDFName, PDFNull, PDFNumber, PDFString } from 'pdf-lib'
import type { PDFObject, PDFRawStream } from 'pdf-lib'
import { readInlineStream } from '../content/rewriting/erasing/inline-image'
import type { PdfDocument } from '../document/document'
import { ContentReader } from '../syntax/content-reader'
import { serialize } from '../syntax/serialize'
import { asBuffer } from '../syntax/syntax'
import { cleanImage } from './clean-image'
import * as Name from '../syntax/names'

/** Returns whether a value is of the kind that a key takes. */
type IsKind = (value: PDFObject) => boolean

const isNumber: IsKind = value => value instanceof PDFNumber
const isBoolean: IsKind = value => value instanceof PDFBool
const isNameOf =
  (names: string): IsKind =>
  value =>
    value instanceof PDFName && names.split(' ').includes(value.decodeText())
const isFilter = isNameOf(
  'ASCIIHexDecode ASCII85Decode LZWDecode FlateDecode RunLengthDecode CCITTFaxDecode DCTDecode JBIG2Decode JPXDecode Crypt',
)
const isListOf =
  (isKind: IsKind): IsKind =>
  value =>
    value instanceof PDFArray && value.asArray().every(isKind)

/** A name, or a palette, which is the only array (ISO 32000-2, 8.9.7). */
const isSpace: IsKind = value => {
  if (value instanceof PDFName) return true
  const [family, base, last, colors] = value instanceof PDFArray && value.size() === 4 ? value.asArray() : []
  return (
    family === Name.Indexed &&
    base instanceof PDFName &&
    last instanceof PDFNumber &&
    (colors instanceof PDFString || colors instanceof PDFHexString)
  )
}

/** Keys of inline images (ISO 32000-2, table 91) and of their filters' parameters (tables 8 to 11 and 13). */
const KEYS: ReadonlyMap<PDFName, IsKind> = new Map(
  (
    [
      ['BitsPerComponent Height Width K Columns Rows DamagedRowsBeforeError', isNumber],
      ['Predictor Colors EarlyChange ColorTransform', isNumber],
      ['ImageMask Interpolate EndOfLine EncodedByteAlign EndOfBlock BlackIs1', isBoolean],
      ['Decode', isListOf(isNumber)],
      ['ColorSpace', isSpace],
      ['Filter', value => isFilter(value) || isListOf(isFilter)(value)],
      ['DecodeParms', value => isParameters(value) || isListOf(isParameters)(value)],
      ['Intent', isNameOf('AbsoluteColorimetric RelativeColorimetric Saturation Perceptual')],
    ] as [string, IsKind][]
  ).flatMap(([names, isKind]) => names.split(' ').map(name => [PDFName.of(name), isKind] as const)),
)

function isParameters(value: PDFObject): boolean {
  return value instanceof PDFDict || value === PDFNull
}

function isKnown([key, value]: [PDFName, PDFObject]): boolean {
  return KEYS.get(key)?.(value) === true
}

/**
 * Returns content with its inline images written anew: known entries without comments, and data with only what a
 * decoder reads. `spaces` has the color spaces by their resource names. Undefined if the content has no inline images.
 */
export function cleanInlineImages(
  document: PdfDocument,
  bytes: Uint8Array,
  spaces: ReadonlyMap<PDFObject, PDFObject>,
): Uint8Array | undefined {
  return rewriteInlineImages(document, bytes, image => {
    const name = image.dict.get(Name.ColorSpace)
    const space = name && spaces.get(name)
    if (space) image.dict.set(Name.ColorSpace, space)
    const cleaned = cleanImage(document, image) ?? image
    if (space && name) cleaned.dict.set(Name.ColorSpace, name)
    return cleaned
  })
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
  const entries = dict.entries().filter(isKnown)
  const written = entries.map(([key, value]) => `${key.toString()} ${serialize(knownParts(value), () => false)}`)
  return Buffer.concat([Buffer.from(`BI ${written.join(' ')} ID `, 'latin1'), contents, Buffer.from('\nEI')])
}

/** Returns a value without unknown entries of its dictionaries, which are parameters of filters. */
function knownParts(value: PDFObject): PDFObject {
  const dicts = value instanceof PDFArray ? value.asArray() : [value]
  for (const dict of dicts)
    if (dict instanceof PDFDict) for (const entry of dict.entries()) if (!isKnown(entry)) dict.delete(entry[0])
  return value
}

import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { CcittDecoder } from '../content/rewriting/erasing/ccitt-decoder'
import { CcittEncoder } from '../content/rewriting/erasing/ccitt-encoder'
import { readFax } from '../content/rewriting/erasing/fax-image'
import { readLayout, readSize } from '../content/rewriting/erasing/image-samples'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { PredictorRows } from '../filters/predictors'
import { cleanEncoding, cutContents, decodeGeneral, inflateOnly, decodeWith, filtersOf } from './clean-encoding'
import { cleanJbig2 } from './clean-jbig2'
import { cleanJpeg } from './clean-jpeg'
import { cleanJpx } from './clean-jpx'
import * as Name from '../syntax/names'

/** What writes the data of an image file anew, by the filter that decodes it. */
const CLEANERS: ReadonlyMap<string | undefined, (bytes: Uint8Array) => Uint8Array | undefined> = new Map([
  ['DCTDecode', cleanJpeg],
  ['DCT', cleanJpeg],
  ['JPXDecode', cleanJpx],
  ['JBIG2Decode', (bytes: Uint8Array) => cleanJbig2(bytes)],
])

const FAX = new Set<string | undefined>(['CCITTFaxDecode', 'CCF'])

/** Maximum number of bits of the codes that end fax data, and of those that are left of a row that was cut off. */
const LONGEST_END = 48

/** Maximum number of pixels of a row of fax data that is encoded again. */
const MOST_COLUMNS = 100_000

/**
 * Returns an image whose data has only what a decoder reads, with the same pixels. JPEG, JPEG 2000 and JBIG2 data lose
 * all that isn't needed. Fax data is encoded again, and other samples end with the last row. Filters around the data of
 * an image file are removed. Returns the image itself if nothing changes. Undefined if the data can't be followed.
 */
export function cleanImage(document: PdfDocument, image: PDFRawStream): PDFRawStream | undefined {
  const filters = filtersOf(document, image)
  if (!filters) return undefined
  const last = filters.at(-1)?.name
  if (FAX.has(last)) return cleanFax(document, image)
  const clean = CLEANERS.get(last)
  if (!clean) return cleanSamples(document, image) ?? image
  const data = decodeWith(document, filters.slice(0, -1), image.contents)
  const written = data && clean(data)
  if (!written) return undefined
  if (filters.length === 1 && Buffer.compare(written, image.contents) === 0) return image
  const entries = withoutEncoding(image.dict)
  const index = filters.length - 1
  entries.set(Name.Filter, itemOf(document, image.dict.get(Name.Filter), index) ?? Name.DCTDecode)
  const parameters = itemOf(document, image.dict.get(Name.DecodeParms), index)
  if (parameters instanceof PDFDict) entries.set(Name.DecodeParms, parameters)
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), written)
}

function withoutEncoding(dict: PDFDict): Map<PDFName, PDFObject> {
  const entries = new Map(dict.entries())
  for (const key of [Name.Filter, Name.DecodeParms, Name.Length, PDFName.of('DL')]) entries.delete(key)
  return entries
}

/** An item of an array, or the value itself if it isn't an array. */
function itemOf(document: PdfDocument, value: PDFObject | undefined, index: number): PDFObject | undefined {
  const items = document.peekArray(value)?.asArray()
  return document.peek(items ? items[index] : value)
}

/** Encodes the rows of fax data again, as Group 4. Bytes between and after rows are gone. */
function cleanFax(document: PdfDocument, image: PDFRawStream): PDFRawStream | undefined {
  const size = readSize(document, image.dict)
  const { data, coding, isBlackOne } = readFax(document, image)
  const { columns } = coding
  if (!size) return image
  if (columns < 1 || columns > MOST_COLUMNS) return undefined
  const reader = new CcittDecoder(data, coding)
  const writer = new CcittEncoder(columns, data.length)
  let count = 0
  for (; count < size.height; count++) {
    const row = reader.next()
    if (row === 'damaged') return undefined
    if (row === 'end') break
    writer.write(row)
  }
  // Readers show the start of a row that was cut off. Nothing is behind it.
  if (count < size.height && reader.remainingBits <= LONGEST_END) return cleanEncoding(document, image) ?? image
  const entries = withoutEncoding(image.dict)
  entries.set(Name.Filter, Name.CCITTFaxDecode)
  entries.set(
    Name.DecodeParms,
    document.context.obj({ K: -1, Columns: columns, Rows: count, ...(isBlackOne && { BlackIs1: true }) }),
  )
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), writer.finish())
}

/** Cuts samples after the last row, and clears bits after the last pixel of rows. Undefined if nothing changes. */
function cleanSamples(document: PdfDocument, image: PDFRawStream): PDFRawStream | undefined {
  const size = readSize(document, image.dict)
  const { components, bits } = readLayout(document, image.dict)
  const filters = filtersOf(document, image)
  if (!size || !components || !filters) return cleanEncoding(document, image)
  const rowBits = size.width * components * bits
  const rows = { bytes: Math.ceil(rowBits / 8), spare: -rowBits & 7 }
  const needed = size.height * rows.bytes
  const [only] = filters
  if (!only) {
    const cleared = clearSpare(image.contents.subarray(0, needed), rows)
    if (!cleared) return image.contents.length <= needed ? undefined : cutContents(document, image, needed)
    return deflatedStream(document, image.dict, cleared)
  }
  const inflated = inflateOnly(document, filters, image.contents)
  const predictor = PredictorRows.of(only.parameters)
  const mostCoded = predictor ? predictor.codedBytes * size.height : needed
  const isShort = inflated !== undefined && inflated.bytes.length <= mostCoded
  const samples = isShort && !predictor ? inflated.bytes : undefined
  const bytes =
    isShort && rows.spare === 0 ? undefined : (samples ?? decodeGeneral(document, image))?.subarray(0, needed)
  const cleared = bytes && clearSpare(bytes, rows)
  if (cleared) return deflatedStream(document, image.dict, cleared)
  if (!isShort) return bytes && deflatedStream(document, image.dict, bytes)
  return inflated.end === image.contents.length ? undefined : cutContents(document, image, inflated.end)
}

/**
 * Clears the bits that are left in the last byte of rows. Undefined if they are all equal in each row, as programs write
 * them.
 */
function clearSpare(samples: Uint8Array, { bytes, spare }: { bytes: number; spare: number }): Uint8Array | undefined {
  const mask = (1 << spare) - 1
  let cleared: Uint8Array | undefined
  for (let at = bytes - 1; spare > 1 && at < samples.length; at += bytes) {
    const left = (samples[at] as number) & mask
    if (left === 0 || left === mask) continue
    cleared ??= Uint8Array.from(samples)
    ;(cleared[at] as number) &= ~mask
  }
  return cleared
}

import { CcittDecoder, CcittEncoder } from '../../pdf/rewrite-content'
import type { CcittParameters } from '../../pdf/rewrite-content'
import type { PdfDocument } from '../../pdf/document'
import { addImageStream, describeImage, sizeEntries } from '../../pdf/images'
import type { Density, EmbeddedImage } from '../../pdf/images'
import * as Name from '../../pdf/names'
import type { TiffPage } from './tiff'
import { damagedPage, unsupportedPage } from './tiff-problem'
import { reverseBits } from './decode-tiff-samples'

/** Compressions (TIFF 6.0, sections 10 and 11). */
const [RUNS, GROUP3, GROUP4] = [2, 3, 4]

const WHITE_IS_ZERO = 0
const TWO_DIMENSIONAL = 1
const UNCOMPRESSED = 2

/** Returns whether a page has fax data. */
export function isFax({ compression }: TiffPage): boolean {
  return compression === RUNS || compression === GROUP3 || compression === GROUP4
}

/**
 * Adds fax data as an image XObject in Group 4. The data of a single strip in Group 4 is copied. Throws TiffProblem if a
 * row is missing.
 */
export function embedFax(document: PdfDocument, page: TiffPage, usualPerInch: Density): EmbeddedImage {
  const { width, height, bits, channels, compression, parts, isReversed, photometric, faxOptions } = page
  if (bits !== 1 || channels !== 1 || parts.some(part => part.width !== width))
    throw unsupportedPage('fax data in color or in tiles')
  if (compression === GROUP3 && (faxOptions & UNCOMPRESSED) !== 0) throw unsupportedPage('uncompressed fax data')
  const coding = codingOf(page)
  const writer = new CcittEncoder(
    width,
    parts.reduce((sum, { data }) => sum + data.length, 0),
  )
  for (const part of parts) {
    const reader = new CcittDecoder(isReversed ? reverseBits(part.data) : part.data, coding)
    for (let row = 0; row < part.height; row++) {
      const pixels = reader.next()
      if (typeof pixels === 'string') throw damagedPage()
      writer.write(pixels)
    }
  }
  const [only] = parts
  const isCopied = compression === GROUP4 && parts.length === 1 && !isReversed
  const ref = addImageStream(document, isCopied && only ? only.data : writer.finish(), {
    ...sizeEntries(document, { width, height, bits: 1 }),
    ColorSpace: Name.DeviceGray,
    Filter: Name.CCITTFaxDecode,
    DecodeParms: document.context.obj({
      K: -1,
      Columns: width,
      Rows: height,
      ...(photometric !== WHITE_IS_ZERO && { BlackIs1: true }),
    }),
  })
  return describeImage(ref, { ...page, perInch: page.pixelsPerInch ?? usualPerInch })
}

function codingOf({ compression, width, faxOptions }: TiffPage): CcittParameters {
  if (compression === GROUP4) return { k: -1, columns: width, isAligned: false, hasEndOfLines: false }
  if (compression === RUNS) return { k: 0, columns: width, isAligned: true, hasEndOfLines: false }
  const k = (faxOptions & TWO_DIMENSIONAL) === 0 ? 0 : 1
  return { k, columns: width, isAligned: false, hasEndOfLines: true }
}

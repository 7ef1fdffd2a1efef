import type { PdfDocument } from '../../pdf/document'
import { addImageStream, addProfile, describeImage, readJpeg, sizeEntries, stripJpeg } from '../../pdf/images'
import type { Density, EmbeddedImage, Jpeg } from '../../pdf/images'
import * as Name from '../../pdf/names'
import { decodeImage } from '../../pdf/render'
import { deviceSpace } from './raster'
import type { TiffPage, TiffPart } from './tiff'
import { damagedPage, unsupportedPage } from './tiff-problem'

/** Compression of JPEG (TIFF Technical Note 2). */
export const JPEG = 7

const YCBCR = 6

const MARKER_BYTES = 2

/** Adobe's marker, which says whether the channels are luma and color differences. The last byte is the transform. */
const ADOBE = Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0])

/** Adds the JPEG data of a page in one part without change. Undefined if the page has several parts. */
export function embedWholeJpeg(
  document: PdfDocument,
  page: TiffPage,
  usualPerInch: Density,
): EmbeddedImage | undefined {
  const [part, ...others] = page.parts
  if (!part || others.length > 0) return undefined
  const file = joinTables(page, part)
  const jpeg = readWhole(file)
  if (jpeg.width !== page.width || jpeg.height !== page.height || jpeg.channels !== page.channels) return undefined
  const ref = addImageStream(document, stripJpeg(file) ?? file, {
    ...sizeEntries(document, { ...page, bits: 8 }),
    ColorSpace: addProfile(document, page.profile, jpeg.channels) ?? deviceSpace(jpeg.channels),
    Filter: Name.DCTDecode,
  })
  return describeImage(ref, { ...page, perInch: page.pixelsPerInch ?? usualPerInch })
}

/** Decodes the JPEG data of a part to one or three bytes per pixel. Throws TiffProblem. */
export async function decodeJpegPart(page: TiffPage, part: TiffPart): Promise<Uint8Array> {
  const file = joinTables(page, part)
  const { width, height, channels } = readWhole(file)
  if (channels === 4) throw unsupportedPage('CMYK JPEG data in several parts')
  if (width !== part.width || height < part.height) throw damagedPage()
  const decoded = await decodeImage({
    width,
    height,
    data: file,
    filter: 'DCTDecode',
    parameters: [],
    globals: undefined,
    components: channels,
    bits: 8,
    decode: undefined,
  })
  if (!decoded) throw damagedPage()
  try {
    return Buffer.concat([...decoded.chunks])
  } finally {
    decoded.close()
  }
}

function readWhole(file: Uint8Array): Jpeg {
  const jpeg = readJpeg(file)
  if (!jpeg?.isWhole) throw damagedPage()
  if (!jpeg.isReadable || jpeg.bits !== 8 || ![1, 3, 4].includes(jpeg.channels))
    throw unsupportedPage('JPEG data of a rare type')
  return jpeg
}

/** A whole JPEG file of a part. The tables of all parts are in a file of their own, without an image. */
function joinTables({ jpegTables, photometric, channels }: TiffPage, { data }: TiffPart): Uint8Array {
  const start = data.subarray(0, MARKER_BYTES)
  const adobe = Buffer.from(ADOBE)
  adobe.writeUInt8(photometric === YCBCR ? 1 : 0, adobe.length - 1)
  // Without this marker, readers guess the color coding of three channels.
  const mark = channels === 3 ? [adobe] : []
  const tables = jpegTables ? [jpegTables.subarray(MARKER_BYTES, jpegTables.length - MARKER_BYTES)] : []
  return Buffer.concat([start, ...mark, ...tables, data.subarray(MARKER_BYTES)])
}

import { EngineError } from '../errors'
import { abandonPdfium, memoryOf, openPdfium } from './pdfium'
import type { Pdfium } from './pdfium'
import { PdfiumFile } from './pdfium-file'

interface DecodedImage {
  width: number
  height: number
  /** The data of a filter that PDFium knows: DCTDecode, JPXDecode, CCITTFaxDecode, JBIG2Decode and the general ones. */
  data: Uint8Array
  filter: string
  /** Entries of the filter's parameters, as PDF writes them. */
  parameters: string[]
  /** Of JBIG2: segments that are kept apart, decoded. */
  globals: Uint8Array | undefined
  /** Samples of a pixel; undefined when the data tell. */
  components: number | undefined
  bits: number
  decode: number[] | undefined
}

/** The samples of a picture, decoded while they are taken. */
interface DecodedBitmap {
  components: 1 | 3
  bits: 1 | 8
  /** Rows from the top, each of whole bytes; some of them in each piece. */
  pieces: Iterable<Uint8Array>
  /** Gives PDFium's memory back; call it when no more pieces are needed. */
  close(): void
}

/** FPDFBitmap_Gray and FPDFBitmap_BGR: bytes of a pixel by their number. */
const GRAY = 1
const BGR = 2

/** FPDF_REVERSE_BYTE_ORDER: red comes first. */
const RED_FIRST = 0x10

/** Bytes of a part of a picture that is drawn at once. */
const STRIP_BYTES = 2 ** 23

/** Where FPDF_IMAGEOBJ_METADATA has its bits of a pixel, and how long it is: seven values of four bytes. */
const BITS_OFFSET = 16
const METADATA_BYTES = 28

/**
 * The samples of a picture as PDFium decodes them: unchanged for one or three components, in RGB for four. One-bit
 * pictures keep one bit. Undefined when PDFium sees no picture.
 *
 * They are drawn strip by strip, pixel for pixel: PDFium decodes most pictures row by row then and never holds all of
 * one. Throws EngineError `unreadable` when it gives up on one, also while pieces are taken.
 */
export async function decodeImage(bitmap: DecodedImage): Promise<DecodedBitmap | undefined> {
  const pdfium = await openPdfium()
  let opened: OpenImage | undefined
  try {
    opened = OpenImage.open(pdfium, bitmap)
  } catch (error) {
    throw lost(error)
  }
  if (!opened) return undefined
  const { components, bits } = opened
  const pieces = opened.draw()
  return { components, bits, pieces, close: () => opened.close() }
}

/** After a trap PDFium's memory can't be trusted. */
function lost(cause: unknown): EngineError {
  abandonPdfium()
  return new EngineError('unreadable', 'The PDF holds a damaged picture that could not be decoded.', { cause })
}

class OpenImage {
  private isClosed = false

  private constructor(
    private readonly file: PdfiumFile,
    private readonly page: number,
    private readonly bitmap: DecodedImage,
    readonly components: 1 | 3,
  ) {}

  static open(pdfium: Pdfium, bitmap: DecodedImage): OpenImage | undefined {
    const file = PdfiumFile.open(pdfium, writeFile(bitmap))
    if (!file) return undefined
    const page = pdfium.FPDF_LoadPage(file.document, 0)
    const pixelBits = page === 0 ? 0 : countPixelBits(pdfium, page)
    if (pixelBits > 0) return new OpenImage(file, page, bitmap, bitmap.components === 1 || pixelBits <= 8 ? 1 : 3)
    if (page !== 0) pdfium.FPDF_ClosePage(page)
    file.close()
    return undefined
  }

  get bits(): 1 | 8 {
    return this.bitmap.bits === 1 && this.bitmap.components === 1 ? 1 : 8
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.file.pdfium.FPDF_ClosePage(this.page)
    this.file.close()
  }

  *draw(): Generator<Uint8Array> {
    const { pdfium } = this.file
    const { width, height } = this.bitmap
    const rows = Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / (width * this.components))))
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, rows, this.bits === 8 && this.components === 1 ? GRAY : BGR, 0, 0)
    if (bitmap === 0)
      throw new EngineError('too-large', `A picture of ${width} × ${height} pixels is too large to be decoded.`)
    try {
      for (let top = 0; top < height; top += rows) yield this.drawStrip(bitmap, top, Math.min(rows, height - top))
    } finally {
      if (!this.isClosed) pdfium.FPDFBitmap_Destroy(bitmap)
    }
  }

  private drawStrip(bitmap: number, top: number, rows: number): Uint8Array {
    const { pdfium } = this.file
    const { width, height } = this.bitmap
    try {
      pdfium.FPDF_RenderPageBitmap(bitmap, this.page, 0, -top, width, height, 0, RED_FIRST)
    } catch (error) {
      this.isClosed = true
      throw lost(error)
    }
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    const stride = pdfium.FPDFBitmap_GetStride(bitmap)
    const drawn = memoryOf(pdfium).subarray(start, start + stride * rows)
    return this.bits === 1
      ? packBits(drawn, stride, { width, rows })
      : copyRows(drawn, stride, { rowBytes: width * this.components, rows })
  }
}

/** Of the one image on a page; 0 when it can't be decoded. */
function countPixelBits(pdfium: Pdfium, page: number): number {
  const { wasmExports, getValue } = pdfium.pdfium
  const image = pdfium.FPDFPage_GetObject(page, 0)
  const metadata = image === 0 ? 0 : wasmExports.malloc(METADATA_BYTES)
  if (metadata === 0) return 0
  try {
    return pdfium.FPDFImageObj_GetImageMetadata(image, page, metadata) ? getValue(metadata + BITS_OFFSET, 'i32') : 0
  } finally {
    wasmExports.free(metadata)
  }
}

function copyRows(
  drawn: Uint8Array,
  stride: number,
  { rowBytes, rows }: { rowBytes: number; rows: number },
): Uint8Array {
  const data = new Uint8Array(rowBytes * rows)
  for (let y = 0; y < rows; y++) data.set(drawn.subarray(y * stride, y * stride + rowBytes), y * rowBytes)
  return data
}

/** Rows of one bit a pixel: light ones are set. */
function packBits(drawn: Uint8Array, stride: number, { width, rows }: { width: number; rows: number }): Uint8Array {
  const rowBytes = Math.ceil(width / 8)
  const data = new Uint8Array(rowBytes * rows)
  for (let y = 0; y < rows; y++) {
    for (let x = 0, at = y * stride; x < width; x++, at += 3) {
      if ((drawn[at] as number) > 127)
        data[y * rowBytes + (x >> 3)] = (data[y * rowBytes + (x >> 3)] as number) | (128 >> (x & 7))
    }
  }
  return data
}

const SPACES: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }

/**
 * A file whose one page shows nothing but the picture, a point for each of its pixels. Its colors are those of the
 * device, so that they stay as they are.
 */
function writeFile({
  width,
  height,
  data,
  filter,
  parameters,
  globals,
  components,
  bits,
  decode,
}: DecodedImage): Uint8Array {
  const space = SPACES[components ?? 0]
  // Decoding is undone by viewers of the result; only samples that are converted need it here.
  const decoding = components === 4 && decode?.length === 8 ? `/Decode[${decode.join(' ')}]` : ''
  const own = [...parameters, ...(globals ? ['/JBIG2Globals 6 0 R'] : [])]
  const entries =
    `/Width ${width}/Height ${height}/BitsPerComponent ` +
    `${bits}${space ? `/ColorSpace/${space}` : ''}${decoding}/Filter/${filter || 'FlateDecode'}${own.length ? `/DecodeParms<<${own.join('')}>>` : ''}`
  const parts: Uint8Array[] = []
  const offsets: number[] = []
  let length = 0
  const push = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    parts.push(bytes)
    length += bytes.length
  }
  const add = (body: string, stream?: Uint8Array): void => {
    offsets.push(length)
    push(`${offsets.length} 0 obj\n`)
    if (stream) {
      push(`<<${body}/Length ${stream.length}>>\nstream\n`)
      push(stream)
      push('\nendstream\nendobj\n')
    } else push(`${body}\nendobj\n`)
  }
  push('%PDF-1.7\n')
  add('<</Type/Catalog/Pages 2 0 R>>')
  add('<</Type/Pages/Kids[3 0 R]/Count 1>>')
  add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</XObject<</P 5 0 R>>>>/Contents 4 0 R>>`)
  add('', Buffer.from(`${width} 0 0 ${height} 0 0 cm /P Do`, 'latin1'))
  add(`/Type/XObject/Subtype/Image${entries}`, data)
  if (globals) add('', globals)
  const start = length
  push(
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f ` +
      `\n${offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`,
  )
  push(`trailer\n<</Size ${offsets.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(parts)
}

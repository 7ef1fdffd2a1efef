import { EngineError } from '../errors'
import { abandonPdfium, memoryOf, openPdfium } from './pdfium'
import type { Pdfium } from './pdfium'
import { PdfiumFile } from './pdfium-file'

interface DecodedImage {
  width: number
  height: number
  /**
   * Data of a filter that PDFium supports: DCTDecode, JPXDecode, CCITTFaxDecode, JBIG2Decode and the general filters.
   */
  data: Uint8Array
  filter: string
  /** Entries of the filter's parameters, in PDF syntax. */
  parameters: string[]
  /** For JBIG2: the decoded global segments. */
  globals: Uint8Array | undefined
  /** Samples per pixel. Undefined if the data itself determines it. */
  components: number | undefined
  bits: number
  decode: number[] | undefined
}

/** The samples of an image. They are decoded on demand. */
interface DecodedBitmap {
  components: 1 | 3
  bits: 1 | 8
  /** Chunks of complete rows, from the top. */
  chunks: Iterable<Uint8Array>
  /** Releases PDFium's memory. Call it when you need no more chunks. */
  close(): void
}

/** FPDFBitmap_BGR: a bitmap format. PDFium draws no images on gray bitmaps. */
const BGR = 2

/** FPDF_REVERSE_BYTE_ORDER: red first. */
const RED_FIRST = 0x10

/** Size of the strips in which an image is drawn. */
const STRIP_BYTES = 2 ** 23

/** Offset of the bits per pixel in FPDF_IMAGEOBJ_METADATA, and the size of this structure: seven 4-byte values. */
const BITS_OFFSET = 16
const METADATA_BYTES = 28

/**
 * Decodes an image with PDFium. One or three components stay, and four become RGB. Images with one bit keep one bit.
 * Undefined if PDFium finds no image.
 *
 * The image is drawn in strips, one pixel for each sample. PDFium then decodes most images row by row and never has a
 * whole image in memory. Throws EngineError `unreadable` if PDFium fails, also while you read chunks.
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
  const chunks = opened.draw()
  return { components, bits, chunks, close: () => opened.close() }
}

/** After a trap, PDFium's memory may be corrupt, so it isn't used any more. */
function lost(cause: unknown): EngineError {
  abandonPdfium()
  return new EngineError('unreadable', 'The PDF contains a damaged image that could not be decoded.', { cause })
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
    const rows = Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / (width * 3))))
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, rows, BGR, 0, 0)
    if (bitmap === 0)
      throw new EngineError('too-large', `An image of ${width} × ${height} pixels is too large to decode.`)
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
    const rowData = memoryOf(pdfium).subarray(start, start + stride * rows)
    if (this.bits === 1) return packBits(rowData, stride, { width, rows })
    return this.components === 1
      ? copyFirstChannel(rowData, stride, { width, rows })
      : copyRows(rowData, stride, { rowBytes: width * this.components, rows })
  }
}

/** The bits per pixel of the only image on a page. 0 if the image can't be decoded. */
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

/** The gray levels of rows whose pixels have three equal bytes. */
function copyFirstChannel(
  drawn: Uint8Array,
  stride: number,
  { width, rows }: { width: number; rows: number },
): Uint8Array {
  const data = new Uint8Array(width * rows)
  for (let y = 0; y < rows; y++)
    for (let x = 0, at = y * stride; x < width; x++, at += 3) data[y * width + x] = drawn[at] as number
  return data
}

/** Packs rows into one bit per pixel. Light pixels are ones. */
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
 * Writes a PDF file with one page that shows only the image, at one point per pixel. Uses device colors, so that the
 * sample values don't change.
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
  // Viewers of the result apply /Decode. It is needed here only if the samples are converted.
  const decoding = components === 4 && decode?.length === 8 ? `/Decode[${decode.join(' ')}]` : ''
  const parameterEntries = [...parameters, ...(globals ? ['/JBIG2Globals 6 0 R'] : [])]
  const entries =
    `/Width ${width}/Height ${height}/BitsPerComponent ` +
    `${bits}${space ? `/ColorSpace/${space}` : ''}${decoding}/Filter/${filter || 'FlateDecode'}${parameterEntries.length ? `/DecodeParms<<${parameterEntries.join('')}>>` : ''}`
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

import { EngineError } from '../../../errors'
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

/** FPDFBitmap_Gray and FPDFBitmap_BGR: bitmap formats with one and three bytes per pixel. PDFium draws only on BGR. */
const GRAY = 1
const BGR = 2

/** Size of the largest bitmap that may hold a whole image, in bytes. */
const MOST_WHOLE_BYTES = 2 ** 26

/** Size of the strips in which a larger image is drawn. */
const STRIP_BYTES = 2 ** 23

/** Offset of the bits per pixel in FPDF_IMAGEOBJ_METADATA, and the size of this structure: seven 4-byte values. */
const BITS_OFFSET = 16
const METADATA_BYTES = 28

/**
 * Decodes an image with PDFium. One or three components stay, and four become RGB. Images with one bit keep one bit.
 * Undefined if PDFium finds no image.
 *
 * Images above 64 MB are drawn in strips, one pixel for each sample. PDFium then decodes most of them row by row and
 * never has a whole image in memory. Throws EngineError `damaged` if PDFium fails, also while you read chunks.
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
  const chunks = opened.read()
  return { components, bits, chunks, close: () => opened.close() }
}

/** After a trap, PDFium's memory may be corrupt, so it isn't used any more. */
function lost(cause: unknown): EngineError {
  abandonPdfium()
  return new EngineError('damaged', 'The PDF contains a damaged image that could not be decoded.', { cause })
}

class OpenImage {
  private isClosed = false

  private constructor(
    private readonly file: PdfiumFile,
    private readonly page: number,
    private readonly bitmap: DecodedImage,
    readonly components: 1 | 3,
    /** A PDFium bitmap of the whole image. Undefined if the image must be drawn. */
    private readonly whole: number | undefined,
  ) {}

  static open(pdfium: Pdfium, bitmap: DecodedImage): OpenImage | undefined {
    const file = PdfiumFile.open(pdfium, writeFile(bitmap))
    if (!file) return undefined
    const page = pdfium.FPDF_LoadPage(file.document, 0)
    const image = page === 0 ? 0 : pdfium.FPDFPage_GetObject(page, 0)
    const whole = image === 0 ? undefined : decodeWhole(pdfium, image, bitmap)
    if (whole) return new OpenImage(file, page, bitmap, whole.components, whole.bitmap)
    const pixelBits = image === 0 ? 0 : countPixelBits(pdfium, image, page)
    const components = bitmap.components === 1 || pixelBits <= 8 ? 1 : 3
    if (pixelBits > 0) return new OpenImage(file, page, bitmap, components, undefined)
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
    const { pdfium } = this.file
    if (this.whole !== undefined) pdfium.FPDFBitmap_Destroy(this.whole)
    pdfium.FPDF_ClosePage(this.page)
    this.file.close()
  }

  *read(): Generator<Uint8Array> {
    if (this.whole === undefined) yield* this.draw()
    else yield this.copyRows(this.whole, this.components === 1 ? GRAY : BGR, this.bitmap.height)
  }

  private *draw(): Generator<Uint8Array> {
    const { pdfium } = this.file
    const { width, height } = this.bitmap
    const rows = Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / (width * 3))))
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, rows, BGR, 0, 0)
    if (bitmap === 0)
      throw new EngineError('too_large', `An image of ${width} × ${height} pixels is too large to decode.`)
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
      pdfium.FPDF_RenderPageBitmap(bitmap, this.page, 0, -top, width, height, 0, 0)
    } catch (error) {
      this.isClosed = true
      throw lost(error)
    }
    return this.copyRows(bitmap, BGR, rows)
  }

  /** Copies the first rows of a PDFium bitmap in the layout of the samples. */
  private copyRows(bitmap: number, format: typeof GRAY | typeof BGR, rows: number): Uint8Array {
    const { pdfium } = this.file
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    const stride = pdfium.FPDFBitmap_GetStride(bitmap)
    const source: BitmapRows = {
      bytes: memoryOf(pdfium).subarray(start, start + stride * rows),
      stride,
      step: format === GRAY ? 1 : 3,
      width: this.bitmap.width,
      rows,
    }
    if (this.bits === 1) return packBits(source)
    return this.components === 1 ? copyGray(source) : copyColors(source)
  }
}

/**
 * Decodes an image into a PDFium bitmap. Undefined if that takes too much memory, or if PDFium decodes it to another
 * size or format, so that it must be drawn.
 */
function decodeWhole(
  pdfium: Pdfium,
  image: number,
  { width, height, components }: DecodedImage,
): { bitmap: number; components: 1 | 3 } | undefined {
  if (width * height * (components === 1 ? 1 : 3) > MOST_WHOLE_BYTES) return undefined
  const bitmap = pdfium.FPDFImageObj_GetBitmap(image)
  if (bitmap === 0) return undefined
  const format = pdfium.FPDFBitmap_GetFormat(bitmap)
  const isUsual =
    (format === GRAY || (format === BGR && components !== 1)) &&
    pdfium.FPDFBitmap_GetWidth(bitmap) === width &&
    pdfium.FPDFBitmap_GetHeight(bitmap) === height
  if (isUsual) return { bitmap, components: format === GRAY ? 1 : 3 }
  pdfium.FPDFBitmap_Destroy(bitmap)
  return undefined
}

/** The bits per pixel of an image. 0 if the image can't be decoded. */
function countPixelBits(pdfium: Pdfium, image: number, page: number): number {
  const { wasmExports, getValue } = pdfium.pdfium
  const metadata = wasmExports.malloc(METADATA_BYTES)
  if (metadata === 0) return 0
  try {
    return pdfium.FPDFImageObj_GetImageMetadata(image, page, metadata) ? getValue(metadata + BITS_OFFSET, 'i32') : 0
  } finally {
    wasmExports.free(metadata)
  }
}

/** Rows of a PDFium bitmap. */
interface BitmapRows {
  bytes: Uint8Array
  /** Distance between rows, in bytes: a multiple of 4. */
  stride: number
  /** Bytes per pixel: one gray level; or blue, green and red. */
  step: 1 | 3
  width: number
  rows: number
}

/** Copies pixels with red first. */
function copyColors({ bytes, stride, width, rows }: BitmapRows): Uint8Array {
  const data = new Uint8Array(width * 3 * rows)
  for (let y = 0, to = 0; y < rows; y++)
    for (let x = 0, from = y * stride; x < width; x++, from += 3, to += 3) {
      data[to] = bytes[from + 2] as number
      data[to + 1] = bytes[from + 1] as number
      data[to + 2] = bytes[from] as number
    }
  return data
}

/** Copies the gray levels of pixels. Pixels with three bytes have equal ones. */
function copyGray({ bytes, stride, step, width, rows }: BitmapRows): Uint8Array {
  const data = new Uint8Array(width * rows)
  for (let y = 0; y < rows; y++)
    if (step === 1) data.set(bytes.subarray(y * stride, y * stride + width), y * width)
    else for (let x = 0, at = y * stride; x < width; x++, at += step) data[y * width + x] = bytes[at] as number
  return data
}

/** Packs rows of black and white pixels into one bit per pixel. White pixels are ones. */
function packBits({ bytes, stride, step, width, rows }: BitmapRows): Uint8Array {
  const rowBytes = Math.ceil(width / 8)
  const data = new Uint8Array(rowBytes * rows)
  // Four gray levels at once.
  const words = step === 1 ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4) : undefined
  for (let y = 0; y < rows; y++) {
    const to = y * rowBytes
    let x = 0
    if (words)
      for (let word = (y * stride) / 4; x + 8 <= width; x += 8, word += 2)
        data[to + (x >> 3)] = (packWord(words[word] as number) << 4) | packWord(words[word + 1] as number)
    for (let at = y * stride + x * step; x < width; x++, at += step)
      if ((bytes[at] as number) > 127) data[to + (x >> 3)] = (data[to + (x >> 3)] as number) | (128 >> (x & 7))
  }
  return data
}

/** Packs the highest bits of the four bytes of a word, of which the lowest is the first pixel. */
function packWord(word: number): number {
  // Multiplying moves the bit of each byte to its place in the highest byte.
  return Math.imul((word >>> 7) & 0x01010101, 0x08040201) >>> 24
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

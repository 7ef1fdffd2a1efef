import { EngineError } from '../errors'
import { abandonPdfium, memoryOf, openPdfium } from './pdfium'
import type { Pdfium } from './pdfium'

interface Picture {
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

interface DecodedPicture {
  components: number
  bits: number
  /** Rows from the top, each of whole bytes. */
  data: Uint8Array
}

/** What a bitmap of PDFium's holds, by its format: bytes of a pixel. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 3, 3: 4, 4: 4 }

/**
 * The samples of a picture as PDFium decodes them: unchanged for one or three components, in RGB for four. One-bit pictures
 * keep one bit. Undefined when PDFium sees no picture.
 * Throws EngineError `unreadable` when it gives up on one.
 */
export async function decodePicture(picture: Picture): Promise<DecodedPicture | undefined> {
  const pdfium = await openPdfium()
  try {
    return decode(pdfium, picture)
  } catch (error) {
    // After a trap its memory can't be trusted.
    abandonPdfium()
    throw new EngineError('unreadable', 'The PDF holds a damaged picture that could not be decoded.', { cause: error })
  }
}

function decode(pdfium: Pdfium, picture: Picture): DecodedPicture | undefined {
  const file = writeFile(picture)
  const { wasmExports } = pdfium.pdfium
  const place = wasmExports.malloc(file.length)
  if (place === 0) return undefined
  memoryOf(pdfium).set(file, place)
  const document = pdfium.FPDF_LoadMemDocument(place, file.length, '')
  const page = document === 0 ? 0 : pdfium.FPDF_LoadPage(document, 0)
  try {
    const image = page === 0 ? 0 : pdfium.FPDFPage_GetObject(page, 0)
    const bitmap = image === 0 ? 0 : pdfium.FPDFImageObj_GetBitmap(image)
    if (bitmap === 0) return undefined
    try {
      return readBitmap(pdfium, bitmap, picture)
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap)
    }
  } finally {
    if (page !== 0) pdfium.FPDF_ClosePage(page)
    if (document !== 0) pdfium.FPDF_CloseDocument(document)
    wasmExports.free(place)
  }
}

function readBitmap(pdfium: Pdfium, bitmap: number, { width, height, bits, components }: Picture): DecodedPicture | undefined {
  const pixelBytes = PIXEL_BYTES[pdfium.FPDFBitmap_GetFormat(bitmap)]
  if (!pixelBytes) return undefined
  const [seenWidth, seenHeight, stride] = [pdfium.FPDFBitmap_GetWidth(bitmap), pdfium.FPDFBitmap_GetHeight(bitmap), pdfium.FPDFBitmap_GetStride(bitmap)]
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
  const source = memoryOf(pdfium).subarray(start, start + stride * seenHeight)
  const given = components === 1 || pixelBytes === 1 ? 1 : 3
  const isBits = bits === 1 && components === 1
  const rowBytes = isBits ? Math.ceil(width / 8) : width * given
  const data = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    // The data may have another size than the picture states: viewers stretch it.
    const row = Math.min(seenHeight - 1, Math.floor((y * seenHeight) / height)) * stride
    for (let x = 0; x < width; x++) {
      const at = row + (seenWidth === width ? x : Math.floor((x * seenWidth) / width)) * pixelBytes
      const out = y * rowBytes + x * given
      if (isBits) {
        if ((source[at] as number) > 127) data[y * rowBytes + (x >> 3)] = (data[y * rowBytes + (x >> 3)] as number) | (128 >> (x & 7))
      } else if (given === 1) data[out] = source[at] as number
      else {
        data[out] = source[at + 2] as number
        data[out + 1] = source[at + 1] as number
        data[out + 2] = source[at] as number
      }
    }
  }
  return { components: given, bits: isBits ? 1 : 8, data }
}

const SPACES: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }

/** A file whose one page shows nothing but the picture. Its colours are those of the device, so that they stay as they are. */
function writeFile({ width, height, data, filter, parameters, globals, components, bits, decode }: Picture): Uint8Array {
  const space = SPACES[components ?? 0]
  // Decoding is undone by viewers of the result; only samples that are converted need it here.
  const decoding = components === 4 && decode?.length === 8 ? `/Decode[${decode.join(' ')}]` : ''
  const own = [...parameters, ...(globals ? ['/JBIG2Globals 6 0 R'] : [])]
  const entries = `/Width ${width}/Height ${height}/BitsPerComponent ${bits}${space ? `/ColorSpace/${space}` : ''}${decoding}/Filter/${filter || 'FlateDecode'}${own.length ? `/DecodeParms<<${own.join('')}>>` : ''}`
  const parts: Buffer[] = []
  const offsets: number[] = []
  let length = 0
  const push = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)
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
  add('<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<</XObject<</P 5 0 R>>>>/Contents 4 0 R>>')
  add('', Buffer.from('100 0 0 100 0 0 cm /P Do', 'latin1'))
  add(`/Type/XObject/Subtype/Image${entries}`, data)
  if (globals) add('', globals)
  const start = length
  push(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`)
  push(`trailer\n<</Size ${offsets.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(parts)
}

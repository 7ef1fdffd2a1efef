import { ArithmeticEncoder } from './arithmetic-encoder'

/** Segment types (ITU-T T.88, 7.3): page information, and an immediate lossless generic region. */
const PAGE_INFORMATION = 48
const GENERIC_REGION = 39

/** Flags of a generic region (7.4.6.2): template 0, and rows that repeat the row above take one decision. */
const TYPICAL_PREDICTION = 1 << 3

/** The usual places of the adaptive pixels of template 0 (6.2.5.4): x and y of each. */
const ADAPTIVE_PIXELS = [3, -1, -3, -1, 2, -2, -2, -2]

/** Eight white pixels. */
const WHITE_BYTE = 255

/** The context of the decision whether a row repeats the row above (6.2.5.7). */
const REPEAT_CONTEXT = 0x9b25

/**
 * Encodes packed rows of one bit per pixel, without loss, as JBIG2 data for the filter JBIG2Decode (ISO 32000-2,
 * 7.4.7). The filter returns zeros for the black pixels of JBIG2, so all bits are inverted here.
 */
export function encodeJbig2({ width, height, bits }: { width: number; height: number; bits: Uint8Array }): Uint8Array {
  const page = new DataView(new ArrayBuffer(19))
  page.setUint32(0, width)
  page.setUint32(4, height)
  const region = new DataView(new ArrayBuffer(18 + ADAPTIVE_PIXELS.length))
  region.setUint32(0, width)
  region.setUint32(4, height)
  region.setUint8(17, TYPICAL_PREDICTION)
  for (const [index, place] of ADAPTIVE_PIXELS.entries()) region.setInt8(18 + index, place)
  const data = encodeRows(width, height, bits)
  return Buffer.concat([
    writeHeader(0, PAGE_INFORMATION, page.byteLength),
    new Uint8Array(page.buffer),
    writeHeader(1, GENERIC_REGION, region.byteLength + data.length),
    new Uint8Array(region.buffer),
    data,
  ])
}

/** The header of a segment on page 1 that refers to no other segment (7.2). */
function writeHeader(number: number, type: number, length: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(11))
  header.setUint32(0, number)
  header.setUint8(4, type)
  header.setUint8(6, 1)
  header.setUint32(7, length)
  return new Uint8Array(header.buffer)
}

/**
 * Encodes the rows with template 0 (6.2.5.3): the context of a pixel is the four pixels before it, seven pixels of the
 * row above, and five pixels of the row above that one.
 */
function encodeRows(width: number, height: number, bits: Uint8Array): Uint8Array {
  const encoder = new ArithmeticEncoder(1 << 16)
  const rowBytes = Math.ceil(width / 8)
  // Rows have a margin of four white pixels on both sides.
  let [above2, above, row] = [new Uint8Array(width + 8), new Uint8Array(width + 8), new Uint8Array(width + 8)]
  let wasRepeated = 0
  for (let y = 0; y < height; y++) {
    const isRepeated = repeatsRowAbove(bits, y, rowBytes, width) ? 1 : 0
    encoder.encode(REPEAT_CONTEXT, isRepeated ^ wasRepeated)
    wasRepeated = isRepeated
    if (isRepeated === 1) row.set(above)
    else {
      unpackRow(bits, y * rowBytes, row, width)
      // All indexes are within the margins.
      let far = ((above2[4] as number) << 1) | (above2[5] as number)
      let near = ((above[4] as number) << 2) | ((above[5] as number) << 1) | (above[6] as number)
      let before = 0
      for (let x = 0; x < width; x++) {
        far = ((far << 1) | (above2[x + 6] as number)) & 31
        near = ((near << 1) | (above[x + 7] as number)) & 127
        const pixel = row[x + 4] as number
        encoder.encode((far << 11) | (near << 4) | before, pixel)
        before = ((before << 1) | pixel) & 15
      }
    }
    ;[above2, above, row] = [above, row, above2]
  }
  return encoder.finish()
}

/** Copies the pixels of a row to one byte each, after a margin of four. In `bits`, 1 is white. In `row`, 1 is black. */
function unpackRow(bits: Uint8Array, start: number, row: Uint8Array, width: number): void {
  for (let x = 0; x < width; x++) row[x + 4] = (((bits[start + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) ^ 1
}

/** Returns whether a row has the same pixels as the row above. The row above the first one is white. */
function repeatsRowAbove(bits: Uint8Array, y: number, rowBytes: number, width: number): boolean {
  const start = y * rowBytes
  /** The bits of the last byte that are pixels. */
  const lastMask = 255 << (7 - ((width - 1) & 7))
  for (let index = 0; index < rowBytes; index++) {
    const mask = index === rowBytes - 1 ? lastMask : 255
    const above = y === 0 ? WHITE_BYTE : (bits[start - rowBytes + index] ?? 0)
    if ((((bits[start + index] ?? 0) ^ above) & mask) !== 0) return false
  }
  return true
}

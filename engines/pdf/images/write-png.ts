import { crc32, deflateSync } from 'node:zlib'
import { applyPngFilters } from './png-filters'
import { METRES_PER_INCH, PNG_SIGNATURE } from './png'

/** Pixels of one (gray), two (gray, opacity), three (RGB) or four (RGB, opacity) bytes, in rows from the top. */
interface Pixels {
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
  pixels: Uint8Array
}

/** Color types by the number of channels (W3C PNG, table 8). */
const COLOR_TYPES = { 1: 0, 2: 4, 3: 2, 4: 6 } as const

const BITS = 8
const PER_METRE = 1

/** Writes a PNG file with 8 bits per sample, and with its resolution in pixels per inch. */
export function writePng({ width, height, channels, pixels }: Pixels, pixelsPerInch: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([BITS, COLOR_TYPES[channels]], 8)
  const density = Buffer.alloc(9, PER_METRE)
  const perMetre = Math.max(1, Math.round(pixelsPerInch / METRES_PER_INCH))
  density.writeUInt32BE(perMetre, 0)
  density.writeUInt32BE(perMetre, 4)
  return Buffer.concat([
    PNG_SIGNATURE,
    ...chunk('IHDR', header),
    ...chunk('pHYs', density),
    ...chunk('IDAT', deflateSync(applyPngFilters(pixels, { width, height, bits: BITS, channels }))),
    ...chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer[] {
  const start = Buffer.alloc(8)
  start.writeUInt32BE(data.length)
  start.write(name, 4, 'latin1')
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(data, crc32(start.subarray(4))))
  return [start, data, end]
}

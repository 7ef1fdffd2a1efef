import { crc32, inflateSync } from 'node:zlib'
import { EXIF_MARK, readExif } from './exif'
import { PredictorRows } from '../filters/predictors'

/** An unusable image. The message is the end of a sentence that begins with the field's name. */
export class BrokenImage extends Error {
  override readonly name = 'BrokenImage'
}

/** An image with too many pixels. */
export class LargeImage extends BrokenImage {}

/** The layout of samples, which is the same in PNG and PDF. */
export interface SampleLayout {
  width: number
  height: number
  /** Bits per sample: 1, 2, 4, 8 or 16. */
  bits: number
  /** Samples per pixel. */
  channels: number
}

/** The contents of a PNG file (W3C PNG, third edition). */
export interface Png extends SampleLayout {
  /** 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha. */
  colorType: number
  isInterlaced: boolean
  /** Three bytes per color. Only set for color type 3. */
  palette: Uint8Array | undefined
  /** The tRNS chunk: an alpha value for each color of the palette, or the one transparent color. */
  transparency: Uint8Array | undefined
  /** Pixels per inch, if the file states them. */
  pixelsPerInch: { x: number; y: number } | undefined
  /** The EXIF orientation, 1 to 8. 1 is upright. */
  orientation: number
  /** The iCCP chunk: the name of a color profile and its deflated data. */
  profile: Uint8Array | undefined
  /** The filtered rows, still deflated. */
  deflated: Uint8Array
}

/** The first bytes of a PNG file. */
export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const HEADER_BYTES = 13
/** PNG states resolutions in pixels per meter. */
export const METRES_PER_INCH = 0.0254

/** The names of critical chunks begin with a capital letter (5.4). Decoders need them to draw the image. */
const CRITICAL = /^[A-Z]/

/** Depths and channels by color type (table 8). */
const KINDS: ReadonlyMap<number, { depths: number[]; channels: number }> = new Map([
  [0, { depths: [1, 2, 4, 8, 16], channels: 1 }],
  [2, { depths: [8, 16], channels: 3 }],
  [3, { depths: [1, 2, 4, 8], channels: 1 }],
  [4, { depths: [8, 16], channels: 2 }],
  [6, { depths: [8, 16], channels: 4 }],
])

/** Returns whether the bytes start with the PNG signature. */
export function isPng(bytes: Uint8Array): boolean {
  return PNG_SIGNATURE.equals(bytes.subarray(0, PNG_SIGNATURE.length))
}

/** Reads the chunks of a PNG file. The pixels stay deflated. Throws BrokenImage. */
export function readPng(bytes: Uint8Array): Png {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks = readChunks(file)
  const header = chunks.get('IHDR')?.[0]
  if (!header || header.length !== HEADER_BYTES) throw new BrokenImage('is a damaged PNG file. It has no header.')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits = 0, colorType = 0, compression, filter, interlacing = 0] = header.subarray(8)
  const kind = KINDS.get(colorType)
  if (!kind?.depths.includes(bits) || compression !== 0 || filter !== 0 || interlacing > 1)
    throw new BrokenImage('is a damaged PNG file. Its header has invalid values.')
  if (width === 0 || height === 0) throw new BrokenImage('is a damaged PNG file. It has no pixels.')
  const palette = chunks.get('PLTE')?.[0]
  if (colorType === 3 && (!palette || palette.length < 3 || palette.length % 3 !== 0))
    throw new BrokenImage('is a damaged PNG file. It has no palette.')
  const data = chunks.get('eXIf')?.[0]
  const exif = readExif(data && Buffer.concat([EXIF_MARK, data]))
  return {
    width,
    height,
    bits,
    channels: kind.channels,
    colorType,
    isInterlaced: interlacing === 1,
    palette: colorType === 3 ? palette?.subarray(0, 768) : undefined,
    transparency: colorType < 4 ? chunks.get('tRNS')?.[0] : undefined,
    pixelsPerInch: readDensity(chunks.get('pHYs')?.[0]) ?? exif.pixelsPerInch,
    orientation: exif.orientation,
    profile: chunks.get('iCCP')?.[0],
    deflated: Buffer.concat(chunks.get('IDAT') ?? []),
  }
}

/** The chunks by name, up to IEND. */
function readChunks(file: Buffer): Map<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>()
  for (let at = PNG_SIGNATURE.length; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at)
    const name = file.toString('latin1', at + 4, at + 8)
    if (name === 'IEND') return chunks
    if (at + 12 + length > file.length) break
    const sameName = chunks.get(name)
    const data = file.subarray(at + 8, at + 8 + length)
    if (CRITICAL.test(name) && crc32(file.subarray(at + 4, at + 8 + length)) !== file.readUInt32BE(at + 8 + length))
      throw new BrokenImage('is a damaged PNG file. A checksum is wrong.')
    if (sameName) sameName.push(data)
    else chunks.set(name, [data])
    at += 12 + length
  }
  throw new BrokenImage('is a damaged PNG file. It ends too early.')
}

function readDensity(data: Buffer | undefined): { x: number; y: number } | undefined {
  if (data?.length !== 9 || data[8] !== 1) return undefined
  const [x, y] = [data.readUInt32BE(0) * METRES_PER_INCH, data.readUInt32BE(4) * METRES_PER_INCH]
  return x > 0 && y > 0 ? { x, y } : undefined
}

/** The passes of an interlaced image: first column, first row, horizontal step and vertical step. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Pass {
  x: number
  y: number
  across: number
  down: number
  width: number
  height: number
}

function listPasses({ width, height, isInterlaced }: Png): Pass[] {
  if (!isInterlaced) return [{ x: 0, y: 0, across: 1, down: 1, width, height }]
  return PASSES.map(([x, y, across, down]) => ({
    x,
    y,
    across,
    down,
    width: Math.ceil((width - x) / across),
    height: Math.ceil((height - y) / down),
  })).filter(pass => pass.width > 0 && pass.height > 0)
}

/** Number of bytes in a row of samples. */
export function rowBytesOf({ width, bits, channels }: Omit<SampleLayout, 'height'>): number {
  return Math.ceil((width * bits * channels) / 8)
}

/**
 * Inflates the filtered rows. Checks that the number of rows is correct and that each filter exists. Throws
 * BrokenImage.
 */
export function inflatePng(png: Png): Uint8Array {
  const passes = listPasses(png)
  const expected = passes.reduce((sum, pass) => sum + pass.height * (1 + rowBytesOf({ ...png, width: pass.width })), 0)
  let filtered: Uint8Array
  try {
    filtered = inflateSync(png.deflated, { maxOutputLength: expected + 1 })
  } catch (cause) {
    throw new BrokenImage("is a damaged PNG file. Its pixels can't be decoded.", { cause })
  }
  if (filtered.length !== expected)
    throw new BrokenImage('is a damaged PNG file. It has fewer pixels than its header says.')
  let at = 0
  for (const pass of passes) {
    const step = 1 + rowBytesOf({ ...png, width: pass.width })
    for (let row = 0; row < pass.height; row++, at += step) {
      if ((filtered[at] ?? 0) > 4) throw new BrokenImage('is a damaged PNG file. A row has an unknown filter.')
    }
  }
  return filtered
}

/** Removes filters and interlacing from the result of `inflatePng`. The samples are then in rows, as PDF needs them. */
export function unfilterPng(png: Png, filtered: Uint8Array): Uint8Array {
  if (!png.isInterlaced)
    return PredictorRows.ofPng({ colors: png.channels, bits: png.bits, columns: png.width }).undo(filtered)
  const whole = new Uint8Array(rowBytesOf(png) * png.height)
  let at = 0
  for (const pass of listPasses(png)) {
    const end = at + pass.height * (1 + rowBytesOf({ ...png, width: pass.width }))
    const samples = PredictorRows.ofPng({ colors: png.channels, bits: png.bits, columns: pass.width }).undo(
      filtered.subarray(at, end),
    )
    scatter(png, pass, { samples, whole })
    at = end
  }
  return whole
}

/** Copies the pixels of a pass to their positions in the whole image. */
function scatter(png: Png, pass: Pass, { samples, whole }: { samples: Uint8Array; whole: Uint8Array }): void {
  const pixelBits = png.bits * png.channels
  const [from, to] = [rowBytesOf({ ...png, width: pass.width }), rowBytesOf(png)]
  for (let row = 0; row < pass.height; row++) {
    const target = (pass.y + row * pass.down) * to
    for (let column = 0; column < pass.width; column++) {
      const x = pass.x + column * pass.across
      if (pixelBits >= 8) {
        const bytes = pixelBits / 8
        const start = row * from + column * bytes
        for (let byte = 0; byte < bytes; byte++) whole[target + x * bytes + byte] = samples[start + byte] ?? 0
      } else {
        const bit = x * pixelBits
        const place = target + (bit >> 3)
        whole[place] =
          (whole[place] ?? 0) |
          (sampleAt(samples, row * from, { index: column, bits: pixelBits }) << (8 - pixelBits - (bit & 7)))
      }
    }
  }
}

/** Reads a sample of at most 8 bits in a row that begins at `start`. */
export function sampleAt(bytes: Uint8Array, start: number, { index, bits }: { index: number; bits: number }): number {
  const bit = index * bits
  return ((bytes[start + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & ((1 << bits) - 1)
}

import { BrokenImage, METRES_PER_INCH } from '../../pdf/images'
import type { Raster } from './raster'

const FILE_HEADER_BYTES = 14
const CORE_HEADER_BYTES = 12
const INFO_HEADER_BYTES = 40
/** Headers of at least this size have masks of their own, with one for opacity. */
const MASKED_HEADER_BYTES = 56
/** The largest header, BITMAPV5HEADER. */
const LARGEST_HEADER_BYTES = 124

/** Offsets of the fields from the start of the file, in the first header with only these and in the others. */
const PIXELS_AT = 10
const CORE = { width: 18, height: 20, bits: 24 }
const INFO = { width: 18, height: 22, bits: 28, compression: 30, perMetreX: 38, perMetreY: 42, colorCount: 46 }
const MASKS_AT = FILE_HEADER_BYTES + INFO_HEADER_BYTES

const [PLAIN, RLE8, RLE4, FIELDS, ALPHA_FIELDS] = [0, 1, 2, 3, 6]

/** The usual masks of pixels without masks of their own. */
const MASKS_OF_16_BITS = { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 }
const MASKS_OF_24_BITS = { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 }

/** The header of a BMP file. */
export interface Bmp {
  width: number
  height: number
  isTopDown: boolean
  bits: number
  compression: number
  masks: { red: number; green: number; blue: number; alpha: number }
  palette: Uint8Array
  pixelsPerInch: { x: number; y: number } | undefined
  data: Uint8Array
}

/** Returns whether the bytes start like a BMP file. */
export function isBmp(bytes: Uint8Array): boolean {
  if (bytes.length < FILE_HEADER_BYTES + CORE_HEADER_BYTES || bytes[0] !== 0x42 || bytes[1] !== 0x4d) return false
  const size = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32LE(FILE_HEADER_BYTES)
  return size === CORE_HEADER_BYTES || (size >= INFO_HEADER_BYTES && size <= LARGEST_HEADER_BYTES)
}

/** Reads the header of a BMP file. Throws BrokenImage. */
export function readBmp(bytes: Uint8Array): Bmp {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headerBytes = file.readUInt32LE(FILE_HEADER_BYTES)
  const isCore = headerBytes === CORE_HEADER_BYTES
  if (FILE_HEADER_BYTES + headerBytes > file.length) throw damaged()
  const width = isCore ? file.readUInt16LE(CORE.width) : file.readInt32LE(INFO.width)
  const signedHeight = isCore ? file.readUInt16LE(CORE.height) : file.readInt32LE(INFO.height)
  const bits = file.readUInt16LE(isCore ? CORE.bits : INFO.bits)
  const compression = isCore ? PLAIN : file.readUInt32LE(INFO.compression)
  const height = Math.abs(signedHeight)
  if (width <= 0 || height === 0) throw damaged()
  const isKnown =
    (compression === PLAIN && [1, 4, 8, 16, 24, 32].includes(bits)) ||
    (compression === RLE8 && bits === 8) ||
    (compression === RLE4 && bits === 4) ||
    ((compression === FIELDS || compression === ALPHA_FIELDS) && (bits === 16 || bits === 32))
  if (!isKnown) throw new BrokenImage("is a BMP file of a type that Sheaf doesn't read. Save it as PNG.")
  const hasMasks = compression === FIELDS || compression === ALPHA_FIELDS
  const hasAlphaMask = compression === ALPHA_FIELDS || (hasMasks && headerBytes >= MASKED_HEADER_BYTES)
  const usualMasks = bits === 16 ? MASKS_OF_16_BITS : MASKS_OF_24_BITS
  // The masks of a short header follow it, three or four with 4 bytes each.
  const extra = hasMasks && headerBytes === INFO_HEADER_BYTES ? (compression === ALPHA_FIELDS ? 4 : 3) * 4 : 0
  const density = isCore ? [0, 0] : [file.readInt32LE(INFO.perMetreX), file.readInt32LE(INFO.perMetreY)]
  const [x = 0, y = 0] = density.map(perMetre => perMetre * METRES_PER_INCH)
  return {
    width,
    height,
    isTopDown: signedHeight < 0,
    bits,
    compression,
    masks: hasMasks ? readMasks(file, hasAlphaMask) : usualMasks,
    palette: bits > 8 ? new Uint8Array() : readPalette(file, FILE_HEADER_BYTES + headerBytes + extra, { isCore, bits }),
    pixelsPerInch: x > 0 && y > 0 ? { x, y } : undefined,
    data: file.subarray(file.readUInt32LE(PIXELS_AT)),
  }
}

function readMasks(file: Buffer, hasAlpha: boolean): Bmp['masks'] {
  const mask = (index: number): number => {
    const at = MASKS_AT + index * 4
    return at + 4 <= file.length ? file.readUInt32LE(at) : 0
  }
  return { red: mask(0), green: mask(1), blue: mask(2), alpha: hasAlpha ? mask(3) : 0 }
}

/** Reads a palette, whose colors are in the order blue, green, red. */
function readPalette(file: Buffer, from: number, { isCore, bits }: { isCore: boolean; bits: number }): Uint8Array {
  const stated = isCore ? 0 : file.readUInt32LE(INFO.colorCount)
  const entryBytes = isCore ? 3 : 4
  const count = Math.min(stated || 2 ** bits, 2 ** bits)
  if (from + count * entryBytes > file.length) throw damaged()
  const palette = new Uint8Array(count * 3)
  for (let index = 0; index < count; index++) {
    const at = from + index * entryBytes
    palette.set([file[at + 2] ?? 0, file[at + 1] ?? 0, file[at] ?? 0], index * 3)
  }
  return palette
}

/** Decodes the pixels. Throws BrokenImage if some are missing. */
export function decodeBmp(bmp: Bmp): Raster {
  const { width, height, bits, palette, pixelsPerInch } = bmp
  if (bmp.compression === RLE8 || bmp.compression === RLE4)
    return { width, height, bits: 8, channels: 1, samples: decodeRuns(bmp), palette, pixelsPerInch }
  const stride = Math.ceil((bits * width) / 32) * 4 // Rows are padded to four bytes.
  if (bmp.data.length < stride * (height - 1) + Math.ceil((bits * width) / 8)) throw damaged()
  const rowAt = (row: number): number => (bmp.isTopDown ? row : height - 1 - row) * stride
  if (bits <= 8) {
    const rowBytes = Math.ceil((width * bits) / 8)
    const samples = new Uint8Array(rowBytes * height)
    for (let row = 0; row < height; row++)
      samples.set(bmp.data.subarray(rowAt(row), rowAt(row) + rowBytes), row * rowBytes)
    return { width, height, bits, channels: 1, samples, palette, pixelsPerInch }
  }
  return { ...decodeColors(bmp, rowAt), pixelsPerInch }
}

function decodeColors({ width, height, bits, masks, data }: Bmp, rowAt: (row: number) => number): Raster {
  const bytes = bits / 8
  const samples = new Uint8Array(width * height * 3)
  const alpha = masks.alpha === 0 ? undefined : new Uint8Array(width * height)
  const [red, green, blue, opacity] = [masks.red, masks.green, masks.blue, masks.alpha].map(scaler)
  let [out, pixel] = [0, 0]
  for (let row = 0; row < height; row++) {
    let at = rowAt(row)
    for (let column = 0; column < width; column++, at += bytes) {
      let value = 0
      for (let byte = bytes - 1; byte >= 0; byte--) value = value * 256 + (data[at + byte] ?? 0)
      samples[out++] = red?.(value) ?? 0
      samples[out++] = green?.(value) ?? 0
      samples[out++] = blue?.(value) ?? 0
      if (alpha) alpha[pixel++] = opacity?.(value) ?? 0
    }
  }
  // Some programs leave the opacity empty. An image that shows nothing isn't meant.
  const hasMask = alpha?.some(value => value > 0) && alpha.some(value => value < 255)
  return {
    width,
    height,
    bits: 8,
    channels: 3,
    samples,
    mask: hasMask && alpha ? { width, height, bits: 8, channels: 1, samples: alpha } : undefined,
  }
}

/** Returns a function that takes the bits of a mask out of a pixel, as a value from 0 to 255. */
function scaler(mask: number): (value: number) => number {
  if (mask === 0) return () => 0
  const shift = 31 - Math.clz32(mask & -mask)
  const most = mask >>> shift
  return value => Math.round((((value & mask) >>> shift) * 255) / most)
}

/** Decodes runs of palette indexes to one byte per pixel. Pixels that the runs leave out have index 0. */
function decodeRuns({ width, height, compression, isTopDown, data }: Bmp): Uint8Array {
  const samples = new Uint8Array(width * height)
  const isNibbles = compression === RLE4
  let [x, y] = [0, 0]
  const put = (index: number): void => {
    if (x < width && y < height) samples[(isTopDown ? y : height - 1 - y) * width + x] = index
    x++
  }
  const nibble = (byte: number, index: number): number => (isNibbles ? (index % 2 === 0 ? byte >> 4 : byte & 15) : byte)
  for (let at = 0; at + 1 < data.length && y < height;) {
    const [count, value] = [data[at++] ?? 0, data[at++] ?? 0]
    if (count > 0) for (let index = 0; index < count; index++) put(nibble(value, index))
    else if (value === 0) [x, y] = [0, y + 1]
    else if (value === 1) return samples
    else if (value === 2) {
      x += data[at++] ?? 0
      y += data[at++] ?? 0
    } else {
      const bytes = isNibbles ? Math.ceil(value / 2) : value
      for (let index = 0; index < value; index++) put(nibble(data[at + (isNibbles ? index >> 1 : index)] ?? 0, index))
      at += bytes + (bytes & 1)
    }
  }
  if (y < height - 1 || (y === height - 1 && x < width)) throw damaged()
  return samples
}

function damaged(): BrokenImage {
  return new BrokenImage('is a damaged BMP file. Its pixels are incomplete.')
}

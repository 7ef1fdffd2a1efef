import { BrokenImage } from '../../pdf/images'
import type { Raster } from './raster'

const HEADER_BYTES = 13
const FRAME_BYTES = 10
const [EXTENSION, FRAME, TRAILER] = [0x21, 0x2c, 0x3b]
const GRAPHIC_CONTROL = 0xf9

/** The rows of an interlaced image: first row and step of each pass (GIF89a, appendix E). */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const

const MOST_CODES = 4096

/** The size of a GIF file and its first frame, still compressed. */
export interface Gif {
  width: number
  height: number
  left: number
  top: number
  frameWidth: number
  frameHeight: number
  isInterlaced: boolean
  palette: Uint8Array
  /** The transparent color, if there is one. */
  transparent: number | undefined
  codeBits: number
  data: Uint8Array
}

/** Returns whether the bytes start with the GIF signature. */
export function isGif(bytes: Uint8Array): boolean {
  return /^GIF8[79]a/.test(Buffer.from(bytes.subarray(0, 6)).toString('latin1'))
}

/** Reads a GIF file up to its first frame (GIF89a). Throws BrokenImage. */
export function readGif(bytes: Uint8Array): Gif {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < HEADER_BYTES) throw damaged()
  const [width, height] = [file.readUInt16LE(6), file.readUInt16LE(8)]
  let at = HEADER_BYTES
  const tableAt = (flags: number): Uint8Array | undefined => {
    if ((flags & 0x80) === 0) return undefined
    const table = file.subarray(at, at + 3 * 2 ** ((flags & 7) + 1))
    at += table.length
    return table
  }
  const globalTable = tableAt(file.readUInt8(10))
  let transparent: number | undefined
  for (;;) {
    const kind = file[at++]
    if (kind === 0) continue // Some programs write empty blocks between others.
    if (kind === EXTENSION) {
      if (file[at] === GRAPHIC_CONTROL && file[at + 1] === 4)
        transparent = ((file[at + 2] ?? 0) & 1) === 1 ? file[at + 5] : undefined
      at = readBlocks(file, at + 1).end
    } else if (kind === FRAME && at + FRAME_BYTES <= file.length) {
      const [left, top] = [file.readUInt16LE(at), file.readUInt16LE(at + 2)]
      const [frameWidth, frameHeight] = [file.readUInt16LE(at + 4), file.readUInt16LE(at + 6)]
      const flags = file.readUInt8(at + 8)
      at += FRAME_BYTES - 1
      const palette = tableAt(flags) ?? globalTable
      const codeBits = file[at] ?? 0
      if (!palette || palette.length < 6 || codeBits < 1 || codeBits > 8 || frameWidth === 0 || frameHeight === 0)
        throw damaged()
      const { data } = readBlocks(file, at + 1)
      // Some programs write a screen of no size, or frames beyond it.
      const size = { width: Math.max(width, left + frameWidth), height: Math.max(height, top + frameHeight) }
      const isInterlaced = (flags & 0x40) !== 0
      return { ...size, left, top, frameWidth, frameHeight, isInterlaced, palette, transparent, codeBits, data }
    } else throw kind === TRAILER ? new BrokenImage('is a GIF file without an image.') : damaged()
  }
}

/** Decodes the first frame. Throws BrokenImage if it is incomplete. */
export function decodeGif(gif: Gif): Raster {
  const { width, height, left, top, frameWidth, frameHeight, palette, transparent, isInterlaced } = gif
  const indexes = decodeCodes(gif.data, gif.codeBits, frameWidth * frameHeight)
  const isWhole = frameWidth === width && frameHeight === height
  const samples = new Uint8Array(width * height)
  const alpha = new Uint8Array(width * height)
  const rows = isInterlaced
    ? PASSES.flatMap(([first, step]) => rowsFrom(first, step, frameHeight))
    : rowsFrom(0, 1, frameHeight)
  for (const [index, row] of rows.entries()) {
    const pixels = indexes.subarray(index * frameWidth, (index + 1) * frameWidth)
    const start = (top + row) * width + left
    samples.set(pixels, start)
    for (const [column, pixel] of pixels.entries()) if (pixel !== transparent) alpha[start + column] = 255
  }
  const layout = { width, height, bits: 8, channels: 1 }
  const hasAlpha = !isWhole || alpha.includes(0)
  return { ...layout, samples, palette, mask: hasAlpha ? { ...layout, samples: alpha } : undefined }
}

function rowsFrom(first: number, step: number, height: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, index) => first + index * step)
}

/** The data of a list of blocks, which a block without data ends. */
function readBlocks(file: Buffer, from: number): { data: Uint8Array; end: number } {
  const parts: Buffer[] = []
  let at = from
  while (at < file.length) {
    const length = file.readUInt8(at++)
    if (length === 0) return { data: Buffer.concat(parts), end: at }
    parts.push(file.subarray(at, at + length))
    at += length
  }
  throw damaged()
}

/** Decodes the codes of GIF, whose lowest bits come first (GIF89a, appendix F). */
function decodeCodes(data: Uint8Array, codeBits: number, count: number): Uint8Array {
  const output = new Uint8Array(count)
  const prefix = new Uint16Array(MOST_CODES)
  const suffix = new Uint8Array(MOST_CODES)
  const stack = new Uint8Array(MOST_CODES + 1)
  const clear = 1 << codeBits
  let [next, width, previous, first] = [clear + 2, codeBits + 1, -1, 0]
  let [buffer, bits, out] = [0, 0, 0]
  for (const byte of data) {
    buffer |= byte << bits
    bits += 8
    while (bits >= width) {
      const code = buffer & ((1 << width) - 1)
      buffer >>>= width
      bits -= width
      if (code === clear) {
        ;[next, width, previous] = [clear + 2, codeBits + 1, -1]
        continue
      }
      if (code === clear + 1 || code > next || (code === next && previous < 0)) {
        if (out < count) throw damaged()
        return output
      }
      let [walk, size] = [code, 0]
      if (code === next) {
        stack[size++] = first
        walk = previous
      }
      for (; walk >= clear + 2; walk = prefix[walk] as number) stack[size++] = suffix[walk] as number
      first = walk
      stack[size++] = first
      while (size > 0 && out < count) output[out++] = stack[--size] as number
      if (out === count) return output
      if (previous >= 0 && next < MOST_CODES) {
        prefix[next] = previous
        suffix[next++] = first
        if (next === 1 << width && width < 12) width++
      }
      previous = code
    }
  }
  throw damaged()
}

function damaged(): BrokenImage {
  return new BrokenImage('is a damaged GIF file. Its first image is incomplete.')
}

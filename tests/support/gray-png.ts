import { crc32, deflateSync, inflateSync } from 'node:zlib'
import type { Image } from './reader'

/** A grayscale image, one byte per pixel, row by row. */
export interface GrayImage {
  width: number
  height: number
  pixels: Buffer
}

/** Converts the image to grayscale. White stays 255. */
export function toGray({ width, height, pixels }: Image): GrayImage {
  const gray = Buffer.alloc(width * height)
  for (let at = 0; at < gray.length; at++)
    gray[at] = Math.round(((pixels[at * 4] ?? 0) + (pixels[at * 4 + 1] ?? 0) + (pixels[at * 4 + 2] ?? 0)) / 3)
  return { width, height, pixels: gray }
}

/**
 * The share of pixels, from 0 to 1, that differ by more than a fifth of the range from black to white. 1 for other
 * sizes.
 */
export function compareGray(one: GrayImage, other: GrayImage): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let count = 0
  for (let at = 0; at < one.pixels.length; at++)
    if (Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > 51) count++
  return count / one.pixels.length
}

/** A PNG file of 8 bits gray, without filters. */
export function writeGrayPng({ width, height, pixels }: GrayImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const rows = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row++) pixels.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Reads only files that `writeGrayPng` wrote. */
export function readGrayPng(file: Buffer): GrayImage {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const start = file.indexOf('IDAT') + 4
  const rows = inflateSync(file.subarray(start, start + file.readUInt32BE(start - 8)))
  const pixels = Buffer.alloc(width * height)
  for (let row = 0; row < height; row++) rows.copy(pixels, row * width, row * (width + 1) + 1, (row + 1) * (width + 1))
  return { width, height, pixels }
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

function chunk(type: string, data: Buffer): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

import sharp from 'sharp'
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

/** A PNG file of 8 bits gray. */
export function writeGrayPng({ width, height, pixels }: GrayImage): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** Reads a PNG file in grayscale. */
export async function readGrayPng(file: Buffer): Promise<GrayImage> {
  const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}

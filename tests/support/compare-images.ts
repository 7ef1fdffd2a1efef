import type { Image } from './reader'

/** Returns the share of pixels that differ visibly between two images. Returns 1 if their sizes differ. */
export function compareImages(one: Image, other: Image): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let count = 0
  for (let at = 0; at < one.pixels.length; at += 4) {
    const isSeen = [0, 1, 2].some(
      channel => Math.abs((one.pixels[at + channel] ?? 0) - (other.pixels[at + channel] ?? 0)) > 64,
    )
    if (isSeen) count++
  }
  return count / (one.width * one.height)
}

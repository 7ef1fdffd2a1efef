import type { Image } from './reader'

/** Returns the share of pixels that differ visibly between two images. Returns 1 if their sizes differ. */
export function compareImages(one: Image, other: Image): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let count = 0
  forEachChange(one, other, (_, change) => {
    if (change > 64) count++
  })
  return count / (one.width * one.height)
}

/** Visits the pixels that differ between two images of one size, with the largest difference of a color. */
export function forEachChange(one: Image, other: Image, visit: (index: number, change: number) => void): void {
  const [before, after] = [one.pixels, other.pixels]
  const pixelsOf = (bytes: Buffer) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const [old, now] = [pixelsOf(before), pixelsOf(after)]
  const changeAt = (at: number) => Math.abs((before[at] ?? 0) - (after[at] ?? 0))
  // Most pixels are equal, so they are compared as numbers.
  for (let index = 0, at = 0; index < now.length; index++, at += 4)
    if (old[index] !== now[index]) visit(index, Math.max(changeAt(at), changeAt(at + 1), changeAt(at + 2)))
}

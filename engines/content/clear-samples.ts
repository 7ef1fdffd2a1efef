import type { PixelCut } from './decider'
import type { Samples } from './image-samples'

/** The samples with every pixel overwritten that does not stay; a copy. Data that end early are filled up. */
export function clearSamples({ width, height, bits, components, data, blank }: Samples, cut: PixelCut): Uint8Array {
  const pixelBits = bits * components
  const rowBytes = Math.ceil((width * pixelBits) / 8)
  const output = new Uint8Array(rowBytes * height).fill(blank)
  const left = Math.max(0, cut.left)
  const right = Math.min(width, cut.left + cut.width)
  const top = Math.max(0, cut.top)
  const bottom = Math.min(height, cut.top + cut.height)
  if (left >= right) return output
  for (let y = top; y < bottom; y++) {
    const row = y * rowBytes
    copyBits(data, output, { start: row * 8 + left * pixelBits, end: row * 8 + right * pixelBits })
    if (!cut.isCleared) continue
    for (let x = left; x < right; x++) {
      if (!cut.isCleared(x, y)) continue
      const first = x
      while (x < right && cut.isCleared(x, y)) x++
      fillBits(output, { start: row * 8 + first * pixelBits, end: row * 8 + x * pixelBits }, blank)
    }
  }
  return output
}

/** Positions in bits, the most significant first. */
interface BitRange {
  start: number
  end: number
}

function copyBits(source: Uint8Array, target: Uint8Array, { start, end }: BitRange): void {
  const [first, last] = [start >> 3, end >> 3]
  const [head, tail] = [255 >> (start & 7), 0xff00 >> (end & 7) & 255]
  const mix = (at: number, mask: number): void => {
    if (at < target.length) target[at] = ((target[at] as number) & ~mask) | ((source[at] ?? target[at] ?? 0) & mask)
  }
  if (first === last) {
    mix(first, head & tail)
    return
  }
  mix(first, head)
  target.set(source.subarray(Math.min(first + 1, source.length), Math.min(last, source.length)), first + 1)
  mix(last, tail)
}

function fillBits(target: Uint8Array, { start, end }: BitRange, value: number): void {
  const [first, last] = [start >> 3, end >> 3]
  const [head, tail] = [255 >> (start & 7), 0xff00 >> (end & 7) & 255]
  const mix = (at: number, mask: number): void => {
    if (at < target.length) target[at] = ((target[at] as number) & ~mask) | (value & mask)
  }
  if (first === last) {
    mix(first, head & tail)
    return
  }
  mix(first, head)
  target.fill(value, first + 1, last)
  mix(last, tail)
}

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
  if (cut.bleedPixels > 0) bleed(output, { left, right, top, bottom, width, height, pixelBits, by: cut.bleedPixels })
  return output
}

interface Border {
  left: number
  right: number
  top: number
  bottom: number
  width: number
  height: number
  pixelBits: number
  by: number
}

/** Repeats the pixels at the border of what stays around it, for viewers that mix neighbours when they make pictures smaller. */
function bleed(data: Uint8Array, { left, right, top, bottom, width, height, pixelBits, by }: Border): void {
  if (top >= bottom) return
  const rowBits = Math.ceil((width * pixelBits) / 8) * 8
  const [first, last] = [Math.max(0, left - by), Math.min(width, right + by)]
  for (let y = top; y < bottom; y++) {
    for (let x = first; x < left; x++) copyPixel(data, y * rowBits + left * pixelBits, y * rowBits + x * pixelBits, pixelBits)
    for (let x = right; x < last; x++) copyPixel(data, y * rowBits + (right - 1) * pixelBits, y * rowBits + x * pixelBits, pixelBits)
  }
  const rowBytes = rowBits / 8
  const [start, end] = [Math.floor((first * pixelBits) / 8), Math.ceil((last * pixelBits) / 8)]
  for (let y = Math.max(0, top - by); y < top; y++) data.copyWithin(y * rowBytes + start, top * rowBytes + start, top * rowBytes + end)
  for (let y = bottom; y < Math.min(height, bottom + by); y++) data.copyWithin(y * rowBytes + start, (bottom - 1) * rowBytes + start, (bottom - 1) * rowBytes + end)
}

/** Positions in bits; pixels of whole bytes begin at one. */
function copyPixel(data: Uint8Array, from: number, to: number, bits: number): void {
  if (bits % 8 === 0) {
    data.copyWithin(to >> 3, from >> 3, (from + bits) >> 3)
    return
  }
  for (let bit = 0; bit < bits; bit++) {
    const isSet = ((data[(from + bit) >> 3] as number) & (128 >> ((from + bit) & 7))) !== 0
    const mask = 128 >> ((to + bit) & 7)
    const at = (to + bit) >> 3
    data[at] = isSet ? (data[at] as number) | mask : (data[at] as number) & ~mask
  }
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

import type { GrayImage } from './gray-image'

/**
 * The distance in pixels at 216 DPI within which the paper around a pixel is searched. It exceeds half of any stroke
 * width.
 */
const REACH = 8
const DPI = 216

/** The contrast of paper grain, and the minimum contrast at which ink becomes black. */
const GRAIN = 10
const BLACK = 50

/**
 * Returns the image with dark strokes on white, for any shade of paper. The paper of a pixel is the lightest shade near
 * it (a morphological closing). This keeps text next to sharp edges of shadows, which `flattenBackground` loses. It
 * loses light text on a dark background.
 */
export function flattenPaper(image: GrayImage, dpi: number): GrayImage {
  const { width, height, pixels } = image
  const reach = Math.max(2, Math.round((REACH * dpi) / DPI))
  const across = { count: width, step: 1, lines: height, lineStep: width, reach }
  const down = { count: height, step: width, lines: width, lineStep: 1, reach }
  const paper = takeLeast(takeLeast(takeMost(takeMost(pixels, across), down), across), down)
  const flat = new Uint8Array(pixels.length)
  const tone = Uint8Array.from(
    { length: 256 },
    (_, contrast) => 255 * Math.min(1, Math.max(0, (BLACK - contrast) / (BLACK - GRAIN))),
  )
  for (let at = 0; at < flat.length; at++)
    flat[at] = tone[Math.max(0, (paper[at] as number) - (pixels[at] as number))] as number
  return { width, height, pixels: flat }
}

interface Lines {
  /** The number of pixels in a line, and the offset from one pixel to the next. */
  count: number
  step: number
  lines: number
  lineStep: number
  reach: number
}

/** Returns the lightest shade within reach along lines, with two running maxima for each span (van Herk, 1992). */
function takeMost(pixels: Uint8Array, { count, step, lines, lineStep, reach }: Lines): Uint8Array {
  const most = new Uint8Array(pixels.length)
  const span = 2 * reach + 1
  const length = count + 2 * reach
  const [line, before, behind] = [new Uint8Array(length), new Uint8Array(length), new Uint8Array(length)]
  for (let index = 0; index < lines; index++) {
    const start = index * lineStep
    for (let at = 0, from = start; at < count; at++, from += step) line[at + reach] = pixels[from] as number
    for (let at = 0, left = 0, value = 0; at < length; at++) {
      const own = line[at] as number
      value = left === 0 || own > value ? own : value
      left = left === 0 ? span - 1 : left - 1
      before[at] = value
    }
    for (let at = length - 1, value = 0; at >= 0; at--) {
      const own = line[at] as number
      value = at % span === span - 1 || own > value ? own : value
      behind[at] = value
    }
    for (let at = 0, to = start; at < count; at++, to += step) {
      const [one, other] = [behind[at] as number, before[at + 2 * reach] as number]
      most[to] = one > other ? one : other
    }
  }
  return most
}

function takeLeast(pixels: Uint8Array, lines: Lines): Uint8Array {
  return invert(takeMost(invert(pixels), lines))
}

function invert(pixels: Uint8Array): Uint8Array {
  return pixels.map(shade => 255 - shade)
}

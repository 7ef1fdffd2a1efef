import type { Raster } from './raster'

/** Maximum number of colors of a palette. */
const MOST_COLORS = 256

/** Distance from black or white at which a pixel of an image with JPEG noise counts as black or white. */
const NEAR = 40

/** Difference between the samples of a pixel that JPEG noise causes in gray images. */
const GRAY_NOISE = 6

/** What an image shows. */
export interface ImageFacts {
  /** Whether every pixel has equal samples, apart from the noise of lossy data. */
  isGray: boolean
  /** Whether every pixel is exactly black or white. */
  isBilevel: boolean
  /** Whether every pixel is nearly black or nearly white. */
  isNearlyBilevel: boolean
  /** The distinct colors as numbers (red × 65,536 + green × 256 + blue), sorted. Undefined if there are too many. */
  colors: number[] | undefined
}

/** Looks at every pixel. `isNoisy` says that the samples come from lossy data, whose colors aren't counted. */
export function classifyImage({ channels, samples }: Raster, isNoisy: boolean): ImageFacts {
  const noise = isNoisy ? GRAY_NOISE : 0
  const colors = new Set<number>()
  let countsColors = !isNoisy
  let [isGray, isBilevel, isNearlyBilevel] = [true, true, true]
  const [green, blue] = channels === 1 ? [0, 0] : [1, 2]
  let last = -1
  for (let at = 0; at < samples.length; at += channels) {
    const one = samples[at] as number
    const two = samples[at + green] as number
    const three = samples[at + blue] as number
    const color = (one << 16) | (two << 8) | three
    if (color === last) continue
    last = color
    if (countsColors) {
      colors.add(color)
      if (colors.size > MOST_COLORS) countsColors = false
    }
    if (one !== two || one !== three) {
      isBilevel = false
      if (isGray && Math.max(one, two, three) - Math.min(one, two, three) > noise) isGray = false
    } else if (one !== 0 && one !== 255) isBilevel = false
    if (isNearlyBilevel && two > NEAR && two < 255 - NEAR) isNearlyBilevel = false
    if (!isGray && !countsColors) break
  }
  return {
    isGray,
    isBilevel: isBilevel && isGray,
    isNearlyBilevel: isNearlyBilevel && isGray,
    colors: countsColors ? [...colors].sort((left, right) => left - right) : undefined,
  }
}

/** Returns a raster with the first channel only if `isGray`, else the raster itself. */
export function withoutColor(raster: Raster, isGray: boolean): Raster {
  if (!isGray || raster.channels === 1) return raster
  const { width, height, samples } = raster
  const gray = new Uint8Array(width * height)
  for (let pixel = 0; pixel < gray.length; pixel++) {
    const at = pixel * 3
    gray[pixel] = ((samples[at] as number) + 2 * (samples[at + 1] as number) + (samples[at + 2] as number) + 2) >> 2
  }
  return { width, height, channels: 1, samples: gray }
}

import { splitAlpha } from '../../pdf/images'
import type { Raster } from './raster'
import type { TiffPage } from './tiff'
import { damagedPage, unsupportedPage } from './tiff-problem'
import type { Samples } from './decode-tiff-samples'
import { JPEG } from './tiff-jpeg'

/** Photometric interpretations (TIFF 6.0, section 8). */
const [WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE, CMYK, YCBCR] = [0, 1, 2, 3, 5, 6]

/** Number of color channels by photometric interpretation. */
const COLORS: ReadonlyMap<number, number> = new Map([
  [WHITE_IS_ZERO, 1],
  [BLACK_IS_ZERO, 1],
  [RGB, 3],
  [PALETTE, 1],
  [CMYK, 4],
  [YCBCR, 3],
])

const NAMES: ReadonlyMap<number, string> = new Map([
  [4, 'a mask'],
  [8, 'Lab colors'],
  [9, 'Lab colors'],
  [10, 'Lab colors'],
  [32_844, 'LogL colors'],
  [32_845, 'LogLuv colors'],
])

/** Types of extra channels: opacity, with or without colors multiplied by it. */
const [MULTIPLIED, PLAIN] = [1, 2]

const UNSIGNED = 1
const UNDEFINED = 4
const CMYK_INKS = 1

/** The pixels of a page as gray, palette, RGB or CMYK, with a mask if the page has opacity. Throws TiffProblem. */
export function toRaster(page: TiffPage, { bytes, bits }: Samples): Raster {
  const { width, height, channels, photometric, extraSamples, sampleFormat, compression } = page
  const colors = COLORS.get(photometric)
  if (colors === undefined) throw unsupportedPage(NAMES.get(photometric) ?? `color coding ${photometric}`)
  if (photometric === YCBCR && compression !== JPEG) throw unsupportedPage('uncompressed YCbCr colors')
  if (photometric === CMYK && page.inkSet !== CMYK_INKS) throw unsupportedPage('inks other than CMYK')
  if (sampleFormat !== UNSIGNED && sampleFormat !== UNDEFINED) throw unsupportedPage('signed or floating-point samples')
  if (channels < colors) throw damagedPage()
  if (photometric === PALETTE && (!page.palette || bits > 8)) throw damagedPage()
  const facts = {
    width,
    height,
    bits,
    channels: colors,
    isInverted: photometric === WHITE_IS_ZERO,
    palette: photometric === PALETTE ? page.palette : undefined,
    profile: page.profile,
    orientation: page.orientation,
    pixelsPerInch: page.pixelsPerInch,
  }
  if (channels === colors) return { ...facts, samples: bytes }
  if (bits < 8) throw unsupportedPage(`extra channels of ${bits} bits`)
  const alphaAt = extraSamples.findIndex(kind => kind === MULTIPLIED || kind === PLAIN)
  const alpha = alphaAt < 0 ? undefined : colors + alphaAt
  const { colors: samples, mask } = splitAlpha(bytes, { width, height, bits, channels }, { colors, alpha })
  if (mask && extraSamples[alphaAt] === MULTIPLIED) divide(samples, mask.samples, { bits, colors })
  return { ...facts, samples, mask }
}

/** Divides colors by their opacity, in place. PDF multiplies them again. */
function divide(samples: Uint8Array, mask: Uint8Array, { bits, colors }: { bits: number; colors: number }): void {
  const [values, alphas] = [viewOf(samples, bits), viewOf(mask, bits)]
  const most = 2 ** bits - 1
  for (let index = 0; index < mask.length / (bits / 8); index++) {
    const alpha = alphas.get(index)
    for (let color = 0; color < colors; color++) {
      const at = index * colors + color
      values.set(at, alpha === 0 ? 0 : Math.min(most, Math.round((values.get(at) * most) / alpha)))
    }
  }
}

function viewOf(
  bytes: Uint8Array,
  bits: number,
): { get(index: number): number; set(index: number, value: number): void } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return bits === 16
    ? { get: index => view.getUint16(index * 2), set: (index, value) => view.setUint16(index * 2, value) }
    : { get: index => view.getUint8(index), set: (index, value) => view.setUint8(index, value) }
}

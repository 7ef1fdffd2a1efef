import type { GrayImage } from './gray-image'

/** The side length of a tile in pixels. The background is measured for each tile. */
const TILE = 16

/**
 * The number of neighboring tiles on each side that are measured with a tile. Letters then don't fill most of the area.
 */
const REACH = 2

/** The number of shades in one bin of a histogram. */
const BIN = 4
const BINS = 256 / BIN

/** The minimum and maximum contrast of paper grain, and the factor by which the measured spread is multiplied. */
const GRAIN = { least: 8, most: 20, ofSpread: 1.5 }

/** The minimum contrast at which a stroke becomes black, as a multiple of the grain. */
const BLACK = 4

/** The minimum difference in shades of an uneven background, and the share of extreme shades to ignore. */
const UNEVEN = 16
const EDGE = 0.02

/** The shades of the background by tile, in rows from the top. */
export interface Background {
  columns: number
  rows: number
  /** Medians, 0 to 255. */
  shades: Uint8Array
  /** The contrast up to which a pixel belongs to the background, in shades. */
  grain: number
}

/** Measures the background of an image: the median shade of the pixels around each tile. */
export function measureBackground({ width, height, pixels }: GrayImage): Background {
  const [columns, rows] = [Math.max(1, Math.ceil(width / TILE)), Math.max(1, Math.ceil(height / TILE))]
  const counts = new Uint16Array(columns * rows * BINS)
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor(y / TILE) * columns
    for (let x = 0, at = y * width; x < width; x += 2, at += 2) {
      const bin = (row + (x >> 4)) * BINS + ((pixels[at] as number) >> 2)
      counts[bin] = (counts[bin] as number) + 1
    }
  }
  const across = sumAround(counts, { length: columns, step: BINS, lines: rows, lineStep: columns * BINS })
  const around = sumAround(across, { length: rows, step: columns * BINS, lines: columns, lineStep: BINS })
  const [shades, spreads] = [new Uint8Array(columns * rows), new Uint8Array(columns * rows)]
  for (let tile = 0; tile < shades.length; tile++) {
    const [lower = 0, middle = 0, upper = 0] = quartilesOf(around, tile * BINS)
    shades[tile] = Math.min(255, middle + BIN - 1)
    spreads[tile] = upper - lower
  }
  const spread = spreads.slice().sort()[spreads.length >> 1] ?? 0
  return { columns, rows, shades, grain: Math.min(GRAIN.most, Math.max(GRAIN.least, GRAIN.ofSpread * spread)) }
}

/** Returns whether the background has clearly different shades. Small spots of another shade don't count. */
export function isUneven({ shades }: Background): boolean {
  const sorted = shades.slice().sort()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return at(1 - EDGE) - at(EDGE) > UNEVEN
}

/** Returns the histograms of tiles, added to the histograms of their neighbors in one direction. */
function sumAround(
  counts: Uint16Array,
  { length, step, lines, lineStep }: { length: number; step: number; lines: number; lineStep: number },
): Uint16Array {
  const sums = new Uint16Array(counts.length)
  for (let line = 0; line < lines; line++) {
    for (let tile = 0; tile < length; tile++) {
      const to = line * lineStep + tile * step
      for (let other = Math.max(0, tile - REACH); other <= Math.min(length - 1, tile + REACH); other++) {
        const from = line * lineStep + other * step
        for (let bin = 0; bin < BINS; bin++)
          sums[to + bin] = (sums[to + bin] as number) + (counts[from + bin] as number)
      }
    }
  }
  return sums
}

/** Returns the lower quartile, the median and the upper quartile of a histogram, as the lowest shades of their bins. */
function quartilesOf(counts: Uint16Array, start: number): number[] {
  let total = 0
  for (let bin = 0; bin < BINS; bin++) total += counts[start + bin] as number
  const quartiles: number[] = []
  let below = 0
  for (let bin = 0; bin < BINS && quartiles.length < 3; bin++) {
    below += counts[start + bin] as number
    while (quartiles.length < 3 && below * 4 >= total * (quartiles.length + 1)) quartiles.push(bin * BIN)
  }
  return quartiles
}

/**
 * Returns the image with dark strokes on white for everything that contrasts with its surroundings. Shadows, shades and
 * colors behind text disappear. Light text on a dark background becomes dark text on white.
 */
export function flattenBackground(image: GrayImage): GrayImage {
  return flatten(image, measureBackground(image))
}

/** Flattens an image like `flattenBackground`, with a background that was measured before. */
export function flatten(image: GrayImage, background: Background): GrayImage {
  const { width, height, pixels } = image
  const { columns, rows, shades, grain } = background
  const flat = new Uint8Array(pixels.length)
  const line = new Float32Array(columns)
  const black = (BLACK - 1) * grain
  const tone = Uint8Array.from(
    { length: 256 },
    (_, contrast) => 255 * Math.min(1, Math.max(0, 1 - (contrast - grain) / black)),
  )
  const [lefts, rights, shares] = [new Uint16Array(width), new Uint16Array(width), new Float32Array(width)]
  for (let x = 0; x < width; x++) [lefts[x], rights[x], shares[x]] = between(x, columns)
  for (let y = 0; y < height; y++) {
    const [above, below, share] = between(y, rows)
    for (let column = 0; column < columns; column++)
      line[column] =
        (shades[above * columns + column] as number) * (1 - share) +
        (shades[below * columns + column] as number) * share
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const shade = line[lefts[x] as number] as number
      const contrast =
        shade + ((line[rights[x] as number] as number) - shade) * (shares[x] as number) - (pixels[at] as number)
      flat[at] = tone[(contrast < 0 ? -contrast : contrast) | 0] as number
    }
  }
  return { width, height, pixels: flat }
}

/** Returns the two tiles between whose centers a pixel lies, and its relative distance from the first center. */
function between(pixel: number, count: number): [number, number, number] {
  const place = Math.max(0, (pixel + 0.5) / TILE - 0.5)
  const first = Math.min(count - 1, Math.floor(place))
  return [first, Math.min(count - 1, first + 1), place - first]
}

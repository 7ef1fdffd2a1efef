import type { GrayImage } from './gray-image'

/** Pixels along each side of a tile of which the background is measured. */
const TILE = 16

/** Tiles on each side of one that are measured with it: letters must not fill most of what is looked at. */
const REACH = 2

/** Shades that count as one. */
const BIN = 4
const BINS = 256 / BIN

/** The least and the most contrast that counts as grain of the paper, and how much its own spread counts for. */
const GRAIN = { least: 8, most: 20, ofSpread: 1.5 }

/** The contrast from which on a stroke becomes black, in grains. */
const BLACK = 4

/** The difference of shades from which on a background is uneven, and the part of it that may have any shade. */
const UNEVEN = 16
const EDGE = 0.02

/** The shade of what is written on, tile by tile, rows from the top. */
export interface Background {
  columns: number
  rows: number
  /** Medians, 0 to 255. */
  shades: Uint8Array
  /** The contrast up to which a pixel shows the background and its grain, in shades. */
  grain: number
}

/** Measures the background of a picture: the shade that most pixels around a tile have. */
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

/** Whether the background has several shades: one that most of the picture does not have is more than a speck of it. */
export function isUneven({ shades }: Background): boolean {
  const sorted = shades.slice().sort()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return at(1 - EDGE) - at(EDGE) > UNEVEN
}

/** The histograms of tiles with those of their neighbors along one direction. */
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

/** The lowest shades of the bins that hold the first quarter, the half and three quarters of the pixels. */
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
 * The picture with what stands out from its surroundings dark on white, whether it is darker or lighter than they are:
 * shadows, shades and colors behind text go, and light text on dark becomes dark text on light.
 */
export function flattenBackground(image: GrayImage): GrayImage {
  return flatten(image, measureBackground(image))
}

/** The same for a background that is measured already. */
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

/** The two tiles whose centers a pixel is between, and how far it is from the first one. */
function between(pixel: number, count: number): [number, number, number] {
  const place = Math.max(0, (pixel + 0.5) / TILE - 0.5)
  const first = Math.min(count - 1, Math.floor(place))
  return [first, Math.min(count - 1, first + 1), place - first]
}

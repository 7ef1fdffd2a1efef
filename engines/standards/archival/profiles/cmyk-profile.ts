import { D50, descriptionTag, textTag, writeProfile, xyzTag } from './icc-profile'
import type { Triple } from './icc-profile'

/** Where black begins and how fast it grows: distance from gray without black, lightness without black, exponent. */
const COLORFUL = 100
const LIGHTEST_WITH_BLACK = 75
const BLACK_CURVE = 1.5

/** Where the curve of CIE L*a*b* becomes a line: a share of white to the power of 1/3. */
const LINE_FROM = 6 / 29

/** The name of the printing condition that the profile describes. */
export const CMYK_NAME = 'CMYK on coated paper, from CGATS TR 001'

/** Amounts of cyan, magenta, yellow and black from 0 to 1. */
type Inks = [number, number, number, number]

/**
 * The colors of all overprints of full inks as CIE L*a*b*, relative to the paper: no ink, K, Y, YK, M, MK, MY, MYK, then
 * each of these with C. The colors come from CGATS TR 001. The darkest overprint counts as black.
 */
const OVERPRINTS: readonly Triple[] = [
  [100, 0, 0],
  [12.3, 2, 0.1],
  [95, -6.5, 95.5],
  [8.5, -5.2, 14.6],
  [52, 80.6, -7.1],
  [0, 10, 0],
  [51.7, 74.1, 53.8],
  [0, 10.5, 0],
  [62.3, -44.2, -50.2],
  [0.6, -2.5, -20.9],
  [57.3, -73.9, 29.7],
  [0.7, -3, 1.2],
  [25.3, 25.3, -55.3],
  [0, 0, 0],
  [22.8, 0.7, -1.8],
  [0, 0, 0],
]

/** How much larger dots of half an ink are on paper. */
const DOT_GAINS: Inks = [0.132, 0.102, 0.097, 0.13]
/** The exponent of Yule and Nielsen, for light that spreads in paper. */
const SPREAD = 1.33
/** X, Y and Z of all overprints, prepared for the equations. */
const [SPREAD_X, SPREAD_Y, SPREAD_Z] = [0, 1, 2].map(axis =>
  Float64Array.from(OVERPRINTS, lab => Math.max(0, toXyz(lab)[axis] ?? 0) ** (1 / SPREAD)),
) as [Float64Array, Float64Array, Float64Array]

/** Points along each axis of the tables. An odd number of points has one for a* and b* of 0. */
const INK_POINTS = 6
const LAB_POINTS = 9
/** Points of the curves for CIE L*a*b*. With them, L* 100 is a point of the table. */
const CURVE_POINTS = 257
/** L* 100 in the tables of ICC version 2 (ICC.1:1998-09, A.3). */
const FULL_LIGHTNESS = 0xff00
const FULL = 0xffff

const FIRST_STEP = 0.25
const LAST_STEP = 1 / 128
/** Difference from which a color counts as out of gamut. */
const VISIBLE = 5

/**
 * Writes an ICC profile of CMYK for output intents and ICCBased color spaces. The Neugebauer equations give the colors
 * of halftones. These colors differ from CGATS TR 001 by about 3 units of CIE L*a*b* on average.
 */
export function writeCmykProfile(): Uint8Array {
  const toLab = lutTag(4, INK_POINTS, straight(4, 2), inks => encodeLab(print(inks as Inks)))
  const separations = new Map<string, Separation>()
  const separationAt = (position: number[]): Separation => {
    const known = separations.get(position.join()) ?? separate(decodeLab(position as Triple))
    separations.set(position.join(), known)
    return known
  }
  const curves = [
    Array.from({ length: CURVE_POINTS }, (_, point) => Math.min(1, (point * 256) / FULL_LIGHTNESS)),
    ...straight(2, CURVE_POINTS),
  ]
  const toInks = lutTag(3, LAB_POINTS, curves, lab => separationAt(lab).inks)
  const gamut = lutTag(3, LAB_POINTS, curves, lab => [separationAt(lab).difference > VISIBLE ? 1 : 0])
  const intents = [0, 1, 2]
  return writeProfile('prtrCMYKLab ', [
    ['desc', descriptionTag(CMYK_NAME)],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(D50)],
    ...intents.map((intent): [string, Buffer] => [`A2B${intent}`, toLab]),
    ...intents.map((intent): [string, Buffer] => [`B2A${intent}`, toInks]),
    ['gamt', gamut],
  ])
}

/** The color of inks on paper. */
function print(inks: Inks): Triple {
  let shares = Float64Array.of(1)
  for (const [ink, amount] of inks.entries()) {
    const area = amount + 4 * (DOT_GAINS[ink] ?? 0) * amount * (1 - amount)
    const halves = new Float64Array(shares.length * 2)
    for (const [index, share] of shares.entries()) halves.set([share * (1 - area), share * area], index * 2)
    shares = halves
  }
  const sum = (colors: Float64Array): number =>
    shares.reduce((total, share, overprint) => total + share * (colors[overprint] ?? 0), 0) ** SPREAD
  return toLab([sum(SPREAD_X), sum(SPREAD_Y), sum(SPREAD_Z)])
}

interface Separation {
  inks: Inks
  difference: number
}

/** The inks whose color is nearest. Dark colors get black, the more the grayer they are. */
function separate(lab: Triple): Separation {
  const grayness = Math.max(0, 1 - Math.hypot(lab[1], lab[2]) / COLORFUL)
  const black = grayness * Math.min(1, Math.max(0, 1 - lab[0] / LIGHTEST_WITH_BLACK)) ** BLACK_CURVE
  let best: Separation = compareInks([0, 0, 0, black], lab)
  for (let step = FIRST_STEP; step >= LAST_STEP;) {
    const better = neighborsOf(best.inks, step)
      .map(inks => compareInks(inks, lab))
      .reduce((one, other) => (other.difference < one.difference ? other : one), best)
    if (better === best) step /= 2
    best = better
  }
  return best
}

/** Returns inks with the distance of their printed color from a color in CIELAB. */
function compareInks(inks: Inks, lab: Triple): Separation {
  const printed = print(inks)
  return { inks, difference: Math.hypot(...printed.map((value, axis) => value - (lab[axis] ?? 0))) }
}

function neighborsOf(inks: Inks, step: number): Inks[] {
  return [0, 1, 2].flatMap(ink =>
    [-step, step].map(change => {
      const changed: Inks = [...inks]
      changed[ink] = Math.min(1, Math.max(0, (inks[ink] ?? 0) + change))
      return changed
    }),
  )
}

/** A table for colors with this many components (ICC.1:1998-09, 6.5.7). All its numbers are from 0 to 1. */
function lutTag(
  inputs: number,
  points: number,
  curves: readonly number[][],
  read: (position: number[]) => readonly number[],
): Buffer {
  const values: number[] = []
  for (let index = 0; index < points ** inputs; index++) {
    const position = Array.from(
      { length: inputs },
      (_, axis) => (Math.floor(index / points ** (inputs - 1 - axis)) % points) / (points - 1),
    )
    values.push(...read(position))
  }
  const outputs = values.length / points ** inputs
  const head = Buffer.alloc(52)
  head.write('mft2', 0, 'latin1')
  head.set([inputs, outputs, points], 8)
  for (const diagonal of [0, 4, 8]) head.writeInt32BE(0x10000, 12 + 4 * diagonal)
  head.writeUInt16BE(curves[0]?.length ?? 0, 48)
  head.writeUInt16BE(2, 50)
  const numbers = [...curves.flat(), ...values, ...straight(outputs, 2).flat()]
  const bytes = Buffer.alloc(Math.ceil(numbers.length / 2) * 4)
  for (const [index, value] of numbers.entries()) bytes.writeUInt16BE(Math.round(value * FULL), 2 * index)
  return Buffer.concat([head, bytes])
}

function straight(count: number, points: number): number[][] {
  const curve = Array.from({ length: points }, (_, point) => point / (points - 1))
  return Array.from({ length: count }, () => curve)
}

function encodeLab([lightness, a, b]: Triple): Triple {
  const place = (value: number): number => Math.min(1, Math.max(0, ((value + 128) * 256) / FULL))
  return [(Math.min(100, lightness) / 100) * (FULL_LIGHTNESS / FULL), place(a), place(b)]
}

/** The color at a position of the table. The curve for L* has stretched it to 100. */
function decodeLab([lightness, a, b]: Triple): Triple {
  return [lightness * 100, (a * FULL) / 256 - 128, (b * FULL) / 256 - 128]
}

/** CIE L*a*b* to XYZ and back (ICC.1:2010, Annex A). The numbers are those of its formulas. */
function toXyz([lightness, a, b]: Triple): Triple {
  const y = (lightness + 16) / 116
  return [y + a / 500, y, y - b / 200].map(
    (value, axis) => (D50[axis] ?? 1) * (value > LINE_FROM ? value ** 3 : (value - 16 / 116) * 3 * LINE_FROM ** 2),
  ) as Triple // has three axes
}

function toLab(xyz: Triple): Triple {
  const [x, y, z] = xyz.map((value, axis) => {
    const share = value / (D50[axis] ?? 1)
    return share > LINE_FROM ** 3 ? Math.cbrt(share) : share / (3 * LINE_FROM ** 2) + 16 / 116
  }) as Triple // has three axes
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

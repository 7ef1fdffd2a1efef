/** Three numbers: a color in CIE XYZ or CIE L*a*b*, or a row of a matrix. */
export type Triple = [number, number, number]
type Rows = [Triple, Triple, Triple]

/** Chromaticities x, y of the primaries and the white of sRGB (IEC 61966-2-1, 4.1: ITU-R BT.709 and D65). */
const RED = chromaticity(0.64, 0.33)
const GREEN = chromaticity(0.3, 0.6)
const BLUE = chromaticity(0.15, 0.06)
const D65 = chromaticity(0.3127, 0.329)
/** The white of the profile connection space (ICC.1:2010, 7.2.16). */
export const D50: Triple = [0.9642, 1, 0.8249]
/** The matrix of the Bradford adaptation (ICC.1:2010, Annex E). */
const BRADFORD: Rows = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

const CURVE_POINTS = 1024
const HEADER_BYTES = 128
/** ICC version 2.1, the newest that PDF/A-1 allows. */
const VERSION = 0x02_10_00_00

/**
 * An ICC profile of sRGB, computed from its published parameters (IEC 61966-2-1). With 1,024 points of the curve, it has
 * 2.7 KB.
 */
export function writeSrgbProfile(curvePoints = CURVE_POINTS): Uint8Array {
  const [red, green, blue] = srgbPrimaries()
  const curve = curveTag(curvePoints)
  return writeProfile('mntrRGB XYZ ', [
    ['desc', descriptionTag('sRGB IEC61966-2.1')],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(D65)],
    ['rXYZ', xyzTag(red)],
    ['gXYZ', xyzTag(green)],
    ['bXYZ', xyzTag(blue)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ])
}

/** An ICC profile of gray with the curve of sRGB. */
export function writeGrayProfile(): Uint8Array {
  return writeProfile('mntrGRAYXYZ ', [
    ['desc', descriptionTag('Gray with the sRGB curve')],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(D65)],
    ['kTRC', curveTag(CURVE_POINTS)],
  ])
}

function chromaticity(x: number, y: number): Triple {
  return [x / y, 1, (1 - x - y) / y]
}

/** The primaries of sRGB in CIE XYZ, scaled so that they add up to the white, and adapted from D65 to D50. */
export function srgbPrimaries(): [Triple, Triple, Triple] {
  const primaries = columns(RED, GREEN, BLUE)
  const [red, green, blue] = transform(invert(primaries), D65)
  const adaptation = adapt(D65, D50)
  return [
    transform(adaptation, scale(RED, red)),
    transform(adaptation, scale(GREEN, green)),
    transform(adaptation, scale(BLUE, blue)),
  ]
}

/** The matrix that adapts colors from one white to another, in the Bradford space. */
function adapt(from: Triple, to: Triple): Rows {
  const [before, after] = [transform(BRADFORD, from), transform(BRADFORD, to)]
  const gains: Rows = [
    [after[0] / before[0], 0, 0],
    [0, after[1] / before[1], 0],
    [0, 0, after[2] / before[2]],
  ]
  return multiply(invert(BRADFORD), multiply(gains, BRADFORD))
}

/** The light of an encoded value of sRGB, both from 0 to 1 (IEC 61966-2-1, 5.2). */
export function linearize(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/**
 * Writes a profile. Its kind is the device class, the color space and the connection space, with four letters each. Tags
 * with the same buffer share its bytes.
 */
export function writeProfile(kind: string, tags: [string, Buffer][]): Uint8Array {
  const places = new Map<Buffer, number>()
  const table = Buffer.alloc(4 + 12 * tags.length)
  table.writeUInt32BE(tags.length)
  let end = HEADER_BYTES + table.length
  for (const [index, [name, data]] of tags.entries()) {
    const place = places.get(data) ?? end
    if (place === end) end += data.length
    places.set(data, place)
    table.write(name, 4 + 12 * index, 'latin1')
    table.writeUInt32BE(place, 8 + 12 * index)
    table.writeUInt32BE(data.length, 12 + 12 * index)
  }
  return Buffer.concat([header(kind, end), table, ...places.keys()])
}

/** The header of a profile (ICC.1:2010, 7.2). The date is fixed, so that the bytes never change. */
function header(kind: string, size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt32BE(size, 0)
  bytes.writeUInt32BE(VERSION, 8)
  bytes.write(kind, 12, 'latin1')
  for (const [index, part] of [2026, 1, 1, 0, 0, 0].entries()) bytes.writeUInt16BE(part, 24 + 2 * index)
  bytes.write('acsp', 36, 'latin1')
  writeTriple(bytes, 68, D50)
  return bytes
}

/** A color in CIE XYZ as a tag. */
export function xyzTag(color: Triple): Buffer {
  const bytes = Buffer.alloc(20)
  bytes.write('XYZ ', 0, 'latin1')
  writeTriple(bytes, 8, color)
  return bytes
}

function curveTag(points: number): Buffer {
  const bytes = Buffer.alloc(12 + 2 * points)
  bytes.write('curv', 0, 'latin1')
  bytes.writeUInt32BE(points, 8)
  for (let point = 0; point < points; point++)
    bytes.writeUInt16BE(Math.round(65_535 * linearize(point / (points - 1))), 12 + 2 * point)
  return bytes
}

/** A text as a tag. */
export function textTag(text: string): Buffer {
  return padded(Buffer.from(`text\0\0\0\0${text}\0`, 'latin1'))
}

/** A description of the type of ICC version 2, with an empty Unicode and an empty Macintosh part. */
export function descriptionTag(text: string): Buffer {
  const ascii = Buffer.from(`${text}\0`, 'latin1')
  const bytes = Buffer.alloc(12 + ascii.length + 78)
  bytes.write('desc', 0, 'latin1')
  bytes.writeUInt32BE(ascii.length, 8)
  ascii.copy(bytes, 12)
  return padded(bytes)
}

/** Tags begin at multiples of four bytes. */
function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
}

/** Writes three numbers with 16 bits before and 16 after the point. */
function writeTriple(bytes: Buffer, at: number, values: Triple): void {
  for (const [index, value] of values.entries()) bytes.writeInt32BE(Math.round(value * 65_536), at + 4 * index)
}

function columns(one: Triple, two: Triple, three: Triple): Rows {
  return [
    [one[0], two[0], three[0]],
    [one[1], two[1], three[1]],
    [one[2], two[2], three[2]],
  ]
}

function scale([x, y, z]: Triple, factor: number): Triple {
  return [x * factor, y * factor, z * factor]
}

/** Multiplies a matrix by a color. */
function transform(rows: Rows, [x, y, z]: Triple): Triple {
  return rows.map(([a, b, c]) => a * x + b * y + c * z) as Triple // has three rows
}

function multiply(one: Rows, other: Rows): Rows {
  const product = columns(
    transform(one, columnOf(other, 0)),
    transform(one, columnOf(other, 1)),
    transform(one, columnOf(other, 2)),
  )
  return product
}

function columnOf([one, two, three]: Rows, index: 0 | 1 | 2): Triple {
  return [one[index], two[index], three[index]]
}

function invert([[a, b, c], [d, e, f], [g, h, i]]: Rows): Rows {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  return [
    scale([e * i - f * h, c * h - b * i, b * f - c * e], 1 / determinant),
    scale([f * g - d * i, a * i - c * g, c * d - a * f], 1 / determinant),
    scale([d * h - e * g, b * g - a * h, a * e - b * d], 1 / determinant),
  ]
}

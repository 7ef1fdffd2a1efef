import { linearize, srgbPrimaries } from '../../../standards/archival/profiles/icc-profile'
import { asBuffer } from '../../../pdf/syntax'

const HEADER_BYTES = 128
const MOST_TAGS = 100
/** An entry of the tag table: name, offset and size (ICC.1:2010, 7.3.1). It follows a count of 4 bytes. */
const TAG_BYTES = 12
const TABLE_AT = HEADER_BYTES + 4
/** Start of the points of a curve (ICC.1:2010, 10.5). */
const POINTS_AT = 12
/** The kind of curve with the parameters g, a, b, c and d, and their offsets (ICC.1:2010, 10.15). */
const LINEAR_AND_POWER = 3
const PARAMETERS_AT = [12, 16, 20, 24, 28]
/** Distance of two encoded values between which a slope is measured. */
const SLOPE_STEP = 0.001

/** Largest difference between the primaries of a profile and those of sRGB, in CIE XYZ. Programs round them differently. */
const PRIMARY_TOLERANCE = 0.003
/** Largest difference between encoded values with the same light. Half a level of 8 bits. */
const CURVE_TOLERANCE = 0.002
/** Number of points at which curves are compared. */
const SAMPLES = 64
/** The least slope of the curve of sRGB, at black. */
const LEAST_SLOPE = 1 / 12.92

/**
 * Returns whether an ICC profile gives every color the same meaning as sRGB (IEC 61966-2-1): a display profile with the
 * primaries and the curves of sRGB and without tables (ICC.1:2010, 8.3.3).
 */
export function isSrgbProfile(bytes: Uint8Array): boolean {
  const file = asBuffer(bytes)
  if (file.length < TABLE_AT || file.toString('latin1', 12, 24) !== 'mntrRGB XYZ ') return false
  const tags = readTags(file)
  if (!tags || [...tags.keys()].some(name => /^[ABD]2[ABD]\d$/.test(name))) return false
  const primaries = srgbPrimaries()
  return ['r', 'g', 'b'].every((channel, index) => {
    const [x, curve] = [tags.get(`${channel}XYZ`), tags.get(`${channel}TRC`)]
    return x && curve && hasColor(x, primaries[index] ?? [0, 0, 0]) && hasSrgbCurve(curve)
  })
}

/** The data of each tag (ICC.1:2010, 7.3). Undefined if the table is damaged. */
function readTags(file: Buffer): Map<string, Buffer> | undefined {
  const count = file.readUInt32BE(HEADER_BYTES)
  const tableEnd = TABLE_AT + TAG_BYTES * count
  if (count > MOST_TAGS || tableEnd > file.length) return undefined
  const tags = new Map<string, Buffer>()
  for (let at = TABLE_AT; at < tableEnd; at += TAG_BYTES) {
    const [start, length] = [file.readUInt32BE(at + 4), file.readUInt32BE(at + 8)]
    if (start + length > file.length) return undefined
    tags.set(file.toString('latin1', at, at + 4), file.subarray(start, start + length))
  }
  return tags
}

function hasColor(tag: Buffer, color: readonly number[]): boolean {
  if (tag.length < 20 || tag.toString('latin1', 0, 4) !== 'XYZ ') return false
  return color.every((value, index) => Math.abs(readFixed(tag, 8 + 4 * index) - value) <= PRIMARY_TOLERANCE)
}

function hasSrgbCurve(tag: Buffer): boolean {
  const curve = readCurve(tag)
  if (!curve) return false
  for (let index = 0; index <= SAMPLES; index++) {
    const value = index / SAMPLES
    const light = linearize(value)
    const slope = Math.max(LEAST_SLOPE, (linearize(value + SLOPE_STEP) - light) / SLOPE_STEP)
    if (!(Math.abs(curve(value) - light) <= CURVE_TOLERANCE * slope)) return false
  }
  return true
}

/** The curve of a tag: a table of points, or parameters (ICC.1:2010, 10.5 and 10.15). */
function readCurve(tag: Buffer): ((value: number) => number) | undefined {
  const type = tag.toString('latin1', 0, 4)
  if (type === 'curv' && tag.length >= POINTS_AT) {
    const count = tag.readUInt32BE(8)
    if (count < 2 || POINTS_AT + 2 * count > tag.length) return undefined
    return value => {
      const place = value * (count - 1)
      const left = Math.min(Math.floor(place), count - 2)
      const [from, to] = [left, left + 1].map(point => tag.readUInt16BE(POINTS_AT + 2 * point)) as [number, number]
      return (from + (to - from) * (place - left)) / 65_535
    }
  }
  if (type !== 'para' || tag.length < 32 || tag.readUInt16BE(8) !== LINEAR_AND_POWER) return undefined
  const [g = 1, a = 1, b = 0, c = 1, d = 0] = PARAMETERS_AT.map(at => readFixed(tag, at))
  return value => (value >= d ? (a * value + b) ** g : c * value)
}

/** Reads a number with 16 bits before and 16 after the point. */
function readFixed(tag: Buffer, at: number): number {
  return tag.readInt32BE(at) / 65_536
}

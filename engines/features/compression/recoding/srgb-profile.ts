import { linearize, srgbPrimaries } from '../../../standards/archival/profiles/icc-profile'
import { asBuffer } from '../../../pdf/syntax'

const HEADER_BYTES = 128
const MOST_TAGS = 100

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
  if (file.length < HEADER_BYTES + 4 || file.toString('latin1', 12, 24) !== 'mntrRGB XYZ ') return false
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
  const tableEnd = HEADER_BYTES + 4 + 12 * count
  if (count > MOST_TAGS || tableEnd > file.length) return undefined
  const tags = new Map<string, Buffer>()
  for (let at = HEADER_BYTES + 4; at < tableEnd; at += 12) {
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
    const slope = Math.max(LEAST_SLOPE, (linearize(value + 0.001) - light) / 0.001)
    if (!(Math.abs(curve(value) - light) <= CURVE_TOLERANCE * slope)) return false
  }
  return true
}

/** The curve of a tag: a table of points, or parameters (ICC.1:2010, 10.5 and 10.15). */
function readCurve(tag: Buffer): ((value: number) => number) | undefined {
  const type = tag.toString('latin1', 0, 4)
  if (type === 'curv' && tag.length >= 12) {
    const count = tag.readUInt32BE(8)
    if (count < 2 || 12 + 2 * count > tag.length) return undefined
    return value => {
      const place = value * (count - 1)
      const left = Math.min(Math.floor(place), count - 2)
      const [from, to] = [tag.readUInt16BE(12 + 2 * left), tag.readUInt16BE(14 + 2 * left)]
      return (from + (to - from) * (place - left)) / 65_535
    }
  }
  if (type !== 'para' || tag.length < 32 || tag.readUInt16BE(8) !== 3) return undefined
  const [g = 1, a = 1, b = 0, c = 1, d = 0] = [12, 16, 20, 24, 28].map(at => readFixed(tag, at))
  return value => (value >= d ? (a * value + b) ** g : c * value)
}

/** Reads a number with 16 bits before and 16 after the point. */
function readFixed(tag: Buffer, at: number): number {
  return tag.readInt32BE(at) / 65_536
}

import type { Density } from './embedded-image'

const TAG = { orientation: 0x0112, x: 0x011a, y: 0x011b, unit: 0x0128 }
const SHORT = 3
const RATIONAL = 5

/** Units of a resolution in pixels per inch: inch and centimeter (EXIF 2.32, 4.6.4, tag 296). */
const PER_INCH = new Map([
  [2, 1],
  [3, 2.54],
])
/** Cameras write this resolution if they know none (EXIF 2.32, 4.6.4, tag 282). Some programs write a lower one. */
const UNKNOWN = 72

/** The mark before EXIF data in a JPEG segment. Other formats leave it out. */
export const EXIF_MARK = Buffer.from('Exif\0\0', 'latin1')

const TIFF_HEADER_BYTES = 8
const ENTRY_BYTES = 12
const MAX_ENTRIES = 1000

/** What EXIF data says about how an image is shown. */
export interface Exif {
  /** 1 to 8. 1, upright, if there is no valid value. */
  orientation: number
  /** Pixels per inch. Undefined if there is no valid value. */
  pixelsPerInch: Density | undefined
}

const NOTHING: Exif = { orientation: 1, pixelsPerInch: undefined }

/** Reads EXIF data that begins with its mark (EXIF 2.32, 4.6.4). */
export function readExif(segment: Buffer | undefined): Exif {
  const tiff = segment?.subarray(EXIF_MARK.length)
  if (!tiff || tiff.length < TIFF_HEADER_BYTES) return NOTHING
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return NOTHING
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = long(4)
  if (directory + 2 > tiff.length) return NOTHING
  const values = new Map<number, number>()
  const count = Math.min(short(directory), MAX_ENTRIES)
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * ENTRY_BYTES
    if (entry + ENTRY_BYTES > tiff.length) break
    const type = short(entry + 2)
    const at = type === RATIONAL ? long(entry + 8) : entry + 8
    if (type === SHORT) values.set(short(entry), short(at))
    else if (type === RATIONAL && at + 8 <= tiff.length) values.set(short(entry), long(at) / long(at + 4))
  }
  const orientation = values.get(TAG.orientation) ?? 1
  return { orientation: orientation >= 1 && orientation <= 8 ? orientation : 1, pixelsPerInch: readDensity(values) }
}

function readDensity(values: ReadonlyMap<number, number>): Density | undefined {
  const perInch = PER_INCH.get(values.get(TAG.unit) ?? 2) ?? 0
  const x = (values.get(TAG.x) ?? 0) * perInch
  const y = (values.get(TAG.y) ?? 0) * perInch
  return x > UNKNOWN && y > UNKNOWN && Number.isFinite(x + y) ? { x, y } : undefined
}

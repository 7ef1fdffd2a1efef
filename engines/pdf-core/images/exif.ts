const ORIENTATION = 0x0112
const SHORT = 3

/** The mark before EXIF data in a JPEG segment. Other formats leave it out. */
export const EXIF_MARK = Buffer.from('Exif\0\0', 'latin1')

const TIFF_HEADER_BYTES = 8
const ENTRY_BYTES = 12
const MAX_ENTRIES = 1000

/** The orientation of an image in EXIF data that begins with its mark (EXIF 2.32, 4.6.4, tag 274), 1 to 8. Returns 1, upright, if there is no valid value. */
export function readOrientation(segment: Buffer | undefined): number {
  const tiff = segment?.subarray(EXIF_MARK.length)
  if (!tiff || tiff.length < TIFF_HEADER_BYTES) return 1
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return 1
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const count = Math.min(short(directory), MAX_ENTRIES)
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * ENTRY_BYTES
    if (entry + ENTRY_BYTES > tiff.length) return 1
    if (short(entry) !== ORIENTATION || short(entry + 2) !== SHORT) continue
    const value = short(entry + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

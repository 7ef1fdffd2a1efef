import { BrokenImage, EXIF_MARK, readExif, type Exif } from '../../pdf/images'

const HEADER_BYTES = 12
const ANIMATION = 0x02

/** What a WebP file says before its pixels (RFC 9649). */
export interface WebpFile extends Exif {
  width: number
  height: number
  isLossless: boolean
  /** A color profile in ICC format. */
  profile: Uint8Array | undefined
}

/** Returns whether the bytes start like a WebP file. */
export function isWebp(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, HEADER_BYTES)).toString('latin1')
  return start.startsWith('RIFF') && start.slice(8) === 'WEBP'
}

/** Reads the chunks of a WebP file. Throws BrokenImage, also for animations. */
export function readWebp(bytes: Uint8Array): WebpFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks = new Map<string, Buffer>()
  if (file.length < HEADER_BYTES + 8 || file.readUInt32LE(4) + 8 > file.length) throw damaged()
  for (let at = HEADER_BYTES; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4)
    const name = file.toString('latin1', at, at + 4)
    if (at + 8 + length > file.length) throw damaged()
    if (!chunks.has(name)) chunks.set(name, file.subarray(at + 8, at + 8 + length))
    at += 8 + length + (length & 1)
  }
  const header = chunks.get('VP8X')
  if (chunks.has('ANIM') || chunks.has('ANMF') || ((header?.[0] ?? 0) & ANIMATION) !== 0)
    throw new BrokenImage('is an animated WebP file. Send a still image.')
  const lossless = chunks.get('VP8L')
  const size = lossless ? losslessSize(lossless) : lossySize(chunks.get('VP8 '))
  if (!size) throw damaged()
  const exif = chunks.get('EXIF')
  const isMarked = exif?.subarray(0, EXIF_MARK.length).equals(EXIF_MARK)
  return {
    ...size,
    isLossless: lossless !== undefined,
    ...readExif(exif && !isMarked ? Buffer.concat([EXIF_MARK, exif]) : exif),
    profile: chunks.get('ICCP'),
  }
}

/** The size in the header of VP8 (RFC 6386, 9.1). */
function lossySize(data: Buffer | undefined): { width: number; height: number } | undefined {
  if (!data || data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

/** The size in the header of lossless data (RFC 9649, 3.4). */
function losslessSize(data: Buffer): { width: number; height: number } | undefined {
  if (data.length < 5 || data[0] !== 0x2f) return undefined
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function damaged(): BrokenImage {
  return new BrokenImage('is a damaged WebP file. It is incomplete.')
}

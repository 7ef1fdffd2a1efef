import { readExif } from './exif'
import { isFrameMarker, JpegMarker, readJpegSegments, walkJpegSegments } from './jpeg-segments'
import type { JpegSegment } from './jpeg-segments'

const { app0: APP0, app14: APP14, app15: APP15, comment: COM } = JpegMarker
const [APP1, APP2] = [0xe1, 0xe2]

/** Application segments that affect how the image looks: JFIF, ICC profile, and Adobe's color coding. */
const VISIBLE_MARKS = new Map([
  [APP0, 'JFIF'],
  [APP2, 'ICC_PROFILE'],
  [APP14, 'Adobe'],
])

/** Length of a JFIF segment without its thumbnail, and offset of the thumbnail's size (ITU-T T.871, 10.1). */
const JFIF_BYTES = 14
const JFIF_THUMBNAIL = 12

/** Offset of the density's unit in a JFIF segment, and the unit of pixels per inch. */
const JFIF_DENSITY = 7
const PER_INCH = 1

/**
 * Frame types that DCTDecode supports: baseline, extended and progressive, with Huffman coding (ISO 32000-2, 7.4.8).
 */
const READABLE_FRAMES = new Set([0xc0, 0xc1, 0xc2])

const END_MARK = Buffer.from([0xff, 0xd9])

/** Properties of a JPEG file. */
export interface Jpeg {
  width: number
  height: number
  bits: number
  /** 1 for gray, 3 for color, 4 for CMYK. */
  channels: number
  /** Whether PDF readers support the frame type. */
  isReadable: boolean
  /** Whether the file has Adobe's marker. Adobe's software inverts CMYK values. */
  hasAdobeMark: boolean
  /** The EXIF orientation, 1 to 8. 1 is upright. */
  orientation: number
  /** Pixels per inch, if the file states them. */
  pixelsPerInch: { x: number; y: number } | undefined
  /** Whether the file has a scan and an end marker. */
  isWhole: boolean
}

/** Returns whether the bytes start with the JPEG signature. */
export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
}

/** Reads the segments before the first scan. Undefined if they can't be parsed or if there is no frame. */
export function readJpeg(bytes: Uint8Array): Jpeg | undefined {
  const read = readJpegSegments(bytes)
  const frame = read?.segments.find(({ marker }) => isFrameMarker(marker))
  if (!read || !frame || frame.data.length < 6) return undefined
  const find = (marker: number, mark: string) =>
    read.segments.find(segment => segment.marker === marker && segment.data.toString('latin1', 0, mark.length) === mark)
      ?.data
  const exif = readExif(find(APP1, 'Exif\0\0'))
  return {
    width: frame.data.readUInt16BE(3),
    height: frame.data.readUInt16BE(1),
    bits: frame.data.readUInt8(0),
    channels: frame.data.readUInt8(5),
    isReadable: READABLE_FRAMES.has(frame.marker),
    hasAdobeMark: find(APP14, 'Adobe') !== undefined,
    orientation: exif.orientation,
    pixelsPerInch: readDensity(find(APP0, 'JFIF\0')) ?? exif.pixelsPerInch,
    isWhole: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(END_MARK, read.scan.start) > 0,
  }
}

/**
 * Removes EXIF, XMP, IPTC, thumbnails, comments, other application data, and bytes after the end from a JPEG file.
 * Image data, the color profile and the Adobe marker are copied unchanged. Undefined if there is nothing to remove or
 * if the bytes aren't a JPEG file.
 */
export function stripJpeg(bytes: Uint8Array): Uint8Array | undefined {
  if (!readJpegSegments(bytes)) return undefined
  const parts = [...walkJpegSegments(bytes)]
    .filter(affectsImage)
    .flatMap(segment => [segment.marker === APP0 ? withoutThumbnail(segment) : segment.bytes, segment.coded])
  const stripped = Buffer.concat([bytes.subarray(0, 2), ...parts])
  return Buffer.compare(stripped, bytes) === 0 ? undefined : stripped
}

/**
 * Writes a resolution in whole pixels per inch into the JFIF segment, in place. Without a JFIF segment, nothing
 * changes.
 */
export function setJpegDensity(bytes: Uint8Array, pixelsPerInch: number): void {
  const segment = readJpegSegments(bytes)?.segments.find(({ marker }) => marker === APP0)
  if (!segment || segment.data.length < JFIF_BYTES || segment.data.toString('latin1', 0, 4) !== 'JFIF') return
  const density = Math.max(1, Math.min(0xffff, Math.round(pixelsPerInch)))
  segment.data.writeUInt8(PER_INCH, JFIF_DENSITY)
  segment.data.writeUInt16BE(density, JFIF_DENSITY + 1)
  segment.data.writeUInt16BE(density, JFIF_DENSITY + 3)
}

function affectsImage({ marker, data }: JpegSegment): boolean {
  if (marker === COM) return false
  const mark = VISIBLE_MARKS.get(marker)
  return marker < APP0 || marker > APP15 || (mark !== undefined && data.toString('latin1', 0, mark.length) === mark)
}

function withoutThumbnail({ bytes, data }: JpegSegment): Buffer {
  if (data.length <= JFIF_BYTES) return bytes
  const short = Buffer.from(bytes.subarray(0, 4 + JFIF_BYTES))
  short.writeUInt16BE(2 + JFIF_BYTES, 2)
  short.writeUInt16BE(0, 4 + JFIF_THUMBNAIL)
  return short
}

/**
 * Reads the density of a JFIF segment, which is per inch or per centimeter. Undefined if it is only an aspect ratio.
 */
function readDensity(data: Buffer | undefined): { x: number; y: number } | undefined {
  if (!data || data.length < 12) return undefined
  const perInch = [0, 1, 2.54][data.readUInt8(7)] ?? 0
  const [x, y] = [data.readUInt16BE(8) * perInch, data.readUInt16BE(10) * perInch]
  return x > 0 && y > 0 ? { x, y } : undefined
}

import { readOrientation } from './exif'
import { readScans } from './jpeg-scans'
import { readJpegSegments } from './jpeg-segments'
import type { JpegSegment } from './jpeg-segments'

const [APP0, APP1, APP2, APP14, APP15, COM] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe]

/** Application data that tell how the image looks: JFIF, a color profile, how Adobe's software coded colors. */
const SHOWN = new Map([
  [APP0, 'JFIF'],
  [APP2, 'ICC_PROFILE'],
  [APP14, 'Adobe'],
])

/** Bytes of a JFIF segment without its small image, and where that one's size stands (ITU-T T.871, 10.1). */
const JFIF_BYTES = 14
const JFIF_THUMBNAIL = 12

/**
 * Frames that DCTDecode reads: baseline, extended and progressive, all of them with Huffman codes (ISO 32000-2, 7.4.8).
 */
const READABLE_FRAMES = new Set([0xc0, 0xc1, 0xc2])

/** All frames of ITU-T T.81, table B.1: C4, C8 and CC are something else. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

const END_MARK = Buffer.from([0xff, 0xd9])

/** How a JPEG file is to be shown. */
export interface Jpeg {
  width: number
  height: number
  bits: number
  /** 1 gray, 3 colors, 4 CMYK. */
  channels: number
  /** Whether a frame states that decoders of PDF can read it. */
  isReadable: boolean
  /** Written by Adobe's software, which turns CMYK values around. */
  hasAdobeMark: boolean
  /** 1 to 8 as EXIF counts them; 1 is upright. */
  orientation: number
  /** Pixels in an inch, where the file states them. */
  pixelsPerInch: { x: number; y: number } | undefined
  /** Whether a scan follows and the file ends as it should. */
  isWhole: boolean
}

/** Whether a file begins as every JPEG file does. */
export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
}

/** What the segments before the first scan say; undefined when they can't be read or hold no frame. */
export function readJpeg(bytes: Uint8Array): Jpeg | undefined {
  const read = readJpegSegments(bytes)
  const frame = read?.segments.find(({ marker }) => FRAMES.has(marker))
  if (!read || !frame || frame.data.length < 6) return undefined
  const find = (marker: number, mark: string) =>
    read.segments.find(segment => segment.marker === marker && segment.data.toString('latin1', 0, mark.length) === mark)
      ?.data
  return {
    width: frame.data.readUInt16BE(3),
    height: frame.data.readUInt16BE(1),
    bits: frame.data.readUInt8(0),
    channels: frame.data.readUInt8(5),
    isReadable: READABLE_FRAMES.has(frame.marker),
    hasAdobeMark: find(APP14, 'Adobe') !== undefined,
    orientation: readOrientation(find(APP1, 'Exif\0\0')),
    pixelsPerInch: readDensity(find(APP0, 'JFIF\0')),
    isWhole: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(END_MARK, read.scan.start) > 0,
  }
}

/**
 * A JPEG file without EXIF, XMP, IPTC, small images, comments, data of other applications, and bytes behind its end;
 * its image data, color profile and Adobe marker are copied as they are. Undefined when nothing is to remove or the
 * bytes are no JPEG.
 */
export function stripJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const read = readJpegSegments(bytes)
  if (!read) return undefined
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept = read.segments
    .filter(isShown)
    .map(segment => (segment.marker === APP0 ? withoutThumbnail(segment) : segment.bytes))
  const stripped = Buffer.concat([file.subarray(0, 2), ...kept, readScans(file, read.scan.start)])
  return stripped.equals(file) ? undefined : stripped
}

function isShown({ marker, data }: JpegSegment): boolean {
  if (marker === COM) return false
  const mark = SHOWN.get(marker)
  return marker < APP0 || marker > APP15 || (mark !== undefined && data.toString('latin1', 0, mark.length) === mark)
}

function withoutThumbnail({ bytes, data }: JpegSegment): Buffer {
  if (data.length <= JFIF_BYTES) return bytes
  const short = Buffer.from(bytes.subarray(0, 4 + JFIF_BYTES))
  short.writeUInt16BE(2 + JFIF_BYTES, 2)
  short.writeUInt16BE(0, 4 + JFIF_THUMBNAIL)
  return short
}

/** Of a JFIF segment: its densities are in an inch or in a centimeter, or only tell a proportion. */
function readDensity(data: Buffer | undefined): { x: number; y: number } | undefined {
  if (!data || data.length < 12) return undefined
  const perInch = [0, 1, 2.54][data.readUInt8(7)] ?? 0
  const [x, y] = [data.readUInt16BE(8) * perInch, data.readUInt16BE(10) * perInch]
  return x > 0 && y > 0 ? { x, y } : undefined
}

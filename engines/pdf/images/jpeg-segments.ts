/** Markers of ITU-T T.81, table B.1. */
export const JpegMarker = {
  start: 0xd8,
  end: 0xd9,
  scan: 0xda,
  huffman: 0xc4,
  quantizers: 0xdb,
  restartInterval: 0xdd,
  app0: 0xe0,
  app14: 0xee,
  app15: 0xef,
  comment: 0xfe,
} as const

/** The marker of a temporary private use, which has no length. */
const TEM = 0x01

/** Maximum number of segments. A progressive file has tens of scans, each with a few tables. */
const MOST_SEGMENTS = 10_000

/** A marker segment of a JPEG file (ITU-T T.81, B.1.1.4). */
export interface JpegSegment {
  marker: number
  /** Offset of the marker in the file. */
  start: number
  /** Contents after the length field. */
  data: Buffer
  /** All bytes, including marker and length. */
  bytes: Buffer
  /** The coded data after a scan header, with its restart markers. Empty for other segments. */
  coded: Buffer
}

/** Returns whether a marker begins a frame (ITU-T T.81, table B.1). C4, C8 and CC don't. */
export function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Returns whether a marker restarts coded data. */
export function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

/**
 * Reads the segments of a JPEG file that begins with its start marker, up to the end marker, which is the last one. Fill
 * bytes, markers without a length and bytes between segments are skipped, as decoders do. Ends early at a segment that
 * is longer than the file.
 */
export function* walkJpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 2
  for (let count = 0; at + 1 < file.length && count < MOST_SEGMENTS; count++) {
    const start = nextMarker(file, at)
    const marker = file[start + 1]
    if (marker === undefined) return
    if (marker === JpegMarker.end) {
      const none = file.subarray(start, start)
      yield { marker, start, data: none, bytes: file.subarray(start, start + 2), coded: none }
      return
    }
    at = start + 2
    if (marker === JpegMarker.start || marker === TEM) continue
    if (at + 2 > file.length) return
    const end = at + file.readUInt16BE(at)
    if (end < at + 2 || end > file.length) return
    const stop = marker === JpegMarker.scan ? nextMarker(file, end) : end
    const [data, coded] = [file.subarray(at + 2, end), file.subarray(end, stop)]
    yield { marker, start, data, bytes: file.subarray(start, end), coded }
    at = stop
  }
}

/** Reads the segments before the first scan, and the scan header. Undefined if they can't be parsed. */
export function readJpegSegments(bytes: Uint8Array): { segments: JpegSegment[]; scan: JpegSegment } | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== JpegMarker.start) return undefined
  const segments: JpegSegment[] = []
  for (const segment of walkJpegSegments(bytes)) {
    if (segment.marker === JpegMarker.scan) return { segments, scan: segment }
    segments.push(segment)
  }
  return undefined
}

/** Writes a segment with its marker and length. `data` has at most 65,533 bytes. */
export function writeJpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** Offset of the next marker, except for stuffed bytes and restart markers. The end of the file if there is none. */
function nextMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return file.length
}

const START_OF_SCAN = 0xda

/** A marker segment of a JPEG file before the coded image (ITU-T T.81, B.1.1.4). */
export interface JpegSegment {
  marker: number
  /** Offset of the marker in the file. */
  start: number
  /** Contents after the length field. */
  data: Buffer
  /** All bytes, including marker and length. */
  bytes: Buffer
}

/** Reads the segments before the first scan, and the scan header. Undefined if they can't be parsed. */
export function readJpegSegments(bytes: Uint8Array): { segments: JpegSegment[]; scan: JpegSegment } | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const segments: JpegSegment[] = []
  for (let start = 2; start + 3 < file.length;) {
    if (file[start] !== 0xff) return undefined
    const marker = file.readUInt8(start + 1)
    if (marker === 0xff) {
      start++ // a fill byte
      continue
    }
    const end = start + 2 + file.readUInt16BE(start + 2)
    if (end < start + 4 || end > file.length) return undefined
    const segment = { marker, start, data: file.subarray(start + 4, end), bytes: file.subarray(start, end) }
    if (marker === START_OF_SCAN) return { segments, scan: segment }
    segments.push(segment)
    start = end
  }
  return undefined
}

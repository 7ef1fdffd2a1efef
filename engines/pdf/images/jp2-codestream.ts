/** Markers of a JPEG 2000 codestream (ISO/IEC 15444-1, annex A). */
const [SOC, SIZ, COM, SOT, EOC] = [0xff4f, 0xff51, 0xff64, 0xff90, 0xffd9]

/** Length of the marker segment at the start of a tile-part, and offset of the tile-part's length in it. */
const SOT_BYTES = 12
const SOT_LENGTH = 6

/**
 * Removes comments in the main header and bytes after the end of a codestream. Returns the data unchanged if it can't
 * be parsed.
 */
export function stripCodestream(data: Buffer): Buffer {
  if (data.length < 8 || data.readUInt16BE(0) !== SOC || data.readUInt16BE(2) !== SIZ) return data
  const parts = [data.subarray(0, 2)]
  let at = 2
  while (at + 4 <= data.length && data.readUInt16BE(at) !== SOT) {
    const marker = data.readUInt16BE(at)
    const end = at + 2 + data.readUInt16BE(at + 2)
    if (marker < 0xff00 || end < at + 4 || end > data.length) return data
    if (marker !== COM) parts.push(data.subarray(at, end))
    at = end
  }
  return Buffer.concat([...parts, data.subarray(at, findEnd(data, at))])
}

/** Offset after the end of the image. If the tile-parts don't tell, the end of the data. */
function findEnd(data: Buffer, from: number): number {
  let at = from
  while (at + SOT_BYTES <= data.length && data.readUInt16BE(at) === SOT) {
    const length = data.readUInt32BE(at + SOT_LENGTH)
    if (length < SOT_BYTES) return data.length
    at += length
  }
  return at > from && at + 2 <= data.length && data.readUInt16BE(at) === EOC ? at + 2 : data.length
}

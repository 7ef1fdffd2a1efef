/** Markers of a JPEG 2000 codestream (ISO/IEC 15444-1, annex A). */
const [SOC, SIZ, SOT, SOD, EOC] = [0xff4f, 0xff51, 0xff90, 0xff93, 0xffd9]

/** Length of the marker segment at the start of a tile-part, and offset of the tile-part's length in it. */
const SOT_BYTES = 12
const SOT_LENGTH = 6

const MOST_TILES = 200_000

/** A marker segment of a header. */
export interface CodestreamSegment {
  marker: number
  /** All bytes, including marker and length. */
  bytes: Buffer
}

/** A tile-part. */
export interface TilePart {
  /** Offset in the codestream. */
  start: number
  /** The marker segment at its start. */
  head: Buffer
  segments: CodestreamSegment[]
  /** The coded data, with the marker at its start. */
  data: Buffer
}

/** The parts of a codestream. */
export interface Codestream {
  /** The main header after its first marker. */
  segments: CodestreamSegment[]
  tiles: TilePart[]
  /** Offset after the end of the image. If the tile-parts don't tell, the end of the data. */
  end: number
}

/** Reads a codestream. Undefined if it can't be parsed, or if it has no tile-parts. */
export function readCodestream(data: Buffer): Codestream | undefined {
  if (data.length < 8 || data.readUInt16BE(0) !== SOC || data.readUInt16BE(2) !== SIZ) return undefined
  const main = readSegments(data, 2, SOT)
  if (!main) return undefined
  const tiles: TilePart[] = []
  let at = main.end
  while (at + SOT_BYTES <= data.length && data.readUInt16BE(at) === SOT && tiles.length < MOST_TILES) {
    const length = data.readUInt32BE(at + SOT_LENGTH)
    const stop = length === 0 ? endOfLast(data, at + SOT_BYTES) : Math.min(data.length, at + length)
    const header = readSegments(data.subarray(0, stop), at + SOT_BYTES, SOD)
    if (!header) return undefined
    tiles.push({
      start: at,
      head: data.subarray(at, at + SOT_BYTES),
      segments: header.segments,
      data: data.subarray(header.end, stop),
    })
    at = stop
  }
  const hasEnd = at + 2 <= data.length && data.readUInt16BE(at) === EOC
  return tiles.length === 0 ? undefined : { segments: main.segments, tiles, end: hasEnd ? at + 2 : data.length }
}

/** Joins the head of a tile-part with other segments and data. A tile-part that states no length keeps that. */
export function writeTilePart({ head }: TilePart, segments: readonly Uint8Array[], data: Uint8Array): Buffer {
  const tile = Buffer.concat([head, ...segments, data])
  if (head.readUInt32BE(SOT_LENGTH) !== 0) tile.writeUInt32BE(tile.length, SOT_LENGTH)
  return tile
}

/** The last tile-part may state no length. It ends before the end marker, which coded data doesn't contain. */
function endOfLast(data: Buffer, from: number): number {
  const end = data.indexOf(Buffer.from([EOC >> 8, EOC & 255]), from)
  return end < 0 ? data.length : end
}

/** Reads the segments from `from` to the marker `stop`. Undefined if a segment can't be followed. */
function readSegments(
  data: Buffer,
  from: number,
  stop: number,
): { segments: CodestreamSegment[]; end: number } | undefined {
  const segments: CodestreamSegment[] = []
  let at = from
  while (at + 2 <= data.length && data.readUInt16BE(at) !== stop) {
    if (at + 4 > data.length || data[at] !== 0xff) return undefined
    const end = at + 2 + data.readUInt16BE(at + 2)
    if (end < at + 4 || end > data.length) return undefined
    segments.push({ marker: data.readUInt16BE(at), bytes: data.subarray(at, end) })
    at = end
  }
  return { segments, end: at }
}

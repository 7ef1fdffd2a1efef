/** Types of segments that a decoder of an embedded stream reads (ISO/IEC 14492, 7.3). */
const DRAWN = new Set([4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43, 48, 49, 50])
/** Dictionaries and tables, which only segments that refer to them need. */
const REFERRED = new Set([0, 16, 53])

const [GENERIC_REGION, PAGE, PAGE_END, STRIPE_END] = [38, 48, 49, 50]
/** Lengths of segments that have a fixed one. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [PAGE, 19],
  [PAGE_END, 0],
  [STRIPE_END, 4],
])

const UNKNOWN_LENGTH = 0xffffffff
const MOST_SEGMENTS = 100_000
/** Segments that a segment may refer to in the short form of its header. */
const SHORT_COUNT = 4

/** Offset of the flags of a region, after the fields of every region. */
const REGION_FLAGS = 17

interface Segment {
  type: number
  number: number
  referred: number[]
  head: Buffer
  data: Buffer
}

/**
 * Writes JBIG2 data of an image anew, without comments, other extensions, dictionaries that no segment uses, and bytes
 * after the last segment. The coded pixels don't change. `globals` are the segments that several images share: there,
 * dictionaries stay. Undefined if nothing can be followed.
 */
export function cleanJbig2(bytes: Uint8Array, { isShared = false } = {}): Uint8Array | undefined {
  const segments = readSegments(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (segments.length === 0) return undefined
  const needed = new Set<number>()
  const kept = segments.reverse().filter(({ type, number, referred }) => {
    const isKept = DRAWN.has(type) || (REFERRED.has(type) && (isShared || needed.has(number)))
    if (isKept) for (const one of referred) needed.add(one)
    return isKept
  })
  return Buffer.concat(kept.reverse().flatMap(({ head, data }) => [head, data]))
}

function readSegments(file: Buffer): Segment[] {
  const segments: Segment[] = []
  let at = 0
  while (segments.length < MOST_SEGMENTS) {
    const segment = readSegment(file, at)
    if (!segment) break
    segments.push(segment)
    at = segment.data.byteOffset - file.byteOffset + segment.data.length
    const isOpen = segment.head.readUInt32BE(segment.head.length - 4) === UNKNOWN_LENGTH
    const length = FIXED.get(segment.type) ?? (isOpen ? undefined : endOfCoded(segment))
    if (length === undefined || segment.data.length <= length) continue
    segment.data = segment.data.subarray(0, length)
    segment.head.writeUInt32BE(length, segment.head.length - 4)
  }
  return segments
}

/**
 * Offset of the arithmetic-coded data in a segment (14492, 7.4). Undefined for other coding, and for segments without
 * such data.
 */
function startOfCoded({ type, data }: Segment): number | undefined {
  if (data.length < REGION_FLAGS + 2) return undefined
  const isOn = (flags: number, bit: number): boolean => ((flags >> bit) & 1) === 1
  const flags = data[REGION_FLAGS] as number
  switch (type) {
    case 0: {
      const own = data.readUInt16BE(0)
      const refinement = isOn(own, 1) && !isOn(own, 12) ? 4 : 0
      return isOn(own, 0) ? undefined : 2 + (((own >> 10) & 3) === 0 ? 8 : 2) + refinement + 8
    }
    case 4:
    case 6:
    case 7: {
      const own = data.readUInt16BE(REGION_FLAGS)
      return isOn(own, 0) ? undefined : REGION_FLAGS + 2 + (isOn(own, 1) && !isOn(own, 15) ? 4 : 0) + 4
    }
    case 16:
      return isOn(data[0] as number, 0) ? undefined : 7
    case 20:
    case 22:
    case 23:
      return isOn(flags, 0) ? undefined : REGION_FLAGS + 1 + 20
    case 36:
    case 38:
    case 39: {
      const pixels = ((flags >> 1) & 3) > 0 ? 2 : isOn(flags, 4) ? 24 : 8
      return isOn(flags, 0) ? undefined : REGION_FLAGS + 1 + pixels
    }
    case 40:
    case 42:
    case 43:
      return REGION_FLAGS + 1 + (isOn(flags, 0) ? 0 : 4)
    default:
      return undefined
  }
}

/** The length of a segment up to its first marker in arithmetic-coded data. Decoders read no further (14492, E.3.4). */
function endOfCoded(segment: Segment): number | undefined {
  const { data } = segment
  const start = startOfCoded(segment)
  if (start === undefined) return undefined
  for (let at = data.indexOf(0xff, start); at >= 0; at = data.indexOf(0xff, at + 1))
    if ((data[at + 1] ?? 0) > 0x8f) return at + 2
  return undefined
}

/** Reads a segment header (14492, 7.2) and its data. */
function readSegment(file: Buffer, start: number): Segment | undefined {
  if (start + 11 > file.length) return undefined
  const number = file.readUInt32BE(start)
  const flags = file[start + 4] as number
  let count = (file[start + 5] as number) >> 5
  let at = start + 6
  if (count === 7) {
    count = file.readUInt32BE(start + 5) & 0x1fffffff
    at = start + 9 + ((count + 8) >> 3)
  } else if (count > SHORT_COUNT) return undefined
  const width = number <= 256 ? 1 : number <= 65_536 ? 2 : 4
  const fields = at + count * width + ((flags & 64) !== 0 ? 4 : 1)
  if (fields + 4 > file.length) return undefined
  const referred = Array.from({ length: count }, (_, index) => file.readUIntBE(at + index * width, width))
  const head = Buffer.from(file.subarray(start, fields + 4))
  const type = flags & 63
  const stated = file.readUInt32BE(fields)
  const data = fields + 4
  const end = stated === UNKNOWN_LENGTH ? endOfRegion(file, data, type) : data + stated
  if (end === undefined) return undefined
  // Readers show what there is of a segment that was cut off.
  return { type, number, referred, head, data: file.subarray(data, Math.min(end, file.length)) }
}

/** The end of a generic region of unknown length: two bytes by its coding, and the number of rows (14492, 7.2.7). */
function endOfRegion(file: Buffer, data: number, type: number): number | undefined {
  if (type !== GENERIC_REGION || data + REGION_FLAGS >= file.length) return undefined
  const isMmr = ((file[data + REGION_FLAGS] as number) & 1) === 1
  const mark = file.indexOf(Buffer.from(isMmr ? [0, 0] : [0xff, 0xac]), data + REGION_FLAGS + 1)
  return mark < 0 ? undefined : mark + 6
}

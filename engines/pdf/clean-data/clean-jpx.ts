import { cleanProfile } from './clean-profile'

/** Boxes of the header that a decoder reads (ISO/IEC 15444-1, annex I), in a file and inside another box. */
const HEADER_BOXES = new Set(['ihdr', 'bpcc', 'colr', 'pclr', 'cmap', 'cdef', 'opct', 'cgrp'])
/** Boxes with other boxes inside: the header of the file, of a codestream and of a layer (15444-2, annex M). */
const OUTER_BOXES = new Set(['jp2h', 'jpch', 'jplh', 'cgrp'])

/** Brands of files that readers know. Other words there may say anything. */
const BRANDS = new Set(['jp2 ', 'jpx ', 'jpxb', 'jpm ', 'mjp2', 'J2P0', 'J2P1'])

const SIGNATURE = Buffer.from([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a])

const MOST_BOXES = 10_000
const MOST_TILES = 200_000

/** Markers of a codestream (15444-1, annex A). */
const [SOC, SIZ, SOT, SOD, EOC] = [0xff4f, 0xff51, 0xff90, 0xff93, 0xffd9]
/** COD, COC, RGN, QCD, QCC, POC, PPM, PPT, and CAP and PRF of part 15. Lengths of tiles, comments and others are left out. */
const NEEDED = new Set([SIZ, 0xff52, 0xff53, 0xff5e, 0xff5c, 0xff5d, 0xff5f, 0xff60, 0xff61, 0xff50, 0xff56])

/**
 * Writes a JPEG 2000 file anew with only the boxes and segments that a decoder reads. The coded pixels don't change.
 * Undefined if the data can't be followed.
 */
export function cleanJpx(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return cleanCodestream(file)
  const boxes = readBoxes(file.subarray(SIGNATURE.length))
  const codestream = boxes.find(({ kind }) => kind === 'jp2c')
  const clean = codestream && cleanCodestream(codestream.data)
  if (!clean) return undefined
  const type = boxes.find(({ kind }) => kind === 'ftyp')
  const headers = boxes.filter(({ kind }) => kind === 'jp2h' || kind === 'jpch' || kind === 'jplh')
  return Buffer.concat([
    SIGNATURE,
    writeBox('ftyp', cleanType(type?.data)),
    ...headers.map(({ kind, data }) => writeBox(kind, cleanHeader(data, 0))),
    writeBox('jp2c', clean),
  ])
}

interface Box {
  kind: string
  data: Buffer
}

function readBoxes(file: Buffer): Box[] {
  const boxes: Box[] = []
  for (let start = 0; start + 8 <= file.length && boxes.length < MOST_BOXES;) {
    const stated = file.readUInt32BE(start)
    const isLong = stated === 1
    if (isLong && start + 16 > file.length) break
    // Length 0 means that the box extends to the end of the file.
    const length = isLong ? Number(file.readBigUInt64BE(start + 8)) : stated === 0 ? file.length - start : stated
    const data = start + (isLong ? 16 : 8)
    const end = start + length
    if (end < data) break
    boxes.push({ kind: file.toString('latin1', start + 4, start + 8), data: file.subarray(data, end) })
    start = end
  }
  return boxes
}

function writeBox(kind: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length + 8, 0)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, data])
}

function cleanType(data: Buffer = Buffer.alloc(0)): Buffer {
  const brands: string[] = []
  for (let at = 0; at + 4 <= data.length; at += 4) if (at !== 4) brands.push(data.toString('latin1', at, at + 4))
  const [brand = 'jp2 ', ...compatible] = brands.map(one => (BRANDS.has(one) ? one : 'jp2 '))
  return Buffer.from(`${brand}\0\0\0\0${[...new Set([...compatible, 'jp2 '])].join('')}`, 'latin1')
}

function cleanHeader(data: Buffer, depth: number): Buffer {
  if (depth > 2) return Buffer.alloc(0)
  return Buffer.concat(
    readBoxes(data).flatMap(box => {
      if (!HEADER_BOXES.has(box.kind)) return []
      const inside = OUTER_BOXES.has(box.kind) ? cleanHeader(box.data, depth + 1) : cleanFields(box)
      return inside ? [writeBox(box.kind, inside)] : []
    }),
  )
}

/** Returns the fields of a box without bytes after them. Undefined if the box must go. */
function cleanFields({ kind, data }: Box): Buffer | undefined {
  switch (kind) {
    case 'ihdr':
      return data.subarray(0, 14)
    case 'colr':
      return cleanColor(data)
    case 'cdef':
      return data.length < 2 ? undefined : data.subarray(0, 2 + 6 * data.readUInt16BE(0))
    case 'cmap':
      return data.subarray(0, data.length - (data.length % 4))
    case 'pclr':
      return cleanPalette(data)
    case 'opct':
      return data.subarray(0, 1)
    default:
      return data
  }
}

/** The enumerated space CIELab has seven parameters of four bytes (15444-2, M.11.7.4). */
const CIELAB = 14

function cleanColor(data: Buffer): Buffer | undefined {
  const method = data[0]
  if (data.length < 7) return undefined
  if (method === 1) return data.subarray(0, data.readUInt32BE(3) === CIELAB ? 7 + 28 : 7)
  const profile = method === 2 || method === 3 ? cleanProfile(data.subarray(3)) : undefined
  return profile && Buffer.concat([data.subarray(0, 3), profile])
}

function cleanPalette(data: Buffer): Buffer | undefined {
  if (data.length < 3) return undefined
  const [rows, columns] = [data.readUInt16BE(0), data[2] as number]
  const widths = data.subarray(3, 3 + columns)
  const row = widths.reduce((total, bits) => total + (((bits & 127) >> 3) + 1), 0)
  return data.subarray(0, 3 + columns + rows * row)
}

function cleanCodestream(data: Buffer): Buffer | undefined {
  if (data.length < 8 || data.readUInt16BE(0) !== SOC || data.readUInt16BE(2) !== SIZ) return undefined
  const main = cleanSegments(data, 2, SOT)
  if (!main) return undefined
  const parts: Buffer[] = [data.subarray(0, 2), ...main.parts]
  let at = main.end
  for (let count = 0; at + 12 <= data.length && data.readUInt16BE(at) === SOT && count < MOST_TILES; count++) {
    const stated = data.readUInt32BE(at + 6)
    const stop = stated === 0 ? endOfLast(data) : Math.min(data.length, at + stated)
    const header = stop < at + 14 ? undefined : cleanSegments(data.subarray(0, stop), at + 12, SOD)
    if (!header) return undefined
    const tile = Buffer.concat([data.subarray(at, at + 12), ...header.parts, data.subarray(header.end, stop)])
    if (stated !== 0) tile.writeUInt32BE(tile.length, 6)
    parts.push(tile)
    at = stop
  }
  return at === main.end ? undefined : Buffer.concat([...parts, Buffer.from([0xff, 0xd9])])
}

/** The last tile-part may state no length. It ends before the end marker. */
function endOfLast(data: Buffer): number {
  const end = data.lastIndexOf(Buffer.from([EOC >> 8, EOC & 255]))
  return end < 0 ? data.length : end
}

/** Returns the needed segments from `from` to the marker `stop`. Undefined if a segment can't be followed. */
function cleanSegments(data: Buffer, from: number, stop: number): { parts: Buffer[]; end: number } | undefined {
  const parts: Buffer[] = []
  let at = from
  while (at + 2 <= data.length && data.readUInt16BE(at) !== stop) {
    if (at + 4 > data.length || data[at] !== 0xff) return undefined
    const end = at + 2 + data.readUInt16BE(at + 2)
    if (end < at + 4 || end > data.length) return undefined
    if (NEEDED.has(data.readUInt16BE(at))) parts.push(data.subarray(at, end))
    at = end
  }
  return { parts, end: at }
}

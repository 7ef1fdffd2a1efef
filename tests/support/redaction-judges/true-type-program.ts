import type { FontProgram } from './font-program'
import type { Outline } from './outlines'

/** The tables of an OpenType file by tag. */
export function readTables(data: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < data.readUInt16BE(4); index++) {
    const at = 12 + 16 * index
    const offset = data.readUInt32BE(at + 8)
    tables.set(data.toString('latin1', at, at + 4), data.subarray(offset, offset + data.readUInt32BE(at + 12)))
  }
  return tables
}

/** Reads a TrueType program: outlines, widths, names of glyphs, and cmaps. */
export function readTrueType(data: Buffer): FontProgram {
  const tables = readTables(data)
  const table = (tag: string): Buffer => tables.get(tag) ?? Buffer.alloc(0)
  const count = table('maxp').readUInt16BE(4)
  const isLong = table('head').readInt16BE(50) === 1
  const loca = Array.from({ length: count + 1 }, (_, gid) => readOr0(table('loca'), isLong ? gid * 4 : gid * 2, isLong))
  const wideCount = table('hhea').length >= 36 ? table('hhea').readUInt16BE(34) : 0
  const glyphAt = (gid: number): Buffer => table('glyf').subarray(loca[gid], loca[gid + 1])
  return {
    unitsPerEm: table('head').readUInt16BE(18),
    outlines: Array.from({ length: count }, (_, gid) => readGlyph(glyphAt, gid)),
    parts: Array.from({ length: count }, (_, gid) => componentsOf(glyphAt(gid)).map(part => part.gid)),
    advances: Array.from({ length: count }, (_, gid) =>
      readOr0(table('hmtx'), 4 * Math.min(gid, wideCount - 1), false, true),
    ),
    names: readPostNames(table('post'), count),
    cmaps: readCmaps(table('cmap')),
  }
}

function readOr0(table: Buffer, at: number, isLong: boolean, isPlain = false): number {
  if (at < 0 || at + (isLong ? 4 : 2) > table.length) return 0
  return isLong ? table.readUInt32BE(at) : table.readUInt16BE(at) * (isPlain ? 1 : 2)
}

interface Component {
  gid: number
  dx: number
  dy: number
}

function componentsOf(glyph: Buffer): Component[] {
  const parts: Component[] = []
  if (glyph.length < 10 || glyph.readInt16BE(0) >= 0) return parts
  for (let at = 10, flags = 0x20; flags & 0x20;) {
    flags = glyph.readUInt16BE(at)
    const isWide = (flags & 1) !== 0
    const read = (place: number): number =>
      isWide ? glyph.readInt16BE(at + 4 + 2 * place) : glyph.readInt8(at + 4 + place)
    parts.push({ gid: glyph.readUInt16BE(at + 2), dx: read(0), dy: read(1) })
    at += 4 + (isWide ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
  }
  return parts
}

function readGlyph(glyphAt: (gid: number) => Buffer, gid: number, depth = 0): Outline {
  const glyph = glyphAt(gid)
  if (glyph.length < 10 || depth > 5) return []
  const contours = glyph.readInt16BE(0)
  if (contours >= 0) return readSimple(glyph, contours)
  return componentsOf(glyph).flatMap(part => {
    const inner = readGlyph(glyphAt, part.gid, depth + 1)
    return inner.map(points => points.map(point => ({ ...point, x: point.x + part.dx, y: point.y + part.dy })))
  })
}

function readSimple(glyph: Buffer, contours: number): Outline {
  const ends = Array.from({ length: contours }, (_, index) => glyph.readUInt16BE(10 + 2 * index))
  const count = (ends.at(-1) ?? -1) + 1
  let at = 10 + 2 * contours
  at += 2 + glyph.readUInt16BE(at)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = glyph[at++] ?? 0
    const repeats = flag & 8 ? (glyph[at++] ?? 0) : 0
    for (let time = 0; time <= repeats; time++) flags.push(flag)
  }
  const readAxis = (short: number, same: number): number[] => {
    let value = 0
    return flags.map(flag => {
      if (flag & short) value += (glyph[at++] ?? 0) * (flag & same ? 1 : -1)
      else if (!(flag & same)) {
        value += glyph.readInt16BE(at)
        at += 2
      }
      return value
    })
  }
  const [xs, ys] = [readAxis(2, 16), readAxis(4, 32)]
  const points = flags.map((flag, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, isOn: (flag & 1) !== 0 }))
  return ends.map((end, index) => points.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end + 1))
}

/** Glyph names of a `post` table of version 2, without the standard names. */
function readPostNames(post: Buffer, count: number): (string | undefined)[] {
  if (post.length < 34 || post.readUInt32BE(0) !== 0x20000) return []
  const listed = post.readUInt16BE(32)
  const own: string[] = []
  for (let at = 34 + 2 * listed; at < post.length; at += 1 + (post[at] ?? 0))
    own.push(post.toString('latin1', at + 1, at + 1 + (post[at] ?? 0)))
  return Array.from({ length: count }, (_, gid) =>
    gid < listed ? own[post.readUInt16BE(34 + 2 * gid) - 258] : undefined,
  )
}

/** The glyphs by code of each cmap. Formats 0, 4, 6 and 12. */
function readCmaps(cmap: Buffer): Map<string, Map<number, number>> {
  const cmaps = new Map<string, Map<number, number>>()
  for (let index = 0; cmap.length > 4 && index < cmap.readUInt16BE(2); index++) {
    const at = 4 + 8 * index
    const key = `${cmap.readUInt16BE(at)},${cmap.readUInt16BE(at + 2)}`
    cmaps.set(key, readCmap(cmap.subarray(cmap.readUInt32BE(at + 4))))
  }
  return cmaps
}

function readCmap(table: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>()
  const set = (code: number, gid: number): unknown => gid !== 0 && glyphs.set(code, gid)
  const format = table.readUInt16BE(0)
  if (format === 0) for (let code = 0; code < 256; code++) set(code, table[6 + code] ?? 0)
  if (format === 6)
    for (let index = 0; index < table.readUInt16BE(8); index++)
      set(table.readUInt16BE(6) + index, table.readUInt16BE(10 + 2 * index))
  if (format === 4) readSegments(table, set)
  if (format === 12) {
    for (let group = 0; group < table.readUInt32BE(12); group++) {
      const [first = 0, last = 0, gid = 0] = [0, 4, 8].map(place => table.readUInt32BE(16 + 12 * group + place))
      for (let code = first; code <= last; code++) set(code, gid + code - first)
    }
  }
  return glyphs
}

function readSegments(table: Buffer, set: (code: number, gid: number) => unknown): void {
  const segments = table.readUInt16BE(6) / 2
  const word = (array: number, segment: number): number =>
    table.readUInt16BE(14 + 2 * (segments * array + segment) + (array > 0 ? 2 : 0))
  for (let segment = 0; segment < segments; segment++) {
    const [end, start, delta, range] = [word(0, segment), word(1, segment), word(2, segment), word(3, segment)]
    const place = 16 + 2 * (segments * 3 + segment)
    for (let code = start; code <= end && code < 0xffff; code++) {
      const raw = range === 0 ? code : readOr0(table, place + range + 2 * (code - start), false, true)
      if (range === 0 || raw !== 0) set(code, (raw + delta) & 0xffff)
    }
  }
}

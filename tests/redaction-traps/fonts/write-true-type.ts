import type { LetterShape } from './letter-shapes'

/** A cmap of the file: glyphs by code for one platform and encoding. */
interface WrittenCmap {
  platform: number
  encoding: number
  glyphs: Map<number, number>
}

/** The parts of a TrueType file. Letters are glyphs 1, 2, 3 and so on, after an empty `.notdef`. */
interface TrueTypePlan {
  letters: readonly LetterShape[]
  cmaps: WrittenCmap[]
  /** Whether `post` names the glyphs. */
  hasNames?: boolean
}

const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap(value => [(value >> 8) & 255, value & 255]))
const u32 = (...values: number[]): Buffer => u16(...values.flatMap(value => [(value >>> 16) & 0xffff, value & 0xffff]))

/** A TrueType file with 1000 units per em, as subsetters write it for PDF files. */
export function writeTrueType({ letters, cmaps, hasNames = false }: TrueTypePlan): Buffer {
  const glyphs = [Buffer.alloc(0), ...letters.map(writeGlyph)]
  const offsets = glyphs.reduce<number[]>((list, glyph) => [...list, (list.at(-1) ?? 0) + glyph.length], [0])
  const advances = [500, ...letters.map(({ advance }) => advance)]
  const head = Buffer.concat([
    u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
    u16(0, 1000),
    Buffer.alloc(16),
    u16(0, -300, 1100, 1000, 0, 8, 2, 1, 0),
  ])
  const hhea = Buffer.concat([
    u32(0x10000),
    u16(900, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, advances.length),
  ])
  const maxp = Buffer.concat([u32(0x10000), u16(glyphs.length, 200, 20, 0, 0, 1, 0, 0, 0, 0, 64, 0, 0, 0)])
  const tables: Record<string, Buffer> = {
    cmap: writeCmaps(cmaps),
    glyf: Buffer.concat(glyphs),
    head,
    hhea,
    hmtx: Buffer.concat(advances.map(advance => u16(advance, 0))),
    loca: u32(...offsets),
    maxp,
    post: writePost(letters, hasNames),
  }
  if (cmaps.length === 0) delete tables.cmap
  return writeTables(tables)
}

/** An OpenType or TrueType file of these tables. */
export function writeTables(tables: Record<string, Buffer>, version: Buffer = u32(0x10000)): Buffer {
  const names = Object.keys(tables).sort()
  const rows: Buffer[] = []
  const bodies: Buffer[] = []
  let at = 12 + 16 * names.length
  for (const name of names) {
    const body = tables[name] ?? Buffer.alloc(0)
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    rows.push(Buffer.concat([Buffer.from(name, 'latin1'), u32(sumOf(padded), at, body.length)]))
    bodies.push(padded)
    at += padded.length
  }
  const power = Math.floor(Math.log2(names.length))
  return Buffer.concat([
    version,
    u16(names.length, 16 << power, power, 16 * names.length - (16 << power)),
    ...rows,
    ...bodies,
  ])
}

function sumOf(table: Buffer): number {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}

function writeGlyph({ outline }: LetterShape): Buffer {
  if (outline.length === 0) return Buffer.alloc(0)
  const points = outline.flat()
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const ends = outline.map((_, index) => outline.slice(0, index + 1).flat().length - 1)
  const steps = (values: number[]): Buffer => u16(...values.map((value, index) => value - (values[index - 1] ?? 0)))
  const body = Buffer.concat([
    u16(outline.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), ...ends, 0),
    Buffer.from(points.map(({ isOn }) => (isOn ? 1 : 0))),
    steps(xs),
    steps(ys),
  ])
  return Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
}

function writePost(letters: readonly LetterShape[], hasNames: boolean): Buffer {
  const head = (version: number): Buffer => Buffer.concat([u32(version), Buffer.alloc(28)])
  if (!hasNames) return head(0x30000)
  const names = letters.map(({ name }) => Buffer.from([name.length, ...Buffer.from(name, 'latin1')]))
  return Buffer.concat([head(0x20000), u16(letters.length + 1, 0, ...letters.map((_, index) => 258 + index)), ...names])
}

function writeCmaps(cmaps: readonly WrittenCmap[]): Buffer {
  const bodies = cmaps.map(({ glyphs }) => writeSegments(glyphs))
  const starts = bodies.map((_, index) => 4 + 8 * cmaps.length + Buffer.concat(bodies.slice(0, index)).length)
  const rows = cmaps.map(({ platform, encoding }, index) =>
    Buffer.concat([u16(platform, encoding), u32(starts[index] ?? 0)]),
  )
  return Buffer.concat([u16(0, cmaps.length), ...rows, ...bodies])
}

/** A subtable of format 4 with one segment for each code. */
function writeSegments(glyphs: Map<number, number>): Buffer {
  const codes = [...[...glyphs].sort(([a], [b]) => a - b), [0xffff, 0] as [number, number]]
  const power = Math.floor(Math.log2(codes.length))
  return Buffer.concat([
    u16(4, 16 + 8 * codes.length, 0, codes.length * 2, 2 << power, power, codes.length * 2 - (2 << power)),
    u16(...codes.map(([code]) => code), 0),
    u16(...codes.map(([code]) => code)),
    u16(...codes.map(([code, gid]) => (code === 0xffff ? 1 : gid - code))),
    u16(...codes.map(() => 0)),
  ])
}

import { FontData, FontWriter, readUnlessDamaged } from '../font-data'
import { measureOutlines } from './glyf'
import type { GlyphOutline, Outlines } from './glyf'
import { writeSfnt } from './sfnt'
import type { TrueTypeProgram } from './true-type'
import { cutMetrics } from './true-type-metrics'
import { writeCmap } from './write-cmap'
import type { Numbers } from './write-cmap'

/** Tables that stay because they contain nothing about single glyphs: hinting, and when to apply it. */
const KEPT_TABLES = ['cvt ', 'fpgm', 'prep', 'gasp']

/** Offsets in `head` and `maxp`, and their sizes (OpenType). */
const HEAD_CREATED = 20
const HEAD_BOX = 36
const HEAD_LOCA_FORMAT = 50
const HEAD_BYTES = 54
const MAXP_GLYPHS = 4
const MAXP_HINTING = 14
const MAXP_SIZES = 26
const MAXP_FULL_BYTES = 32

const MOST_16_BITS = 0xffff

/** The glyphs that a subset of a TrueType program keeps. */
export interface TrueTypeChoice {
  /**
   * Old glyph indexes in their new order, from new index 1 on. Glyph 0 always stays. Indexes that the font doesn't have
   * are ignored.
   */
  glyphs: readonly number[]
  /** If `true`, glyph 0 becomes empty. For documents that don't show it. */
  isMissingBlank?: boolean
  /** If `true`, the bounding box of all glyphs stays, because some renderers position glyphs by it. */
  keepsBounds?: boolean
  /** Old glyph indexes by code (0 to 255), for `cmap` subtables (1,0) and (3,0). */
  codes?: ReadonlyMap<number, number>
  /** Old glyph indexes by code (0 to 255), for a `cmap` subtable (3,0) only. */
  symbols?: ReadonlyMap<number, number>
  /** Advance widths by old glyph index, in font units. Other glyphs keep theirs. */
  advances?: ReadonlyMap<number, number>
  /** Old glyph indexes by code point (up to U+FFFF), for a `cmap` subtable (3,1). */
  unicodes?: ReadonlyMap<number, number>
}

/** A font program with only some of its glyphs. */
export interface GlyphSubset {
  bytes: Uint8Array
  /** New glyph indexes by old ones, including components. */
  numbers: ReadonlyMap<number, number>
}

/**
 * Returns a TrueType program with only the chosen glyphs, and no data of other glyphs. Components of composite glyphs
 * follow the chosen glyphs, in the order of their first use. Hinting stays. `head`, `hhea`, `maxp`, `vhea`, `loca`,
 * `glyf`, `hmtx`, `vmtx` and `cmap` are written anew for the remaining glyphs. There is no `cmap` unless the choice has
 * codes. `post` has no names, and other tables are removed. Undefined if a chosen outline can't be read, or if
 * composite glyphs contain themselves.
 */
export function subsetTrueType(program: TrueTypeProgram, choice: TrueTypeChoice): GlyphSubset | undefined {
  return readUnlessDamaged(() => cut(program, choice))
}

function cut(program: TrueTypeProgram, choice: TrueTypeChoice): GlyphSubset {
  const { codes, symbols, unicodes, advances, isMissingBlank = false } = choice
  const outlines = collect(program, choice)
  const numbers = new Map([...outlines.keys()].map((old, number) => [old, number] as const))
  const { glyf, loca, isLong } = writeOutlines(outlines, numbers)
  const tables = new Map<string, Uint8Array>([
    ['glyf', glyf],
    ['loca', loca],
  ])
  const boxes = [...outlines.values()].map(outline => outline?.box)
  tables.set('head', cutHead(getTable(program, 'head'), choice.keepsBounds ? undefined : boxes, isLong))
  tables.set('maxp', cutMaxp(getTable(program, 'maxp'), outlines))
  const kept = [...outlines].map(([glyph, outline]) => {
    const isBlank = isMissingBlank && glyph === 0 && !outline
    return { glyph, box: outline?.box, isBlank, advance: advances?.get(glyph) }
  })
  cutMetrics(program.tables, kept, tables)
  const cmap = writeCmap({
    ...(codes && { codes: renumber(codes, numbers) }),
    ...(symbols && { symbols: renumber(symbols, numbers) }),
    ...(unicodes && { unicodes: renumber(unicodes, numbers) }),
  })
  if (cmap) tables.set('cmap', cmap)
  tables.set('post', writePost(program.tables.get('post')))
  for (const tag of KEPT_TABLES) {
    const table = program.tables.get(tag)
    if (table) tables.set(tag, table)
  }
  return { bytes: writeSfnt(0x00010000, tables), numbers }
}

/** Returns the remaining outlines in their new order, with components at the end. */
function collect(program: TrueTypeProgram, { glyphs, isMissingBlank }: TrueTypeChoice): Outlines {
  const { outlines, glyphCount } = program
  const kept = new Set([0, ...glyphs.filter(glyph => Number.isInteger(glyph) && glyph >= 0 && glyph < glyphCount)])
  const read: Outlines = new Map()
  // The loop also visits glyphs that are added to the set meanwhile.
  for (const glyph of kept) {
    const outline = isMissingBlank && glyph === 0 ? undefined : outlines.read(glyph)
    read.set(glyph, outline)
    for (const component of outline?.components ?? []) kept.add(component.glyph)
  }
  const isPart = [...read.values()].some(outline => outline?.components.some(({ glyph }) => glyph === 0))
  return isMissingBlank && isPart ? collect(program, { glyphs }) : read
}

/** Writes `glyf` and `loca`. `numbers` has new glyph indexes of components by their old ones. */
export function writeOutlines(
  outlines: Outlines,
  numbers: Numbers,
): { glyf: Uint8Array; loca: Uint8Array; isLong: boolean } {
  const glyf = new FontWriter()
  const starts = [0]
  for (const outline of outlines.values()) {
    if (outline) glyf.bytes(renumberComponents(outline, numbers)).pad(4)
    starts.push(glyf.length)
  }
  const isLong = glyf.length > MOST_16_BITS * 2
  const loca = new FontWriter()
  for (const start of starts) loca.unsigned(isLong ? start : start / 2, isLong ? 4 : 2)
  return { glyf: glyf.finish(), loca: loca.finish(), isLong }
}

/** Returns an outline with new glyph indexes of its components, by their old ones. */
export function renumberComponents({ bytes, components }: GlyphOutline, numbers: Numbers): Uint8Array {
  if (components.length === 0) return bytes
  const copy = bytes.slice()
  for (const { glyph, at } of components) {
    const number = numbers.get(glyph) ?? 0
    copy[at] = number >> 8
    copy[at + 1] = number & 0xff
  }
  return copy
}

/** Writes `head`. Without `boxes`, the bounding box stays. */
export function cutHead(
  head: Uint8Array,
  boxes: readonly (GlyphOutline['box'] | undefined)[] | undefined,
  isLong: boolean,
): Uint8Array {
  const data = new FontData(head)
  const used = boxes?.flatMap(box => box ?? []) ?? []
  const extreme = (pick: (...values: number[]) => number, side: keyof GlyphOutline['box']): number =>
    used.reduce((found, box) => pick(found, box[side]), used[0]?.[side] ?? 0)
  const bounds = new FontWriter()
    .u16(extreme(Math.min, 'left'))
    .u16(extreme(Math.min, 'bottom'))
    .u16(extreme(Math.max, 'right'))
    .u16(extreme(Math.max, 'top'))
    .finish()
  return new FontWriter()
    .bytes(data.slice(0, HEAD_CREATED))
    .bytes(new Uint8Array(HEAD_BOX - HEAD_CREATED))
    .bytes(boxes ? bounds : data.slice(HEAD_BOX, HEAD_BOX + 8))
    .bytes(data.slice(HEAD_BOX + 8, HEAD_LOCA_FORMAT))
    .u16(isLong ? 1 : 0)
    .bytes(data.slice(HEAD_LOCA_FORMAT + 2, HEAD_BYTES))
    .finish()
}

/** Writes `maxp` with the maximums of the remaining glyphs. The limits of the hinting program stay. */
export function cutMaxp(maxp: Uint8Array, outlines: Outlines): Uint8Array {
  const data = new FontData(maxp)
  const table = new FontWriter().bytes(data.slice(0, MAXP_GLYPHS)).u16(outlines.size)
  if (maxp.length < MAXP_FULL_BYTES) return table.finish()
  const sizes = measureOutlines(outlines)
  const composites = sizes.filter(({ depth }) => depth > 0)
  const simple = sizes.filter(({ depth }) => depth === 0)
  const write = (values: readonly number[]): void => {
    table.u16(values.reduce((most, value) => Math.max(most, Math.min(value, MOST_16_BITS)), 0))
  }
  for (const list of [simple, composites]) {
    write(list.map(({ points }) => points))
    write(list.map(({ contours }) => contours))
  }
  table.bytes(data.slice(MAXP_HINTING, MAXP_SIZES))
  write([...outlines.values()].map(outline => outline?.instructionBytes ?? 0))
  write([...outlines.values()].map(outline => outline?.components.length ?? 0))
  write(sizes.map(({ depth }) => depth))
  return table.finish()
}

/** Writes `post` in format 3, without names. The slant and the underline stay. */
export function writePost(post: Uint8Array | undefined): Uint8Array {
  const kept = post && post.length >= 16 ? post.subarray(4, 16) : new Uint8Array(12)
  return new FontWriter().u32(0x00030000).bytes(kept).bytes(new Uint8Array(16)).finish()
}

function renumber(codes: Numbers | undefined, numbers: Numbers): Numbers | undefined {
  return codes && new Map([...codes].map(([code, old]) => [code, numbers.get(old) ?? 0] as const))
}

function getTable(program: TrueTypeProgram, tag: string): Uint8Array {
  return program.tables.get(tag) ?? new Uint8Array()
}

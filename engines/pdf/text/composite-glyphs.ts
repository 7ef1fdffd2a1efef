import { readSfntTables, writeSfnt } from '../fonts/programs/true-type/sfnt'

/** A component of a composite glyph: another glyph of the font with an offset in whole font units. */
export interface Component {
  glyph: number
  dx: number
  dy: number
}

/** A glyph that consists of other glyphs of its font. All measures are in font units. */
export interface CompositeGlyph {
  components: readonly Component[]
  advance: number
  /** Bounding box of the outline: left, bottom, right, top. */
  box: readonly [number, number, number, number]
}

/**
 * Flags of components (OpenType, `glyf`): the arguments have 16 bits, they are offsets, and another component follows.
 */
const ARGUMENTS_ARE_WORDS = 0x0001
const ARGUMENTS_ARE_OFFSETS = 0x0002
const MORE_COMPONENTS = 0x0020

/** The sfnt version of fonts with outlines in `glyf`. */
const TRUE_TYPE = 0x00010000

type Tables = Map<string, Buffer>

/**
 * Appends composite glyphs to a TrueType font, in this order. `firstGlyph` is the ID of the first new glyph. The font
 * must have outlines in `glyf`, like the fonts from `openSubsetter`.
 */
export function addCompositeGlyphs(
  font: Uint8Array,
  composites: readonly CompositeGlyph[],
): { font: Uint8Array; firstGlyph: number } {
  // Copies the tables, because the functions below change them.
  const tables: Tables = new Map([...readSfntTables(font)].map(([tag, bytes]) => [tag, Buffer.from(bytes)]))
  const firstGlyph = table(tables, 'maxp').readUInt16BE(4)
  if (composites.length === 0) return { font, firstGlyph }
  appendOutlines(tables, composites, firstGlyph)
  appendMetrics(tables, composites, firstGlyph)
  raiseLimits(tables, composites, firstGlyph)
  return { font: writeSfnt(TRUE_TYPE, tables), firstGlyph }
}

function table(tables: Tables, tag: string): Buffer {
  const found = tables.get(tag)
  if (!found) throw new Error(`a font has no ${tag} table`)
  return found
}

/** Appends outlines to `glyf`, and writes all offsets to `loca` in its long format. */
function appendOutlines(tables: Tables, composites: readonly CompositeGlyph[], count: number): void {
  const [head, loca, glyf] = [table(tables, 'head'), table(tables, 'loca'), table(tables, 'glyf')]
  const isLong = head.readInt16BE(50) === 1
  const places = Array.from({ length: count + 1 }, (_, index) =>
    isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2,
  )
  const outlines: Buffer[] = [glyf.subarray(0, places[count])]
  for (const composite of composites) {
    const outline = writeOutline(composite)
    places.push((places.at(-1) ?? 0) + outline.length)
    outlines.push(outline)
  }
  const written = Buffer.alloc(places.length * 4)
  for (const [index, place] of places.entries()) written.writeUInt32BE(place, index * 4)
  head.writeInt16BE(1, 50)
  tables.set('loca', written)
  tables.set('glyf', Buffer.concat(outlines))
}

function writeOutline({ components, box }: CompositeGlyph): Buffer {
  const outline = Buffer.alloc(10 + components.length * 8 + ((components.length * 8 + 10) % 4 === 0 ? 0 : 2))
  outline.writeInt16BE(-1, 0)
  for (const [index, value] of box.entries()) outline.writeInt16BE(value, 2 + index * 2)
  for (const [index, { glyph, dx, dy }] of components.entries()) {
    const at = 10 + index * 8
    outline.writeUInt16BE(
      ARGUMENTS_ARE_WORDS | ARGUMENTS_ARE_OFFSETS | (index < components.length - 1 ? MORE_COMPONENTS : 0),
      at,
    )
    outline.writeUInt16BE(glyph, at + 2)
    outline.writeInt16BE(dx, at + 4)
    outline.writeInt16BE(dy, at + 6)
  }
  return outline
}

/**
 * Writes an advance width and a left side bearing for every glyph. Glyphs with the short form at the end of `hmtx` get
 * the long form.
 */
function appendMetrics(tables: Tables, composites: readonly CompositeGlyph[], count: number): void {
  const [hhea, hmtx] = [table(tables, 'hhea'), table(tables, 'hmtx')]
  const stated = hhea.readUInt16BE(34)
  const written = Buffer.alloc((count + composites.length) * 4)
  const last = stated > 0 ? hmtx.readUInt16BE((stated - 1) * 4) : 0
  for (let glyph = 0; glyph < count; glyph++) {
    const isStated = glyph < stated
    written.writeUInt16BE(isStated ? hmtx.readUInt16BE(glyph * 4) : last, glyph * 4)
    written.writeInt16BE(hmtx.readInt16BE(isStated ? glyph * 4 + 2 : stated * 4 + (glyph - stated) * 2), glyph * 4 + 2)
  }
  for (const [index, { advance, box }] of composites.entries()) {
    written.writeUInt16BE(advance, (count + index) * 4)
    written.writeInt16BE(box[0], (count + index) * 4 + 2)
  }
  hhea.writeUInt16BE(count + composites.length, 34)
  tables.set('hmtx', written)
}

/**
 * Updates the number of glyphs and the limits in `maxp`. The limits are generous, because readers allocate memory by
 * them.
 */
function raiseLimits(tables: Tables, composites: readonly CompositeGlyph[], count: number): void {
  const maxp = table(tables, 'maxp')
  maxp.writeUInt16BE(count + composites.length, 4)
  const most = Math.max(...composites.map(({ components }) => components.length))
  const [points, contours] = [6, 8].map(at => most * Math.max(maxp.readUInt16BE(at), maxp.readUInt16BE(at + 4)))
  maxp.writeUInt16BE(Math.min(0xffff, points ?? 0), 10)
  maxp.writeUInt16BE(Math.min(0xffff, contours ?? 0), 12)
  maxp.writeUInt16BE(Math.max(maxp.readUInt16BE(28), most), 28)
  maxp.writeUInt16BE(maxp.readUInt16BE(30) + 1, 30)
}

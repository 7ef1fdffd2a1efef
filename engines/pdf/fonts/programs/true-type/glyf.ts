import { boundsOf, mapCorners } from '../../../geometry/geometry'
import type { Bounds } from '../../../geometry/geometry'
import { DamagedFontError, FontData } from '../font-data'
import { joinBoxes } from '../glyph-pen'

// Flags of points and components in the `glyf` table (OpenType, `glyf`).

/** Point: x is one byte. */
const X_SHORT = 0x02
/** Point: y is one byte. */
const Y_SHORT = 0x04
/** Point: the next byte says how often the flags repeat. */
const REPEAT = 0x08
/** Point: a one-byte x is positive, or any other x is omitted because it doesn't change. */
const X_SAME = 0x10
/** Point: a one-byte y is positive, or any other y is omitted because it doesn't change. */
const Y_SAME = 0x20

/** Component: its arguments are two words instead of two bytes. */
const WIDE_PLACE = 0x0001
/** Component: its arguments are a distance, not two points. */
const PLACED = 0x0002
/** Component: its scales also apply to its distance. */
const SCALED_PLACE = 0x0800
/** Component: it has one scale. */
const SCALE = 0x0008
/** Component: another one follows. */
const MORE = 0x0020
/** Component: it has a scale for x and one for y. */
const TWO_SCALES = 0x0040
/** Component: it has a matrix of four numbers. */
const FOUR_SCALES = 0x0080
/** Component: instructions follow the last one. */
const INSTRUCTIONS = 0x0100

/** Size of the header before an outline: the number of contours and the bounding box. */
const HEADER_BYTES = 10

/** Maximum nesting of composite glyphs. Fonts stay below 5. */
const DEEPEST = 16

/** An outline as in the `glyf` table, without padding after its last byte. */
export interface GlyphOutline {
  bytes: Uint8Array
  box: { left: number; bottom: number; right: number; top: number }
  instructionBytes: number
  /** Number of points of a simple glyph. 0 for a composite glyph, like `contours`. */
  points: number
  contours: number
  /** Components of a composite glyph: their glyph indexes, and the offsets of these indexes in `bytes`. */
  components: { glyph: number; at: number }[]
}

/** Outlines by glyph index. Undefined for an empty glyph. */
export type Outlines = Map<number, GlyphOutline | undefined>

/** The tables that contain the outlines, and the format of `loca`. */
interface OutlineSource extends LocaForm {
  glyf: Uint8Array
  loca: Uint8Array
}

/** The outlines of a font. */
export interface OutlineTable {
  /** Returns the outline of a glyph. Undefined for an empty glyph. Throws `DamagedFontError` if it is cut off. */
  read(glyph: number): GlyphOutline | undefined
  /** Returns whether the glyph has bytes for an outline. */
  has(glyph: number): boolean
  /**
   * Returns the box around the points of an outline and its components, whatever box the outline states, in units of the
   * font. Undefined for an empty glyph. Throws `DamagedFontError` if it is cut off.
   */
  inkOf(glyph: number): Bounds | undefined
}

/**
 * Opens `loca` and `glyf`. As in FreeType, glyphs after the end of a short `loca` are empty, and the last entry may
 * point beyond `glyf`. Throws `DamagedFontError` if another entry points beyond `glyf`, or if the entries don't rise.
 */
export function openOutlines({ glyf, loca, ...form }: OutlineSource): OutlineTable {
  const outlines = new FontData(glyf).bytes
  const starts = readStarts(loca, { ...form, end: glyf.length })
  const has = (glyph: number): boolean => (starts[glyph + 1] ?? 0) > (starts[glyph] ?? 0)
  const read = (glyph: number): GlyphOutline | undefined =>
    has(glyph) ? readOutline(outlines.subarray(starts[glyph], starts[glyph + 1])) : undefined
  return { has, read, inkOf: openInk(read) }
}

/** Measures outlines, each once. */
function openInk(read: (glyph: number) => GlyphOutline | undefined): (glyph: number) => Bounds | undefined {
  const known = new Map<number, Bounds | undefined>()
  const inkOf = (glyph: number, depth: number): Bounds | undefined => {
    if (known.has(glyph)) return known.get(glyph)
    if (depth > DEEPEST) throw new DamagedFontError('composite glyphs contain each other')
    const outline = read(glyph)
    let ink = outline && outline.points > 0 ? boxOfPoints(outline) : undefined
    for (const { glyph: part, at } of outline?.components ?? []) {
      const box = inkOf(part, depth + 1)
      if (box && outline) ink = joinBoxes(ink, placeComponent(outline, at, box))
    }
    known.set(glyph, ink)
    return ink
  }
  return glyph => inkOf(glyph, 0)
}

/** Follows the points of a simple glyph (OpenType, "glyf"). */
function boxOfPoints({ bytes, contours, instructionBytes, points }: GlyphOutline): Bounds | undefined {
  const data = new FontData(bytes)
  let at = HEADER_BYTES + contours * 2 + 2 + instructionBytes
  const flags: number[] = []
  while (flags.length < points) {
    const flag = data.u8(at++)
    const repeats = (flag & REPEAT) === 0 ? 1 : 1 + data.u8(at++)
    for (let index = 0; index < repeats && flags.length < points; index++) flags.push(flag)
  }
  const sides = [
    { short: X_SHORT, same: X_SAME },
    { short: Y_SHORT, same: Y_SAME },
  ].map(({ short, same }) => {
    let [value, low, high] = [0, Infinity, -Infinity]
    for (const flag of flags) {
      if (flag & short) value += flag & same ? data.u8(at++) : -data.u8(at++)
      else if ((flag & same) === 0) {
        value += data.i16(at)
        at += 2
      }
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
    return { low, high }
  })
  const [across, up] = sides
  return across && up && { left: across.low, bottom: up.low, right: across.high, top: up.high }
}

/** The number 1 in the form of two bytes that scales have. */
const ONE = 0x4000

/** Returns where a component's box is. `at` is the offset of its glyph index. Components that are tied by points stay in place. */
function placeComponent({ bytes }: GlyphOutline, at: number, box: Bounds): Bounds {
  const data = new FontData(bytes)
  const flags = data.u16(at - 2)
  const isWide = (flags & WIDE_PLACE) !== 0
  const place = (index: number): number =>
    isWide ? data.i16(at + 2 + index * 2) : (data.u8(at + 2 + index) << 24) >> 24
  const scale = (index: number): number => data.i16(at + (isWide ? 6 : 4) + index * 2) / ONE
  let [a, b, c, d] = [1, 0, 0, 1]
  if (flags & SCALE) a = d = scale(0)
  else if (flags & TWO_SCALES) [a, d] = [scale(0), scale(1)]
  else if (flags & FOUR_SCALES) [a, b, c, d] = [scale(0), scale(1), scale(2), scale(3)]
  const [x, y] = flags & PLACED ? [place(0), place(1)] : [0, 0]
  const isScaled = (flags & SCALED_PLACE) !== 0
  const [e, f] = isScaled ? [x * Math.hypot(a, b), y * Math.hypot(c, d)] : [x, y]
  return boundsOf(mapCorners([a, b, c, d, e, f], box))
}

interface LocaForm {
  /** Whether the entries have four bytes instead of two. */
  isLong: boolean
  glyphCount: number
}

function readStarts(loca: Uint8Array, { isLong, glyphCount, end }: LocaForm & { end: number }): Uint32Array {
  const data = new FontData(loca)
  const count = Math.min(glyphCount + 1, Math.floor(loca.length / (isLong ? 4 : 2)))
  const starts = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    const start = isLong ? data.u32(index * 4) : data.u16(index * 2) * 2
    starts[index] = index === count - 1 ? Math.min(start, end) : start
    if ((starts[index] as number) > end) throw new DamagedFontError('an outline lies behind the glyf table')
    if (index > 0 && start < (starts[index - 1] as number)) throw new DamagedFontError('the loca table does not rise')
  }
  return starts
}

function readOutline(bytes: Uint8Array): GlyphOutline | undefined {
  const data = new FontData(bytes)
  const contours = data.i16(0)
  if (contours === 0) return undefined
  const box = { left: data.i16(2), bottom: data.i16(4), right: data.i16(6), top: data.i16(8) }
  return contours > 0 ? readSimple(data, contours, box) : readComposite(data, box)
}

function readSimple(data: FontData, contours: number, box: GlyphOutline['box']): GlyphOutline {
  let points = 0
  for (let contour = 0; contour < contours; contour++) {
    const last = data.u16(HEADER_BYTES + contour * 2)
    if (last + 1 < points) throw new DamagedFontError('the contours of an outline do not rise')
    points = last + 1
  }
  let at = HEADER_BYTES + contours * 2
  const instructionBytes = data.u16(at)
  at += 2 + instructionBytes
  let coordinateBytes = 0
  for (let read = 0; read < points;) {
    const flags = data.u8(at++)
    const repeats = (flags & REPEAT) === 0 ? 1 : 1 + data.u8(at++)
    const size = (flags & X_SHORT ? 1 : flags & X_SAME ? 0 : 2) + (flags & Y_SHORT ? 1 : flags & Y_SAME ? 0 : 2)
    coordinateBytes += size * Math.min(repeats, points - read)
    read += repeats
  }
  return { bytes: data.slice(0, at + coordinateBytes), box, instructionBytes, points, contours, components: [] }
}

function readComposite(data: FontData, box: GlyphOutline['box']): GlyphOutline {
  const components: GlyphOutline['components'] = []
  let [at, flags] = [HEADER_BYTES, MORE]
  let hasInstructions = false
  while (flags & MORE) {
    flags = data.u16(at)
    components.push({ glyph: data.u16(at + 2), at: at + 2 })
    at += 4 + (flags & WIDE_PLACE ? 4 : 2) + (flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & FOUR_SCALES ? 8 : 0)
    hasInstructions ||= (flags & INSTRUCTIONS) !== 0
  }
  const instructionBytes = hasInstructions ? data.u16(at) : 0
  const end = at + (hasInstructions ? 2 + instructionBytes : 0)
  return { bytes: data.slice(0, end), box, instructionBytes, points: 0, contours: 0, components }
}

/** The sizes of a glyph. `maxp` states their maximums. */
interface CompositeSize {
  points: number
  contours: number
  /** Nesting depth of components. 0 for a simple glyph. */
  depth: number
}

/**
 * Measures glyphs with all their components, in the order of the outlines. Throws `DamagedFontError` if a composite
 * glyph contains itself.
 */
export function measureOutlines(outlines: Outlines): CompositeSize[] {
  const sizes = new Map<number, CompositeSize>()
  const measure = (glyph: number, level: number): CompositeSize => {
    const known = sizes.get(glyph)
    if (known) return known
    if (level > DEEPEST) throw new DamagedFontError('composite glyphs contain each other')
    const outline = outlines.get(glyph)
    const size: CompositeSize = { points: outline?.points ?? 0, contours: outline?.contours ?? 0, depth: 0 }
    for (const component of outline?.components ?? []) {
      const part = measure(component.glyph, level + 1)
      size.points += part.points
      size.contours += part.contours
      size.depth = Math.max(size.depth, part.depth + 1)
    }
    sizes.set(glyph, size)
    return size
  }
  return [...outlines.keys()].map(glyph => measure(glyph, 0))
}

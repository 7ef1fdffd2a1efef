import { readFile } from 'node:fs/promises'
import { findPackageFile } from '../package-file'

/** The functions of HarfBuzz's subset library that are called here; all values are addresses or integers. */
interface SubsetLibrary {
  memory: WebAssembly.Memory
  _initialize(): void
  malloc(size: number): number
  free(address: number): void
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_length(blob: number): number
  hb_blob_get_data(blob: number, length: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_keep_everything(input: number): void
  hb_subset_input_glyph_set(input: number): number
  hb_subset_input_set(input: number, kind: number): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_subset_input_pin_axis_location(input: number, face: number, axis: number, value: number): number
  hb_subset_input_pin_all_axes_to_default(input: number, face: number): number
  hb_subset_or_fail(face: number, input: number): number
}

/** `hb_memory_mode_t`: the blob may be written to; it owns nothing that others use. */
const WRITABLE = 2

/** `hb_subset_flags_t`: without hinting, glyph numbers as they are. */
const NO_HINTING = 1
const RETAIN_GIDS = 2

/** `hb_subset_sets_t`: tables to leave out. */
const DROP_TABLES = 3

/** What a PDF's CIDFontType2 does not need (ISO 32000-2, 9.9.1): its text is shaped and has its own names. */
const NEEDLESS_TABLES = [
  'BASE',
  'GDEF',
  'GPOS',
  'GSUB',
  'HVAR',
  'MATH',
  'MVAR',
  'OS/2',
  'STAT',
  'avar',
  'kern',
  'meta',
  'name',
  'post',
  'vhea',
  'vmtx',
  'VORG',
  'VVAR',
]

/** Tables of the list above that determine the outlines and widths for given values of the axes. */
const AXIS_TABLES: ReadonlySet<string> = new Set(['HVAR', 'MVAR', 'OS/2', 'VVAR', 'avar'])

/** Bytes of fonts from which on a subset is cut from a smaller font: Inter and the mathematical signs. */
const LARGE = 2 ** 19

/** Bytes of the fonts that stay in the library's memory. It has 64 MB and doesn't grow. */
const MOST_BYTES = 24 * 2 ** 20

/** Places on the axes of a font, by their tags. */
type Axes = Readonly<Record<string, number>>

/** A font that subsets are cut from. */
export type SubsetSource = (glyphs: Iterable<number>, axes: Axes) => Uint8Array

/** Gives a whole font fixed at a place of its axes, the others at their usual place. */
type PinFont = (font: Uint8Array, axes: Axes) => Uint8Array

let opened: Promise<(font: Uint8Array) => SubsetSource> | undefined

/**
 * HarfBuzz's subsetter, compiled when it is first needed and kept by the process. What it opens gives TrueType files
 * with the named glyphs and what they are made of, at their own numbers, fixed at a place of the font's axes.
 */
export function openSubsetter(): Promise<(font: Uint8Array) => SubsetSource> {
  return (opened ??= compile())
}

/** HarfBuzz's instancer, with a memory of its own: what it gives is a font without axes, with all glyphs and tables. */
export async function openInstancer(): Promise<PinFont> {
  const library = await load()
  return (font, axes) => {
    const { face, address } = openFace(library, font)
    const input = library.hb_subset_input_create_or_fail()
    library.hb_subset_input_keep_everything(input)
    const bytes = write(library, { face, input, axes })
    library.hb_face_destroy(face)
    library.free(address)
    return bytes
  }
}

async function compile(): Promise<(font: Uint8Array) => SubsetSource> {
  const library = await load()
  /** The sources in memory, the one that was used last at the end. */
  const open = new Set<Source>()
  return font => {
    const source = new Source(library, font)
    return (glyphs, axes) => {
      open.delete(source)
      open.add(source)
      let bytes = 0
      for (const one of [...open].reverse()) {
        bytes += one.length
        if (bytes <= MOST_BYTES || one === source) continue
        one.close()
        open.delete(one)
      }
      return source.cut(glyphs, axes)
    }
  }
}

/**
 * A font whose bytes lie in the library's memory while it is used. In large fonts, what a subset doesn't have costs more
 * than what it has. Glyphs that were asked for before are therefore cut from a smaller font, which gives the same bytes.
 */
class Source {
  private readonly known = new Set<number>()
  private whole: { face: number; address: number } | undefined
  private reduced: number | undefined

  constructor(
    private readonly library: SubsetLibrary,
    private readonly font: Uint8Array,
  ) {}

  get length(): number {
    return this.font.length
  }

  cut(glyphs: Iterable<number>, axes: Axes): Uint8Array {
    const { library, known } = this
    this.whole ??= openFace(library, this.font)
    const wanted = [...glyphs]
    if (this.length >= LARGE && wanted.every(glyph => known.has(glyph))) {
      this.reduced ??= reduce(library, this.whole.face, known)
      return cut(library, this.reduced, { glyphs: wanted, axes })
    }
    for (const glyph of wanted) known.add(glyph)
    this.closeReduced()
    return cut(library, this.whole.face, { glyphs: wanted, axes })
  }

  /** Frees the memory. The next use opens the font again. */
  close(): void {
    this.closeReduced()
    if (!this.whole) return
    this.library.hb_face_destroy(this.whole.face)
    this.library.free(this.whole.address)
    this.whole = undefined
  }

  private closeReduced(): void {
    if (this.reduced !== undefined) this.library.hb_face_destroy(this.reduced)
    this.reduced = undefined
  }
}

async function load(): Promise<SubsetLibrary> {
  const wasm = await readFile(findPackageFile('harfbuzzjs/dist/harfbuzz-subset.wasm'))
  const { instance } = await WebAssembly.instantiate(wasm)
  const library = instance.exports as unknown as SubsetLibrary // the module exports these, as its version was seen to
  library._initialize()
  return library
}

function openFace(library: SubsetLibrary, font: Uint8Array): { face: number; address: number } {
  const address = library.malloc(font.length)
  new Uint8Array(library.memory.buffer).set(font, address)
  const blob = library.hb_blob_create(address, font.length, WRITABLE, 0, 0)
  const face = library.hb_face_create(blob, 0)
  library.hb_blob_destroy(blob)
  return { face, address }
}

function cut(
  library: SubsetLibrary,
  face: number,
  { glyphs, axes }: { glyphs: Iterable<number>; axes: Axes },
): Uint8Array {
  return write(library, { face, input: describe(library, glyphs, NEEDLESS_TABLES), axes })
}

/** A font with these glyphs and with the axes of another one. */
function reduce(library: SubsetLibrary, face: number, glyphs: Iterable<number>): number {
  const input = describe(
    library,
    glyphs,
    NEEDLESS_TABLES.filter(table => !AXIS_TABLES.has(table)),
  )
  return subset(library, face, input)
}

/** The input for these glyphs at their own numbers, without hinting and without these tables. */
function describe(library: SubsetLibrary, glyphs: Iterable<number>, needless: readonly string[]): number {
  const input = library.hb_subset_input_create_or_fail()
  const kept = library.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) library.hb_set_add(kept, glyph)
  const dropped = library.hb_subset_input_set(input, DROP_TABLES)
  for (const table of needless) library.hb_set_add(dropped, tagOf(table))
  library.hb_subset_input_set_flags(input, NO_HINTING | RETAIN_GIDS)
  return input
}

/** The font that an input describes, at a place of the axes; the input is used up. */
function write(library: SubsetLibrary, { face, input, axes }: { face: number; input: number; axes: Axes }): Uint8Array {
  library.hb_subset_input_pin_all_axes_to_default(input, face)
  for (const [axis, value] of Object.entries(axes))
    library.hb_subset_input_pin_axis_location(input, face, tagOf(axis), value)
  const written = subset(library, face, input)
  const blob = library.hb_face_reference_blob(written)
  const start = library.hb_blob_get_data(blob, 0)
  const bytes = new Uint8Array(library.memory.buffer).slice(start, start + library.hb_blob_get_length(blob))
  library.hb_blob_destroy(blob)
  library.hb_face_destroy(written)
  return bytes
}

/** The face that an input describes; the input is used up. */
function subset(library: SubsetLibrary, face: number, input: number): number {
  const cutFace = library.hb_subset_or_fail(face, input)
  library.hb_subset_input_destroy(input)
  if (cutFace === 0) throw new Error('a font could not be cut to its glyphs')
  return cutFace
}

/** Four characters as OpenType counts them, padded with spaces. */
function tagOf(name: string): number {
  const [a = 32, b = 32, c = 32, d = 32] = Buffer.from(name.padEnd(4), 'latin1')
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

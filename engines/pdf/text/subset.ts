import { readFileSync } from 'node:fs'
import { findPackageFile } from '../../installed-package'

/** The functions of HarfBuzz's subset library that this module calls. All values are addresses or integers. */
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

/** `hb_memory_mode_t`: HarfBuzz may write to the blob, because nothing else uses its memory. */
const WRITABLE = 2

/** `hb_subset_flags_t`: drop hinting, and keep glyph IDs. */
const NO_HINTING = 1
const RETAIN_GIDS = 2

/** `hb_subset_sets_t`: the tables to drop. */
const DROP_TABLES = 3

/**
 * Tables that a CIDFontType2 doesn't need (ISO 32000-2, 9.9.1). Text in a PDF is already shaped, and the font has its
 * name in the PDF.
 */
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

/**
 * Size of fonts in bytes from which subsets are cut from a smaller font. Inter and the mathematical symbols are larger.
 */
const LARGE = 2 ** 19

/** Maximum total bytes of the fonts that stay in the library's memory. The memory has 64 MB and doesn't grow. */
const MOST_BYTES = 24 * 2 ** 20

/** Values on the variation axes of a font, by axis tag. */
type Axes = Readonly<Record<string, number>>

/** Cuts a subset with these glyphs from a font, at these values of its axes. */
export type SubsetSource = (glyphs: Iterable<number>, axes: Axes) => Uint8Array

/** Returns a whole font, fixed at these values of its axes. Other axes have their default value. */
type PinFont = (font: Uint8Array, axes: Axes) => Uint8Array

let opened: Promise<(font: Uint8Array) => SubsetSource> | undefined

/**
 * Opens HarfBuzz's subsetter. The process compiles it at its first use and keeps it. Subsets are TrueType files with
 * the requested glyphs and their components. Glyphs keep their IDs. The font has fixed values on its axes.
 */
export function openSubsetter(): Promise<(font: Uint8Array) => SubsetSource> {
  return (opened ??= Promise.resolve(compile()))
}

/** Opens HarfBuzz's instancer with separate memory. It returns fonts without axes, with all glyphs and tables. */
export function openInstancer(): PinFont {
  const library = loadHarfbuzz()
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

function compile(): (font: Uint8Array) => SubsetSource {
  const library = loadHarfbuzz()
  /** The sources in memory. The one used last is at the end. */
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
 * A font whose bytes are in the library's memory while it is used. In large fonts, dropping glyphs takes longer than
 * keeping them. Glyphs that were all requested before are therefore cut from a smaller font. The resulting bytes are
 * the same.
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

/** Compiles HarfBuzz's subsetter with memory of its own. */
function loadHarfbuzz(): SubsetLibrary {
  const wasm = new WebAssembly.Module(readFileSync(findPackageFile('harfbuzzjs/dist/harfbuzz-subset.wasm')))
  const library = new WebAssembly.Instance(wasm).exports as unknown as SubsetLibrary // the installed version exports these functions
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

/** Returns a font with only these glyphs and with the axes of another font. */
function reduce(library: SubsetLibrary, face: number, glyphs: Iterable<number>): number {
  const input = describe(
    library,
    glyphs,
    NEEDLESS_TABLES.filter(table => !AXIS_TABLES.has(table)),
  )
  return subset(library, face, input)
}

/**
 * Returns the input for a subset with these glyphs. They keep their IDs. Hinting and the `needless` tables are dropped.
 */
function describe(library: SubsetLibrary, glyphs: Iterable<number>, needless: readonly string[]): number {
  const input = library.hb_subset_input_create_or_fail()
  const kept = library.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) library.hb_set_add(kept, glyph)
  const dropped = library.hb_subset_input_set(input, DROP_TABLES)
  for (const table of needless) library.hb_set_add(dropped, tagOf(table))
  library.hb_subset_input_set_flags(input, NO_HINTING | RETAIN_GIDS)
  return input
}

/** Returns the font that an input describes, at these values of the axes. Frees the input. */
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

/** Returns the face that an input describes. Frees the input. */
function subset(library: SubsetLibrary, face: number, input: number): number {
  const cutFace = library.hb_subset_or_fail(face, input)
  library.hb_subset_input_destroy(input)
  if (cutFace === 0) throw new Error('a font could not be cut to its glyphs')
  return cutFace
}

/** Returns an OpenType tag as a number. Shorter tags are padded with spaces. */
function tagOf(name: string): number {
  const [a = 32, b = 32, c = 32, d = 32] = Buffer.from(name.padEnd(4), 'latin1')
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

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

/** A font that subsets are cut from; its bytes stay in the library's memory. */
export type SubsetSource = (glyphs: Iterable<number>, axes: Readonly<Record<string, number>>) => Uint8Array

/** Gives a whole font fixed at a place of its axes, the others at their usual place. */
type PinFont = (font: Uint8Array, axes: Readonly<Record<string, number>>) => Uint8Array

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
  return font => {
    const { face } = openFace(library, font)
    return (glyphs, axes) => cut(library, face, { glyphs, axes })
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
  { glyphs, axes }: { glyphs: Iterable<number>; axes: Readonly<Record<string, number>> },
): Uint8Array {
  const input = library.hb_subset_input_create_or_fail()
  const kept = library.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) library.hb_set_add(kept, glyph)
  const dropped = library.hb_subset_input_set(input, DROP_TABLES)
  for (const table of NEEDLESS_TABLES) library.hb_set_add(dropped, tagOf(table))
  library.hb_subset_input_set_flags(input, NO_HINTING | RETAIN_GIDS)
  return write(library, { face, input, axes })
}

/** The font that an input describes, at a place of the axes; the input is used up. */
function write(
  library: SubsetLibrary,
  { face, input, axes }: { face: number; input: number; axes: Readonly<Record<string, number>> },
): Uint8Array {
  library.hb_subset_input_pin_all_axes_to_default(input, face)
  for (const [axis, value] of Object.entries(axes))
    library.hb_subset_input_pin_axis_location(input, face, tagOf(axis), value)
  const subset = library.hb_subset_or_fail(face, input)
  library.hb_subset_input_destroy(input)
  if (subset === 0) throw new Error('a font could not be cut to its glyphs')
  const blob = library.hb_face_reference_blob(subset)
  const start = library.hb_blob_get_data(blob, 0)
  const bytes = new Uint8Array(library.memory.buffer).slice(start, start + library.hb_blob_get_length(blob))
  library.hb_blob_destroy(blob)
  library.hb_face_destroy(subset)
  return bytes
}

/** Four characters as OpenType counts them, padded with spaces. */
function tagOf(name: string): number {
  const [a = 32, b = 32, c = 32, d = 32] = Buffer.from(name.padEnd(4), 'latin1')
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

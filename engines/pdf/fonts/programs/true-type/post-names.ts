import { FontData, readUnlessDamaged } from '../font-data'
import { MAC_GLYPH_ORDER } from './mac-glyph-order'

/** Versions of the `post` table that have glyph names. */
const MAC_ORDER = 0x00010000
const OWN_ORDER = 0x00020000

const HEADER_BYTES = 32

/** The glyph names of a font. */
export interface PostNames {
  /** Returns the first glyph with this name. */
  glyphOf(name: string): number | undefined
  nameOf(glyph: number): string | undefined
}

/**
 * Opens the `post` table (OpenType, `post`) of a font with this number of glyphs. A damaged or missing table has no
 * names.
 */
export function openPostNames(table: Uint8Array | undefined, glyphCount: number): PostNames {
  let names: readonly string[] | undefined
  let byName: ReadonlyMap<string, number> | undefined
  const list = (): readonly string[] =>
    (names ??= (table && readUnlessDamaged(() => readNames(new FontData(table)))) ?? [])
  return {
    glyphOf: name => (byName ??= indexNames(list())).get(name),
    // The Macintosh order only applies if the font has all of its 258 glyphs. Many subsets state this format although
    // they have other glyphs.
    nameOf: glyph =>
      list() === MAC_GLYPH_ORDER && glyphCount !== MAC_GLYPH_ORDER.length ? undefined : list()[glyph] || undefined,
  }
}

function readNames(data: FontData): readonly string[] {
  const version = data.u32(0)
  if (version === MAC_ORDER) return MAC_GLYPH_ORDER
  return version === OWN_ORDER ? readOwnOrder(data) : []
}

function readOwnOrder(data: FontData): string[] {
  const count = data.u16(HEADER_BYTES)
  const spelled: string[] = []
  let at = HEADER_BYTES + 2 + count * 2
  while (at < data.length) {
    const end = Math.min(at + 1 + data.u8(at), data.length)
    spelled.push(Buffer.from(data.slice(at + 1, end)).toString('latin1'))
    at = end
  }
  return Array.from({ length: count }, (_, glyph) => {
    const number = data.u16(HEADER_BYTES + 2 + glyph * 2)
    return (number < MAC_GLYPH_ORDER.length ? MAC_GLYPH_ORDER[number] : spelled[number - MAC_GLYPH_ORDER.length]) ?? ''
  })
}

function indexNames(names: readonly string[]): Map<string, number> {
  const byName = new Map<string, number>()
  for (const [glyph, name] of names.entries()) if (name && !byName.has(name)) byName.set(name, glyph)
  return byName
}

import { listPredefinedCharset, listPredefinedEncoding } from './cff-predefined'
import { DamagedFontError } from '../font-data'
import type { FontData } from '../font-data'

/** The format byte of an encoding: 0 for a list of codes, 1 for ranges, and a flag if supplements follow. */
const RANGES = 1
const SUPPLEMENTED = 0x80

/** Reads the string number of each glyph, or its CID in a CID-keyed font (Adobe Technical Note 5176, 13). */
export function readCharset(
  data: FontData,
  at: number,
  { glyphCount, isCid }: { glyphCount: number; isCid: boolean },
): Uint16Array {
  const charset = new Uint16Array(glyphCount)
  if (at === 0 || at === 1 || at === 2) {
    // In a CID-keyed font without a charset, CIDs equal glyph indexes.
    const listed = isCid ? undefined : listPredefinedCharset(at)
    return charset.map((_, glyph) => (listed ? (listed[glyph] ?? 0) : glyph))
  }
  const format = data.u8(at)
  if (format > 2) throw new DamagedFontError('a charset has an unknown format')
  let place = at + 1
  for (let glyph = 1; glyph < glyphCount;) {
    const first = data.u16(place)
    const more = format === 0 ? 0 : format === 1 ? data.u8(place + 2) : data.u16(place + 2)
    place += 2 + format
    for (let index = 0; index <= more && glyph < glyphCount; index++) charset[glyph++] = first + index
  }
  return charset
}

/** Reads the glyphs of the built-in encoding by code, without `.notdef` (Adobe Technical Note 5176, 12). */
export function readEncodingTable(
  data: FontData,
  at: number,
  { charset, glyphCount }: { charset: Uint16Array; glyphCount: number },
): Map<number, number> {
  const glyphs = new Map<number, number>()
  const glyphOfString = (string: number): number => Math.max(charset.indexOf(string), 0)
  if (at === 0 || at === 1) {
    for (const [code, string] of listPredefinedEncoding(at)) glyphs.set(code, glyphOfString(string))
    return withoutMissing(glyphs)
  }
  const formatByte = data.u8(at)
  const format = formatByte & ~SUPPLEMENTED
  const count = data.u8(at + 1)
  let [place, glyph] = [at + 2, 1]
  if (format > RANGES) throw new DamagedFontError('an encoding has an unknown format')
  for (let row = 0; row < count; row++) {
    const first = data.u8(place++)
    const more = format === RANGES ? data.u8(place++) : 0
    for (let code = first; code <= first + more; code++, glyph++) {
      if (glyph < glyphCount && code < 256) glyphs.set(code, glyph)
    }
  }
  if (formatByte & SUPPLEMENTED) {
    const supplements = data.u8(place++)
    for (let row = 0; row < supplements; row++, place += 3) {
      glyphs.set(data.u8(place), glyphOfString(data.u16(place + 1)))
    }
  }
  return withoutMissing(glyphs)
}

function withoutMissing(glyphs: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...glyphs].filter(([, glyph]) => glyph !== 0))
}

/** Reads the index of each glyph's font DICT (Adobe Technical Note 5176, 19). */
export function readFdSelect(data: FontData, at: number, glyphCount: number): Uint8Array {
  const format = data.u8(at)
  if (format === 0) return data.slice(at + 1, at + 1 + glyphCount)
  if (format !== 3) throw new DamagedFontError('an FDSelect has an unknown format')
  const selected = new Uint8Array(glyphCount)
  const ranges = data.u16(at + 1)
  for (let row = 0; row < ranges; row++) {
    const place = at + 3 + row * 3
    const [first, next] = [data.u16(place), data.u16(place + 3)]
    if (next < first) throw new DamagedFontError('the ranges of an FDSelect do not rise')
    selected.fill(data.u8(place + 2), first, Math.min(next, glyphCount))
  }
  return selected
}

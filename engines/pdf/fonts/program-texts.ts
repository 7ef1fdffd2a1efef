import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { readUnlessDamaged } from './programs/font-data'
import { readTextOfName } from './programs/glyph-names'
import { readSfntTables } from './programs/true-type/sfnt'
import { openCmaps } from './programs/true-type/true-type-cmap'
import { openProgram } from './font-program'
import type { OpenedProgram, Program } from './font-program'

const PRIVATE = /\p{Co}/u

/** An embedded program and the texts of its glyphs. */
export interface ProgramTexts {
  opened: OpenedProgram
  /**
   * Returns the character of a glyph by the program's `cmap`, or the text of its name. Of several characters, the lowest
   * counts that isn't for private use. Undefined for glyph 0.
   */
  textOf(glyph: number): string | undefined
}

/** Opens an embedded program. Undefined if it can't be read safely. */
export function openProgramTexts(document: PdfDocument, found: Program | undefined): ProgramTexts | undefined {
  const opened = found && openProgram(document, found)
  if (!opened) return undefined
  let characters: ReadonlyMap<number, readonly number[]> | undefined
  const charactersOf = (glyph: number): readonly number[] => {
    if (opened.format === 'true-type') return opened.program.charactersOf(glyph)
    if (opened.format === 'type1' || !opened.program.isWrapped) return []
    characters ??= listCharacters(decodeUpToLimit(document, found.stream))
    return characters.get(glyph) ?? []
  }
  return {
    opened,
    textOf(glyph) {
      if (opened.format === 'type1' || glyph <= 0 || glyph >= opened.program.glyphCount) return undefined
      const known = charactersOf(glyph).filter(point => !PRIVATE.test(String.fromCodePoint(point)))
      if (known.length > 0) return String.fromCodePoint(Math.min(...known))
      const name = opened.program.nameOf(glyph)
      return name === undefined ? undefined : readTextOfName(name)
    },
  }
}

/** Lists the characters of each glyph of an OpenType program. */
function listCharacters(bytes: Uint8Array | undefined): ReadonlyMap<number, readonly number[]> {
  const list = bytes && readUnlessDamaged(() => openCmaps(readSfntTables(bytes).get('cmap')).listCharacters())
  return list ?? new Map()
}

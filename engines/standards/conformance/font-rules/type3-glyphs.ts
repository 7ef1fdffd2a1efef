import { PDFName } from 'pdf-lib'
import { decodeUpToLimit } from '../../../pdf/document'
import { ContentReader } from '../../../pdf/syntax'
import { entryOf } from '../examination/model'
import type { ProgramGlyphs } from './program-glyphs'
import type { UsedFont } from './used-font'

/** Reads the glyphs of a Type 3 font, whose widths are operands of `d0` or `d1` (ISO 32000-2, 9.6.4). */
export function readType3Glyphs(
  { document, dict }: UsedFont,
  names: (code: number) => string | undefined,
): ProgramGlyphs {
  const procedures = document.peekDict(entryOf(document, dict, 'CharProcs'))
  const procedureOf = (code: number) => {
    const name = names(code)
    return name === undefined ? undefined : document.peek(procedures?.get(PDFName.of(name)))
  }
  return {
    isPresent: code => procedureOf(code) !== undefined,
    widthOf(code) {
      const bytes = decodeUpToLimit(document, procedureOf(code))
      const reader = new ContentReader(bytes ?? new Uint8Array(0))
      if (!reader.next()) return undefined
      if (reader.operator === 'd0') return reader.number(1)
      return reader.operator === 'd1' ? reader.number(5) : undefined
    },
    textOf: () => undefined,
  }
}

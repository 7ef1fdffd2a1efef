import type { PDFDict } from 'pdf-lib'
import { keyOfCode } from '../content/code-keys'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'
import { toCodeText } from './code-text'
import type { CodeTexts } from './code-text'
import { readCompositeTexts } from './composite-texts'
import { readSimpleTexts } from './simple-texts'
import { readToUnicode } from './cmaps/to-unicode'

/**
 * Reads what the codes of a font mean (ISO 32000-2, 9.10.2). /ToUnicode comes first. Then come glyph names and the
 * encoding, or the character collection of a composite font, and last the embedded program.
 */
export function readCodeTexts(document: PdfDocument, font: PDFDict): CodeTexts {
  const toUnicode = readToUnicode(document, font)
  const isComposite = document.peekName(font.get(Name.Subtype)) === 'Type0'
  let others: CodeTexts | undefined
  return {
    of(code, length) {
      const mapped = toCodeText(toUnicode?.textOf(keyOfCode(code, length)), 'to-unicode')
      if (mapped) return mapped
      others ??= isComposite ? readCompositeTexts(document, font) : readSimpleTexts(document, font)
      return others.of(code, length)
    },
  }
}

import type { PdfWriter } from '../../fixtures/pdf-writer'
import { makeTrap } from '../../fixtures/traps'
import type { Draft } from '../draft'

const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')

/** A font whose codes 1, 2, 3 and so on map to the characters of a text, one after the other. */
export function addUnicodeFont(pdf: PdfWriter, characters: readonly string[]): number {
  const lines = characters.map(
    (character, index) => `<${(index + 1).toString(16).padStart(2, '0')}> <${utf16(character)}>`,
  )
  const map =
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ' +
    `${lines.length} beginbfchar ${lines.join('\n')} endbfchar endcmap end`
  return pdf.add(
    `<</Type/Font/Subtype/Type1/BaseFont/Courier/FirstChar 0/LastChar 255/Widths[${'600 '.repeat(256)}]/ToUnicode ` +
      `${pdf.addStream('', map)} 0 R>>`,
  )
}

/** The codes of characters in such a font, from a position in the text on. */
export const codes = (characters: readonly string[], from = 0): string =>
  `<${characters.map((_, index) => hexOf(from + index + 1)).join('')}>`

const hexOf = (code: number): string => code.toString(16).padStart(2, '0')

/** A page with Unicode characters in one line. An item of several characters is one glyph. */
export function showUnicode(text: string | string[], gone: string[]): Draft {
  const characters = typeof text === 'string' ? Array.from(text) : text
  const used = [...new Set(characters)]
  return {
    file: makeTrap({
      content: `BT /U 12 Tf 20 145 Td <${characters.map(one => hexOf(used.indexOf(one) + 1)).join('')}> Tj ET`,
      resources: pdf => `/Font<</U ${addUnicodeFont(pdf, used)} 0 R>>`,
    }).file,
    gone,
    seenBy: ['pdfium', 'pdfjs'],
  }
}

import type { PdfWriter } from '../../fixtures/pdf-writer'
import { shapeLetter } from './letter-shapes'
import type { LetterShape } from './letter-shapes'

/** A font in a file, and the operands that show a text with it. */
export interface SubsetFont {
  ref: number
  /** A text as the operand of a text-showing operator. */
  encode(text: string): string
}

/** Adds an embedded subset to a file. Its glyphs are in the order in which letters first occur in `text`. */
export type AddSubset = (pdf: PdfWriter, text: string) => SubsetFont

/** The name of the fonts, with a subset tag. */
export const NAME = 'AAAAAA+Trap'

/** The letters of a text in order of first occurrence. */
export function lettersIn(text: string): LetterShape[] {
  return [...new Set(text)].map(shapeLetter)
}

const hex = (code: number, bytes: number): string => code.toString(16).padStart(2 * bytes, '0')

/** Writes texts as hexadecimal strings of codes with so many bytes. */
export function encodeWith(
  letters: readonly LetterShape[],
  codes: readonly number[],
  bytes: number,
): (text: string) => string {
  const byLetter = new Map(letters.map(({ character }, index) => [character, codes[index] ?? 0]))
  return text => `<${Array.from(text, letter => hex(byLetter.get(letter) ?? 0, bytes)).join('')}>`
}

/** The mapping of a subset's text to Unicode. */
export type Meaning = 'mapped' | 'none' | 'private' | 'wrong'
function meaningFor(meaning: Meaning): ((letter: string) => string) | undefined {
  if (meaning === 'private') return letter => String.fromCharCode(0xe000 + letter.charCodeAt(0))
  if (meaning === 'wrong')
    return letter => (letter === ' ' ? ' ' : String.fromCharCode(65 + ((letter.toUpperCase().charCodeAt(0) - 52) % 26)))
  return undefined
}

/** A ToUnicode CMap, one line for each letter in subset order. */
function addMeaning(
  pdf: PdfWriter,
  {
    letters,
    codes,
    bytes,
    meaning = one => one,
  }: {
    letters: readonly LetterShape[]
    codes: readonly number[]
    bytes: number
    meaning?: (letter: string) => string
  },
): number {
  const lines = letters.map(
    ({ character }, index) =>
      `<${hex(codes[index] ?? 0, bytes)}> <${Buffer.from(meaning(character), 'utf16le').swap16().toString('hex')}>`,
  )
  const space = bytes === 1 ? '<00> <ff>' : '<0000> <ffff>'
  return pdf.addStream(
    '',
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def 1 ' +
      `begincodespacerange ${space} endcodespacerange\n${lines.length} ` +
      `beginbfchar\n${lines.join('\n')}\nendbfchar\nendcmap end end`,
  )
}

/** The /ToUnicode entry of a font. Empty for a font without one. */
export function mapped(
  pdf: PdfWriter,
  {
    letters,
    codes,
    bytes,
    kind,
  }: { letters: readonly LetterShape[]; codes: readonly number[]; bytes: number; kind: Meaning },
): string {
  if (kind === 'none') return ''
  const meaning = meaningFor(kind)
  return `/ToUnicode ${addMeaning(pdf, { letters, codes, bytes, ...(meaning && { meaning }) })} 0 R`
}

/** Adds a font descriptor that references its font file. Flags are as in ISO 32000-2, 9.8.2. */
export function addDescriptor(pdf: PdfWriter, file: string, more = '', flags = 4): number {
  return pdf.add(
    `<</Type/FontDescriptor/FontName/${NAME}/Flags ${flags}/FontBBox[0 -300 1100 1000]/Ascent 900/Descent ` +
      `-200/ItalicAngle 0/StemV 80/CapHeight 700${file}${more}>>`,
  )
}

/** Styles for page numbers. */
export const NUMERAL_STYLES = ['decimal', 'roman', 'ROMAN', 'alpha', 'ALPHA'] as const

export type NumeralStyle = (typeof NUMERAL_STYLES)[number]

/** Describes numbers outside of a style's range, in the documentation of every option with a style. */
export const NUMERAL_HELP =
  '`roman` and `ROMAN` (i, ii, iii) cover 1 to 3,999. `alpha` and `ALPHA` (a, b … z, aa, ab) start at 1. Sheaf ' +
  'writes other numbers as decimals.'

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

/** The largest Roman numeral, because no letter stands for 5000. */
export const MOST_ROMAN = 3999

/**
 * Writes a whole number from 0 on in a style. Roman numerals have a range from 1 to 3,999, and letters begin at 1.
 * Other numbers are written as decimals. After z, letters continue like spreadsheet columns: aa, ab.
 */
export function writeNumeral(number: number, style: NumeralStyle): string {
  const isLetters = style === 'alpha' || style === 'ALPHA'
  if (style === 'decimal' || number < 1 || (!isLetters && number > MOST_ROMAN)) return String(number)
  const text = isLetters ? writeLetters(number) : writeRoman(number)
  return style === 'ROMAN' || style === 'ALPHA' ? text.toUpperCase() : text
}

function writeRoman(number: number): string {
  let rest = number
  let text = ''
  for (const [value, letters] of ROMAN) {
    text += letters.repeat(Math.floor(rest / value))
    rest %= value
  }
  return text
}

function writeLetters(number: number): string {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  return text
}

import { codeOfKey } from '../../content/code-keys'

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** The minimum share of used numbers in a range for the range to count as dense. */
const DENSE = 0.7

/** Returns what is known about the meaning of a code. The glyph name has precedence over the text from ToUnicode. */
export type Meaning = (key: number) => { glyphName?: string | undefined; unicode?: string | undefined }

/**
 * Returns whether the codes of a simple font follow a common encoding, in which letters and digits have ASCII codes.
 * Gaps in such codes reveal nothing. Otherwise, codes may be numbered in the order in which a program encountered the
 * characters.
 */
export function isNaturalEncoding(keys: Iterable<number>, meaning: Meaning): boolean {
  const codes = [...keys]
  const known = codes.flatMap(key => {
    const character = readAscii(meaning(key))
    return character === undefined ? [] : [character.charCodeAt(0) === codeOfKey(key).code]
  })
  if (known.length > 0) return known.every(Boolean)
  return !isDense(codes.map(key => codeOfKey(key).code))
}

/**
 * Returns whether the glyph numbers of an Identity font are those of the original font before subsetting. Letters then
 * have the same distances as in the alphabet, and many numbers between them are unused.
 */
export function isNaturalNumbering(cids: ReadonlyMap<number, number>, meaning: Meaning): boolean {
  const numbers = [...new Set(cids.values())]
  if (isDense(numbers)) return false
  const distances = new Map<string, Set<number>>()
  for (const [key, cid] of cids) {
    const character = readAscii(meaning(key))
    if (character === undefined) continue
    const kind = /\d/.test(character) ? 'digit' : /[A-Z]/.test(character) ? 'upper' : 'lower'
    distances.set(kind, (distances.get(kind) ?? new Set<number>()).add(cid - character.charCodeAt(0)))
  }
  const known = [...distances.values()]
  if (known.length > 0 && known.every(({ size }) => size === 1)) return true
  return Math.max(...numbers) - Math.min(...numbers) + 1 >= 3 * numbers.length
}

/** Returns whether numbers fill most of the range from the smallest to the largest number. */
function isDense(numbers: readonly number[]): boolean {
  if (numbers.length < 2) return true
  const stretch = Math.max(...numbers) - Math.min(...numbers) + 1
  return new Set(numbers).size >= DENSE * stretch
}

/** Returns the ASCII letter or digit that a code stands for. */
function readAscii({ glyphName, unicode }: ReturnType<Meaning>): string | undefined {
  if (glyphName !== undefined) {
    if (/^[A-Za-z]$/.test(glyphName)) return glyphName
    const digit = DIGITS.indexOf(glyphName)
    if (digit >= 0) return String(digit)
    const point = /^uni00([0-7][0-9A-F])$/.exec(glyphName)?.[1]
    if (point) return keepAscii(String.fromCharCode(Number.parseInt(point, 16)))
  }
  return unicode === undefined ? undefined : keepAscii(unicode)
}

function keepAscii(character: string): string | undefined {
  return /^[A-Za-z0-9]$/.test(character) ? character : undefined
}

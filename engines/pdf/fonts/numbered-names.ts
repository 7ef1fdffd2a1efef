import { readTextOfName } from './programs/glyph-names'

/** A glyph name of a prefix and a number, such as `g65`, `C0041` or `4A`. */
const NUMBERED = /^([A-Za-z]*?)([0-9A-Fa-f]{2,6})$/

const FIRST = 0x21
const LAST = 0x7e

/**
 * Reads glyph names that only number characters, such as `/G41` for A. The numbers count if all names without a meaning
 * have the same prefix, and if all numbers are the codes themselves, in decimal or hexadecimal digits. Hexadecimal
 * numbers of two digits with letters among them count too, as in readers. Only printable ASCII is certain. Returns texts
 * by code.
 */
export function readNumberedNames(names: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const numbered: { code: number; prefix: string; digits: string }[] = []
  for (const [code, name] of names) {
    if (name === '.notdef' || readTextOfName(name) !== undefined) continue
    const prefix = prefixOf(name)
    if (prefix === undefined) return new Map()
    numbered.push({ code, prefix, digits: name.slice(prefix.length) })
  }
  const [first] = numbered
  if (!first || numbered.some(({ prefix }) => prefix !== first.prefix)) return new Map()
  const radix = [10, 16].find(one => numbered.every(({ code, digits }) => toNumber(digits, one) === code))
  const isHex =
    numbered.every(({ digits }) => digits.length === 2) && numbered.some(({ digits }) => /[A-F]/i.test(digits))
  const chosen = radix ?? (isHex && first.prefix.length <= 1 ? 16 : undefined)
  if (chosen === undefined) return new Map()
  return new Map(
    numbered.flatMap(({ code, digits }) => {
      const character = toNumber(digits, chosen)
      return character >= FIRST && character <= LAST ? [[code, String.fromCharCode(character)] as const] : []
    }),
  )
}

/** The letters before the number. A letter that may be a digit is a digit only if the number has two others. */
function prefixOf(name: string): string | undefined {
  const match = NUMBERED.exec(name)
  if (!match) return undefined
  const decimal = /^[A-Za-z]+(?=\d+$)/.exec(name)?.[0]
  return decimal ?? match[1]
}

function toNumber(digits: string, radix: number): number {
  return radix === 10 && !/^\d+$/.test(digits) ? -1 : Number.parseInt(digits, radix)
}

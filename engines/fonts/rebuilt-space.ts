import type { PDFName, PDFObject } from 'pdf-lib'
import { keyOfCode } from '../pdf-core/content/code-keys'
import type { FontSpace } from './font-spaces'

/** Word spacing applies to this code alone (ISO 32000-2, 9.3.3): what is shown with it keeps it. */
const SPACE = 32

/** New codes in the order in which they are given away: printable ones first. */
const FREE_CODES = [...range(33, 126), ...range(161, 255), ...range(128, 160), ...range(1, 31), 0, 127]

/** What becomes of the fonts of a space. */
export interface RebuiltSpace {
  /** New code keys by old ones. */
  keys: ReadonlyMap<number, number>
  /** Entries of the font dictionaries; undefined removes one. */
  entries: Map<PDFName, PDFObject | undefined>
  /** Texts of codes, by old keys, that nothing else tells any more. */
  texts: ReadonlyMap<number, string>
}

/** The same keys. */
export function keepKeys({ shown }: FontSpace): Map<number, number> {
  return new Map(shown.map(one => [one, one]))
}

/** New codes of one byte in the order of first use. */
export function giveCodes({ shown }: FontSpace): Map<number, number> {
  const space = keyOfCode(SPACE, 1)
  const free = shown.includes(space) ? FREE_CODES : [...FREE_CODES, SPACE]
  const others = shown.filter(one => one !== space)
  const given = new Map(others.map((one, index) => [one, keyOfCode(free[index] as number, 1)]))
  return shown.includes(space) ? given.set(space, space) : given
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

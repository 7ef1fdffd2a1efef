import type { PDFName, PDFObject } from 'pdf-lib'
import { keyOfCode } from '../../content/code-keys'
import type { OpenedProgram } from '../font-program'
import type { FontSpace } from './font-spaces'
import type { Meaning } from './standard-codes'

/**
 * The only code to which word spacing applies (ISO 32000-2, 9.3.3). If a font shows this code, the code isn't changed.
 */
const SPACE = 32

/** New codes in the order in which they are assigned, printable codes first. */
const FREE_CODES = [...range(33, 126), ...range(161, 255), ...range(128, 160), ...range(1, 31), 0, 127]

/** What rebuilding a font needs to know. */
export interface Rebuilding {
  opened: OpenedProgram | undefined
  meaning: Meaning
  keepsCodes?: boolean
}

/** The changes to the fonts of a space. */
export interface RebuiltSpace {
  /** New code keys by old code keys. */
  keys: ReadonlyMap<number, number>
  /** Entries to set in the font dictionaries. Undefined removes the entry. */
  entries: Map<PDFName, PDFObject | undefined>
  /** Texts by old code keys, for codes whose text nothing else in the font states anymore. */
  texts: ReadonlyMap<number, string>
}

/** Maps the keys of the shown codes to themselves. */
export function keepKeys({ shown }: FontSpace): Map<number, number> {
  return new Map(shown.map(one => [one, one]))
}

/** Assigns new one-byte codes in the order of first use. */
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

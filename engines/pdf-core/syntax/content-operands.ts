import { asBuffer } from './syntax'

/** What an operand is: a number. */
export const NUMBER = 1
/** A name. */
export const NAME = 2
/** A string in parentheses. */
export const LITERAL = 3
/** A string of hexadecimal digits. */
export const HEX = 4
/** An array; its items stand apart. */
export const ARRAY = 5
/** A dictionary, as one piece. */
export const DICTIONARY = 6
/** One of true, false and null. */
export const WORD = 7

/** Operands that are kept for one operator; readers keep far fewer, and the last ones count. */
const MAX_OPERANDS = 10_000

/** Operands of one kind in parallel arrays, which are used again for every operator. */
export class Operands {
  count = 0
  readonly kinds: number[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  readonly values: number[] = []

  push(kind: number, start: number, end: number, value: number): void {
    if (this.count === MAX_OPERANDS) return
    this.kinds[this.count] = kind
    this.starts[this.count] = start
    this.ends[this.count] = end
    this.values[this.count] = value
    this.count++
  }
}

/** A name without its slash, escapes decoded. */
export function readName(bytes: Uint8Array, start: number, end: number): string {
  const raw = asBuffer(bytes).toString('latin1', start + 1, end)
  return raw.includes('#')
    ? raw.replace(/#([0-9A-Fa-f]{2})/g, (_escape: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : raw
}

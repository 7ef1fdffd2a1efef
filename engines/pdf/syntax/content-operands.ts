import { asBuffer } from './syntax'

/** Kind of an operand: a number. */
export const NUMBER = 1
/** Kind of an operand: a name. */
export const NAME = 2
/** Kind of an operand: a literal string, in parentheses. */
export const LITERAL = 3
/** Kind of an operand: a hexadecimal string. */
export const HEX = 4
/** Kind of an operand: an array. Its items are kept separately. */
export const ARRAY = 5
/** Kind of an operand: a dictionary, not parsed further. */
export const DICTIONARY = 6
/** Kind of an operand: one of true, false and null. */
export const WORD = 7

/** Maximum number of operands kept for one operator, and of items of an array. Readers keep far fewer operands. */
export const MAX_OPERANDS = 10_000

/** Operands in parallel arrays. The arrays are reused for every operator. */
export class Operands {
  count = 0
  readonly kinds: number[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  readonly values: number[] = []

  constructor(private readonly most = MAX_OPERANDS) {}

  push(kind: number, start: number, end: number, value: number): void {
    if (this.count >= this.most) return
    this.kinds[this.count] = kind
    this.starts[this.count] = start
    this.ends[this.count] = end
    this.values[this.count] = value
    this.count++
  }
}

/** A name without its slash and with decoded escapes. */
export function readName(bytes: Uint8Array, start: number, end: number): string {
  const raw = asBuffer(bytes).toString('latin1', start + 1, end)
  return raw.includes('#')
    ? raw.replace(/#([0-9A-Fa-f]{2})/g, (_escape: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : raw
}

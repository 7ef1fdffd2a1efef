import { asBuffer } from '../pdf-core/syntax'

/** What an operand is. `WORD` is true, false or null. */
export const NUMBER = 1
export const NAME = 2
export const LITERAL = 3
export const HEX = 4
export const ARRAY = 5
export const DICTIONARY = 6
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
  return raw.includes('#') ? raw.replace(/#([0-9A-Fa-f]{2})/g, (_escape: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : raw
}

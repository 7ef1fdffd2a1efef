import {
  HORIZONTAL,
  MAKE_UP,
  MODE_BITS,
  MODE_TABLE,
  PASS,
  RUN_BITS,
  RUN_TABLES,
  runLength,
  VERTICAL,
} from './ccitt-codes'
import { END_MARKS } from './ccitt-rows'
import type { CcittRow } from './ccitt-rows'

/** How data are coded (ISO 32000-2, table 11). */
export interface CcittParameters {
  /** Below 0 two-dimensional (Group 4), 0 one-dimensional, above 0 both (Group 3). */
  k: number
  columns: number
  /** Whether rows begin with a whole byte. */
  isAligned: boolean
  /** Whether end-of-line codes stand before rows; otherwise they may. */
  hasEndOfLines: boolean
}

/** An end-of-line code has at least so many zeros, and a one behind them. */
const EOL_ZEROS = 11

/** What a row is when it is none: the data end, or make no sense. */
export type CcittEnd = 'end' | 'damaged'

/** Reads rows of CCITT fax data (ITU-T T.4 and T.6) one after another. */
export class CcittDecoder {
  private at = 0
  private readonly bitCount: number
  /** Changes of the row that is read, and of the one above it. */
  private own: Int32Array
  private above: Int32Array
  private count = 0

  constructor(
    private readonly bytes: Uint8Array,
    private readonly coding: CcittParameters,
  ) {
    this.bitCount = bytes.length * 8
    this.own = new Int32Array(coding.columns + END_MARKS + 1)
    this.above = new Int32Array(coding.columns + END_MARKS + 1).fill(coding.columns, 0, END_MARKS)
  }

  /** The next row, as a copy. */
  next(): CcittRow | CcittEnd {
    const { k, columns, isAligned, hasEndOfLines } = this.coding
    // Where end-of-line codes stand, zeros before them may align their ends; otherwise zeros align the row itself.
    if (isAligned && !hasEndOfLines) this.align()
    const isMarked = this.skipEndOfLine()
    if (isAligned && !isMarked) this.align()
    const isFlat = k === 0 || (k > 0 && this.take(1) === 1)
    // Two end-of-line codes, one behind the other, end the data; without any, only zeros may stand behind the last row.
    if ((isMarked && this.skipEndOfLine()) || this.findOne() >= this.bitCount) return 'end'
    this.count = 0
    if (!(isFlat ? this.readRuns() : this.readModes())) return 'damaged'
    this.own.fill(columns, this.count, this.count + END_MARKS)
    const row = this.own.slice(0, this.count + END_MARKS)
    ;[this.own, this.above] = [this.above, this.own]
    return row
  }

  /** Runs of white and black in turns (T.4, 4.1). */
  private readRuns(): boolean {
    const { columns } = this.coding
    let color: 0 | 1 = 0
    for (let x = 0; x < columns; color = color === 0 ? 1 : 0) {
      const run = this.readRun(color)
      if (run < 0 || x + run > columns) return false
      x += run
      this.change(x)
    }
    return true
  }

  /** Changes in relation to the row above (T.4, 4.2). */
  private readModes(): boolean {
    const { columns } = this.coding
    const { above } = this
    let color: 0 | 1 = 0
    let x = -1
    // The change above, to the right of x, away from the color at x; it stands at a place of that color's parity.
    let next = 0
    while (x < columns) {
      const entry = MODE_TABLE[this.peek(MODE_BITS)] as number
      if (entry === 0 || this.at >= this.bitCount) return false
      this.at += entry & 15
      const mode = entry >> 4
      while ((above[next] as number) <= x && (above[next] as number) < columns) next += 2
      if (mode === PASS) {
        x = above[next + 1] as number
        continue
      }
      if (mode === HORIZONTAL) {
        const [first, second] = [this.readRun(color), this.readRun(color === 0 ? 1 : 0)]
        const start = Math.max(0, x)
        if (first < 0 || second < 0 || start + first + second > columns) return false
        this.change(start + first)
        this.change(start + first + second)
        x = start + first + second
        continue
      }
      const to = (above[next] as number) + mode - VERTICAL
      if (to < Math.max(0, x) || to > columns) return false
      this.change(to)
      x = to
      color = color === 0 ? 1 : 0
      next += next > 0 ? -1 : 1
    }
    return true
  }

  /** Notes a change of color; a second one at the same place takes it back. */
  private change(x: number): void {
    if (x >= this.coding.columns) return
    if (this.count > 0 && this.own[this.count - 1] === x) this.count -= 1
    else this.own[this.count++] = x
  }

  /** Pixels of a run; below 0 where no code stands. */
  private readRun(color: 0 | 1): number {
    const table = RUN_TABLES[color]
    for (let pixels = 0; ;) {
      const entry = table[this.peek(RUN_BITS)] as number
      if (entry === 0 || this.at >= this.bitCount) return -1
      this.at += entry & 15
      const run = runLength(entry >> 4)
      pixels += run
      if (run < MAKE_UP) return pixels
    }
  }

  private align(): void {
    const end = (this.at + 7) & ~7
    if (this.peek(end - this.at) === 0) this.at = end
  }

  /** Skips an end-of-line code and the zeros that may fill up what stands before it. */
  private skipEndOfLine(): boolean {
    const at = this.findOne()
    if (at - this.at < EOL_ZEROS || at >= this.bitCount) return false
    this.at = at + 1
    return true
  }

  /** Where the next bit stands that is set; the end of the data if none is. */
  private findOne(): number {
    const { bytes, at } = this
    const first = this.peek(8)
    if (first !== 0) return at + Math.clz32(first) - 24
    let index = (at >> 3) + 1
    while (index < bytes.length && bytes[index] === 0) index++
    return index * 8 + (index < bytes.length ? Math.clz32(bytes[index] as number) - 24 : 0)
  }

  private take(count: number): number {
    const value = this.peek(count)
    this.at += count
    return value
  }

  /** The next bits, at most 16; zeros behind the end. */
  private peek(count: number): number {
    const { bytes, at } = this
    const index = at >> 3
    const word = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0)
    return (word >> (24 - count - (at & 7))) & ((1 << count) - 1)
  }
}

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

/** Parameters of the encoding (ISO 32000-2, table 11). */
export interface CcittParameters {
  /** Negative: two-dimensional (Group 4). 0: one-dimensional. Positive: mixed (Group 3). */
  k: number
  columns: number
  /** Whether each row begins at a byte boundary. */
  isAligned: boolean
  /** Whether end-of-line codes come before rows. If false, they are optional. */
  hasEndOfLines: boolean
}

/** Minimum number of zeros in an end-of-line code. A one follows. */
const EOL_ZEROS = 11

/** Returned instead of a row: the data ends, also in the middle of a row, or it is damaged. */
export type CcittEnd = 'end' | 'damaged'

/** Reads rows of CCITT fax data (ITU-T T.4 and T.6). */
export class CcittDecoder {
  private at = 0
  private readonly bitCount: number
  /** Color changes of the current row, and of the row above. */
  private current: Int32Array
  private above: Int32Array
  private count = 0

  constructor(
    private readonly bytes: Uint8Array,
    private readonly coding: CcittParameters,
  ) {
    this.bitCount = bytes.length * 8
    this.current = new Int32Array(coding.columns + END_MARKS + 1)
    this.above = new Int32Array(coding.columns + END_MARKS + 1).fill(coding.columns, 0, END_MARKS)
  }

  /** Reads the next row, as a copy. */
  next(): CcittRow | CcittEnd {
    const { k, columns, isAligned, hasEndOfLines } = this.coding
    // If there are end-of-line codes, zeros before them may align their ends. Otherwise zeros align the row itself.
    if (isAligned && !hasEndOfLines) this.align()
    const isMarked = this.skipEndOfLine()
    if (isAligned && !isMarked) this.align()
    const isFlat = k === 0 || (k > 0 && this.take(1) === 1)
    // Two end-of-line codes in a row end the data. Without such codes, only zeros may follow the last row.
    if ((isMarked && this.skipEndOfLine()) || this.findOne() >= this.bitCount) return 'end'
    this.count = 0
    if (!(isFlat ? this.readRuns() : this.readModes())) return this.isCut ? 'end' : 'damaged'
    this.current.fill(columns, this.count, this.count + END_MARKS)
    const row = this.current.slice(0, this.count + END_MARKS)
    ;[this.current, this.above] = [this.above, this.current]
    return row
  }

  /** Number of bits that no row has used yet. */
  get remainingBits(): number {
    return Math.max(0, this.bitCount - this.at)
  }

  /** Whether the rest of the data is shorter than a code, so that the data was cut off in the middle of a row. */
  private get isCut(): boolean {
    return this.bitCount - this.at < RUN_BITS
  }

  /** Reads alternating runs of white and black (T.4, 4.1). */
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

  /** Reads color changes relative to the row above (T.4, 4.2). */
  private readModes(): boolean {
    const { columns } = this.coding
    const { above } = this
    let color: 0 | 1 = 0
    let x = -1
    // Index of the next change above and to the right of x with the opposite color. Its parity depends on the color.
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

  /** Records a color change. A second change at the same position cancels the first. */
  private change(x: number): void {
    if (x >= this.coding.columns) return
    if (this.count > 0 && this.current[this.count - 1] === x) this.count -= 1
    else this.current[this.count++] = x
  }

  /** Reads the length of a run in pixels. Negative if there is no valid code. */
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

  /** Skips an end-of-line code and any fill zeros before it. */
  private skipEndOfLine(): boolean {
    const at = this.findOne()
    if (at - this.at < EOL_ZEROS || at >= this.bitCount) return false
    this.at = at + 1
    return true
  }

  /** Position of the next bit that is set. The end of the data if there is none. */
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

  /** Returns the next bits, at most 16, without consuming them. Zeros follow the end of the data. */
  private peek(count: number): number {
    const { bytes, at } = this
    const index = at >> 3
    const word = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0)
    return (word >> (24 - count - (at & 7))) & ((1 << count) - 1)
  }
}

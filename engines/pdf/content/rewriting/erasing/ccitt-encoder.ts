import { HORIZONTAL, LONGEST_RUN, MAKE_UP, MODE_CODES, PASS, RUN_CODES, runIndex, VERTICAL } from './ccitt-codes'
import type { CcittCode } from './ccitt-codes'
import { END_MARKS } from './ccitt-rows'
import type { CcittRow } from './ccitt-rows'

/** Maximum distance from the change above at which the vertical mode can encode a change. */
const NEAR = 3

/** Writes rows of black and white pixels as Group 4 fax data (ITU-T T.6). */
export class CcittEncoder {
  private bytes: Uint8Array
  private length = 0
  private bits = 0
  private count = 0
  private above: CcittRow

  constructor(
    private readonly columns: number,
    expectedBytes: number,
  ) {
    this.bytes = new Uint8Array(expectedBytes + 1024)
    this.above = new Int32Array(END_MARKS).fill(columns)
  }

  write(row: CcittRow): void {
    const { above, columns } = this
    let color: 0 | 1 = 0
    let x = -1
    // Indexes of the next change in the row and in the row above. Both change to the opposite of the color at x.
    let [index, next] = [0, 0]
    while (x < columns) {
      while ((above[next] as number) <= x && (above[next] as number) < columns) next += 2
      const [change, changeAbove, followingAbove] = [
        row[index] as number,
        above[next] as number,
        above[next + 1] as number,
      ]
      if (followingAbove < change) {
        this.put(MODE_CODES[PASS] as CcittCode)
        x = followingAbove
      } else if (Math.abs(change - changeAbove) <= NEAR) {
        this.put(MODE_CODES[VERTICAL + change - changeAbove] as CcittCode)
        x = change
        index += 1
        color = color === 0 ? 1 : 0
        next += next > 0 ? -1 : 1
      } else {
        const end = row[index + 1] as number
        this.put(MODE_CODES[HORIZONTAL] as CcittCode)
        this.putRun(change - Math.max(0, x), color)
        this.putRun(end - change, color === 0 ? 1 : 0)
        x = end
        index += 2
      }
    }
    this.above = row
  }

  /** Returns the data, including the end code: two end-of-line codes. */
  finish(): Uint8Array {
    const endOfLine = { bits: 1, length: 12 }
    this.put(endOfLine)
    this.put(endOfLine)
    if (this.count > 0) this.put({ bits: 0, length: 8 - this.count })
    return this.bytes.subarray(0, this.length)
  }

  private putRun(pixels: number, color: 0 | 1): void {
    const codes = RUN_CODES[color]
    let remaining = pixels
    for (; remaining > LONGEST_RUN; remaining -= LONGEST_RUN) this.put(codes[runIndex(LONGEST_RUN)] as CcittCode)
    if (remaining >= MAKE_UP) this.put(codes[runIndex(remaining - (remaining % MAKE_UP))] as CcittCode)
    this.put(codes[runIndex(remaining % MAKE_UP)] as CcittCode)
  }

  private put({ bits, length }: CcittCode): void {
    this.bits = (this.bits << length) | bits
    this.count += length
    while (this.count >= 8) {
      this.count -= 8
      this.push((this.bits >>> this.count) & 255)
    }
  }

  private push(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.length++] = byte
  }
}

import { HORIZONTAL, LONGEST_RUN, MAKE_UP, MODE_CODES, PASS, RUN_CODES, runIndex, VERTICAL } from './ccitt-codes'
import type { CcittCode } from './ccitt-codes'
import { END_MARKS } from './ccitt-rows'
import type { CcittRow } from './ccitt-rows'

/** How far a change may stand from the one above to be coded by its distance. */
const NEAR = 3

/** Writes rows of black and white pixels as Group 4 fax data (ITU-T T.6), one after another. */
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
    // The next change in the row, and the one above it that counts: both lead away from the color at x.
    let [own, next] = [0, 0]
    while (x < columns) {
      while ((above[next] as number) <= x && (above[next] as number) < columns) next += 2
      const [change, near, behind] = [row[own] as number, above[next] as number, above[next + 1] as number]
      if (behind < change) {
        this.put(MODE_CODES[PASS] as CcittCode)
        x = behind
      } else if (Math.abs(change - near) <= NEAR) {
        this.put(MODE_CODES[VERTICAL + change - near] as CcittCode)
        x = change
        own += 1
        color = color === 0 ? 1 : 0
        next += next > 0 ? -1 : 1
      } else {
        const end = row[own + 1] as number
        this.put(MODE_CODES[HORIZONTAL] as CcittCode)
        this.putRun(change - Math.max(0, x), color)
        this.putRun(end - change, color === 0 ? 1 : 0)
        x = end
        own += 2
      }
    }
    this.above = row
  }

  /** The data, with the code that ends them: two end-of-line codes. */
  finish(): Uint8Array {
    const endOfLine = { bits: 1, length: 12 }
    this.put(endOfLine)
    this.put(endOfLine)
    if (this.count > 0) this.put({ bits: 0, length: 8 - this.count })
    return this.bytes.subarray(0, this.length)
  }

  private putRun(pixels: number, color: 0 | 1): void {
    const codes = RUN_CODES[color]
    let left = pixels
    for (; left > LONGEST_RUN; left -= LONGEST_RUN) this.put(codes[runIndex(LONGEST_RUN)] as CcittCode)
    if (left >= MAKE_UP) this.put(codes[runIndex(left - (left % MAKE_UP))] as CcittCode)
    this.put(codes[runIndex(left % MAKE_UP)] as CcittCode)
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

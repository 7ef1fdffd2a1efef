import { chainMatrices, IDENTITY } from '../../../geometry/matrix'
import type { Matrix } from '../../../geometry/matrix'
import { writeExactly, writeMatrixOperands } from './operand-text'

/** Text objects and moves in them (ISO 32000-2, 9.4) that aren't written yet. */
export class HeldText {
  /** Whether the content is inside a text object, and whether the output is. */
  isOpen = false
  isWritten = false
  /** The line matrix, if `Tm` has set it since the last move that is written. */
  private line: Matrix | undefined
  private across = 0
  private up = 0
  private hasMoved = false

  constructor(private readonly write: (text: string) => void) {}

  begin(): void {
    this.reset()
    // Only inside another text object: readers start again.
    if (this.isWritten) this.setLine(IDENTITY)
    this.isOpen = true
  }

  end(): void {
    if (this.isWritten) this.write('ET')
    this.isWritten = this.isOpen = false
  }

  moveBy(x: number, y: number): void {
    if (this.line) this.line = chainMatrices([1, 0, 0, 1, x, y], this.line)
    else {
      this.across += x
      this.up += y
    }
    this.hasMoved = true
  }

  setLine(line: Matrix): void {
    this.reset()
    this.line = line
    this.hasMoved = true
  }

  /** Writes the beginning of the text object and one move, for text that follows. */
  settle(): void {
    const isFirst = this.isOpen && !this.isWritten
    if (isFirst) this.write('BT')
    this.isWritten ||= this.isOpen
    if (!this.hasMoved) return
    if (this.line) this.write(`${writeMatrixOperands(this.line)} Tm`)
    else if (!isFirst || this.across !== 0 || this.up !== 0)
      this.write(`${writeExactly(this.across)} ${writeExactly(this.up)} Td`)
    this.reset()
  }

  private reset(): void {
    this.line = undefined
    this.across = this.up = 0
    this.hasMoved = false
  }
}

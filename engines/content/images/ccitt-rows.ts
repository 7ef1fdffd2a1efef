import type { RowKind } from './cut-rows'

/**
 * A row of black and white pixels: where the color changes, in ascending order. The row begins white, so a change to
 * black at 0 begins a black one. Behind the last change the number of pixels stands four times.
 */
export type CcittRow = Int32Array

/** How often the number of pixels stands behind the changes, so that nobody has to look for the end. */
export const END_MARKS = 4

/** Rows of black and white pixels as changes of color. */
export class CcittRows implements RowKind<CcittRow> {
  /** `color` is what pixels are overwritten with: 0 for white, 1 for black. */
  constructor(
    private readonly width: number,
    private readonly color: 0 | 1,
  ) {}

  blank(): CcittRow {
    return this.close(this.color === 1 ? [0] : [])
  }

  /** Rows are not changed in place: a change moves all that stand behind it. */
  copy(row: CcittRow): CcittRow {
    return row
  }

  clear(row: CcittRow, from: number, to: number): CcittRow {
    return this.paint(row, this.color, { from, to })
  }

  repeat(row: CcittRow, source: number, from: number, to: number): CcittRow {
    return this.paint(row, colorAt(row, source), { from, to })
  }

  private paint(row: CcittRow, color: number, { from, to }: { from: number; to: number }): CcittRow {
    if (from >= to) return row
    const first = countUpTo(row, from - 1)
    const behind = countUpTo(row, to)
    const count = row.length - END_MARKS
    const changes = [...row.subarray(0, first)]
    if ((first & 1) !== color) changes.push(from)
    if (to < this.width) {
      if ((behind & 1) !== color) changes.push(to)
      for (let at = behind; at < count; at++) changes.push(row[at] as number)
    }
    return this.close(changes)
  }

  private close(changes: number[]): CcittRow {
    const row = new Int32Array(changes.length + END_MARKS).fill(this.width)
    row.set(changes)
    return row
  }
}

/** How many changes stand at pixels up to `x`. */
function countUpTo(row: CcittRow, x: number): number {
  let [low, high] = [0, row.length - END_MARKS]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((row[middle] as number) <= x) low = middle + 1
    else high = middle
  }
  return low
}

function colorAt(row: CcittRow, x: number): number {
  return countUpTo(row, x) & 1
}

import type { RowKind } from './erase-in-rows'

/**
 * A row of black and white pixels as the positions of its color changes, in ascending order. A row begins white, so a
 * change at 0 makes it begin black. After the last change, the width follows four times.
 */
export type CcittRow = Int32Array

/** How often the width follows the changes. This saves checking for the end. */
export const END_MARKS = 4

/** Rows of black and white pixels, stored as color changes. */
export class CcittRows implements RowKind<CcittRow> {
  /** `color` is the color of overwritten pixels: 0 for white, 1 for black. */
  constructor(
    private readonly width: number,
    private readonly color: 0 | 1,
  ) {}

  blank(): CcittRow {
    return this.close(this.color === 1 ? [0] : [])
  }

  /** Returns the row itself. Rows aren't changed in place, because a change would move all changes after it. */
  copy(row: CcittRow): CcittRow {
    return row
  }

  clear(row: CcittRow, from: number, to: number): CcittRow {
    return this.paint(row, this.color, { from, to })
  }

  repeat(row: CcittRow, source: number, from: number, to: number): CcittRow {
    return this.paint(row, colorAt(row, source), { from, to })
  }

  /** Makes the pixels from `from` to `to` (exclusive) one color, and keeps the others. 0 is white, and 1 is black. */
  private paint(row: CcittRow, color: number, { from, to }: { from: number; to: number }): CcittRow {
    if (from >= to) return row
    const changesBefore = countUpTo(row, from - 1)
    const changesThrough = countUpTo(row, to)
    const changes = [...row.subarray(0, changesBefore)]
    if (colorAfter(changesBefore) !== color) changes.push(from)
    if (to < this.width) {
      if (colorAfter(changesThrough) !== color) changes.push(to)
      for (const change of row.subarray(changesThrough, row.length - END_MARKS)) changes.push(change)
    }
    return this.close(changes)
  }

  private close(changes: number[]): CcittRow {
    const row = new Int32Array(changes.length + END_MARKS).fill(this.width)
    row.set(changes)
    return row
  }
}

/** Number of changes at positions up to `x`. */
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
  return colorAfter(countUpTo(row, x))
}

/** The color after a number of changes: 0 for white, 1 for black. */
function colorAfter(changeCount: number): number {
  return changeCount & 1
}

/** Maximum number of ranges that are kept. */
const MAX_RANGES = 200_000

/**
 * Ranges of code keys with a value for the lowest key of each. Where ranges overlap, the one that was added last counts,
 * as in readers.
 */
export class CodeRanges<Value> {
  private readonly lows: number[] = []
  private readonly highs: number[] = []
  private readonly values: Value[] = []
  private cells: Cells | undefined

  /** Adds a range of keys, unless there are too many. */
  add(low: number, high: number, value: Value): void {
    if (high < low || this.lows.length >= MAX_RANGES) return
    this.lows.push(low)
    this.highs.push(high)
    this.values.push(value)
    this.cells = undefined
  }

  /** The number of ranges. */
  get size(): number {
    return this.lows.length
  }

  /** Returns the index of the range that holds a key. -1 if there is none. */
  find(key: number): number {
    const { starts, owners } = (this.cells ??= splitIntoCells(this.lows, this.highs))
    let [low, high] = [0, starts.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      if ((starts[middle] as number) <= key) low = middle + 1
      else high = middle - 1
    }
    return high < 0 ? -1 : (owners[high] as number)
  }

  /** Returns the lowest and the highest key of a range, and its value. */
  at(index: number): { low: number; high: number; value: Value } {
    return {
      low: this.lows[index] as number,
      high: this.highs[index] as number,
      value: this.values[index] as Value,
    }
  }
}

/** Where a key range begins that has one owner. The owner is the index of a range, or -1. */
interface Cells {
  starts: Float64Array
  owners: Int32Array
}

/** Cuts overlapping ranges at their ends. The time grows with the number of ranges, whatever their length. */
function splitIntoCells(lows: readonly number[], highs: readonly number[]): Cells {
  const ends = new Float64Array(lows.length * 2)
  lows.forEach((low, index) => {
    ends[index * 2] = low
    ends[index * 2 + 1] = (highs[index] as number) + 1
  })
  const starts = new Float64Array(new Set(ends.sort()))
  const cellAt = new Map(Array.from(starts, (start, cell) => [start, cell]))
  const owners = new Int32Array(starts.length).fill(-1)
  // The next cell at or after each cell that has no owner yet.
  const free = Int32Array.from({ length: starts.length + 1 }, (_, cell) => cell)
  const nextFree = (cell: number): number => {
    let found = cell
    while (free[found] !== found) {
      free[found] = free[free[found] as number] as number
      found = free[found] as number
    }
    return found
  }
  for (let index = lows.length - 1; index >= 0; index--) {
    const end = cellAt.get((highs[index] as number) + 1) ?? 0
    for (let cell = nextFree(cellAt.get(lows[index] as number) ?? 0); cell < end; cell = nextFree(cell)) {
      owners[cell] = index
      free[cell] = cell + 1
    }
  }
  return { starts, owners }
}

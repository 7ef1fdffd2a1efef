interface Grid {
  width: number
  height: number
  /** Number of values at each grid point. */
  outputs: number
}

/**
 * Fills cleared samples of a grid by interpolating linearly between the remaining neighbors in the same row. A row
 * without remaining samples gets a copy of the nearest other row. If no sample remains, all become zero.
 */
export function fillCleared(samples: Uint32Array, isCleared: Uint8Array, grid: Grid): void {
  const { width, height, outputs } = grid
  const empty: number[] = []
  for (let row = 0; row < height; row++) if (!fillRow(samples, isCleared, row * width, grid)) empty.push(row)
  const isEmpty = new Set(empty)
  if (isEmpty.size === height) {
    samples.fill(0)
    return
  }
  const rowLength = width * outputs
  for (const row of empty) {
    let [below, above] = [row, row]
    while (below >= 0 && isEmpty.has(below)) below--
    while (above < height && isEmpty.has(above)) above++
    const source = below < 0 || (above < height && above - row < row - below) ? above : below
    samples.copyWithin(row * rowLength, source * rowLength, (source + 1) * rowLength)
  }
}

/** Fills one row. Returns false if the row has no remaining samples. */
function fillRow(samples: Uint32Array, isCleared: Uint8Array, start: number, { width, outputs }: Grid): boolean {
  let before = -1
  const row = samples.subarray(start * outputs, (start + width) * outputs)
  const fillBetween = (one: number, other: number): void => fillGap(row, { width, outputs, before: one, after: other })
  for (let column = 0; column < width; column++) {
    if (isCleared[start + column] === 1) continue
    if (column - before > 1) fillBetween(before, column)
    before = column
  }
  if (before < 0) return false
  if (before < width - 1) fillBetween(before, width)
  return true
}

interface Gap {
  width: number
  outputs: number
  /** Columns of the remaining neighbors. −1, or the width of the row, if there is none on that side. */
  before: number
  after: number
}

function fillGap(row: Uint32Array, { width, outputs, before, after }: Gap): void {
  for (let output = 0; output < outputs; output++) {
    const left = row[Math.max(0, before) * outputs + output] ?? 0
    const right = row[Math.min(width - 1, after) * outputs + output] ?? 0
    const [low, high] = [before < 0 ? right : left, after >= width ? left : right]
    for (let column = before + 1; column < after; column++) {
      row[column * outputs + output] = Math.round(low + ((high - low) * (column - before)) / (after - before))
    }
  }
}

import { rowBytesOf } from './png'
import type { SampleLayout } from './png'
import { paeth } from '../filters/predictors'

/** Filters to try for every row. Each filter predicts a byte from its neighbors (W3C PNG, 9.2). */
const [SUB, UP, PAETH] = [1, 2, 4] as const

/**
 * To choose a filter, only every 11th byte is compared. 11 divides no pixel size, so that all channels are compared.
 */
const SAMPLED_EVERY = 11

interface Rows {
  current: Uint8Array
  above: Uint8Array
  /** Number of bytes between a byte and its left neighbor. */
  step: number
}

/** Applies PNG filters to consecutive rows. Chooses the filter with the smallest values for each row. */
export class PngRows {
  /** Length of a filtered row, including the filter byte. */
  readonly codedBytes: number
  private readonly step: number
  private above: Uint8Array

  constructor(layout: Omit<SampleLayout, 'height'>) {
    const rowBytes = rowBytesOf(layout)
    this.codedBytes = rowBytes + 1
    this.step = Math.max(1, (layout.bits * layout.channels) >> 3)
    this.above = new Uint8Array(rowBytes)
  }

  /** Writes the next row with its filter into `target`. Don't change the row until the next one has been written. */
  write(current: Uint8Array, target: Uint8Array): void {
    const rows = { current, above: this.above, step: this.step }
    const filter = chooseFilter(rows)
    target[0] = filter
    writeRow(rows, filter, target.subarray(1))
    this.above = current
  }
}

/** Applies PNG filters to rows of samples, so that they compress well. */
export function applyPngFilters(samples: Uint8Array, layout: SampleLayout): Uint8Array {
  const rows = new PngRows(layout)
  const rowBytes = rowBytesOf(layout)
  const filtered = new Uint8Array(rows.codedBytes * layout.height)
  for (let row = 0; row < layout.height; row++) {
    const start = row * rows.codedBytes
    rows.write(
      samples.subarray(row * rowBytes, (row + 1) * rowBytes),
      filtered.subarray(start, start + rows.codedBytes),
    )
  }
  return filtered
}

function chooseFilter({ current, above, step }: Rows): 1 | 2 | 4 {
  let [sub, up, nearest] = [0, 0, 0]
  for (let at = step; at < current.length; at += SAMPLED_EVERY) {
    // The indexes `at` and `at - step` are within the row.
    const [value, left, top] = [current[at] as number, current[at - step] as number, above[at] as number]
    sub += sizeOf(value - left)
    up += sizeOf(value - top)
    nearest += sizeOf(value - paeth(left, top, above[at - step] as number)) // within the row too
  }
  if (up <= sub && up <= nearest) return UP
  return sub <= nearest ? SUB : PAETH
}

/** The absolute value of a difference, modulo 256. */
function sizeOf(difference: number): number {
  const byte = difference & 0xff
  return byte < 128 ? byte : 256 - byte
}

/** Writes the differences to the predicted bytes. Bytes wrap around, and bytes beyond the left edge count as 0. */
function writeRow({ current, above, step }: Rows, filter: 1 | 2 | 4, target: Uint8Array): void {
  const { length } = current
  // All indexes below are within the rows, which have the same length.
  if (filter === UP) {
    for (let at = 0; at < length; at++) target[at] = (current[at] as number) - (above[at] as number)
  } else if (filter === SUB) {
    target.set(current.subarray(0, step))
    for (let at = step; at < length; at++) target[at] = (current[at] as number) - (current[at - step] as number)
  } else {
    for (let at = 0; at < Math.min(step, length); at++) target[at] = (current[at] as number) - (above[at] as number)
    for (let at = step; at < length; at++)
      target[at] =
        (current[at] as number) - paeth(current[at - step] as number, above[at] as number, above[at - step] as number)
  }
}

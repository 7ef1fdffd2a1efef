import { rowBytesOf } from './png'
import type { SampleLayout } from './png'
import { paeth } from '../filters/predictors'

/** Filters that are tried on every row: each of them guesses a byte from its neighbors (W3C PNG, 9.2). */
const [SUB, UP, PAETH] = [1, 2, 4] as const

/**
 * Of so many bytes one is looked at to choose a filter: no multiple of any pixel's size, so that all channels count.
 */
const LOOKED_AT_EVERY = 11

interface Rows {
  own: Uint8Array
  above: Uint8Array
  /** Bytes from a byte to the one that counts as left of it. */
  step: number
}

/** Puts PNG filters in front of rows that come one after another: per row the one that leaves the smallest values. */
export class PngRows {
  /** Bytes of a row with its filter. */
  readonly codedBytes: number
  private readonly step: number
  private above: Uint8Array

  constructor(layout: Omit<SampleLayout, 'height'>) {
    const rowBytes = rowBytesOf(layout)
    this.codedBytes = rowBytes + 1
    this.step = Math.max(1, (layout.bits * layout.channels) >> 3)
    this.above = new Uint8Array(rowBytes)
  }

  /**
   * Writes the next row with its filter into `target`. The row must not be changed before the one behind it is written.
   */
  write(own: Uint8Array, target: Uint8Array): void {
    const rows = { own, above: this.above, step: this.step }
    const filter = chooseFilter(rows)
    target[0] = filter
    writeRow(rows, filter, target.subarray(1))
    this.above = own
  }
}

/** Rows of samples with PNG filters in front, so that they deflate well. */
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

function chooseFilter({ own, above, step }: Rows): 1 | 2 | 4 {
  let [sub, up, nearest] = [0, 0, 0]
  for (let at = step; at < own.length; at += LOOKED_AT_EVERY) {
    // At and at - step lie in the row.
    const [value, left, top] = [own[at] as number, own[at - step] as number, above[at] as number]
    sub += sizeOf(value - left)
    up += sizeOf(value - top)
    nearest += sizeOf(value - paeth(left, top, above[at - step] as number)) // as above
  }
  if (up <= sub && up <= nearest) return UP
  return sub <= nearest ? SUB : PAETH
}

/** How far a difference is from 0, counted around. */
function sizeOf(difference: number): number {
  const byte = difference & 0xff
  return byte < 128 ? byte : 256 - byte
}

/** Writes the differences to what the filter guesses; bytes wrap around. What lies beyond the left edge counts as 0. */
function writeRow({ own, above, step }: Rows, filter: 1 | 2 | 4, target: Uint8Array): void {
  const { length } = own
  // All positions below lie in the rows, which are of one length.
  if (filter === UP) {
    for (let at = 0; at < length; at++) target[at] = (own[at] as number) - (above[at] as number)
  } else if (filter === SUB) {
    target.set(own.subarray(0, step))
    for (let at = step; at < length; at++) target[at] = (own[at] as number) - (own[at - step] as number)
  } else {
    for (let at = 0; at < Math.min(step, length); at++) target[at] = (own[at] as number) - (above[at] as number)
    for (let at = step; at < length; at++)
      target[at] =
        (own[at] as number) - paeth(own[at - step] as number, above[at] as number, above[at - step] as number)
  }
}

import { rowBytesOf } from './png'
import type { SampleLayout } from './png'
import { paeth } from './predictors'

/** Filters that are tried on every row: each of them guesses a byte from its neighbours (W3C PNG, 9.2). */
const [SUB, UP, PAETH] = [1, 2, 4] as const

/** Of so many bytes one is looked at to choose a filter: no multiple of any pixel's size, so that all channels count. */
const LOOKED_AT_EVERY = 11

interface Rows {
  own: Uint8Array
  above: Uint8Array
  /** Bytes from a byte to the one that counts as left of it. */
  step: number
}

/** Rows of samples with PNG filters in front, so that they deflate well: per row the one that leaves the smallest values. */
export function applyPngFilters(samples: Uint8Array, layout: SampleLayout): Uint8Array {
  const rowBytes = rowBytesOf(layout)
  const step = Math.max(1, (layout.bits * layout.channels) >> 3)
  const filtered = new Uint8Array((rowBytes + 1) * layout.height)
  let above: Uint8Array = new Uint8Array(rowBytes)
  for (let row = 0; row < layout.height; row++) {
    const rows = { own: samples.subarray(row * rowBytes, (row + 1) * rowBytes), above, step }
    const start = row * (rowBytes + 1)
    const filter = chooseFilter(rows)
    filtered[start] = filter
    writeRow(rows, filter, filtered.subarray(start + 1, start + 1 + rowBytes))
    above = rows.own
  }
  return filtered
}

function chooseFilter({ own, above, step }: Rows): 1 | 2 | 4 {
  let [sub, up, nearest] = [0, 0, 0]
  for (let at = step; at < own.length; at += LOOKED_AT_EVERY) {
    const [value, left, top] = [own[at] as number, own[at - step] as number, above[at] as number] // at and at - step lie in the row
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
    for (let at = step; at < length; at++) target[at] = (own[at] as number) - paeth(own[at - step] as number, above[at] as number, above[at - step] as number)
  }
}

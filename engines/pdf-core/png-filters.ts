import { paeth } from './filters'
import { rowBytesOf } from './png'
import type { SampleLayout } from './png'

/** Filters that are tried on every row: each of them guesses a byte from its neighbours (W3C PNG, 9.2). */
const [SUB, UP, PAETH] = [1, 2, 4]

/** Rows of samples with PNG filters in front, so that they deflate well: per row the one that leaves the smallest values. */
export function applyPngFilters(samples: Uint8Array, layout: SampleLayout): Uint8Array {
  const rowBytes = rowBytesOf(layout)
  const pixelBytes = Math.max(1, (layout.bits * layout.channels) >> 3)
  const filtered = new Uint8Array((rowBytes + 1) * layout.height)
  const tries = [SUB, UP, PAETH].map(filter => ({ filter, row: new Uint8Array(rowBytes) }))
  let above: Uint8Array = new Uint8Array(rowBytes)
  for (let row = 0; row < layout.height; row++) {
    const own = samples.subarray(row * rowBytes, (row + 1) * rowBytes)
    let best: { filter: number; row: Uint8Array } | undefined
    let least = Infinity
    for (const one of tries) {
      const size = filterRow(own, above, { ...one, pixelBytes })
      if (size >= least) continue
      least = size
      best = one
    }
    const start = row * (rowBytes + 1)
    filtered[start] = best?.filter ?? 0
    filtered.set(best?.row ?? own, start + 1)
    above = own
  }
  return filtered
}

/** Fills `row` with the differences to what the filter guesses; gives the sum of their sizes. */
function filterRow(own: Uint8Array, above: Uint8Array, { filter, row, pixelBytes }: { filter: number; row: Uint8Array; pixelBytes: number }): number {
  let sum = 0
  for (let at = 0; at < own.length; at++) {
    const left = at >= pixelBytes ? (own[at - pixelBytes] ?? 0) : 0
    const up = above[at] ?? 0
    const guess = filter === SUB ? left : filter === UP ? up : paeth(left, up, at >= pixelBytes ? (above[at - pixelBytes] ?? 0) : 0)
    const difference = ((own[at] ?? 0) - guess) & 0xff
    row[at] = difference
    sum += difference < 128 ? difference : 256 - difference
  }
  return sum
}

import type { Bitmap } from '../../../pdf/render'
import { findInk } from './line-pixels'
import type { PixelBox } from './line-pixels'
import { MOST_GAP } from './line-runs'
import type { LineRun } from './line-runs'

/** Minimum number of pixels between a box and the ink after it. Nearer ink may be blur or uneven paper. */
const LEAST_GAP = 2

/** The share of a line's rows that a vertical rule fills. */
const RULE_ROWS = 0.95

/**
 * Adds the ink after the last box to a run as one more word, because words in scans are pixels. Returns the run
 * unchanged if it has text next to its areas, if there is no ink, or if the paper is too uneven. `rows` begins at the
 * end of the run, and `background` has the color of each row.
 */
export function addScannedWords(run: LineRun, image: Bitmap, rows: PixelBox, background: Uint8Array): LineRun {
  const last = run.pieces.at(-1)
  if (!run.exact || !last || last.words.length > 0) return run
  const pixelsPt = image.width / run.frame.width
  const reach = Math.round(MOST_GAP * run.size * pixelsPt)
  const find = (left: number): number | undefined => {
    const right = Math.min(rows.right, left + reach)
    const found = findInk(image, { ...rows, left, right }, background)
    return found < right ? found : undefined
  }
  const first = find(rows.left)
  if (first === undefined || first - rows.left < LEAST_GAP || isRule(image, first, rows, background)) return run
  let end = first
  for (let next = find(end + 1); next !== undefined; next = find(end + 1)) end = next
  if (end >= rows.right - LEAST_GAP) return run
  const word = { index: -1, left: first / pixelsPt, right: (end + 1) / pixelsPt, baseline: run.bottom, size: run.size }
  return { ...run, pieces: [...run.pieces.slice(0, -1), { ...last, words: [word] }] }
}

function isRule(image: Bitmap, column: number, { top, bottom }: PixelBox, background: Uint8Array): boolean {
  let count = 0
  for (let row = top; row < bottom; row++) {
    const part = { left: column, right: column + 1, top: row, bottom: Math.min(bottom, row + 3) }
    if (findInk(image, part, background.subarray((row - top) * 3)) === column) count++
  }
  return count >= (bottom - top - 2) * RULE_ROWS
}

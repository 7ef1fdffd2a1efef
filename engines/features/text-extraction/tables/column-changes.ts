import type { Band } from '../lines/bands'
import type { TextLine } from '../lines/model'
import { columnsOf, findColumns } from './columns'
import type { Column } from './columns'
import { isRow, sizeOf } from './rows'

/** Parts that are farther apart than this many ems aren't joined. */
const FAR = 2.2

/** A gap of this many ems divides cells. */
const CLASH_GAP = 0.9

/** Runs of more bands than this aren't divided, because the time grows with the square. */
const MOST_DIVIDED = 120

/** Bands from `start` to `end` with common columns. */
export interface Part {
  start: number
  end: number
  columns: Column[]
}

/** Divides a run of divided bands where the columns change, such as between the items of an invoice and its totals. */
export function divideRun(bands: readonly Band[]): Part[] {
  const measure = (start: number, end: number): Part & { clashes: number } => {
    const columns = findColumns(bands.slice(start, end))
    return { start, end, columns, clashes: countClashes(bands.slice(start, end), columns) }
  }
  const whole = measure(0, bands.length)
  if (whole.clashes === 0 || bands.length > MOST_DIVIDED) return [whole]
  const parts: Part[] = []
  let part = measure(0, 1)
  let firstClash = 0
  for (let end = 2; end <= bands.length; end++) {
    const next = measure(part.start, end)
    if (next.clashes > 0 && part.clashes === 0) firstClash = end - 1
    // A single clash may be an image in a line.
    if (next.clashes < 2) {
      part = next
      continue
    }
    const { start } = part
    // A first band with a clash of its own has nothing before it.
    const [before, after] = [firstClash, end - 1]
      .filter(at => at > start)
      .map(at => [measure(start, at), measure(at, end)] as const)
      .reduce((best, other) => (sumClashes(other) < sumClashes(best) ? other : best))
    parts.push(before)
    part = after
    firstClash = after.start
  }
  return joinSpanning([...parts, part], bands)
}

function sumClashes(parts: readonly { clashes: number }[]): number {
  return parts.reduce((sum, { clashes }) => sum + clashes, 0)
}

/** Counts the bands in which a wide gap is inside a column: another column is missing there. */
function countClashes(bands: readonly Band[], columns: readonly Column[]): number {
  return bands.filter(({ items }) => {
    const lines = items as TextLine[] // divided bands have lines only
    return lines.some((line, at) => {
      const next = lines[at + 1]
      return (
        next !== undefined &&
        next.left - line.right > CLASH_GAP * line.size &&
        columnsOf(line, columns).at(-1) === columnsOf(next, columns)[0]
      )
    })
  }).length
}

/** Joins parts whose cells are in the columns of the table next to them, such as headers that span columns. */
function joinSpanning(parts: readonly Part[], bands: readonly Band[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && fits(last, part, bands)) {
      last.end = part.end
      if (part.columns.length > last.columns.length) last.columns = part.columns
    } else joined.push({ ...part })
  }
  return joined
}

/**
 * Returns whether the bands of the part with fewer columns are rows of the other part. A single row may have cells that
 * span columns. In several rows, each cell must be in one column, because they are another table otherwise.
 */
function fits(above: Part, below: Part, bands: readonly Band[]): boolean {
  const [lastAbove, firstBelow] = [bands[below.start - 1] as Band, bands[below.start] as Band] // both are in the array
  if (firstBelow.top - lastAbove.bottom > FAR * sizeOf(firstBelow)) return false
  const [narrow, wide] = above.columns.length <= below.columns.length ? [above, below] : [below, above]
  if (wide.columns.length < 2) return false
  const isSingle = narrow.end - narrow.start === 1
  return bands.slice(narrow.start, narrow.end).every(band => {
    // A band with one line may continue a cell of the rows around it. Alone, it is text.
    if (!isRow(band)) return !isSingle
    const spans = (band.items as TextLine[]).map(line => columnsOf(line, wide.columns)) // divided bands have lines only
    return (isSingle || spans.every(span => span.length === 1)) && areApart(spans)
  })
}

/** Returns whether each cell begins in a column after the last column of the cell before it. */
function areApart(spans: readonly number[][]): boolean {
  return spans.every((span, at) => at === 0 || (span[0] as number) > (spans[at - 1]?.at(-1) as number)) // never empty
}

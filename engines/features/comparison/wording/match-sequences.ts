/** Parts of two sequences that are still to be matched. Ends are exclusive. */
interface Range {
  beforeStart: number
  beforeEnd: number
  afterStart: number
  afterEnd: number
}

type Sequence = ArrayLike<number>

/** Ranges with at most this many items together are matched exactly. Longer ones are first divided by anchors. */
const EXACT_ITEMS = 600

/** Maximum number of edits that the exact algorithm looks for. Its memory grows with the square of this number. */
const MAX_EDITS = 1200

/** Lengths of the unique sequences that divide a range. Long ones are more likely to belong together. */
const ANCHOR_LENGTHS = [4, 1] as const

/** Maximum number of compared items. Beyond it, the rest of the sequences counts as different. */
const MAX_STEPS = 60_000_000

/**
 * Matches the items of two sequences of numbers in order, with few items left over. Returns the position in `after` for
 * each position in `before`, or −1. Positions increase. Short ranges get a shortest edit script (Myers 1986). Long
 * ranges are divided at subsequences that occur once on both sides, so the time stays nearly linear.
 */
export function matchSequences(before: Sequence, after: Sequence): Int32Array {
  const matches = new Int32Array(before.length).fill(-1)
  const matcher = { before, after, matches, steps: 0 }
  const ranges: Range[] = [{ beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length }]
  for (let range = ranges.pop(); range && matcher.steps < MAX_STEPS; range = ranges.pop()) {
    trim(matcher, range)
    const [beforeCount, afterCount] = [range.beforeEnd - range.beforeStart, range.afterEnd - range.afterStart]
    if (beforeCount === 0 || afterCount === 0) continue
    if (beforeCount + afterCount <= EXACT_ITEMS && matchExactly(matcher, range)) continue
    const anchors = findAnchors(matcher, range, ANCHOR_LENGTHS[0])
    if (anchors.length === 0 && matchExactly(matcher, range)) continue
    const usable = anchors.length ? anchors : findAnchors(matcher, range, ANCHOR_LENGTHS[1])
    if (usable.length) for (const part of divide(matcher, range, usable)) ranges.push(part)
  }
  return matches
}

interface Matcher {
  before: Sequence
  after: Sequence
  matches: Int32Array
  steps: number
}

/** Matches equal items at both ends of the range, and shortens it. */
function trim(matcher: Matcher, range: Range): void {
  const { before, after, matches } = matcher
  while (
    range.beforeStart < range.beforeEnd &&
    range.afterStart < range.afterEnd &&
    before[range.beforeStart] === after[range.afterStart]
  ) {
    matches[range.beforeStart++] = range.afterStart++
    matcher.steps++
  }
  while (
    range.beforeStart < range.beforeEnd &&
    range.afterStart < range.afterEnd &&
    before[range.beforeEnd - 1] === after[range.afterEnd - 1]
  ) {
    matches[--range.beforeEnd] = --range.afterEnd
    matcher.steps++
  }
}

/**
 * Matches a range with a shortest edit script. Returns false, without matches, if it has more than `MAX_EDITS` edits.
 */
function matchExactly(matcher: Matcher, { beforeStart, beforeEnd, afterStart, afterEnd }: Range): boolean {
  const { before, after, matches } = matcher
  const [rows, columns] = [beforeEnd - beforeStart, afterEnd - afterStart]
  const most = Math.min(rows + columns, MAX_EDITS)
  if (Math.abs(rows - columns) > most) return false
  const reached = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    // Only these diagonals are read on the way back.
    trace.push(reached.slice(most + 1 - edits, most + 2 + edits))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = most + 1 + diagonal
      const [fromLeft, fromRight] = [reached[at - 1] as number, reached[at + 1] as number] // inside the array
      let row = diagonal === -edits || (diagonal !== edits && fromLeft < fromRight) ? fromRight : fromLeft + 1
      const start = row
      while (
        row < rows &&
        row - diagonal < columns &&
        row - diagonal >= 0 &&
        before[beforeStart + row] === after[afterStart + row - diagonal]
      )
        row++
      matcher.steps += row - start + 1
      reached[at] = row
      if (row < rows || row - diagonal < columns) continue
      walkBack({ matches, beforeStart, afterStart }, trace, { rows, columns, edits })
      return true
    }
    if (matcher.steps > MAX_STEPS) return false
  }
  return false
}

/** Follows the edit script from its end, and records the items that both sequences have. */
function walkBack(
  { matches, beforeStart, afterStart }: { matches: Int32Array; beforeStart: number; afterStart: number },
  trace: Int32Array[],
  { rows, columns, edits }: { rows: number; columns: number; edits: number },
): void {
  let [row, column] = [rows, columns]
  for (let left = edits; left >= 0; left--) {
    const reached = trace[left] as Int32Array // one for every number of edits
    const diagonal = row - column
    const isDown =
      diagonal === -left ||
      (diagonal !== left && (reached[left + diagonal - 1] as number) < (reached[left + diagonal + 1] as number))
    const previous = isDown ? diagonal + 1 : diagonal - 1
    const startRow = left === 0 ? 0 : (reached[left + previous] as number)
    const startColumn = left === 0 ? 0 : startRow - previous
    while (row > startRow && column > startColumn) {
      matches[beforeStart + --row] = afterStart + --column
    }
    if (left > 0) [row, column] = [startRow, startColumn]
  }
}

/**
 * Finds sequences of this length that occur exactly once in each range. Returns pairs of their start positions, in
 * order on both sides.
 */
function findAnchors(matcher: Matcher, range: Range, length: number): [number, number][] {
  const { before, after } = matcher
  matcher.steps += range.beforeEnd - range.beforeStart + range.afterEnd - range.afterStart
  const own = findUnique(before, range.beforeStart, range.beforeEnd, length)
  const other = findUnique(after, range.afterStart, range.afterEnd, length)
  const pairs: [number, number][] = []
  for (const [hash, at] of own) {
    const otherAt = other.get(hash)
    if (at < 0 || otherAt === undefined || otherAt < 0) continue
    let same = 0
    while (same < length && before[at + same] === after[otherAt + same]) same++
    if (same === length) pairs.push([at, otherAt])
  }
  pairs.sort((one, two) => one[0] - two[0])
  return longestIncreasing(pairs)
}

/** Positions of subsequences by their hash, and −1 for those that occur more than once. */
function findUnique(sequence: Sequence, start: number, end: number, length: number): Map<number, number> {
  const positions = new Map<number, number>()
  for (let at = start; at + length <= end; at++) {
    let hash = 0
    for (let item = at; item < at + length; item++) hash = (Math.imul(hash, 0x01000193) ^ (sequence[item] ?? 0)) | 0
    positions.set(hash, positions.has(hash) ? -1 : at)
  }
  return positions
}

/** The longest part of the list in which the second numbers increase. The first numbers increase already. */
export function longestIncreasing<Pair extends readonly [number, number]>(pairs: readonly Pair[]): Pair[] {
  const tails: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1
    tails[low] = index
  }
  const chosen: Pair[] = []
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index]
    if (pair) chosen.push(pair)
  }
  return chosen.reverse()
}

/** Matches the first item of each anchor. Returns the ranges between them. */
function divide({ matches }: Matcher, range: Range, anchors: readonly [number, number][]): Range[] {
  const parts: Range[] = []
  let { beforeStart, afterStart } = range
  for (const [before, after] of anchors) {
    matches[before] = after
    parts.push({ beforeStart, beforeEnd: before, afterStart, afterEnd: after })
    beforeStart = before + 1
    afterStart = after + 1
  }
  parts.push({ beforeStart, beforeEnd: range.beforeEnd, afterStart, afterEnd: range.afterEnd })
  return parts
}

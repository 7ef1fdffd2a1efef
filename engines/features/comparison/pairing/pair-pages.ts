import { matchSequences } from '../wording/match-sequences'
import { addTo } from '../../../map-entries'

/** Pages at these positions in both lists belong together. */
export type PagePositions = readonly [before: number, after: number]

/** Consecutive pages between pages that are known to belong together. */
export interface PageGap {
  before: number[]
  after: number[]
}

/** Positions of pages that are equal: in the same order, and moved to another place. */
interface EqualPages {
  inOrder: PagePositions[]
  moved: PagePositions[]
}

/**
 * Pairs pages with equal IDs. Pages without an ID have no equal page. Of the pages whose order changed, as few as
 * possible count as moved. `canMove` excludes pages that are too common to be recognized elsewhere, such as empty ones.
 */
export function pairEqualPages(
  before: readonly (string | undefined)[],
  after: readonly (string | undefined)[],
  { canMove }: { canMove: (beforePosition: number) => boolean },
): EqualPages {
  const numbers = new Map<string, number>()
  let unique = 0
  const numberOf = (id: string | undefined): number => {
    if (id === undefined) return --unique
    const number = numbers.get(id) ?? numbers.size
    numbers.set(id, number)
    return number
  }
  const [own, other] = [before.map(numberOf), after.map(numberOf)]
  const matches = matchSequences(own, other)
  const inOrder: PagePositions[] = []
  const taken = new Set<number>()
  for (const [position, match] of matches.entries()) {
    if (match < 0) continue
    inOrder.push([position, match])
    taken.add(match)
  }
  const free = new Map<number, number[]>()
  for (const [position, number] of other.entries()) {
    if (number < 0 || taken.has(position)) continue
    addTo(free, number, position)
  }
  const moved: PagePositions[] = []
  for (const [position, number] of own.entries()) {
    if ((matches[position] ?? -1) >= 0 || number < 0 || !canMove(position)) continue
    const match = free.get(number)?.shift()
    if (match !== undefined) moved.push([position, match])
  }
  return { inOrder, moved }
}

/** The pages between pairs in order. Leaves out the pages in `moved`. */
export function findGaps(
  { beforeCount, afterCount }: { beforeCount: number; afterCount: number },
  inOrder: readonly PagePositions[],
  moved: readonly PagePositions[],
): PageGap[] {
  const movedBefore = new Set(moved.map(([position]) => position))
  const movedAfter = new Set(moved.map(([, position]) => position))
  const gaps: PageGap[] = []
  let [beforeStart, afterStart] = [0, 0]
  for (const [beforeEnd, afterEnd] of [...inOrder, [beforeCount, afterCount] as const]) {
    const gap = {
      before: range(beforeStart, beforeEnd).filter(position => !movedBefore.has(position)),
      after: range(afterStart, afterEnd).filter(position => !movedAfter.has(position)),
    }
    if (gap.before.length || gap.after.length) gaps.push(gap)
    beforeStart = beforeEnd + 1
    afterStart = afterEnd + 1
  }
  return gaps
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
}

/** A possible pair of pages in a gap, with its similarity from 0 to 1. */
export interface Candidate {
  before: number
  after: number
  similarity: number
}

/**
 * Pairs the pages between two chosen pairs if both files have the same number of pages there. Those pages were
 * replaced. The chosen pairs must be in order.
 */
export function pairReplacedPages({ before, after }: PageGap, chosen: readonly PagePositions[]): PagePositions[] {
  const pairs: PagePositions[] = []
  let [beforeAt, afterAt] = [0, 0]
  const positions = { before: positionsIn(before), after: positionsIn(after) }
  const fill = (beforeEnd: number, afterEnd: number): void => {
    if (beforeEnd - beforeAt === afterEnd - afterAt) {
      for (; beforeAt < beforeEnd; beforeAt++, afterAt++) pairs.push([before[beforeAt] ?? 0, after[afterAt] ?? 0])
    }
  }
  for (const pair of chosen) {
    const [beforeIndex, afterIndex] = [positions.before.get(pair[0]) ?? 0, positions.after.get(pair[1]) ?? 0]
    fill(beforeIndex, afterIndex)
    pairs.push(pair)
    beforeAt = beforeIndex + 1
    afterAt = afterIndex + 1
  }
  fill(before.length, after.length)
  return pairs
}

function positionsIn(pages: readonly number[]): Map<number, number> {
  return new Map(pages.map((page, index) => [page, index]))
}

/** Chooses the pairs with the highest total similarity among candidates, so that no two pairs cross. */
export function choosePairs(candidates: readonly Candidate[]): PagePositions[] {
  const sorted = [...candidates].sort((one, other) => one.before - other.before || other.after - one.after)
  // A Fenwick tree over the positions in the second file. It holds the best chain that ends at or before each position.
  const size = Math.max(0, ...sorted.map(({ after }) => after)) + 2
  const best = new Int32Array(size).fill(-1)
  const totals = new Float64Array(sorted.length)
  const previous = new Int32Array(sorted.length).fill(-1)
  const totalOf = (index: number): number => (index < 0 ? 0 : (totals[index] ?? 0))
  let last = -1
  for (const [index, { after, similarity }] of sorted.entries()) {
    let link = -1
    for (let at = after; at > 0; at -= at & -at) {
      const other = best[at] ?? -1
      if (totalOf(other) > totalOf(link)) link = other
    }
    previous[index] = link
    totals[index] = totalOf(link) + similarity
    for (let at = after + 1; at < size; at += at & -at) {
      if (totalOf(index) > totalOf(best[at] ?? -1)) best[at] = index
    }
    if (totalOf(index) > totalOf(last)) last = index
  }
  const chain: PagePositions[] = []
  for (let index = last; index >= 0; index = previous[index] ?? -1) {
    const candidate = sorted[index]
    if (candidate) chain.push([candidate.before, candidate.after])
  }
  return chain.reverse()
}

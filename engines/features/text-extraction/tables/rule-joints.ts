import { hasCenterIn } from '../lines/model'
import type { Word } from '../lines/model'

/** Pieces of rules that end this near each other meet, in points. */
export const JOINT = 1

/** The pieces of this share of the rules meet at the same place. */
const COMMON = 0.7

/** The text of two columns has at least this space between it, in ems. */
const LEAST_GAP = 0.35

/** Maximum number of rows and columns that end where pieces meet. */
const MAX_JOINTS = 400

/** A rule by its position across (`at`) and its extent along its direction. */
export interface Segment {
  at: number
  start: number
  end: number
  /** Where its pieces meet. */
  joints: number[]
}

/** Rules that meet, directly or through others. */
export interface Group {
  across: Segment[]
  down: Segment[]
}

/**
 * Adds borders that aren't painted. Programs draw the borders of each cell. Where the pieces of all vertical rules meet
 * at the same height, a row ends, and where those of horizontal rules meet, a column does.
 */
export function addJoints({ across, down }: Group, words: readonly Word[]): Group {
  const [top, bottom] = [Math.min(...down.map(({ start }) => start)), Math.max(...down.map(({ end }) => end))]
  const [left, right] = [Math.min(...across.map(({ start }) => start)), Math.max(...across.map(({ end }) => end))]
  const inside = words.filter(word => hasCenterIn(word, { left, right, top, bottom }))
  const rows = commonJoints(down).filter(({ at }) => !inside.some(word => word.top < at - 2 && word.bottom > at + 2))
  const columns = commonJoints(across)
  return {
    across: [...across, ...rows.map(({ at }) => ({ at, start: left, end: right, joints: [] }))],
    down: [
      ...down,
      ...columns
        .map(({ at, first, last }) => ({ at, start: first, end: last, joints: [] }))
        .filter(segment => segment.end > segment.start && !crossesText(segment, inside)),
    ],
  }
}

/** Returns whether a position down is inside words, or between words of the same text. */
function crossesText({ at, start, end }: Segment, words: readonly Word[]): boolean {
  const near = words.filter(({ top, bottom }) => top > start - 2 && bottom < end + 2)
  const [before, after] = [near.filter(({ right }) => right <= at + 1), near.filter(({ left }) => left >= at - 1)]
  if (before.length + after.length < near.length) return true
  const lefts = new Map<number, number>()
  for (const { baseline, left } of after) lefts.set(baseline, Math.min(left, lefts.get(baseline) ?? Infinity))
  return before.some(({ baseline, right, size }) => (lefts.get(baseline) ?? Infinity) - right < LEAST_GAP * size)
}

/** Positions where pieces of at least two rules meet, and of most rules that pass. */
function commonJoints(segments: readonly Segment[]): { at: number; first: number; last: number }[] {
  const found: { at: number; rules: Segment[] }[] = []
  const all = segments.flatMap(rule => rule.joints.map(at => ({ at, rule }))).sort((one, other) => one.at - other.at)
  for (const { at, rule } of all) {
    const last = found.at(-1)
    if (last && at - last.at <= JOINT) last.rules.push(rule)
    else found.push({ at, rules: [rule] })
  }
  if (found.length > MAX_JOINTS) return []
  return found
    .filter(({ at, rules }) => {
      const passing = segments.filter(({ start, end }) => start < at - JOINT && end > at + JOINT)
      return rules.length >= 2 && rules.length >= COMMON * passing.length
    })
    .map(({ at, rules }) => {
      const places = rules.map(rule => rule.at)
      return { at, first: Math.min(...places), last: Math.max(...places) }
    })
}

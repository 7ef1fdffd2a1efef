import type { Box } from '../../pdf-core/geometry/box'
import type { LineWord } from './line-runs'

/** How far letters reach below their baseline, as a part of the size of the type. */
export const DEPTH = 0.26
/** How far letters reach above their baseline, as a part of the size of the type. */
export const HEIGHT = 0.85

/** What an area may be higher than its line on each side, as a part of the size of the type there. */
const HEIGHT_SLACK = 0.2

/**
 * How high a box of a word without long letters is at least, and what is added above one, as parts of the size of the
 * type.
 */
const LEAST_HEIGHT = 0.7
const ROOM_ABOVE = 0.06

/** Edges of a box that is higher, or alone, lie at multiples of this, in points from the lower edge of the page. */
const HEIGHT_STEP_PT = 6

/** How high a line is, in points from the lower edge of the page as it is turned for the line. */
export interface LineBand {
  bottom: number
  top: number
  /** How high its areas are, where `bottom` and `top` are only rounded: they may reach into other lines. */
  exact?: { bottom: number; top: number } | undefined
  /** Of its type. */
  size: number
}

/**
 * How high boxes are, and the size of the type. Boxes end where the letters of their words did, which may tell a g from
 * an o: so the other words of the line say it, or else the nearest word of such a size. Without any the edges are
 * rounded.
 */
export function measureBand(boxes: readonly Box[], beside: readonly LineWord[], words: readonly LineWord[]): LineBand {
  const [low, high] = [Math.min(...boxes.map(({ y }) => y)), Math.max(...boxes.map(({ y, height }) => y + height))]
  if (beside.length > 0) {
    const size = Math.max(...beside.map(word => word.size))
    const baselines = beside.map(({ baseline }) => baseline)
    const [bottom, top] = [Math.min(...baselines) - DEPTH * size, Math.max(...baselines) + HEIGHT * size]
    if (low >= bottom - size * HEIGHT_SLACK && high <= top + size * HEIGHT_SLACK) return { bottom, top, size }
  }
  const middle = (low + high) / 2
  const alike = words.filter(({ size }) => high - low > size * LEAST_HEIGHT && high - low < size * (1 + HEIGHT_SLACK))
  const distance = ({ baseline }: LineWord): number => Math.abs(baseline - middle)
  const nearest = alike.reduce<LineWord | undefined>(
    (best, word) => (best && distance(best) <= distance(word) ? best : word),
    undefined,
  )
  if (nearest)
    return { bottom: high - nearest.size * (1 + ROOM_ABOVE), top: high + nearest.size * ROOM_ABOVE, size: nearest.size }
  const [bottom, top] = [
    Math.floor(low / HEIGHT_STEP_PT) * HEIGHT_STEP_PT,
    Math.ceil(high / HEIGHT_STEP_PT) * HEIGHT_STEP_PT,
  ]
  return { bottom, top, exact: { bottom: low, top: high }, size: (top - bottom) / (DEPTH + HEIGHT) }
}

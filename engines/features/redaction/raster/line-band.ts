import type { Box } from '../../../pdf/geometry'
import type { LineWord } from './line-runs'

/** How far letters extend below their baseline, in ems. */
export const DEPTH = 0.26
/** How far letters extend above their baseline, in ems. */
export const HEIGHT = 0.85

/** How far an area may extend beyond its line, above and below, in ems. */
const HEIGHT_SLACK = 0.2

/**
 * Minimum height of the box of a word without ascenders and descenders, and the space that is added above a box, in
 * ems.
 */
const LEAST_HEIGHT = 0.7
const ROOM_ABOVE = 0.06

/** The step to which the edges of a taller or isolated box are rounded, in points from the lower edge of the page. */
const HEIGHT_STEP_PT = 6

/** The vertical extent of a line, in points from the lower edge of the page as it is rotated for the line. */
export interface LineBand {
  bottom: number
  top: number
  /** The extent of the areas, if `bottom` and `top` are rounded and may overlap other lines. */
  exact?: { bottom: number; top: number } | undefined
  /** The font size in points. */
  size: number
}

/**
 * Returns the height of the boxes on a line, and the font size. The height of a removed word would reveal whether it
 * contains a "g" or only an "o". So the height comes from the other words of the line, or else from the nearest word of
 * a similar size. Without such a word, the edges are rounded.
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

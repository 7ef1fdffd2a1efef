import type { PdfFunction } from './functions'

/** Invisible difference of a color component, as a fraction of its range. */
const TOLERANCE = 2.5 / 255

/** An edge changes a component by at least `EDGE` within the fraction `EDGE_SHARE` of the line. */
const EDGE = 24 / 255
const EDGE_SHARE = 1 / 128

/** Limits of a gradient. A row of scanned text exceeds them. */
export interface GradientLimits {
  /** Number of changes between getting lighter and getting darker. */
  turns: number
  /** Number of places with an abrupt color change. */
  edges: number
}

/** Limits for a color that changes along a line. */
const ALONG_LINE: GradientLimits = { turns: 3, edges: 1 }

/** Limits for each line across a color that changes in two dimensions. */
export const IN_PLANE: GradientLimits = { turns: 1, edges: 0 }

/** Number of sample points on a line in addition to the function's knots, and the maximum number of knots. */
const POINTS = 2048
const MOST_POINTS = 200_000

/** Maximum number of steps for checking one function. */
const MOST_STEPS = 60_000_000

/**
 * Returns whether a function of one input is a gradient: apart from differences up to 2.5/255, it has few turns and at
 * most one edge. `scale` is the range of the color components.
 */
export function isGradient(evaluated: PdfFunction, [from, to]: readonly [number, number], scale: number): boolean {
  const even = Array.from({ length: POINTS }, (_, index) => from + ((to - from) * index) / (POINTS - 1))
  const knots = evaluated.knots.filter(knot => knot >= Math.min(from, to) && knot <= Math.max(from, to))
  if (knots.length > MOST_POINTS || (knots.length + POINTS) * evaluated.cost > MOST_STEPS) return false
  const places = [...even, ...knots].sort((one, other) => one - other)
  const values = places.map(place => evaluated.evaluate([place]))
  return isEven(places, values, { scale, limits: ALONG_LINE })
}

/**
 * Returns whether values at positions in ascending order stay within the limits. A missing value exceeds the limits.
 */
export function isEven(
  places: readonly number[],
  values: readonly (number[] | undefined)[],
  { scale, limits }: { scale: number; limits: GradientLimits },
): boolean {
  const colors = values.filter(value => value !== undefined)
  if (colors.length < values.length) return false
  const count = colors[0]?.length ?? 0
  for (let component = 0; component < count; component++) {
    const line = colors.map(value => (value[component] ?? 0) / scale)
    if (countTurns(line) > limits.turns || countEdges(places, line) > limits.edges) return false
  }
  return true
}

/** Counts how often a line turns, apart from invisible differences. */
function countTurns(line: readonly number[]): number {
  let [low, high, turns, direction] = [line[0] ?? 0, line[0] ?? 0, 0, 0]
  for (const value of line) {
    low = Math.min(low, value)
    high = Math.max(high, value)
    if (direction <= 0 && value > low + TOLERANCE) {
      if (direction < 0) turns++
      direction = 1
      high = value
    } else if (direction >= 0 && value < high - TOLERANCE) {
      if (direction > 0) turns++
      direction = -1
      low = value
    }
    if (direction > 0) low = high
    if (direction < 0) high = low
  }
  return turns
}

/** Counts edges. Consecutive steps in the same direction are one edge. */
function countEdges(places: readonly number[], line: readonly number[]): number {
  const reach = ((places.at(-1) ?? 0) - (places[0] ?? 0)) * EDGE_SHARE
  let [edges, start, lastEnd, lastSign] = [0, 0, -1, 0]
  for (let end = 1; end < line.length; end++) {
    while (start < end - 1 && (places[end] ?? 0) - (places[start] ?? 0) > reach) start++
    const change = (places[end] ?? 0) - (places[start] ?? 0) > reach ? 0 : (line[end] ?? 0) - (line[start] ?? 0)
    if (Math.abs(change) <= EDGE) continue
    if (start !== lastEnd || Math.sign(change) !== lastSign) edges++
    lastSign = Math.sign(change)
    start = lastEnd = end
  }
  return edges
}

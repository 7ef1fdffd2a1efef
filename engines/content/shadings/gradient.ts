import type { PdfFunction } from './functions'

/** Differences of a color component that nobody sees, as a part of its range. */
const TOLERANCE = 2.5 / 255

/** How much a component changes at an edge, and within which part of the way. */
const EDGE = 24 / 255
const EDGE_SHARE = 1 / 128

/** What a gradient has at most of both; a row of a scanned text has more. */
export interface GradientLimits {
  /** Turns from lighter to darker or back. */
  turns: number
  /** Places where the color changes at once. */
  edges: number
}

/** Limits for a color that changes along one line. */
const ALONG_LINE: GradientLimits = { turns: 3, edges: 1 }

/** Limits for each line across a color that changes in both directions. */
export const IN_PLANE: GradientLimits = { turns: 1, edges: 0 }

/** Points of a line at which a function is looked at, besides its own knots, and of those the most. */
const POINTS = 2048
const MOST_POINTS = 200_000

/** Steps that looking at one function may take. */
const MOST_STEPS = 60_000_000

/**
 * Whether a function of one input is a gradient: within 2.5/255 it has few turns and at most one edge. `scale` is the
 * range of the color components.
 */
export function isGradient(evaluated: PdfFunction, [from, to]: readonly [number, number], scale: number): boolean {
  const even = Array.from({ length: POINTS }, (_, index) => from + ((to - from) * index) / (POINTS - 1))
  const knots = evaluated.knots.filter(knot => knot >= Math.min(from, to) && knot <= Math.max(from, to))
  if (knots.length > MOST_POINTS || (knots.length + POINTS) * evaluated.cost > MOST_STEPS) return false
  const places = [...even, ...knots].sort((one, other) => one - other)
  const values = places.map(place => evaluated.evaluate([place]))
  return isEven(places, values, { scale, limits: ALONG_LINE })
}

/** Whether the values at places in ascending order stay within limits; a missing value counts as one that doesn't. */
export function isEven(
  places: readonly number[],
  values: readonly (number[] | undefined)[],
  { scale, limits }: { scale: number; limits: GradientLimits },
): boolean {
  const known = values.filter(value => value !== undefined)
  if (known.length < values.length) return false
  const count = known[0]?.length ?? 0
  for (let component = 0; component < count; component++) {
    const line = known.map(value => (value[component] ?? 0) / scale)
    if (countTurns(line) > limits.turns || countEdges(places, line) > limits.edges) return false
  }
  return true
}

/** How often a line turns, apart from what nobody sees. */
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

/** Steps that follow each other in one direction are one edge. */
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

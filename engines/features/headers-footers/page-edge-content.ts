import type { Frame } from '../../pdf/geometry'

/** Maximum share of a page side for a margin, so that text has room on small pages. */
const MOST_OF_A_SIDE = 0.25

/** Distances of text from the edges of a page in points: the margin, or less on small pages. */
export interface Edges {
  across: number
  up: number
}

/** Returns the distances of text from the edges of a page. */
export function measureEdges({ width, height }: Pick<Frame, 'width' | 'height'>, marginPt: number): Edges {
  return { across: Math.min(marginPt, width * MOST_OF_A_SIDE), up: Math.min(marginPt, height * MOST_OF_A_SIDE) }
}

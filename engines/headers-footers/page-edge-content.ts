import type { Frame } from '../pdf-core/geometry/frame'

/** The part of a small page's side that a margin may take at most, so that something is left for the text. */
const MOST_OF_A_SIDE = 0.25

/** Points that text keeps from the edges of a page: the margin, or less where the page is small. */
export interface Edges {
  across: number
  up: number
}

/** How far text may come to the edges of a page, in points. */
export function measureEdges({ width, height }: Pick<Frame, 'width' | 'height'>, marginPt: number): Edges {
  return { across: Math.min(marginPt, width * MOST_OF_A_SIDE), up: Math.min(marginPt, height * MOST_OF_A_SIDE) }
}

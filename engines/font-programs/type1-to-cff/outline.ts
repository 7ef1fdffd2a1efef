/** A stem hint: an edge, and the distance to the other edge. -20 and -21 mark single edges, as in Type 2. */
export interface Stem {
  at: number
  size: number
}

/** The stem hints that apply at the same time, in units of glyph space from the origin of the glyph. */
export interface HintSet {
  horizontal: readonly Stem[]
  vertical: readonly Stem[]
}

/**
 * A part of an outline. Points are absolute: x and y in units of glyph space from the origin of the glyph, y upward. A
 * curve has two control points and an end, a flex has two curves. Every subpath begins with a move and is closed.
 */
export type Step =
  | { kind: 'move' | 'line' | 'curve'; points: readonly number[] }
  | { kind: 'flex'; points: readonly number[]; height: number }
  | { kind: 'hints'; hints: HintSet }

/** The contents of a Type 1 charstring. */
export interface Outline {
  width: number
  steps: readonly Step[]
  /** Replaces the steps of a character that is composed of two others. */
  composed: Composed | undefined
}

/** Two characters by their codes in StandardEncoding. The origin of the accent is at `x` and `y`. */
export interface Composed {
  x: number
  y: number
  base: number
  accent: number
}

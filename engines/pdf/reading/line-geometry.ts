import type { Baseline, Glyph } from './glyph'

/** Maximum difference of angles on one line, in radians. */
export const SAME_ANGLE = 0.02

/** Returns whether two characters may be on one line, by their angles. */
export function hasSameAngle(one: Baseline, other: Baseline): boolean {
  return Math.abs(one.angle - other.angle) < SAME_ANGLE
}

/** The parts of a vector along the line of a character, and across it. */
export function turnToLine({ angle }: Pick<Baseline, 'angle'>, x: number, y: number): [along: number, across: number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [x * cos + y * sin, y * cos - x * sin]
}

/** The distance from the end of a glyph to the origin of the next one, along the line of the first and across it. */
export function gapBetween(before: Glyph, next: Glyph): [along: number, across: number] {
  return turnToLine(before, next.x - before.endX, next.y - before.endY)
}

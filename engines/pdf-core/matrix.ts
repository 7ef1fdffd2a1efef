import type { Box, Matrix } from './frame'

/** The matrix that does what `first` does and then what `second` does. */
export function chainMatrices([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

/** Where the matrix puts a point. */
export function mapPoint([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** The smallest upright box around what the matrix makes of a box. */
export function mapBoxAround(matrix: Matrix, { x, y, width, height }: Box): Box {
  const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]] as const
  const points = corners.map(([across, up]) => mapPoint(matrix, across, up))
  const [xs, ys] = [points.map(point => point[0]), points.map(point => point[1])]
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  return { x: left, y: bottom, width: Math.max(...xs) - left, height: Math.max(...ys) - bottom }
}

/** By how much the matrix makes lengths longer, on average over all directions. */
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c))
}

/** Quarter turns counter-clockwise that the matrix makes, 0 to 3; the nearest for other angles. */
export function quarterTurnsOf([a, b]: Matrix): number {
  return (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4
}

/** A matrix as operators and arrays have it: at most six decimals, and no exponents, which PDF does not know. */
export function writeNumbers(numbers: readonly number[]): string {
  return numbers.map(number => String(Number(number.toFixed(6)) || 0).replace(/^.*e.*$/, '0')).join(' ')
}

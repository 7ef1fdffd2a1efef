import type { Matrix } from '../../../geometry/matrix'
import type { Bounds } from '../../../geometry/geometry'

interface Cut {
  /** Maps the shape's space to the space of the area. */
  matrix: Matrix
  area: Bounds
}

/** The part of a line (`x1 y1 x2 y2`) inside an area, in the line's own space. Undefined if there is none. */
export function clipLine(
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[],
  { matrix: [a, b, c, d, e, f], area }: Cut,
): number[] | undefined {
  const [startX, startY] = [a * x1 + c * y1 + e, b * x1 + d * y1 + f]
  const [dx, dy] = [a * x2 + c * y2 + e - startX, b * x2 + d * y2 + f - startY]
  let [first, last] = [0, 1]
  for (const [step, room] of [
    [-dx, startX - area.left],
    [dx, area.right - startX],
    [-dy, startY - area.bottom],
    [dy, area.top - startY],
  ] as const) {
    if (step === 0 && room < 0) return undefined
    if (step < 0) first = Math.max(first, room / step)
    if (step > 0) last = Math.min(last, room / step)
  }
  if (first >= last) return undefined
  const at = (part: number): number[] =>
    part === 0 ? [x1, y1] : part === 1 ? [x2, y2] : [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part]
  return [...at(first), ...at(last)]
}

/**
 * Clips a polygon (x and y of its corners) to an area, in the polygon's own space. The winding number of each point
 * inside the area doesn't change. Outside, edges may run along the area's sides.
 */
export function clipPolygon(
  corners: number[],
  { matrix: [a, b, c, d, e, f], area, inverse: [A, B, C, D, E, F] }: Cut & { inverse: Matrix },
): number[] {
  let points: Point[] = []
  for (let at = 0; at + 1 < corners.length; at += 2) {
    const [x, y] = [corners[at] as number, corners[at + 1] as number]
    points.push({ x: a * x + c * y + e, y: b * x + d * y + f, original: [x, y] })
  }
  points = cutSide(points, 'x', area.left, 1)
  points = cutSide(points, 'x', area.right, -1)
  points = cutSide(points, 'y', area.bottom, 1)
  points = cutSide(points, 'y', area.top, -1)
  return points.flatMap(({ x, y, original }) => original ?? [A * x + C * y + E, B * x + D * y + F])
}

/**
 * Clips an upright rectangle (x and y of its corners in order) to an area by whole units. Viewers that snap the edges
 * of rectangles to pixels then still snap the remaining edges to the same pixels.
 */
export function clipRectangle(
  corners: number[],
  { matrix: [a, b, c, d, e, f], area, inverse: [A, B, C, D, E, F] }: Cut & { inverse: Matrix },
): number[] {
  const pull = (value: number, least: number, most: number): number => {
    if (value < least) return value + Math.floor(least - value)
    return value > most ? value - Math.floor(value - most) : value
  }
  return corners.flatMap((corner, at) => {
    if (at % 2 === 1) return []
    const [x, y] = [corner, corners[at + 1] as number]
    const userX = pull(a * x + c * y + e, area.left, area.right)
    const userY = pull(b * x + d * y + f, area.bottom, area.top)
    return [A * userX + C * userY + E, B * userX + D * userY + F]
  })
}

interface Point {
  x: number
  y: number
  /** The position in the polygon's own space. Only set for original corners. */
  original?: [number, number]
}

/** The part of a polygon on one side of a line across an axis. `sign` is 1 for the side with larger values. */
function cutSide(points: readonly Point[], axis: 'x' | 'y', limit: number, sign: 1 | -1): Point[] {
  const cut: Point[] = []
  let before = points.at(-1)
  for (const point of points) {
    const [previousSide, side] = [((before as Point)[axis] - limit) * sign, (point[axis] - limit) * sign]
    if (before && previousSide * side < 0) {
      const part = previousSide / (previousSide - side)
      cut.push({ x: before.x + (point.x - before.x) * part, y: before.y + (point.y - before.y) * part })
    }
    if (side >= 0) cut.push(point)
    before = point
  }
  return cut
}

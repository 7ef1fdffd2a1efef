import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { invertMatrix, mapPoint } from '../../../geometry/matrix'
import type { Matrix } from '../../../geometry/matrix'
import { readFunction } from './functions'
import { boundsOf, intersect, mapCorners } from '../../../geometry/geometry'
import type { Bounds } from '../../../geometry/geometry'
import { IN_PLANE, isEven } from './gradient'
import * as Name from '../../../syntax/names'

/** Distance between sample points in user space units, and the maximum number of points along one side of a hole. */
const STEP = 0.5
const MOST_ACROSS = 400

/** Maximum number of steps for checking one shading. */
const MOST_STEPS = 40_000_000

/** The place where a function-based shading is drawn. */
interface Place {
  domain: Bounds
  matrix: Matrix
  holes: readonly Bounds[]
  /** Range of the color components. */
  scale: number
}

/** Returns whether a function-based shading (ISO 32000-2, 8.7.4.5.2) is just a soft gradient inside the holes. */
export function isSoftInside(
  document: PdfDocument,
  shading: PDFDict,
  { domain, matrix, holes, scale }: Place,
): boolean {
  const shade = readFunction(document, shading.get(Name.Function))
  const inverse = invertMatrix(matrix)
  if (!inverse) return true // the shading is invisible
  if (!shade) return false
  const whole = boundsOf(mapCorners(matrix, domain))
  let steps = 0
  for (const hole of holes) {
    const part = intersect(hole, whole)
    if (part.left >= part.right || part.bottom >= part.top) continue
    const [xs, ys] = [stepsBetween(part.left, part.right), stepsBetween(part.bottom, part.top)]
    steps += xs.length * ys.length * 2 * shade.cost
    if (steps > MOST_STEPS) return false
    const colorAt = (x: number, y: number): number[] | undefined => {
      const [across, up] = mapPoint(inverse, x, y)
      const isInside = across >= domain.left && across <= domain.right && up >= domain.bottom && up <= domain.top
      return isInside ? shade.evaluate([across, up]) : undefined
    }
    const isSoft = (places: number[], colors: (number[] | undefined)[]): boolean => {
      const inside = places.flatMap((place, index) => (colors[index] ? [{ place, color: colors[index] }] : []))
      return isEven(
        inside.map(({ place }) => place),
        inside.map(({ color }) => color),
        { scale, limits: IN_PLANE },
      )
    }
    if (
      !ys.every(y =>
        isSoft(
          xs,
          xs.map(x => colorAt(x, y)),
        ),
      )
    )
      return false
    if (
      !xs.every(x =>
        isSoft(
          ys,
          ys.map(y => colorAt(x, y)),
        ),
      )
    )
      return false
  }
  return true
}

function stepsBetween(low: number, high: number): number[] {
  const count = Math.min(MOST_ACROSS, Math.ceil((high - low) / STEP) + 1)
  return Array.from({ length: count }, (_, index) => low + ((high - low) * (index + 0.5)) / count)
}

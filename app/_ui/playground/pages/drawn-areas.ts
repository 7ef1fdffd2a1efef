import { isJsonObject, type Json, type JsonObject } from '../form/field-shapes'
import { type PageBox, type PageSize, roundTenth } from './page-box'

/** Points in one unit of the options. `%` depends on the page. */
const POINTS: Record<string, number> = { pt: 1, mm: 72 / 25.4, cm: 72 / 2.54, in: 72, px: 0.75 }

/**
 * Returns the box of `x`, `y`, `width` and `height` on a page, in the unit and from the origin that `settings` name.
 * Undefined if a number is missing, or if the coordinates aren't those of the page as displayed.
 */
function readPlace(place: Json | undefined, settings: JsonObject, size: PageSize): PageBox | undefined {
  if (!isJsonObject(place)) return undefined
  const { x, y, width, height } = place
  const scale = scaleOf(settings, size)
  const isKnown = [x, y, width, height].every(value => typeof value === 'number')
  if (!isKnown || !scale) return undefined
  const box = {
    x: Number(x) * scale.across,
    y: Number(y) * scale.down,
    width: Number(width) * scale.across,
    height: Number(height) * scale.down,
  }
  return settings['origin'] === 'top-left' ? box : { ...box, y: size.height - box.y - box.height }
}

/** Returns the four numbers of a box, in the unit and from the origin that `settings` name. */
export function writePlace(box: PageBox, settings: JsonObject, size: PageSize): JsonObject {
  const { across, down } = scaleOf(settings, size) ?? { across: 1, down: 1 }
  const y = settings['origin'] === 'top-left' ? box.y : size.height - box.y - box.height
  return {
    x: roundTenth(box.x / across),
    y: roundTenth(y / down),
    width: roundTenth(box.width / across),
    height: roundTenth(box.height / down),
  }
}

/** Returns the points in a unit, across and down. Undefined for coordinates that aren't those of the page as displayed. */
function scaleOf(settings: JsonObject, size: PageSize): { across: number; down: number } | undefined {
  const { unit = 'pt', origin } = settings
  if (origin === 'user-space' || typeof unit !== 'string') return undefined
  if (unit === '%') return { across: size.width / 100, down: size.height / 100 }
  const points = POINTS[unit]
  return points === undefined ? undefined : { across: points, down: points }
}

/** An entry of `areas` that can be shown on a page. */
export interface DrawnArea {
  /** Position in `areas`. */
  index: number
  /** Page index, from 0. */
  pageIndex: number
  box: PageBox
}

/** Returns the entries of `areas` that name one page. The form shows the others, such as those with `pages`. */
export function listDrawnAreas(areas: Json | undefined, pages: readonly PageSize[]): DrawnArea[] {
  if (!Array.isArray(areas)) return []
  return areas.flatMap((area, index) => {
    if (!isJsonObject(area) || typeof area['page'] !== 'number') return []
    const pageIndex = area['page'] - 1
    const size = pages[pageIndex]
    const box = size && readPlace(area, area, size)
    return box ? [{ index, pageIndex, box }] : []
  })
}

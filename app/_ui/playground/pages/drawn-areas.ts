import { isJsonObject, type Json, type JsonObject } from '../form/field-shapes'
import { toPoints, type Unit } from '../../../../engines/options/lengths'
import type { PageBox, PageSize } from './page-box'

/** Decimals of each unit that keep a place within a tenth of a point. `%` depends on the page. */
const DECIMALS: Record<string, number> = { pt: 1, px: 1, mm: 2, cm: 3, in: 3, '%': 2 }

/**
 * Returns the box of `x`, `y`, `width` and `height` on a page, in the unit and from the origin that `settings` name.
 * Undefined if a number is missing, or if the coordinates aren't those of the page as displayed.
 */
export function readBox(place: Json | undefined, settings: JsonObject, size: PageSize): PageBox | undefined {
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
export function writeBox(box: PageBox, settings: JsonObject, size: PageSize): JsonObject {
  const { across, down } = scaleOf(settings, size) ?? { across: 1, down: 1 }
  const y = settings['origin'] === 'top-left' ? box.y : size.height - box.y - box.height
  const { unit } = settings
  return {
    x: roundLength(box.x / across, unit),
    y: roundLength(y / down, unit),
    width: roundLength(box.width / across, unit),
    height: roundLength(box.height / down, unit),
  }
}

/** Rounds a length, so that options stay readable. */
export function roundLength(value: number, unit: Json = 'pt'): number {
  const factor = 10 ** ((typeof unit === 'string' ? DECIMALS[unit] : undefined) ?? 1)
  return Math.round(value * factor) / factor
}

/** Returns the points in a unit, across and down. Undefined unless the coordinates are for the page as displayed. */
export function scaleOf(settings: JsonObject, size: PageSize): { across: number; down: number } | undefined {
  const { unit = 'pt', origin } = settings
  if (origin === 'user-space') return undefined
  if (unit === '%') return { across: size.width / 100, down: size.height / 100 }
  const points = isUnit(unit) ? toPoints(1, unit) : undefined
  return points === undefined ? undefined : { across: points, down: points }
}

/** Returns whether a value is a unit of length that doesn't depend on the page. */
export function isUnit(unit: Json): unit is Unit {
  return typeof unit === 'string' && unit !== '%' && Object.hasOwn(DECIMALS, unit)
}

/** An entry of `areas` that can be shown on a page. */
export interface DrawnArea {
  /** Index in `areas`, among the areas of all pages. */
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
    const box = size && readBox(area, area, size)
    return box ? [{ index, pageIndex, box }] : []
  })
}

import { toPoints } from './lengths'

/** Width and height in points. */
export interface PageSize {
  width: number
  height: number
}

const metric = (width: number, height: number): PageSize => ({
  width: toPoints(width, 'mm'),
  height: toPoints(height, 'mm'),
})
const inches = (width: number, height: number): PageSize => ({
  width: toPoints(width, 'in'),
  height: toPoints(height, 'in'),
})

/** Portrait sizes by name: ISO 216, and common North American sizes. */
const SIZES: Record<string, PageSize> = {
  A0: metric(841, 1189),
  A1: metric(594, 841),
  A2: metric(420, 594),
  A3: metric(297, 420),
  A4: metric(210, 297),
  A5: metric(148, 210),
  A6: metric(105, 148),
  B4: metric(250, 353),
  B5: metric(176, 250),
  Letter: inches(8.5, 11),
  Legal: inches(8.5, 14),
  Tabloid: inches(11, 17),
  Executive: inches(7.25, 10.5),
}

// This is a Map, so that names such as `constructor` aren't found.
const byName = new Map(Object.entries(SIZES).map(([name, size]) => [name.toLowerCase(), size]))

/** The names of all sizes. */
export const PAGE_SIZE_NAMES: readonly string[] = Object.keys(SIZES)

/** Finds a size by name, ignoring case. Undefined if there is none. */
export function findPageSize(name: string): PageSize | undefined {
  return byName.get(name.toLowerCase())
}

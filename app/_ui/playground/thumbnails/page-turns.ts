import { withMember } from '../form/field-path'
import { isJsonObject, type Json, type JsonObject } from '../form/field-shapes'
import type { PageSize } from '../pages/page-box'
import { pagesBetween, readSelection, writeSelection } from './page-selection'

/** The angles by which the options of `rotate-pdf` rotate pages. */
export interface PageTurns {
  /**
   * Degrees clockwise, by position from 0. In mode `absolute`, the new rotation. Otherwise, an addition to the rotation
   * that the page has.
   */
  angles: Map<number, number>
  isAbsolute: boolean
  problem?: string
}

/** The pages of a document. Sizes are known of the first ones only. */
interface SizedPages {
  pages: readonly PageSize[]
  pageCount: number
}

/** Returns by how much the options rotate each page. Applies entries in order, as the service does. */
export function readTurns(options: JsonObject, { pages, pageCount }: SizedPages): PageTurns {
  const isAbsolute = options['mode'] === 'absolute'
  const angles = new Map<number, number>()
  for (const entry of listEntries(options)) {
    const { indexes, problem } =
      entry['pages'] === undefined
        ? { indexes: pagesBetween(0, pageCount - 1) }
        : readSelection(entry['pages'], pageCount)
    if (problem !== undefined) return { angles: new Map(), isAbsolute, problem }
    const angle = Number(entry['angle'])
    if (!Number.isInteger(angle / 90)) return { angles: new Map(), isAbsolute, problem: 'Angles are 90, 180 or 270.' }
    for (const index of new Set(indexes))
      if (hasShape(pages[index], options['only'])) angles.set(index, isAbsolute ? angle : add(angles.get(index), angle))
  }
  return { angles, isAbsolute }
}

function listEntries({ angle, pages, rotations }: JsonObject): JsonObject[] {
  if (Array.isArray(rotations)) return rotations.filter(isJsonObject)
  if (angle === undefined) return []
  return [pages === undefined ? { angle } : { angle, pages }]
}

function hasShape(page: PageSize | undefined, only: Json | undefined): boolean {
  if (!page || (only !== 'portrait' && only !== 'landscape')) return true
  return only === 'portrait' ? page.height > page.width : page.width > page.height
}

/** Returns options that rotate pages by these angles. Pages of one angle stay `angle` and `pages`. */
export function writeTurns(options: JsonObject, { angles, isAbsolute }: PageTurns, pageCount: number): JsonObject {
  const pagesByAngle = new Map<number, number[]>()
  for (const [index, angle] of [...angles].sort(([one], [other]) => one - other))
    if (isAbsolute || angle !== 0) pagesByAngle.set(angle, [...(pagesByAngle.get(angle) ?? []), index])
  const entries = [...pagesByAngle].sort(([one], [other]) => one - other)
  // The angles already count only the pages of this shape.
  let next = withMember(options, 'only', undefined)
  for (const name of ['angle', 'pages', 'rotations']) next = withMember(next, name, undefined)
  if (entries.length === 0) return withMember(next, 'mode', undefined)
  const [first] = entries
  if (first && entries.length === 1) {
    const [angle, indexes] = first
    const pages = indexes.length === pageCount ? undefined : writeSelection(indexes)
    return { angle, ...(pages === undefined ? {} : { pages }), ...next }
  }
  return {
    rotations: entries.map(([angle, indexes]): JsonObject => ({ pages: writeSelection(indexes) ?? [], angle })),
    ...next,
  }
}

/** Rotates pages by an angle. `rotationOf` returns the rotation that a page has in the file. */
export function turnPages(
  turns: PageTurns,
  { indexes, angle, rotationOf }: { indexes: number[]; angle: number; rotationOf: (index: number) => number },
): PageTurns {
  const angles = new Map(turns.angles)
  for (const index of indexes)
    angles.set(index, add(angles.get(index) ?? (turns.isAbsolute ? rotationOf(index) : 0), angle))
  return { angles, isAbsolute: turns.isAbsolute }
}

function add(one: number | undefined, other: number): number {
  return ((((one ?? 0) + other) % 360) + 360) % 360
}

/** Returns the factor by which the image of a page still fits its frame after a quarter turn. */
export function turnedScale({ width, height }: PageSize, angle: number, frame: PageSize): number {
  if (angle % 180 === 0) return 1
  const scale = Math.min(frame.width / width, frame.height / height)
  return Math.min(frame.width / (height * scale), frame.height / (width * scale))
}

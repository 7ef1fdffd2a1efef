import type { Bitmap } from '../../../pdf/render'
import { include, isAmong, soften } from './bitmap-changes'
import type { Distance, PixelArea, Tolerance } from './bitmap-changes'

/** A changed area with its places in both images. */
export interface MovedArea {
  before: PixelArea
  after: PixelArea
}

/** Difference in pixels up to which two areas have the same size. */
const SAME_SIZE = 2

/** Maximum number of distances to try. */
const MAX_DISTANCES = 64

/** Finds pixels that differ only because content moved. */
export class Movements {
  private readonly one: Bitmap
  private readonly other: Bitmap

  constructor(
    { before, after }: { before: Bitmap; after: Bitmap },
    private readonly tolerance: Tolerance,
  ) {
    this.one = soften(before)
    this.other = soften(after)
  }

  /** Marks pixels of the areas in `leftOut` if content moved there or from there by one of the distances. */
  leaveOut(areas: readonly PixelArea[], distances: readonly Distance[], leftOut: Uint8Array): void {
    const width = Math.max(this.one.width, this.other.width)
    for (const { left, top, right, bottom } of areas)
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) if (this.isMoved(x, y, distances)) leftOut[y * width + x] = 1
  }

  /**
   * Joins areas whose content moved by the same distance: by one of `distances`, or from one area to another of the same
   * size.
   */
  join(areas: readonly PixelArea[], distances: readonly Distance[]): MovedArea[] {
    const open = new Set(areas)
    const moved: MovedArea[] = []
    for (const distance of [...distances, ...listDistances(areas)].slice(0, MAX_DISTANCES)) {
      const found = [...open].filter(area => this.isExplained(area, distance))
      const [before, after] = [this.one, this.other].map(image =>
        joinAll(found.filter(area => !isBlank(image, area, this.tolerance.level))),
      )
      if (!before || !after) continue
      moved.push({ before, after })
      for (const area of found) open.delete(area)
    }
    return [...moved, ...[...open].map(area => ({ before: area, after: area }))]
  }

  private isExplained({ left, top, right, bottom }: PixelArea, distance: Distance): boolean {
    let count = 0
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++)
        if (!this.isMoved(x, y, [distance]) && ++count >= this.tolerance.leastPixels) return false
    return true
  }

  /**
   * Returns whether the second image has elsewhere what the first one has here, and the first image has elsewhere what
   * the second one has here. White needs no explanation.
   */
  private isMoved(x: number, y: number, distances: readonly Distance[]): boolean {
    const { one, other } = this
    const { level } = this.tolerance
    const isHere = !isWhite(one, x, y, level)
    const isThere = !isWhite(other, x, y, level)
    return (
      (!isHere || distances.some(distance => isAmong(one, other, x, y, level, distance))) &&
      (!isThere ||
        distances.some(({ right, down }) => isAmong(other, one, x, y, level, { right: -right, down: -down })))
    )
  }
}

/** The distances between areas of the same size. */
function listDistances(areas: readonly PixelArea[]): Distance[] {
  return areas.flatMap(from =>
    areas
      .filter(to => to !== from && isSameSize(from, to))
      .map(to => ({ right: to.left - from.left, down: to.top - from.top })),
  )
}

function isSameSize(one: PixelArea, other: PixelArea): boolean {
  const [width, height] = [other.right - other.left, other.bottom - other.top]
  return Math.abs(one.right - one.left - width) <= SAME_SIZE && Math.abs(one.bottom - one.top - height) <= SAME_SIZE
}

function joinAll([first, ...rest]: readonly PixelArea[]): PixelArea | undefined {
  if (!first) return undefined
  const joined = { ...first }
  for (const area of rest) include(joined, area)
  return joined
}

function isBlank(bitmap: Bitmap, { left, top, right, bottom }: PixelArea, level: number): boolean {
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) if (!isWhite(bitmap, x, y, level)) return false
  return true
}

function isWhite({ width, height, pixels }: Bitmap, x: number, y: number, level: number): boolean {
  if (x >= width || y >= height) return true
  const at = (y * width + x) * 3
  return Math.min(pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number) >= 255 - level
}

import type { Box, Frame, Matrix } from '../../pdf/geometry'
import { chainMatrices, IDENTITY, invertMatrix, mapBox, seenMatrix } from '../../pdf/geometry'
import type { PageContents } from '../../pdf/read-page'
import { areaAround, hasCenterIn } from './lines/model'
import type { Area, Block, PlacedBlock, Sheet } from './lines/model'

/** An image is a figure if both sides have this many points, and if it covers a smaller share of the page. */
const LEAST_SIDE = 20
const MOST_COVERED = 0.85

/** Pages with more images than this are drawings of many parts. */
const MOST_IMAGES = 200

/** Images at the same place of several pages are decoration in this share of the page at its top and bottom. */
const ZONE = 0.15

/** Parts of a figure are this close to each other, in points. */
const TOUCHING = 1

/** An image on a sheet. */
export interface SheetImage extends Area {
  /** Marked-content identifier. -1 if there is none. */
  mcid: number
  isArtifact: boolean
}

/** The images of a page in the coordinates of one of its sheets. */
export function imagesOn(sheet: Sheet, images: PageContents['images'], frame: Frame): SheetImage[] {
  const matrix = matrixTo(sheet, frame)
  return images.map(({ left, bottom, right, top, mcid, isArtifact }) => {
    const box = { x: left, y: bottom, width: right - left, height: top - bottom }
    return { ...toArea(mapBox(matrix, box)), mcid, isArtifact }
  })
}

/** The area of a box in default user space on a sheet. */
export function areaOn(sheet: Sheet, box: Box, frame: Frame): Area {
  return toArea(mapBox(matrixTo(sheet, frame), box))
}

function matrixTo({ toSeen }: Sheet, frame: Frame): Matrix {
  return chainMatrices(seenMatrix(frame), invertMatrix(toSeen) ?? IDENTITY) // always invertible, see `Sheet`
}

function toArea({ x, y, width, height }: Box): Area {
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/**
 * The images of each page that are certainly figures: not small, not behind text, and not the repeated decoration of the
 * top or bottom of pages. Each entry has the sheet of a page with its images.
 */
export function findFigures(pages: readonly { sheet: Sheet | undefined; images: readonly SheetImage[] }[]): Area[][] {
  const found = pages.map(({ sheet, images }) => (sheet ? figuresOf(sheet, images) : []))
  const counts = new Map<string, number>()
  for (const area of found.flat()) counts.set(keyOf(area), (counts.get(keyOf(area)) ?? 0) + 1)
  return found.map((areas, at) => {
    const height = pages[at]?.sheet?.height ?? 0
    return areas.filter(area => {
      const isAtEdge = area.bottom <= ZONE * height || area.top >= (1 - ZONE) * height
      return !isAtEdge || counts.get(keyOf(area)) === 1
    })
  })
}

function figuresOf(sheet: Sheet, images: readonly SheetImage[]): Area[] {
  if (images.length > MOST_IMAGES) return []
  const { width, height } = sheet
  return joinTouching(images.filter(image => !image.isArtifact).map(image => clip(image, sheet))).filter(area => {
    const [across, down] = [area.right - area.left, area.bottom - area.top]
    if (across < LEAST_SIDE || down < LEAST_SIDE || across * down > MOST_COVERED * width * height) return false
    return !sheet.words.some(word => hasCenterIn(word, area))
  })
}

function clip({ left, top, right, bottom }: Area, { width, height }: Sheet): Area {
  return {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(width, right),
    bottom: Math.min(height, bottom),
  }
}

/** Joins areas that touch, such as the strips of an image. */
function joinTouching(areas: readonly Area[]): Area[] {
  const joined: Area[] = []
  for (const area of areas) {
    let whole = area
    for (let at = 0; at < joined.length;) {
      const other = joined[at] as Area // at is in the array
      if (touches(whole, other)) {
        whole = areaAround([whole, other])
        joined.splice(at, 1)
        at = 0
      } else at++
    }
    joined.push(whole)
  }
  return joined
}

function touches(one: Area, other: Area): boolean {
  return (
    Math.min(one.right, other.right) - Math.max(one.left, other.left) >= -TOUCHING &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) >= -TOUCHING
  )
}

function keyOf({ left, top, right, bottom }: Area): string {
  return [left, top, right, bottom].map(Math.round).join(' ')
}

/** Puts figures behind the blocks above them. Areas and blocks are on the same sheet, whose matrix is `toSeen`. */
export function insertFigures(blocks: readonly PlacedBlock[], areas: readonly Area[], toSeen: Matrix): PlacedBlock[] {
  const placed = [...blocks]
  for (const area of areas.toSorted((one, other) => one.top - other.top)) {
    const block: PlacedBlock = { role: 'figure', area, lines: [], toSeen }
    placed.splice(findPlace(placed, area, toSeen), 0, block)
  }
  return placed
}

function findPlace(blocks: readonly PlacedBlock[], figure: Area, toSeen: Matrix): number {
  let [best, least] = [-1, Infinity]
  let [below, beside, end] = [-1, -1, 0]
  for (const [at, block] of blocks.entries()) {
    if (block.role !== 'footer') end = at + 1
    if (block.toSeen !== toSeen) continue
    const middle = (block.area.top + block.area.bottom) / 2
    if (beside < 0 && middle > figure.top && block.role !== 'header') beside = at
    if (!isOver(block, figure)) continue
    const distance = figure.top - block.area.bottom
    if (middle > figure.top) {
      if (below < 0 && block.role !== 'header') below = at
    } else if (distance < least && block.role !== 'footer') [best, least] = [at, distance]
  }
  if (best >= 0) return best + 1
  return [below, beside].find(at => at >= 0) ?? end
}

/** Returns whether a block and a figure share a part of the width of the page. */
function isOver({ area }: Block, figure: Area): boolean {
  return area.right > area.left && Math.min(area.right, figure.right) > Math.max(area.left, figure.left)
}

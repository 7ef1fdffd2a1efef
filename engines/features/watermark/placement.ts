import { EngineError } from '../../errors'
import type { Frame, Matrix } from '../../pdf/geometry'
import { chainMatrices } from '../../pdf/geometry'
import { placeBox } from '../../options/placement'
import type { Mark } from './options'

/** Unrotated width and height in points. */
export interface MarkSize {
  width: number
  height: number
}

/** Maximum number of tiles on a page. Viewers would draw more tiles too slowly. */
const MAX_TILES = 4000

/** Returns the angle of a mark on a page, in degrees counterclockwise. */
export function angleOn({ width, height }: MarkSize, { position, rotation = 0 }: Mark): number {
  const rise = (Math.atan2(height, width) * 180) / Math.PI
  if (position === 'diagonal') return rise
  return position === 'diagonal-down' ? -rise : rotation
}

/** Returns the size of a page without its margins. Each margin is at most a quarter of a side. */
export function freeAreaOf({ width, height }: MarkSize, { margin }: Mark): MarkSize {
  return { width: width - 2 * Math.min(margin, width / 4), height: height - 2 * Math.min(margin, height / 4) }
}

/** Returns the size of the bounding box of a rotated box. */
function turnedExtent({ width, height }: MarkSize, angleDeg: number): MarkSize {
  const { cos, sin } = turn(angleDeg)
  return {
    width: width * Math.abs(cos) + height * Math.abs(sin),
    height: width * Math.abs(sin) + height * Math.abs(cos),
  }
}

/** Returns the factor by which to scale a rotated box, so that it just fits into an area. */
export function fitFactor(extent: MarkSize, angleDeg: number, area: MarkSize): number {
  const turned = turnedExtent(extent, angleDeg)
  return Math.min(area.width / turned.width, area.height / turned.height)
}

/** Returns the length of the line through the center of a page at an angle. */
export function chordOf({ width, height }: MarkSize, angleDeg: number): number {
  const { cos, sin } = turn(angleDeg)
  return Math.min(
    Math.abs(cos) < 1e-9 ? Infinity : width / Math.abs(cos),
    Math.abs(sin) < 1e-9 ? Infinity : height / Math.abs(sin),
  )
}

/**
 * Returns the positions of a mark on a page as displayed. They are matrices for a graphic with its lower-left corner at
 * 0,0. Throws EngineError `options_invalid` if the mark would be outside of the page, or if there would be too many tiles.
 */
export function placeMark(frame: Frame, extent: MarkSize, mark: Mark): Matrix[] {
  const angleDeg = angleOn(frame, mark)
  if (mark.position === 'tile') return placeTiles(frame, extent, mark)
  const turned = turnedExtent(extent, angleDeg)
  const center = findCenter(frame, turned, mark)
  if (!touches(frame, center, turned)) {
    const { x, y } = mark.offset
    throw new EngineError(
      'options_invalid',
      `${mark.param}.offset: ${x}, ${y} moves the watermark off a page of ${Math.round(frame.width)} × ` +
        `${Math.round(frame.height)} points. Use a smaller offset.`,
      { param: `${mark.param}.offset` },
    )
  }
  return [aroundCenter(extent, angleDeg, center)]
}

interface Point {
  x: number
  y: number
}

function findCenter(frame: Frame, turned: MarkSize, { position, margin, offset }: Mark): Point {
  if (position === 'diagonal' || position === 'diagonal-down' || position === 'tile')
    return { x: frame.width / 2 + offset.x, y: frame.height / 2 + offset.y }
  const place = placeBox(frame, turned, { position, marginPt: Math.min(margin, frame.width / 4, frame.height / 4) })
  // A mark that exceeds the free area would otherwise exceed the opposite edge of the page.
  const x = turned.width > frame.width ? place.x : Math.min(Math.max(place.x, 0), frame.width - turned.width)
  const y = turned.height > frame.height ? place.y : Math.min(Math.max(place.y, 0), frame.height - turned.height)
  return { x: x + turned.width / 2 + offset.x, y: y + turned.height / 2 + offset.y }
}

/**
 * Returns tiles in rows that rotate with the mark. Every second row is shifted by half a step, and one tile is in the
 * center of the page.
 */
function placeTiles(frame: Frame, extent: MarkSize, mark: Mark): Matrix[] {
  const { spacing, offset, rotation = 0, param } = mark
  const [across, up] = [extent.width + spacing.x, extent.height + spacing.y]
  const { cos, sin } = turn(rotation)
  const turned = turnedExtent(extent, rotation)
  const reach = Math.hypot(frame.width, frame.height) / 2 + Math.hypot(extent.width, extent.height)
  const [columns, rows] = [Math.ceil(reach / across) + 1, Math.ceil(reach / up)]
  const share = (frame.width * frame.height) / (4 * reach * reach)
  const tiles: Matrix[] = []
  if (4 * columns * rows * share > 2 * MAX_TILES) throw tooManyTiles(param)
  // An offset of whole steps has no effect, because the rows extend beyond the page. The pattern repeats every two
  // rows.
  const shift = { x: (offset.x * cos + offset.y * sin) % across, y: (offset.y * cos - offset.x * sin) % (2 * up) }
  for (let row = -rows - 2; row <= rows + 2; row++) {
    for (let column = -columns - 1; column <= columns + 1; column++) {
      const alongRow = (column + (row % 2 === 0 ? 0 : 0.5)) * across + shift.x
      const acrossRows = row * up + shift.y
      const center = {
        x: frame.width / 2 + alongRow * cos - acrossRows * sin,
        y: frame.height / 2 + alongRow * sin + acrossRows * cos,
      }
      if (!touches(frame, center, turned)) continue
      tiles.push(aroundCenter(extent, rotation, center))
      if (tiles.length > MAX_TILES) throw tooManyTiles(param)
    }
  }
  return tiles
}

function tooManyTiles(param: string): EngineError {
  return new EngineError(
    'options_invalid',
    `${param}.spacing: a page must have at most ${MAX_TILES.toLocaleString('en')} tiles. Use a larger ` +
      'fontSize, scale or spacing.',
    { param: `${param}.spacing` },
  )
}

function touches({ width, height }: MarkSize, { x, y }: Point, turned: MarkSize): boolean {
  return Math.abs(x - width / 2) * 2 < width + turned.width && Math.abs(y - height / 2) * 2 < height + turned.height
}

function aroundCenter({ width, height }: MarkSize, angleDeg: number, { x, y }: Point): Matrix {
  const { cos, sin } = turn(angleDeg)
  return chainMatrices([1, 0, 0, 1, -width / 2, -height / 2], [cos, sin, -sin, cos, x, y])
}

function turn(angleDeg: number): { cos: number; sin: number } {
  const angle = (angleDeg * Math.PI) / 180
  return { cos: Math.cos(angle), sin: Math.sin(angle) }
}

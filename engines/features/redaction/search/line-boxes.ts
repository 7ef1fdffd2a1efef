import type { Bounds, Box, Frame } from '../../../pdf/geometry'
import { toSeen } from '../../../pdf/geometry'
import type { CharacterGeometry } from '../../../pdf/render'

/**
 * How far boxes extend below and above the baseline, in ems, unless a glyph extends farther. The sum is less than the
 * usual line spacing.
 */
const BELOW = 0.12
const ABOVE = 0.74

/**
 * Minimum vertical overlap of two boxes of one line, as a share of the smaller height, and their maximum gap in
 * heights.
 */
const BESIDE = 0.5
const MOST_GAP = 3

/** Texts of characters with the positions that are known. */
export interface MeasuredTexts {
  readonly texts: readonly string[]
  geometryOf(index: number): CharacterGeometry | undefined
}

/** The direction of a line on the page as displayed: horizontal, vertical or slanted. */
type Direction = 'across' | 'along' | 'slanted'

/**
 * Returns boxes around the characters at these positions, on the page as displayed. There is one box per line, and one
 * per character of a slanted line.
 */
export function joinBoxes(frame: Frame, characters: MeasuredTexts, positions: readonly number[]): Box[] {
  const joined: Box[] = []
  let before: Direction | undefined
  for (const index of positions) {
    const geometry = characters.texts[index]?.trim() ? characters.geometryOf(index) : undefined
    if (!geometry) continue
    const direction = directionOf(frame, geometry)
    const box = boxOf(frame, geometry, direction)
    const last = direction === before ? joined.at(-1) : undefined
    if (last && isBeside(last, box, direction)) Object.assign(last, unite(last, box))
    else joined.push(box)
    before = direction
  }
  return joined
}

function directionOf({ rotation }: Frame, { angleDeg }: CharacterGeometry): Direction {
  const angle = ((angleDeg - rotation) * Math.PI) / 180
  if (Math.abs(Math.sin(angle)) < 0.01) return 'across'
  return Math.abs(Math.cos(angle)) < 0.01 ? 'along' : 'slanted'
}

/**
 * Returns the box of a character. Along the line, the box is as long as the advance width. Across the line, the box has
 * the usual height of letters or the height of the glyph, because ascent and descent of fonts are often too large.
 */
function boxOf(frame: Frame, { room, shape, origin, size, angleDeg }: CharacterGeometry, direction: Direction): Box {
  const [whole, filled] = [toSeen(frame, boxOfBounds(room)), toSeen(frame, boxOfBounds(shape))]
  if (direction === 'slanted' || !(size > 0 && size < 1e6)) return unite(whole, filled)
  const [upX, upY] = [-Math.sin((angleDeg * Math.PI) / 180), Math.cos((angleDeg * Math.PI) / 180)]
  const [low, high] = [-BELOW, ABOVE].map(part =>
    toSeen(frame, { x: origin.x + upX * part * size, y: origin.y + upY * part * size, width: 0, height: 0 }),
  ) as [Box, Box] // `map` keeps the number of items.
  const line =
    direction === 'across'
      ? { ...whole, y: Math.min(low.y, high.y), height: Math.abs(high.y - low.y) }
      : { ...whole, x: Math.min(low.x, high.x), width: Math.abs(high.x - low.x) }
  return unite(line, filled)
}

function boxOfBounds({ left, bottom, right, top }: Bounds): Box {
  return { x: left, y: bottom, width: right - left, height: top - bottom }
}

function unite(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

/** Returns whether two boxes are on one line with the given direction. */
function isBeside(one: Box, other: Box, direction: Direction): boolean {
  const across = gapOf(one.x, one.width, other.x, other.width)
  const up = gapOf(one.y, one.height, other.y, other.height)
  if (direction === 'across')
    return -up >= BESIDE * Math.min(one.height, other.height) && across <= MOST_GAP * Math.max(one.height, other.height)
  return (
    direction === 'along' &&
    -across >= BESIDE * Math.min(one.width, other.width) &&
    up <= MOST_GAP * Math.max(one.width, other.width)
  )
}

/** Returns the gap between two stretches, or the negative length of their overlap. */
function gapOf(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.max(start, otherStart) - Math.min(start + length, otherStart + otherLength)
}

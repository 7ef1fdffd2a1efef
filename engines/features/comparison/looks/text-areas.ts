import type { Box } from '../../../pdf/geometry'
import type { PagePair, TextChange, TextPart, VisualChange } from '../model'
import { boxOf } from '../wording/page-words'

/** Margin in points by which words may exceed the area around them. */
const MARGIN_PT = 2

/** Minimum share of an area that the words of its change cover, with the space between them. */
const LEAST_SHARE = 0.02

/**
 * Adds an area to a text change if all words of the change are in the area, or if both moved by the same distance. An
 * example is a note with its frame. Areas with words of several changes, or with a part of a change, are visual changes
 * of their own.
 */
export function addAreas(pair: PagePair, areas: readonly VisualChange[]): void {
  const changes = pair.text.map(change => ({ change, boxes: boxesOn(pair, change) }))
  for (const area of areas) {
    const touched = changes.filter(({ boxes }) =>
      SIDES.some(side => boxes[side].some(box => contains(area[side], box))),
    )
    const [only] = touched
    const owner =
      only && touched.length === 1 && SIDES.some(side => isFilled(area[side], only.boxes[side]))
        ? only
        : changes.find(({ change, boxes }) => change.kind === 'moved' && movedWith(boxes, area))
    if (owner) owner.change.areas.push(area)
    else pair.visual.push(area)
  }
}

const SIDES = ['before', 'after'] as const

/** The boxes of the words of a change on each page. */
interface Boxes {
  before: Box[]
  after: Box[]
}

function boxesOn({ before, after }: PagePair, { removed, inserted }: TextChange): Boxes {
  const list = (part: TextPart | undefined, page: number | undefined): Box[] =>
    part?.page === page ? (part?.words.flatMap(({ quads }) => quads.map(boxOf)) ?? []) : []
  return { before: list(removed, before?.index), after: list(inserted, after?.index) }
}

/** Returns whether all boxes are in an area, and large enough to be its text. */
function isFilled(area: Box, boxes: readonly Box[]): boolean {
  if (boxes.length === 0 || !boxes.every(box => contains(area, box))) return false
  const [right, top] = [
    Math.max(...boxes.map(box => box.x + box.width)),
    Math.max(...boxes.map(box => box.y + box.height)),
  ]
  const [left, bottom] = [Math.min(...boxes.map(box => box.x)), Math.min(...boxes.map(box => box.y))]
  return (right - left) * (top - bottom) >= LEAST_SHARE * area.width * area.height
}

/** Returns whether an area moved by the same distance as words. */
function movedWith({ before: [from], after: [to] }: Boxes, area: VisualChange): boolean {
  const isSame = (axis: 'x' | 'y'): boolean =>
    from !== undefined &&
    to !== undefined &&
    Math.abs(to[axis] - from[axis] - (area.after[axis] - area.before[axis])) <= MARGIN_PT
  return isSame('x') && isSame('y')
}

function contains(area: Box, { x, y, width, height }: Box): boolean {
  return (
    x >= area.x - MARGIN_PT &&
    y >= area.y - MARGIN_PT &&
    x + width <= area.x + area.width + MARGIN_PT &&
    y + height <= area.y + area.height + MARGIN_PT
  )
}

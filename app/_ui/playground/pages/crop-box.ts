import { toPoints } from '../../../../engines/options/lengths'
import { withMember } from '../form/field-path'
import { isJsonObject, type Json, type JsonObject } from '../form/field-shapes'
import type { PageCorners } from '../preview/pdf-messages'
import { isUnit, readBox, roundLength, scaleOf, writeBox } from './drawn-areas'
import type { PageBox, PagePoint, PageSize } from './page-box'

/** The page that is cropped: its size as displayed, and where its corners are in PDF coordinates once they are known. */
export interface CropPage extends PageSize {
  corners?: PageCorners | undefined
}

type Side = 'top' | 'right' | 'bottom' | 'left'

/** Returns the box that the options keep of a page. Undefined if they name none, or only the service can find it. */
export function readCrop(options: JsonObject, page: CropPage): PageBox | undefined {
  const { cropBox, margins, origin, unit = 'pt' } = options
  if (cropBox === undefined) return margins === undefined ? undefined : readMargins(margins, { unit }, page)
  if (origin !== 'user-space') return readBox(cropBox, options, page)
  const { corners } = page
  if (!corners || !isJsonObject(cropBox) || !isUnit(unit)) return undefined
  const { x, y, width, height } = cropBox
  if (![x, y, width, height].every(value => typeof value === 'number')) return undefined
  const [left, lower, across, up] = [x, y, width, height].map(value => toPoints(Number(value), unit)) as Quad
  return boxAround(toDisplay(corners, page, [left, lower]), toDisplay(corners, page, [left + across, lower + up]))
}

/** Returns options that keep a box of a page, in their unit and from their origin. Margins stay margins. */
export function writeCrop(options: JsonObject, box: PageBox, page: CropPage): JsonObject {
  const { margins, cropBox, auto, origin, unit = 'pt' } = options
  if (cropBox === undefined && margins !== undefined) {
    const scale = scaleOf({ unit }, page) ?? { across: 1, down: 1 }
    return {
      ...options,
      margins: {
        top: roundLength(box.y / scale.down, unit),
        right: roundLength((page.width - box.x - box.width) / scale.across, unit),
        bottom: roundLength((page.height - box.y - box.height) / scale.down, unit),
        left: roundLength(box.x / scale.across, unit),
      },
    }
  }
  let next = options
  // These apply only to `auto`, which can't be combined with a box.
  if (auto !== undefined) for (const name of ['auto', 'padding', 'uniform']) next = withMember(next, name, undefined)
  const place = origin === 'user-space' ? writeUserSpace(box, unit, page) : writeBox(box, options, page)
  return place ? withMember(next, 'cropBox', place) : next
}

/** Returns options without a box. */
export function removeCrop(options: JsonObject): JsonObject {
  return ['cropBox', 'margins', 'origin', 'clamp'].reduce((next, name) => withMember(next, name, undefined), options)
}

function readMargins(margins: Json, settings: JsonObject, page: PageSize): PageBox | undefined {
  const scale = scaleOf(settings, page)
  if (!scale || (typeof margins !== 'number' && !isJsonObject(margins))) return undefined
  const marginAt = (side: Side) => Number(typeof margins === 'number' ? margins : (margins[side] ?? 0))
  const box = {
    x: marginAt('left') * scale.across,
    y: marginAt('top') * scale.down,
    width: page.width - (marginAt('left') + marginAt('right')) * scale.across,
    height: page.height - (marginAt('top') + marginAt('bottom')) * scale.down,
  }
  return box.width > 0 && box.height > 0 ? box : undefined
}

type Quad = [number, number, number, number]

function writeUserSpace(box: PageBox, unit: Json, page: CropPage): JsonObject | undefined {
  const { corners } = page
  if (!corners || !isUnit(unit)) return undefined
  const [one, other] = [
    { x: box.x, y: box.y },
    { x: box.x + box.width, y: box.y + box.height },
  ].map(point => toUserSpace(corners, page, point)) as [[number, number], [number, number]]
  const lengths = [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.abs(one[0] - other[0]),
    Math.abs(one[1] - other[1]),
  ].map(value => roundLength(value / toPoints(1, unit), unit)) as Quad
  return { x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3] }
}

/** Converts PDF coordinates to points from the upper-left corner. The edges of the page are at right angles. */
function toDisplay(
  { upperLeft, upperRight, lowerLeft }: PageCorners,
  page: PageSize,
  point: [number, number],
): PagePoint {
  const share = (end: [number, number]) => {
    const [across, up] = [end[0] - upperLeft[0], end[1] - upperLeft[1]]
    return ((point[0] - upperLeft[0]) * across + (point[1] - upperLeft[1]) * up) / (across * across + up * up)
  }
  return { x: share(upperRight) * page.width, y: share(lowerLeft) * page.height }
}

function toUserSpace(
  { upperLeft, upperRight, lowerLeft }: PageCorners,
  page: PageSize,
  point: PagePoint,
): [number, number] {
  const [across, down] = [point.x / page.width, point.y / page.height]
  const along = (axis: 0 | 1) =>
    upperLeft[axis] + (upperRight[axis] - upperLeft[axis]) * across + (lowerLeft[axis] - upperLeft[axis]) * down
  return [along(0), along(1)]
}

function boxAround(one: PagePoint, other: PagePoint): PageBox {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  }
}

import type { CSSProperties } from 'react'

/** A place on a page as displayed: points from the upper-left corner. */
export interface PagePoint {
  x: number
  y: number
}

/** Width and height of a page as displayed, in points. */
export interface PageSize {
  width: number
  height: number
}

/** A box on a page as displayed: its upper-left corner and its size, in points. */
export interface PageBox extends PagePoint, PageSize {}

/** Which corner of a box is dragged. */
export type Corner = 'nw' | 'ne' | 'sw' | 'se'

/** Smaller boxes are taken for clicks. */
const LEAST_PT = 3

/** Returns the box between two points, cut to the page. */
export function boxBetween(from: PagePoint, to: PagePoint, size: PageSize): PageBox {
  const [x1, x2] = [from.x, to.x].map(x => clamp(x, size.width)).sort(ascending) as [number, number]
  const [y1, y2] = [from.y, to.y].map(y => clamp(y, size.height)).sort(ascending) as [number, number]
  return { x: x1, y: y1, width: x2 - x1, height: y2 - y1 }
}

/** Moves a box by some points. It stays on the page. */
export function moveBox(box: PageBox, across: number, down: number, size: PageSize): PageBox {
  return {
    ...box,
    x: clamp(box.x + across, Math.max(0, size.width - box.width)),
    y: clamp(box.y + down, Math.max(0, size.height - box.height)),
  }
}

/** Makes a box wider and higher by some points. It keeps its upper-left corner, and stays on the page. */
export function growBox(box: PageBox, across: number, down: number, size: PageSize): PageBox {
  return {
    ...box,
    width: Math.max(LEAST_PT, clamp(box.width + across, size.width - box.x)),
    height: Math.max(LEAST_PT, clamp(box.height + down, size.height - box.y)),
  }
}

/** Drags a corner to a point. The opposite corner stays. */
export function dragCorner(box: PageBox, corner: Corner, point: PagePoint, size: PageSize): PageBox {
  const fixed = {
    x: corner.endsWith('w') ? box.x + box.width : box.x,
    y: corner.startsWith('n') ? box.y + box.height : box.y,
  }
  return boxBetween(fixed, point, size)
}

/** Returns whether a box is large enough to be meant. */
export function isLargeEnough({ width, height }: PageSize): boolean {
  return width >= LEAST_PT && height >= LEAST_PT
}

/** Returns the position of a box over the image of its page. */
export function boxStyle(box: PageBox, size: PageSize): CSSProperties {
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`
  return {
    left: percent(box.x, size.width),
    top: percent(box.y, size.height),
    width: percent(box.width, size.width),
    height: percent(box.height, size.height),
  }
}

/** Returns the part of a box that is on the page. Undefined if there is none. */
export function cutToPage(box: PageBox, size: PageSize): PageBox | undefined {
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)]
  const [right, bottom] = [Math.min(size.width, box.x + box.width), Math.min(size.height, box.y + box.height)]
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}

function ascending(a: number, b: number): number {
  return a - b
}

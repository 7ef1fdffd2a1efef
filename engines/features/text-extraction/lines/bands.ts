import type { Area, Block, TextLine } from './model'

/** A line of text, or a table that was found before. */
export type Item = TextLine | Block

/** Items beside each other, with the area around them. */
export interface Band extends Area {
  items: Item[]
}

/** Bands overlap if they share this part of the height of the lower one. */
const OVERLAP = 0.25

/** A free strip between items. */
export interface Gap {
  left: number
  right: number
}

/** Returns whether an item is a block. */
export function isBlock(item: Item): item is Block {
  return 'role' in item
}

/** The area of an item. */
export function areaOf(item: Item): Area {
  return isBlock(item) ? item.area : item
}

/** Groups items that overlap vertically, from top to bottom. */
export function makeBands(items: readonly Item[]): Band[] {
  const bands: Band[] = []
  for (const item of items.toSorted((one, other) => areaOf(one).top - areaOf(other).top)) {
    const { left, top, right, bottom } = areaOf(item)
    const last = bands.at(-1)
    if (last && last.bottom - top > OVERLAP * Math.min(bottom - top, last.bottom - last.top)) {
      last.items.push(item)
      last.left = Math.min(last.left, left)
      last.right = Math.max(last.right, right)
      last.bottom = Math.max(last.bottom, bottom)
    } else bands.push({ left, top, right, bottom, items: [item] })
  }
  for (const { items: own } of bands) own.sort((one, other) => areaOf(one).left - areaOf(other).left)
  return bands
}

/** The strips between items that no item touches, from left to right. */
export function gapsBetween(items: readonly Item[]): Gap[] {
  return freeStrips(items.map(areaOf))
}

/** The strips between areas that none touches, from left to right. The first and the last one have no end. */
export function freeStrips(areas: readonly Area[]): Gap[] {
  const sorted = areas.toSorted((one, other) => one.left - other.left)
  const gaps: Gap[] = []
  let end = -Infinity
  for (const { left, right } of sorted) {
    if (left > end) gaps.push({ left: end, right: left })
    end = Math.max(end, right)
  }
  gaps.push({ left: end, right: Infinity })
  return gaps
}

/** The strips that are in one of each list. Both lists go from left to right. */
export function intersectGaps(some: readonly Gap[], others: readonly Gap[]): Gap[] {
  const result: Gap[] = []
  for (let at = 0, other = 0; at < some.length && other < others.length;) {
    const [one, two] = [some[at] as Gap, others[other] as Gap] // both are in the lists
    const [left, right] = [Math.max(one.left, two.left), Math.min(one.right, two.right)]
    if (right > left) result.push({ left, right })
    if (one.right < two.right) at++
    else other++
  }
  return result
}

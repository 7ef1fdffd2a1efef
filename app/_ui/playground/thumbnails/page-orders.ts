import { arrangePages, bookletBlanks, PRESET_ORDERS } from '../../../../engines/options/page-order'
import { withMember } from '../form/field-path'
import type { JsonObject } from '../form/field-shapes'
import { pagesBetween, readSelection, writeSelection } from './page-selection'

/** The pages of the result in their order. Positions from the number of pages on are blank pages. */
export interface PageOrder {
  indexes: number[]
  problem?: string
}

/** Returns the order that the options of `organize-pdf` produce. */
export function readOrder(options: JsonObject, pageCount: number): PageOrder {
  const { pageOrder, missing, times } = options
  const all = pagesBetween(0, pageCount - 1)
  const preset = PRESET_ORDERS.find(name => name === options['preset'])
  if (preset && pageOrder === undefined) {
    const count = preset === 'booklet' ? pageCount + bookletBlanks(pageCount) : pageCount
    return { indexes: arrangePages(preset, count, typeof times === 'number' ? clampTimes(times) : 2) }
  }
  if (pageOrder === undefined) return { indexes: all }
  const { indexes, problem } = readSelection(pageOrder, pageCount)
  if (problem !== undefined) return { indexes: all, problem }
  const named = new Set(indexes)
  return { indexes: missing === 'append' ? [...indexes, ...all.filter(index => !named.has(index))] : indexes }
}

/** Returns options with this order in place of a preset. Blank pages can't be part of it. */
export function writeOrder(options: JsonObject, order: readonly number[], pageCount: number): JsonObject {
  const indexes = order.filter(index => index < pageCount)
  const isComplete = new Set(indexes).size === pageCount
  let next = withMember(withMember(options, 'preset', undefined), 'times', undefined)
  if (next['missing'] !== 'error' || !isComplete) next = withMember(next, 'missing', undefined)
  return withMember(next, 'pageOrder', writeSelection(indexes))
}

function clampTimes(times: number): number {
  return Math.min(Math.max(Math.trunc(times), 2), 20)
}

/** An entry of the order, with a key that stays the same while it moves. */
export interface OrderEntry {
  key: string
  index: number
}

/** Returns entries for an order. Keeps the keys of entries that are still there. */
export function keepKeys(before: readonly OrderEntry[], order: readonly number[]): OrderEntry[] {
  if (before.length === order.length && before.every(({ index }, at) => index === order[at])) return [...before]
  const free = new Map<number, string[]>()
  for (const { index, key } of before) free.set(index, [...(free.get(index) ?? []), key])
  const used = new Set(before.map(({ key }) => key))
  return order.map(index => {
    const key = free.get(index)?.shift() ?? nextKey(index, used)
    used.add(key)
    return { key, index }
  })
}

/** Returns a key that no entry has. */
export function nextKey(index: number, used: ReadonlySet<string>): string {
  let copy = 1
  while (used.has(`${index}.${copy}`)) copy++
  return `${index}.${copy}`
}

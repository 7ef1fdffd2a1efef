import { MAX_SELECTED, MAX_SELECTOR_LENGTH, resolveTerms } from '../../../../engines/options/selector-grammar'
import type { Json } from '../form/field-shapes'

/** The pages that an option selects, as positions from 0 in the order of the selector, or why it selects none. */
export interface PageSelection {
  indexes: number[]
  /** A sentence for the visitor. Undefined if the selector is valid. */
  problem?: string
}

/** Resolves an option that selects pages, by the rules of the service. */
export function readSelection(value: Json | undefined, pageCount: number): PageSelection {
  if (value === undefined) return { indexes: [] }
  if (typeof value === 'string') {
    const resolved = resolveTerms(value, pageCount)
    if ('indexes' in resolved) return { indexes: resolved.indexes }
    const { fault } = resolved
    if (fault.kind === 'outside') return invalid(`“${fault.term}” is outside this ${pageCount}-page document.`)
    if (fault.kind === 'too-many') return invalid(`A selector can select at most ${MAX_SELECTED} pages.`)
    return invalid('This isn’t a page selector. Use for example “1-3,5”.')
  }
  if (!Array.isArray(value) || !value.every(Number.isInteger)) return invalid('Pages are whole numbers from 1.')
  const numbers = value.map(Number)
  const outside = numbers.find(number => number < 1 || number > pageCount)
  if (outside !== undefined) return invalid(`Page ${outside} is outside this ${pageCount}-page document.`)
  return { indexes: numbers.map(number => number - 1) }
}

function invalid(problem: string): PageSelection {
  return { indexes: [], problem }
}

/** Returns a selector for pages in this order, such as `1-3,5`. Undefined if there are none. */
export function writeSelection(indexes: readonly number[]): string | number[] | undefined {
  if (indexes.length === 0) return undefined
  const terms: string[] = []
  let at = 0
  while (at < indexes.length) {
    const backwards = runLength(indexes, at, -1)
    // Two pages backwards are easier to read as `2,1`.
    const length = Math.max(runLength(indexes, at, 1), backwards > 2 ? backwards : 1)
    const [first = 0, last = 0] = [indexes[at], indexes[at + length - 1]]
    terms.push(length === 1 ? String(first + 1) : `${first + 1}-${last + 1}`)
    at += length
  }
  const text = terms.join(',')
  return text.length > MAX_SELECTOR_LENGTH ? indexes.map(index => index + 1) : text
}

/** Returns how many pages from a position on follow each other in steps of 1 or −1. */
function runLength(indexes: readonly number[], start: number, step: number): number {
  let end = start
  while (end + 1 < indexes.length && indexes[end + 1] === (indexes[end] ?? 0) + step) end++
  return end - start + 1
}

/**
 * Returns the selection with pages added or removed. Added pages take their place in the order of the document, or the
 * end if the selection has another order.
 */
export function changeSelection(
  selected: readonly number[],
  changed: readonly number[],
  isSelected: boolean,
): number[] {
  if (!isSelected) {
    const removed = new Set(changed)
    return selected.filter(index => !removed.has(index))
  }
  const before = new Set(selected)
  const next = [...selected, ...changed.filter(index => !before.has(index))]
  return isAscending(selected) ? next.sort((one, other) => one - other) : next
}

/** Returns whether pages are in the order of the document, each once. */
export function isAscending(indexes: readonly number[]): boolean {
  return indexes.every((index, at) => at === 0 || index > (indexes[at - 1] ?? 0))
}

/** Returns the positions from one to another, in both directions. */
export function pagesBetween(from: number, to: number): number[] {
  const start = Math.min(from, to)
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => start + at)
}

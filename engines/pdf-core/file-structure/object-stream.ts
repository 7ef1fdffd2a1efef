import { upperBound } from './upper-bound'
import { asBuffer, isWhite } from '../syntax/syntax'

/** An object stream, inflated: where each object's text begins in `data`. */
export interface ObjectStream {
  /** Whether its data could not be inflated whole; what was read of it other readers may not find. */
  isDamaged: boolean
  /** Whether its dictionary is of /Type /ObjStm, as it has to be (ISO 32000-2, table 16). */
  isTyped: boolean
  data: Uint8Array
  numbers: number[]
  /** Whether the dictionary says as many objects. */
  isCounted: boolean
  offsets: number[]
  /** Where the head of numbers and offsets ends. */
  first: number
  /** The offsets in rising order and the length of `data`: an object ends where the next one begins. */
  sorted: Float64Array
}

/**
 * Whether an object stream holds bytes that belong to none of its objects; they could say anything, and one that can't
 * be read could too. `endOf` gives where an object of it ends in the inflated data.
 */
export function hasSlack(container: ObjectStream, endOf: (number: number) => number): boolean {
  const { data, numbers, sorted } = container
  for (const [index, own] of numbers.entries()) {
    const next = upperBound(sorted, container.offsets[index] as number) ?? data.length
    for (let at = endOf(own); at < next; at++) if (!isWhite(data[at])) return true
  }
  // Between the head's pairs and the first object.
  const first = sorted[0] ?? 0
  const head = asBuffer(data).toString('latin1', 0, first)
  return (
    head.replace(/\s+/g, ' ').trim() !==
    numbers.map((own, index) => `${own} ${(container.offsets[index] as number) - container.first}`).join(' ')
  )
}

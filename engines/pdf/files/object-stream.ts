import { upperBound } from './upper-bound'
import { asBuffer, isWhite } from '../syntax/syntax'

/** An inflated object stream, and the offset of each object in `data`. */
export interface ObjectStream {
  /** Whether the data could only be inflated in part. Other readers may not find the objects that were recovered. */
  isDamaged: boolean
  /** Whether the dictionary has the required /Type /ObjStm (ISO 32000-2, table 16). */
  isTyped: boolean
  data: Uint8Array
  numbers: number[]
  /** Whether /N is the true number of objects. */
  isCounted: boolean
  offsets: number[]
  /** Offset after the header with its pairs of numbers and offsets. */
  first: number
  /** The offsets in ascending order, and the length of `data`. An object ends where the next one begins. */
  sorted: Float64Array
}

/**
 * Returns whether an object stream has bytes that belong to none of its objects. Such bytes, and objects that can't be
 * read, may contain any data. `endOf` returns the end of an object in the inflated data.
 */
export function hasSlack(container: ObjectStream, endOf: (number: number) => number): boolean {
  const { data, numbers, sorted } = container
  for (const [index, objectNumber] of numbers.entries()) {
    const next = upperBound(sorted, container.offsets[index] as number) ?? data.length
    for (let at = endOf(objectNumber); at < next; at++) if (!isWhite(data[at])) return true
  }
  // Check the bytes between the header's pairs and the first object.
  const first = sorted[0] ?? 0
  const head = asBuffer(data).toString('latin1', 0, first)
  return (
    head.replace(/\s+/g, ' ').trim() !==
    numbers
      .map((objectNumber, index) => `${objectNumber} ${(container.offsets[index] as number) - container.first}`)
      .join(' ')
  )
}

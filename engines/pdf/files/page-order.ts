import type { PDFRef } from 'pdf-lib'
import type { InputFile } from './input-file'
import { asBuffer } from '../syntax/syntax'

/** A linearized file has its linearization dictionary within this many bytes (ISO 32000-2, F.3.3). */
const LINEARIZED_WITHIN = 1024

/**
 * The probable order of pages that no node lists. Most programs number and write pages one after the other. Two kinds
 * of files differ. Linearized files start with a page that has a late object number, so offsets tell the order. Updated
 * files have rewritten pages at their end, so object numbers tell the order. The class uses the order that agrees
 * better with known sequences of pages.
 */
export class PageOrder {
  private readonly isByPlace: boolean

  constructor(
    private readonly source: InputFile,
    knownSequences: readonly (readonly PDFRef[])[],
  ) {
    let balance = 0
    for (const sequence of knownSequences) {
      for (const [index, ref] of sequence.entries()) {
        const before = sequence[index - 1]
        if (!before) continue
        const byPlace = Math.sign(this.locationOf(ref) - this.locationOf(before))
        balance += byPlace - Math.sign(ref.objectNumber - before.objectNumber)
      }
    }
    const head = asBuffer(source.bytes.subarray(0, LINEARIZED_WITHIN))
    this.isByPlace = balance > 0 || (balance === 0 && head.includes('/Linearized'))
  }

  compare(one: PDFRef, other: PDFRef): number {
    const byNumber = one.objectNumber - other.objectNumber
    return this.isByPlace ? this.locationOf(one) - this.locationOf(other) || byNumber : byNumber
  }

  /** Offset in the file. Compressed objects follow each other at the offset of their object stream. */
  private locationOf({ objectNumber }: PDFRef): number {
    const { table } = this.source
    const location = table.locations[objectNumber] ?? 0
    if (!this.source.isCompressed(objectNumber)) return location
    return (table.locations[location] ?? 0) + (table.details[objectNumber] ?? 0) / MOST_IN_STREAM
  }
}

/**
 * More than the maximum number of objects in a stream. Keeps fractions for compressed objects below the next offset.
 */
const MOST_IN_STREAM = 8_388_608

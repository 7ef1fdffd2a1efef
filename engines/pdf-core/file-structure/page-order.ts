import type { PDFRef } from 'pdf-lib'
import type { InputFile } from './input-file'
import { asBuffer } from '../syntax/syntax'

/** Bytes at the start of a file in which a linearized one says so (ISO 32000-2, F.3.3). */
const LINEARIZED_WITHIN = 1024

/**
 * The order that pages probably have where no node tells it: most programs number and write them one after the other.
 * Files whose first page comes first in the file but has a late number are in the order of places, files of which pages
 * were written again at the end are in the order of numbers: whichever agrees better with sequences that are known.
 */
export class PageOrder {
  private readonly isByPlace: boolean

  constructor(
    private readonly source: InputFile,
    known: readonly (readonly PDFRef[])[],
  ) {
    let balance = 0
    for (const sequence of known) {
      for (const [index, ref] of sequence.entries()) {
        const before = sequence[index - 1]
        if (!before) continue
        const byPlace = Math.sign(this.placeOf(ref) - this.placeOf(before))
        balance += byPlace - Math.sign(ref.objectNumber - before.objectNumber)
      }
    }
    const head = asBuffer(source.bytes.subarray(0, LINEARIZED_WITHIN))
    this.isByPlace = balance > 0 || (balance === 0 && head.includes('/Linearized'))
  }

  compare(one: PDFRef, other: PDFRef): number {
    const byNumber = one.objectNumber - other.objectNumber
    return this.isByPlace ? this.placeOf(one) - this.placeOf(other) || byNumber : byNumber
  }

  /** Offset in the file; objects in a stream lie one after the other at its place. */
  private placeOf({ objectNumber }: PDFRef): number {
    const { table } = this.source
    const place = table.places[objectNumber] ?? 0
    if (!this.source.isCompressed(objectNumber)) return place
    return (table.places[place] ?? 0) + (table.details[objectNumber] ?? 0) / MOST_IN_STREAM
  }
}

/** More objects than a stream may hold; keeps positions in it below the next offset. */
const MOST_IN_STREAM = 8_388_608

import { RowCutter } from './cut-rows'
import type { PixelCut } from '../decider'
import { FaxRows } from './fax-rows'
import type { FaxRow } from './fax-rows'
import { FaxReader } from './read-fax'
import type { FaxCoding, FaxEnd } from './read-fax'
import { FaxWriter } from './write-fax'

interface FaxImage {
  data: Uint8Array
  width: number
  height: number
  coding: FaxCoding
  /** What pixels are overwritten with: 0 for white, 1 for black. */
  color: 0 | 1
}

/**
 * CCITT fax data of the same size, as Group 4, in which every pixel is overwritten that does not stay; all others are as
 * they were. One row is held at a time, as its changes of color. Data that end early are filled up. Undefined for
 * damaged data.
 */
export function cutFax({ data, width, height, coding, color }: FaxImage, cut: PixelCut): Uint8Array | undefined {
  const kind = new FaxRows(width, color)
  const writer = new FaxWriter(width, data.length)
  const cutter = new RowCutter<FaxRow>({ width, height }, cut, kind, row => writer.write(row))
  const reader = new FaxReader(data, coding)
  for (let isOver = false; !cutter.isFull; ) {
    const row: FaxRow | FaxEnd = isOver ? 'end' : reader.next()
    if (row === 'damaged') return undefined
    isOver = row === 'end'
    cutter.push(row === 'end' ? kind.blank() : row)
  }
  return writer.finish()
}

import { RowCutter } from './cut-rows'
import type { PixelCut } from '../content-filter'
import { CcittRows } from './ccitt-rows'
import type { CcittRow } from './ccitt-rows'
import { CcittDecoder } from './ccitt-decoder'
import type { CcittParameters, CcittEnd } from './ccitt-decoder'
import { CcittEncoder } from './ccitt-encoder'

interface FaxImage {
  data: Uint8Array
  width: number
  height: number
  coding: CcittParameters
  /** What pixels are overwritten with: 0 for white, 1 for black. */
  color: 0 | 1
}

/**
 * CCITT fax data of the same size, as Group 4, in which every pixel is overwritten that does not stay; all others are
 * as they were. One row is held at a time, as its changes of color. Data that end early are filled up. Undefined for
 * damaged data.
 */
export function cutCcitt({ data, width, height, coding, color }: FaxImage, cut: PixelCut): Uint8Array | undefined {
  const kind = new CcittRows(width, color)
  const writer = new CcittEncoder(width, data.length)
  const cutter = new RowCutter<CcittRow>({ width, height }, cut, kind, row => writer.write(row))
  const reader = new CcittDecoder(data, coding)
  for (let isOver = false; !cutter.isFull;) {
    const row: CcittRow | CcittEnd = isOver ? 'end' : reader.next()
    if (row === 'damaged') return undefined
    isOver = row === 'end'
    cutter.push(row === 'end' ? kind.blank() : row)
  }
  return writer.finish()
}

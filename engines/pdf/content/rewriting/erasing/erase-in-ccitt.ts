import { RowEraser } from './erase-in-rows'
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
  /** The color of overwritten pixels: 0 for white, 1 for black. */
  color: 0 | 1
}

/**
 * Overwrites all pixels that don't stay in CCITT fax data and returns Group 4 data of the same size. Keeps one row in
 * memory at a time. If the data ends early, adds blank rows. Undefined if the data is damaged.
 */
export function eraseInCcitt({ data, width, height, coding, color }: FaxImage, cut: PixelCut): Uint8Array | undefined {
  const kind = new CcittRows(width, color)
  const writer = new CcittEncoder(width, data.length)
  const cutter = new RowEraser<CcittRow>({ width, height }, cut, kind, row => writer.write(row))
  const reader = new CcittDecoder(data, coding)
  for (let hasEnded = false; !cutter.isFull;) {
    const row: CcittRow | CcittEnd = hasEnded ? 'end' : reader.next()
    if (row === 'damaged') return undefined
    hasEnded = row === 'end'
    cutter.push(row === 'end' ? kind.blank() : row)
  }
  return writer.finish()
}

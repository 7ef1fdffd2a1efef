import type { RowKind } from './erase-in-rows'

/** Rows of packed samples (ISO 32000-2, 8.9.5.2): pixel after pixel, the first in the most significant bits. */
export class SampleRows implements RowKind<Uint8Array> {
  readonly rowBytes: number

  constructor(
    width: number,
    private readonly pixelBits: number,
    private readonly value: 0 | 255,
  ) {
    this.rowBytes = Math.ceil((width * pixelBits) / 8)
  }

  blank(): Uint8Array {
    return new Uint8Array(this.rowBytes).fill(this.value)
  }

  /** Copies a row. Fills up a row that ends early. */
  copy(row: Uint8Array): Uint8Array {
    const copy = this.blank()
    copy.set(row)
    return copy
  }

  clear(row: Uint8Array, from: number, to: number): Uint8Array {
    const { pixelBits, value } = this
    const [start, end] = [from * pixelBits, to * pixelBits]
    const [first, last] = [start >> 3, end >> 3]
    const [head, tail] = [255 >> (start & 7), (0xff00 >> (end & 7)) & 255]
    const mix = (at: number, mask: number): void => {
      if (at < row.length) row[at] = ((row[at] as number) & ~mask) | (value & mask)
    }
    if (first === last) {
      mix(first, head & tail)
      return row
    }
    mix(first, head)
    row.fill(value, first + 1, last)
    mix(last, tail)
    return row
  }

  repeat(row: Uint8Array, source: number, from: number, to: number): Uint8Array {
    for (let x = from; x < to; x++) copyPixel(row, source * this.pixelBits, x * this.pixelBits, this.pixelBits)
    return row
  }
}

/** Copies a pixel. Positions are in bits. If pixels have whole bytes, positions are at byte boundaries. */
function copyPixel(row: Uint8Array, from: number, to: number, bits: number): void {
  if (bits % 8 === 0) {
    row.copyWithin(to >> 3, from >> 3, (from + bits) >> 3)
    return
  }
  for (let bit = 0; bit < bits; bit++) {
    const isSet = ((row[(from + bit) >> 3] as number) & (128 >> ((from + bit) & 7))) !== 0
    const mask = 128 >> ((to + bit) & 7)
    const at = (to + bit) >> 3
    row[at] = isSet ? (row[at] as number) | mask : (row[at] as number) & ~mask
  }
}

/** Undoes a PNG or TIFF predictor (ISO 32000-2, 7.4.4.4) on consecutive rows. */
export class PredictorRows {
  /** Bytes of an encoded row, including the PNG filter byte. */
  readonly codedBytes: number
  private readonly rowBytes: number
  private above: Uint8Array

  private constructor(
    private readonly layout: RowLayout,
    private readonly isPng: boolean,
  ) {
    this.rowBytes = Math.ceil((layout.colors * layout.bits * layout.columns) / 8)
    this.codedBytes = this.rowBytes + (isPng ? 1 : 0)
    this.above = new Uint8Array(isPng ? this.rowBytes : 0)
  }

  /** Creates an instance from filter parameters. Null if there is no predictor, undefined if it isn't supported. */
  static of(parameters: Readonly<Record<string, number>>): PredictorRows | null | undefined {
    const predictor = parameters.Predictor ?? 1
    if (predictor < 2) return null
    const colors = within(parameters.Colors ?? 1, 1, 32)
    const bits = within(parameters.BitsPerComponent ?? 8, 1, 16)
    const columns = within(parameters.Columns ?? 1, 1, 2 ** 24)
    if (predictor === 2 && ![1, 2, 4, 8, 16].includes(bits)) return undefined
    return new PredictorRows({ colors, bits, columns }, predictor !== 2)
  }

  /** Creates an instance for rows of a PNG file. */
  static ofPng(layout: RowLayout): PredictorRows {
    return new PredictorRows(layout, true)
  }

  /** Decodes the next rows into new memory. All rows must be complete, except for the last row of the data. */
  undo(coded: Uint8Array): Uint8Array {
    return this.isPng ? this.undoPng(coded) : this.undoTiff(coded)
  }

  private undoPng(coded: Uint8Array): Uint8Array {
    const { rowBytes, codedBytes, layout } = this
    const step = Math.max(1, (layout.colors * layout.bits) >> 3)
    const rows = Math.ceil(coded.length / codedBytes)
    const output = new Uint8Array(Math.max(0, coded.length - rows))
    for (let row = 0; row < rows; row++) {
      const start = row * codedBytes
      const filtered = coded.subarray(start + 1, start + codedBytes)
      const decoded = output.subarray(row * rowBytes, row * rowBytes + filtered.length)
      undoRow({ filtered, decoded, above: this.above }, coded[start] ?? 0, step)
      this.above = decoded
    }
    return output
  }

  private undoTiff(coded: Uint8Array): Uint8Array {
    const { rowBytes, layout } = this
    const output = Uint8Array.from(coded)
    for (let start = 0; start < output.length; start += rowBytes)
      undoTiffRow(output.subarray(start, start + rowBytes), layout)
    return output
  }
}

interface RowLayout {
  /** Samples per pixel. */
  colors: number
  /** Bits per sample. */
  bits: number
  columns: number
}

/**
 * Undoes a PNG or TIFF predictor, as the filter parameters state. Undefined if there is no data or if the predictor
 * isn't supported.
 */
export function undoPredictor(
  data: Uint8Array | undefined,
  parameters: Readonly<Record<string, number>>,
): Uint8Array | undefined {
  const rows = PredictorRows.of(parameters)
  return data && rows ? rows.undo(data) : rows === null ? data : undefined
}

/**
 * Decodes one row (W3C PNG, 9.2). Bytes wrap around, and bytes beyond the left edge count as 0. An unknown filter
 * counts as no filter. The last row may be shorter than the row above.
 */
function undoRow(
  { filtered, decoded, above }: { filtered: Uint8Array; decoded: Uint8Array; above: Uint8Array },
  kind: number,
  step: number,
): void {
  const { length } = filtered
  const edge = Math.min(step, length)
  // All indexes below are within the rows.
  if (kind === 1) {
    decoded.set(filtered.subarray(0, edge))
    for (let at = step; at < length; at++) decoded[at] = (filtered[at] as number) + (decoded[at - step] as number)
  } else if (kind === 2) {
    for (let at = 0; at < length; at++) decoded[at] = (filtered[at] as number) + (above[at] as number)
  } else if (kind === 3) {
    for (let at = 0; at < edge; at++) decoded[at] = (filtered[at] as number) + ((above[at] as number) >> 1)
    for (let at = step; at < length; at++)
      decoded[at] = (filtered[at] as number) + (((decoded[at - step] as number) + (above[at] as number)) >> 1)
  } else if (kind === 4) {
    for (let at = 0; at < edge; at++) decoded[at] = (filtered[at] as number) + (above[at] as number)
    for (let at = step; at < length; at++)
      decoded[at] =
        (filtered[at] as number) + paeth(decoded[at - step] as number, above[at] as number, above[at - step] as number)
  } else decoded.set(filtered)
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(value) || least))
}

/** The neighbor that is closest to left + up − upper left (W3C PNG, 9.4). */
export function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const [toLeft, toUp, toUpLeft] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)]
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}

/** Decodes one row of differences to the pixel on the left, in place (TIFF 6.0, section 14). */
function undoTiffRow(row: Uint8Array, { colors, bits }: RowLayout): void {
  // All indexes below are within the row.
  if (bits === 8) {
    for (let at = colors; at < row.length; at++) row[at] = (row[at] as number) + (row[at - colors] as number)
  } else if (bits === 16) {
    for (let at = 2 * colors; at + 1 < row.length; at += 2) {
      const before = at - 2 * colors
      const low = (row[at + 1] as number) + (row[before + 1] as number)
      row[at] = (row[at] as number) + (row[before] as number) + (low >> 8)
      row[at + 1] = low
    }
  } else {
    const most = (1 << bits) - 1
    const values = new Uint8Array(colors)
    for (let sample = 0; (sample + 1) * bits <= row.length * 8; sample++) {
      const at = (sample * bits) >> 3
      const shift = 8 - bits - ((sample * bits) & 7)
      const value = (((row[at] as number) >> shift) + (values[sample % colors] as number)) & most
      values[sample % colors] = value
      row[at] = ((row[at] as number) & ~(most << shift)) | (value << shift)
    }
  }
}

/** Undoes a PNG or TIFF predictor (ISO 32000-2, 7.4.4.4) on rows that come one after another. */
export class PredictorRows {
  /** Bytes of a row as it is coded, with the PNG filter in front. */
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

  /** By the parameters of a filter: null for no predictor, undefined for one that can't be undone. */
  static of(parameters: Readonly<Record<string, number>>): PredictorRows | null | undefined {
    const predictor = parameters.Predictor ?? 1
    if (predictor < 2) return null
    const colors = within(parameters.Colors ?? 1, 1, 32)
    const bits = within(parameters.BitsPerComponent ?? 8, 1, 16)
    const columns = within(parameters.Columns ?? 1, 1, 2 ** 24)
    if (predictor === 2 && ![1, 2, 4, 8, 16].includes(bits)) return undefined
    return new PredictorRows({ colors, bits, columns }, predictor !== 2)
  }

  /** With the filters that PNG has in front of its rows. */
  static ofPng(layout: RowLayout): PredictorRows {
    return new PredictorRows(layout, true)
  }

  /** The next rows, as a copy: whole ones, but for the last of all. A PNG filter that does not exist counts as none. */
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
      const own = output.subarray(row * rowBytes, row * rowBytes + filtered.length)
      undoRow({ filtered, own, above: this.above }, coded[start] ?? 0, step)
      this.above = own
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
  /** Samples of a pixel. */
  colors: number
  /** Of a sample. */
  bits: number
  columns: number
}

/**
 * The data without a PNG or TIFF predictor, by the parameters of its filter; undefined when there is none or it can't
 * be undone.
 */
export function undoPredictor(
  data: Uint8Array | undefined,
  parameters: Readonly<Record<string, number>>,
): Uint8Array | undefined {
  const rows = PredictorRows.of(parameters)
  return data && rows ? rows.undo(data) : rows === null ? data : undefined
}

/**
 * One row; bytes wrap around, and what lies beyond the left edge counts as 0. The last row may be shorter than the one
 * above.
 */
function undoRow(
  { filtered, own, above }: { filtered: Uint8Array; own: Uint8Array; above: Uint8Array },
  kind: number,
  step: number,
): void {
  const { length } = filtered
  const edge = Math.min(step, length)
  // All positions below lie in the rows.
  if (kind === 1) {
    own.set(filtered.subarray(0, edge))
    for (let at = step; at < length; at++) own[at] = (filtered[at] as number) + (own[at - step] as number)
  } else if (kind === 2) {
    for (let at = 0; at < length; at++) own[at] = (filtered[at] as number) + (above[at] as number)
  } else if (kind === 3) {
    for (let at = 0; at < edge; at++) own[at] = (filtered[at] as number) + ((above[at] as number) >> 1)
    for (let at = step; at < length; at++)
      own[at] = (filtered[at] as number) + (((own[at - step] as number) + (above[at] as number)) >> 1)
  } else if (kind === 4) {
    for (let at = 0; at < edge; at++) own[at] = (filtered[at] as number) + (above[at] as number)
    for (let at = step; at < length; at++)
      own[at] =
        (filtered[at] as number) + paeth(own[at - step] as number, above[at] as number, above[at - step] as number)
  } else own.set(filtered)
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(value) || least))
}

/** The neighbor that is nearest to left + up − upper left (W3C PNG, 9.4). */
export function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const [toLeft, toUp, toUpLeft] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)]
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}

/** One row of differences to the pixel on the left (TIFF 6.0, section 14), in its place. */
function undoTiffRow(row: Uint8Array, { colors, bits }: RowLayout): void {
  // All positions below lie in the row.
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

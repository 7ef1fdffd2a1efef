/**
 * The data without a PNG or TIFF predictor (ISO 32000-2, 7.4.4.4), by the parameters of its filter; undefined when there is
 * none or it can't be undone.
 */
export function undoPredictor(data: Uint8Array | undefined, parameters: Readonly<Record<string, number>>): Uint8Array | undefined {
  const predictor = parameters.Predictor ?? 1
  if (!data || predictor < 2) return data
  const colors = within(parameters.Colors ?? 1, 1, 32)
  const bits = within(parameters.BitsPerComponent ?? 8, 1, 16)
  const columns = within(parameters.Columns ?? 1, 1, 2 ** 24)
  if (predictor === 2) return undoTiff(data, Math.ceil((colors * bits * columns) / 8), colors, bits)
  return undoPngFilters(data, { colors, bits, columns })
}

/** Rows without the PNG filter that stands in front of each; a filter that does not exist counts as none. */
export function undoPngFilters(data: Uint8Array, { colors, bits, columns }: { colors: number; bits: number; columns: number }): Uint8Array {
  const pixelBytes = Math.max(1, (colors * bits) >> 3)
  const rowBytes = Math.ceil((colors * bits * columns) / 8)
  const rows = Math.ceil(data.length / (rowBytes + 1))
  const output = new Uint8Array(Math.max(0, data.length - rows))
  let above: Uint8Array = new Uint8Array(rowBytes)
  for (let row = 0; row < rows; row++) {
    const start = row * (rowBytes + 1)
    const filtered = data.subarray(start + 1, start + 1 + rowBytes)
    const own = output.subarray(row * rowBytes, row * rowBytes + filtered.length)
    undoRow({ filtered, own, above }, data[start] ?? 0, pixelBytes)
    above = own
  }
  return output
}

/** One row; bytes wrap around, and what lies beyond the left edge counts as 0. The last row may be shorter than the one above. */
function undoRow({ filtered, own, above }: { filtered: Uint8Array; own: Uint8Array; above: Uint8Array }, kind: number, step: number): void {
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
    for (let at = step; at < length; at++) own[at] = (filtered[at] as number) + (((own[at - step] as number) + (above[at] as number)) >> 1)
  } else if (kind === 4) {
    for (let at = 0; at < edge; at++) own[at] = (filtered[at] as number) + (above[at] as number)
    for (let at = step; at < length; at++) own[at] = (filtered[at] as number) + paeth(own[at - step] as number, above[at] as number, above[at - step] as number)
  } else own.set(filtered)
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(value) || least))
}

/** The neighbour that is nearest to left + up − upper left (W3C PNG, 9.4). */
export function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const [toLeft, toUp, toUpLeft] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)]
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}

function undoTiff(data: Uint8Array, rowBytes: number, colors: number, bits: number): Uint8Array | undefined {
  if (bits !== 8) return undefined // never seen in structure or content streams; pictures are left to PDFium
  const output = Uint8Array.from(data)
  for (let start = 0; start < output.length; start += rowBytes) {
    const end = Math.min(start + rowBytes, output.length)
    for (let at = start + colors; at < end; at++) output[at] = (output[at] as number) + (output[at - colors] as number)
  }
  return output
}

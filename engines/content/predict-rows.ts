/** Row filters of PNG (ISO 15948, 9.2), which PDF knows as predictors. */
const UP = 2
const PAETH = 4

/** Rows of samples with the difference to their neighbours in their place, each behind a byte that says how. */
export function predictRows(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.floor(data.length / rowBytes)
  const output = new Uint8Array(rows * (rowBytes + 1))
  for (let row = 0; row < rows; row++) {
    const start = row * rowBytes
    const above = start - rowBytes
    const out = row * (rowBytes + 1)
    const isRepeated = row > 0 && Buffer.compare(data.subarray(start, start + rowBytes), data.subarray(above, start)) === 0
    output[out] = isRepeated ? UP : PAETH
    if (isRepeated) continue
    for (let at = 0; at < rowBytes; at++) {
      const left = at >= pixelBytes ? (data[start + at - pixelBytes] as number) : 0
      const up = row > 0 ? (data[above + at] as number) : 0
      const corner = row > 0 && at >= pixelBytes ? (data[above + at - pixelBytes] as number) : 0
      const toLeft = Math.abs(up - corner)
      const toUp = Math.abs(left - corner)
      const toCorner = Math.abs(left + up - 2 * corner)
      const nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
      output[out + 1 + at] = (data[start + at] as number) - nearest
    }
  }
  return output
}

/** Converts a PDFium bitmap to three bytes per pixel. */
export function toRgb(rows: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 3)
  let out = 0
  for (let row = 0; row < height; row++) {
    const end = row * stride + width * 4
    for (let at = row * stride; at < end; at += 4) {
      pixels[out++] = rows[at] as number
      pixels[out++] = rows[at + 1] as number
      pixels[out++] = rows[at + 2] as number
    }
  }
  return pixels
}

/** Copies a PDFium bitmap of four bytes per pixel. The last byte is the opacity. */
export function copyRgba(rows: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 4)
  for (let row = 0; row < height; row++)
    pixels.set(rows.subarray(row * stride, row * stride + width * 4), row * width * 4)
  return pixels
}

/** Converts a PDFium bitmap to four bytes per pixel. The last byte is 255. */
export function toRgba(rows: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  const pixels = copyRgba(rows, stride, width, height)
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255
  return pixels
}

/** Converts a PDFium bitmap to gray. The weights are those of ITU-R BT.601, in 256ths. */
export function toGray(rows: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height)
  let out = 0
  for (let row = 0; row < height; row++) {
    const end = row * stride + width * 4
    for (let at = row * stride; at < end; at += 4) {
      pixels[out++] = (77 * (rows[at] as number) + 150 * (rows[at + 1] as number) + 29 * (rows[at + 2] as number)) >> 8
    }
  }
  return pixels
}

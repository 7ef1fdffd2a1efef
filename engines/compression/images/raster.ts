/** Pixels of one byte per sample: gray levels, palette indexes, or red, green and blue. Rows begin at the top. */
export interface Raster {
  width: number
  height: number
  channels: 1 | 3
  samples: Uint8Array
}

/** Packed rows of one bit per pixel, each beginning at a byte. */
export interface Bitmap {
  width: number
  height: number
  bits: Uint8Array
}

/** Shrinks a raster by averaging the area of each new pixel. The new size must not be larger in any direction. */
export function shrinkRaster(raster: Raster, width: number, height: number): Raster {
  const { channels } = raster
  const columns = listParts(raster.width, width)
  const rows = listParts(raster.height, height)
  const line = new Float32Array(width * channels)
  const sums = new Float32Array(width * channels)
  const samples = new Uint8Array(width * height * channels)
  const stride = raster.width * channels
  let averaged: Uint8Array | undefined
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    const [firstRow, lastRow] = [rows.first[y] as number, rows.last[y] as number]
    for (let source = firstRow; source <= lastRow; source++) {
      const row = raster.samples.subarray(source * stride, (source + 1) * stride)
      // Scans have many equal rows.
      if (!averaged || Buffer.compare(row, averaged) !== 0)
        averageColumns(raster.samples, source * stride, { channels, columns, line })
      averaged = row
      const weight = weightOf(rows, y, source)
      for (let index = 0; index < sums.length; index++)
        sums[index] = (sums[index] as number) + (line[index] as number) * weight
    }
    for (let index = 0; index < sums.length; index++)
      samples[y * width * channels + index] = (sums[index] as number) + 0.5
  }
  return { width, height, channels, samples }
}

/** The pixels that each new pixel covers, and the covered shares of the first and the last one of them. */
interface Parts {
  first: Int32Array
  last: Int32Array
  firstShare: Float32Array
  lastShare: Float32Array
  scale: number
}

function listParts(from: number, to: number): Parts {
  const scale = from / to
  const parts: Parts = {
    first: new Int32Array(to),
    last: new Int32Array(to),
    firstShare: new Float32Array(to),
    lastShare: new Float32Array(to),
    scale,
  }
  for (let index = 0; index < to; index++) {
    const [start, end] = [index * scale, Math.min(from, (index + 1) * scale)]
    const first = Math.min(from - 1, Math.floor(start + 1e-6))
    const last = Math.max(first, Math.min(from - 1, Math.ceil(end - 1e-6) - 1))
    parts.first[index] = first
    parts.last[index] = last
    parts.firstShare[index] = first === last ? end - start : first + 1 - start
    parts.lastShare[index] = end - last
  }
  return parts
}

function weightOf(parts: Parts, index: number, source: number): number {
  const share =
    source === parts.first[index] ? parts.firstShare[index] : source === parts.last[index] ? parts.lastShare[index] : 1
  return (share as number) / parts.scale
}

function averageColumns(
  samples: Uint8Array,
  start: number,
  { channels, columns, line }: { channels: number; columns: Parts; line: Float32Array },
): void {
  const { first, last, firstShare, lastShare, scale } = columns
  for (let x = 0; x < first.length; x++) {
    const [from, to] = [first[x] as number, last[x] as number]
    for (let channel = 0; channel < channels; channel++) {
      let at = start + from * channels + channel
      let sum = (samples[at] as number) * (firstShare[x] as number)
      if (to > from) {
        at += channels
        for (let source = from + 1; source < to; source++, at += channels) sum += samples[at] as number
        sum += (samples[at] as number) * (lastShare[x] as number)
      }
      line[x * channels + channel] = sum / scale
    }
  }
}

/** Spreads bits to bytes of 0 or 255. */
export function toRaster({ width, height, bits }: Bitmap): Raster {
  const samples = new Uint8Array(width * height)
  const rowBytes = Math.ceil(width / 8)
  for (let at = 0; at < rowBytes * height; at++) {
    const byte = bits[at] ?? 0
    if (byte === 0) continue
    const [y, left] = [Math.floor(at / rowBytes), (at % rowBytes) * 8]
    const [start, end] = [y * width + left, y * width + Math.min(width, left + 8)]
    if (byte === 0xff) samples.fill(255, start, end)
    else for (let place = start; place < end; place++) samples[place] = ((byte >> (7 - (place - start))) & 1) * 255
  }
  return { width, height, channels: 1, samples }
}

/** Packs one bit per pixel: one if the sample is more than half. Reads the first channel. */
export function toBitmap({ width, height, channels, samples }: Raster): Bitmap {
  const rowBytes = Math.ceil(width / 8)
  const bits = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if ((samples[(y * width + x) * channels] as number) > 127)
        bits[y * rowBytes + (x >> 3)] = (bits[y * rowBytes + (x >> 3)] as number) | (128 >> (x & 7))
  return { width, height, bits }
}

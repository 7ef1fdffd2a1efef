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

/** Number of ones in each byte. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => [...byte.toString(2)].filter(bit => bit === '1').length)

/** Shrinks a raster by averaging the area of each new pixel. The new size must not be larger in any direction. */
export function shrinkRaster(raster: Raster, width: number, height: number): Raster {
  const { channels } = raster
  const columns = listParts(raster.width, width)
  const rows = listParts(raster.height, height)
  const starts = listEqualRows(raster)
  const stride = raster.width * channels
  const line = new Float32Array(stride)
  const samples = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y++) {
    const [first, last] = [rows.first[y] as number, rows.last[y] as number]
    const to = y * width * channels
    const start = starts[last] as number
    if (y > 0 && start <= (rows.first[y - 1] as number)) {
      samples.copyWithin(to, to - width * channels, to)
      continue
    }
    line.fill(0)
    // One row stands for several equal ones.
    for (let source = start <= first ? last : first; source <= last; source++) {
      const weight = start <= first ? 1 : weightOf(rows, y, source)
      const from = source * stride
      for (let index = 0; index < stride; index++)
        line[index] = (line[index] as number) + (raster.samples[from + index] as number) * weight
    }
    averageColumns(line, columns, { channels, samples, to })
  }
  return { width, height, channels, samples }
}

/**
 * Shrinks an image while it is decoded: each new pixel is the average of a block of `factor` × `factor` pixels, or of
 * fewer at the right and lower edge. `chunks` are its rows with one byte per sample. Undefined if rows are missing.
 */
export async function averageBlocks(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { width, height, channels }: { width: number; height: number; channels: 1 | 3 },
  factor: number,
): Promise<Raster | undefined> {
  const [newWidth, newHeight] = [Math.ceil(width / factor), Math.ceil(height / factor)]
  const stride = width * channels
  const samples = new Uint8Array(newWidth * newHeight * channels)
  const sums = new Uint32Array(newWidth * channels)
  /** For each sample of an old row: its place in a new row. */
  const places = Uint32Array.from(
    { length: stride },
    (_, at) => Math.floor(Math.floor(at / channels) / factor) * channels + (at % channels),
  )
  let [column, row] = [0, 0]
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length && row < height;) {
      const end = Math.min(chunk.length, at + stride - column)
      for (; at < end; at++, column++) {
        const place = places[column] as number
        sums[place] = (sums[place] as number) + (chunk[at] as number)
      }
      if (column < stride) continue
      column = 0
      row++
      if (row % factor !== 0 && row !== height) continue
      const rows = ((row - 1) % factor) + 1
      const to = (Math.ceil(row / factor) - 1) * sums.length
      for (let place = 0; place < sums.length; place++) {
        const columns = Math.min(factor, width - Math.floor(place / channels) * factor)
        samples[to + place] = (sums[place] as number) / (rows * columns) + 0.5
      }
      sums.fill(0)
    }
    if (row === height) break
  }
  return row === height ? { width: newWidth, height: newHeight, channels, samples } : undefined
}

/** For each row: the first of the equal rows that end with it. Scans have many. */
function listEqualRows({ width, height, channels, samples }: Raster): Int32Array {
  const stride = width * channels
  const starts = new Int32Array(height)
  const all = Buffer.from(samples.buffer, samples.byteOffset, samples.length)
  for (let y = 1, at = stride; y < height; y++, at += stride) {
    const isEqual = all.compare(all, at - stride, at, at, at + stride) === 0
    starts[y] = isEqual ? (starts[y - 1] as number) : y
  }
  return starts
}

/** The pixels that each new pixel covers, and the covered shares of the first and the last one of them. */
interface Parts {
  first: Int32Array
  last: Int32Array
  firstShare: Float32Array
  lastShare: Float32Array
  scale: number
}

/** Tolerance for rounding where a new pixel begins or ends at the edge of an old one, in pixels. */
const EDGE = 1e-6

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
    const first = Math.min(from - 1, Math.floor(start + EDGE))
    const last = Math.max(first, Math.min(from - 1, Math.ceil(end - EDGE) - 1))
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

/** Averages the columns of a row of sums, and writes the new row at `to`. */
function averageColumns(
  line: Float32Array,
  { first, last, firstShare, lastShare, scale }: Parts,
  { channels, samples, to }: { channels: number; samples: Uint8Array; to: number },
): void {
  for (let x = 0; x < first.length; x++) {
    const [from, end] = [(first[x] as number) * channels, (last[x] as number) * channels]
    for (let channel = 0; channel < channels; channel++) {
      let sum = (line[from + channel] as number) * (firstShare[x] as number)
      for (let at = from + channels; at < end; at += channels) sum += line[at + channel] as number
      if (end > from) sum += (line[end + channel] as number) * (lastShare[x] as number)
      samples[to + x * channels + channel] = sum / scale + 0.5
    }
  }
}

/**
 * Shrinks a bitmap: a new pixel is one if at least half of its area was. The new size must not be larger in any
 * direction. Takes time for pixels of the rarer value only.
 */
export function shrinkBitmap(
  { width: oldWidth, height: oldHeight, bits }: Bitmap,
  width: number,
  height: number,
): Bitmap {
  const rowBytes = Math.ceil(oldWidth / 8)
  const areOnesRare = countOnes(bits) * 2 < bits.length * 8
  const [common, flipped] = areOnesRare ? [0, 0] : [255, 255]
  const { first, share, rest } = listTargets(listParts(oldWidth, width), oldWidth)
  const rows = listParts(oldHeight, height)
  const half = oldWidth / width / 2
  const shrunk: Bitmap = { width, height, bits: new Uint8Array(Math.ceil(width / 8) * height) }
  const sums = new Float32Array(width + 1)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let source = rows.first[y] as number; source <= (rows.last[y] as number); source++) {
      const weight = weightOf(rows, y, source)
      for (let index = 0; index < rowBytes; index++) {
        const byte = bits[source * rowBytes + index] as number
        if (byte === common) continue
        const rare = byte ^ flipped
        const end = Math.min(oldWidth, index * 8 + 8)
        for (let x = index * 8, mask = 128; x < end; x++, mask >>= 1) {
          if ((rare & mask) === 0) continue
          const column = first[x] as number
          sums[column] = (sums[column] as number) + (share[x] as number) * weight
          sums[column + 1] = (sums[column + 1] as number) + (rest[x] as number) * weight
        }
      }
    }
    for (let x = 0; x < width; x++) {
      const sum = sums[x] as number
      if (areOnesRare ? sum >= half : sum <= half) setBit(shrunk, x, y)
    }
  }
  return shrunk
}

/** For each old pixel of a row: the first new pixel that covers it, and the shares of this one and of the next one. */
function listTargets(parts: Parts, width: number): { first: Int32Array; share: Float32Array; rest: Float32Array } {
  const targets = { first: new Int32Array(width), share: new Float32Array(width), rest: new Float32Array(width) }
  for (let column = parts.first.length - 1; column >= 0; column--) {
    const [from, to] = [parts.first[column] as number, parts.last[column] as number]
    for (let x = from; x <= to; x++) {
      // Columns come from the right. So a pixel that two columns share is the next one's already.
      targets.rest[x] =
        x === to && column + 1 < parts.first.length && parts.first[column + 1] === x ? (targets.share[x] as number) : 0
      targets.share[x] =
        x === from ? (parts.firstShare[column] as number) : x === to ? (parts.lastShare[column] as number) : 1
      targets.first[x] = column
    }
  }
  return targets
}

function countOnes(bits: Uint8Array): number {
  let ones = 0
  for (let index = 0; index < bits.length; index++) ones += ONES[bits[index] as number] as number
  return ones
}

function setBit({ width, bits }: Bitmap, x: number, y: number): void {
  const at = y * Math.ceil(width / 8) + (x >> 3)
  bits[at] = (bits[at] as number) | (128 >> (x & 7))
}

/** Packs one bit per pixel: one if the sample is more than half. Reads the first channel. */
export function toBitmap({ width, height, channels, samples }: Raster): Bitmap {
  const bitmap: Bitmap = { width, height, bits: new Uint8Array(Math.ceil(width / 8) * height) }
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += channels) if ((samples[at] as number) > 127) setBit(bitmap, x, y)
  return bitmap
}

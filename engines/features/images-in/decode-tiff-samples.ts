import { isEngineError } from '../../errors'
import { applyFilters, undoPredictor } from '../../pdf/document'
import type { TiffPage, TiffPart } from './tiff'
import { JPEG, decodeJpegPart } from './tiff-jpeg'
import { damagedPage, unsupportedPage } from './tiff-problem'

/** Filters by compression (TIFF 6.0, sections 9 and 13; Adobe Photoshop TIFF Technical Notes). */
const FILTERS: ReadonlyMap<number, string | undefined> = new Map([
  [1, undefined],
  [5, 'LZWDecode'],
  [8, 'FlateDecode'],
  [32_946, 'FlateDecode'],
  [32_773, 'RunLengthDecode'],
])

/** Names of other compressions, for errors. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [6, 'old-style JPEG data'],
  [34_712, 'JPEG 2000 data'],
  [34_887, 'LERC data'],
  [34_925, 'LZMA data'],
  [50_000, 'Zstandard data'],
  [50_001, 'WebP data'],
])

const HORIZONTAL = 2

/** Bytes that a part may have after its pixels. */
const MOST_EXTRA = 1_000_000

/** The samples of an image: rows from the top, each padded to a whole byte, channels of a pixel side by side. */
export interface Samples {
  bytes: Uint8Array
  /** Differs from the page for JPEG data, which always has 8 bits. */
  bits: number
}

/** Decodes all parts of a page. Samples of 16 bits have their high byte first. Throws TiffProblem. */
export async function decodeParts(page: TiffPage): Promise<Samples> {
  const { width, height, channels, compression, hasPlanes } = page
  if (compression !== JPEG && !FILTERS.has(compression))
    throw unsupportedPage(OTHERS.get(compression) ?? `compression ${compression}`)
  const bits = compression === JPEG ? 8 : page.bits
  if (![1, 2, 4, 8, 16].includes(bits)) throw unsupportedPage(`${bits} bits per sample`)
  if (hasPlanes && bits < 8) throw unsupportedPage(`planes of ${bits} bits`)
  const partChannels = hasPlanes ? 1 : channels
  const whole = new Uint8Array(rowBytes(width, bits, channels) * height)
  for (const part of page.parts) {
    const samples = compression === JPEG ? await decodeJpegPart(page, part) : decodePart(page, part, partChannels)
    if (samples.length < rowBytes(part.width, bits, partChannels) * part.height) throw damagedPage()
    place(whole, samples, { page, part, bits })
  }
  return { bytes: whole, bits }
}

/** Number of bytes of a row. */
function rowBytes(width: number, bits: number, channels: number): number {
  return Math.ceil((width * bits * channels) / 8)
}

/** Reverses the order of the bits in each byte, in a copy. */
export function reverseBits(bytes: Uint8Array): Uint8Array {
  return bytes.map(byte => {
    let reversed = 0
    for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit)
    return reversed
  })
}

function decodePart(page: TiffPage, part: TiffPart, channels: number): Uint8Array {
  const { bits, compression, predictor, isReversed, isLittleEndian } = page
  const expected = rowBytes(part.width, bits, channels) * part.height
  const data = isReversed ? reverseBits(part.data) : part.data
  const name = FILTERS.get(compression)
  if (name === 'LZWDecode' && data[0] === 0 && ((data[1] ?? 0) & 1) === 1) throw unsupportedPage('old-style LZW data')
  const decoded = name ? inflatePart(name, data, expected) : data
  if (decoded.length < expected) throw damagedPage()
  const samples =
    bits === 16 && isLittleEndian ? swapBytes(decoded.subarray(0, expected)) : decoded.subarray(0, expected)
  if (predictor === 1) return samples
  const parameters = { Predictor: 2, Colors: channels, BitsPerComponent: bits, Columns: part.width }
  const undone = predictor === HORIZONTAL ? undoPredictor(samples, parameters) : undefined
  if (!undone) throw unsupportedPage(`predictor ${predictor}`)
  return undone
}

function inflatePart(name: string, data: Uint8Array, expected: number): Uint8Array {
  try {
    return applyFilters([{ name, parameters: {} }], data, expected + MOST_EXTRA) ?? new Uint8Array()
  } catch (error) {
    if (isEngineError(error)) throw damagedPage(error)
    throw error
  }
}

/** Swaps the two bytes of each sample of 16 bits. */
function swapBytes(bytes: Uint8Array): Uint8Array {
  const swapped = Buffer.from(bytes)
  return swapped.length % 2 === 0 ? swapped.swap16() : swapped
}

/** Copies the pixels of a part, a strip or a tile, to their place in the whole image. A part may have one channel. */
function place(
  whole: Uint8Array,
  samples: Uint8Array,
  { page, part, bits }: { page: TiffPage; part: TiffPart; bits: number },
): void {
  const { width, height, channels, hasPlanes } = page
  const partChannels = hasPlanes ? 1 : channels
  const [from, to] = [rowBytes(part.width, bits, partChannels), rowBytes(width, bits, channels)]
  const columns = Math.min(part.width, width - part.left)
  const rows = Math.min(part.height, height - part.top)
  const start = (part.left * bits * channels) / 8
  // Widths of tiles are multiples of 16, so tiles start at a whole byte.
  if (!Number.isInteger(start)) throw unsupportedPage('tiles of an invalid width')
  const length = Math.ceil((columns * bits * partChannels) / 8)
  const bytes = bits / 8
  for (let row = 0; row < rows; row++) {
    const source = samples.subarray(row * from, row * from + length)
    const target = (part.top + row) * to + start
    if (!hasPlanes) whole.set(source, target)
    else
      for (let column = 0; column < columns; column++)
        for (let byte = 0; byte < bytes; byte++)
          whole[target + (column * channels + part.plane) * bytes + byte] = source[column * bytes + byte] ?? 0
  }
}

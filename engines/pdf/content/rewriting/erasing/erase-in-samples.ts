import { inUnits } from '../../../filters/decode-chunks'
import { PngRows } from '../../../images/png-filters'
import { RowEraser } from './erase-in-rows'
import type { PixelCut } from '../content-filter'
import type { Samples } from './image-samples'
import { SampleRows } from './sample-rows'

/** Size of the chunks of rows. */
const CHUNK_BYTES = 2 ** 20

/**
 * Overwrites every pixel of an image that doesn't stay, and yields the samples in chunks. With `isFiltered`, applies
 * PNG filters to the rows. If the data ends early, adds blank rows.
 */
export async function* eraseInSamples(
  samples: Samples,
  cut: PixelCut,
  isFiltered: boolean,
): AsyncGenerator<Uint8Array> {
  const { width, height, bits, components, chunks, blank } = samples
  const kind = new SampleRows(width, bits * components, blank)
  const { rowBytes } = kind
  const filters = isFiltered ? new PngRows({ width, bits, channels: components }) : undefined
  const gathered = new GatheredRows(rowBytes, filters)
  const cutter = new RowEraser({ width, height }, cut, kind, row => gathered.add(row))
  for await (const rows of inUnits(chunks, rowBytes)) {
    for (let at = 0; at < rows.length; at += rowBytes) {
      const row = rows.subarray(at, at + rowBytes)
      cutter.push(row.length < rowBytes ? kind.copy(row) : row)
    }
    yield* gathered.take()
    if (cutter.isFull) break
  }
  while (!cutter.isFull) {
    cutter.push(kind.blank())
    yield* gathered.take()
  }
  yield gathered.end()
}

/** Joins rows into chunks. */
class GatheredRows {
  private readonly codedBytes: number
  private full: Uint8Array[] = []
  private piece: Uint8Array
  private length = 0

  constructor(
    rowBytes: number,
    private readonly filters: PngRows | undefined,
  ) {
    this.codedBytes = filters?.codedBytes ?? rowBytes
    this.piece = this.makePiece()
  }

  add(row: Uint8Array): void {
    const { codedBytes, filters } = this
    if (this.length + codedBytes > this.piece.length) {
      this.full.push(this.end())
      this.piece = this.makePiece()
      this.length = 0
    }
    const target = this.piece.subarray(this.length, this.length + codedBytes)
    if (filters) filters.write(row, target)
    else target.set(row)
    this.length += codedBytes
  }

  /** Returns the full chunks and removes them. */
  take(): Uint8Array[] {
    const chunks = this.full
    this.full = []
    return chunks
  }

  /** The rows after the last full chunk. */
  end(): Uint8Array {
    return this.piece.subarray(0, this.length)
  }

  private makePiece(): Uint8Array {
    return new Uint8Array(Math.max(CHUNK_BYTES, this.codedBytes))
  }
}

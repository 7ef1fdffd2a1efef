import { inUnits } from '../../pdf-core/filters/decode-chunks'
import { PngRows } from '../../pdf-core/images/png-filters'
import { RowCutter } from './cut-rows'
import type { PixelCut } from '../content-filter'
import type { Samples } from './image-samples'
import { SampleRows } from './sample-rows'

/** Bytes of rows that are handed on at once. */
const PIECE_BYTES = 2 ** 20

/**
 * The samples of an image with every pixel overwritten that does not stay, in pieces; with `isFiltered` PNG filters
 * stand in front of the rows. Data that end early are filled up.
 */
export async function* cutSamples(samples: Samples, cut: PixelCut, isFiltered: boolean): AsyncGenerator<Uint8Array> {
  const { width, height, bits, components, pieces, blank } = samples
  const kind = new SampleRows(width, bits * components, blank)
  const { rowBytes } = kind
  const filters = isFiltered ? new PngRows({ width, bits, channels: components }) : undefined
  const gathered = new GatheredRows(rowBytes, filters)
  const cutter = new RowCutter({ width, height }, cut, kind, row => gathered.add(row))
  for await (const rows of inUnits(pieces, rowBytes)) {
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

/** Joins rows to pieces. */
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

  /** The pieces that are full. */
  take(): Uint8Array[] {
    const taken = this.full
    this.full = []
    return taken
  }

  /** The rows behind the last full piece. */
  end(): Uint8Array {
    return this.piece.subarray(0, this.length)
  }

  private makePiece(): Uint8Array {
    return new Uint8Array(Math.max(PIECE_BYTES, this.codedBytes))
  }
}

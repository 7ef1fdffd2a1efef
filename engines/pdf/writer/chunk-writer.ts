/** Size of the blocks that collect small pieces. The allocator reuses blocks of this size without new pages. */
export const BLOCK_BYTES = 65_536
const LEAST_BLOCK_BYTES = 4096

/** Pieces from this size on aren't copied. A view costs about as much as copying half of this. */
export const VIEW_BYTES = 8192

/**
 * Collects bytes in chunks. Small pieces are copied into blocks. Large ones become views, so their bytes must not
 * change until the chunks are consumed.
 */
export class ChunkWriter {
  /** Number of bytes written so far. */
  length = 0
  private readonly finished: Uint8Array[] = []
  private block: Buffer
  /** The part of the block that isn't in `finished` yet. */
  private from = 0
  private to = 0

  /** `expectedBytes` is the likely size, so that a short file fits into one block. */
  constructor(expectedBytes = BLOCK_BYTES) {
    this.block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, expectedBytes))
  }

  /** Appends Latin-1 text. */
  text(text: string): void {
    this.reserve(text.length)
    this.to += this.block.write(text, this.to, 'latin1')
    this.length += text.length
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length >= VIEW_BYTES) this.view(bytes)
    else {
      this.reserve(bytes.length)
      this.block.set(bytes, this.to)
      this.to += bytes.length
      this.length += bytes.length
    }
  }

  /** Appends the bytes from `start` up to, but not including, `end`. */
  slice(bytes: Uint8Array, start: number, end: number): void {
    const count = end - start
    if (count >= VIEW_BYTES) {
      this.view(bytes.subarray(start, end))
      return
    }
    this.reserve(count)
    const { block, to } = this
    // For fewer than about 200 bytes, creating a view costs more than copying byte by byte.
    if (count < 192) for (let index = 0; index < count; index++) block[to + index] = bytes[start + index] as number
    else block.set(bytes.subarray(start, end), to)
    this.to += count
    this.length += count
  }

  /** Reserves `count` bytes for the caller to fill in. */
  take(count: number): Buffer {
    this.reserve(count)
    const room = this.block.subarray(this.to, this.to + count)
    this.to += count
    this.length += count
    return room
  }

  /** All bytes written so far, in order. */
  chunks(): Uint8Array[] {
    this.finishPiece()
    return this.finished.slice()
  }

  private view(bytes: Uint8Array): void {
    this.finishPiece()
    this.finished.push(bytes)
    this.length += bytes.length
  }

  private finishPiece(): void {
    if (this.to > this.from) this.finished.push(this.block.subarray(this.from, this.to))
    this.from = this.to
  }

  private reserve(count: number): void {
    if (this.to + count <= this.block.length) return
    this.finishPiece()
    // The last block of a short file must not keep much more memory than the file.
    const room = Math.min(BLOCK_BYTES, Math.max(LEAST_BLOCK_BYTES, this.length))
    this.block = Buffer.allocUnsafeSlow(Math.max(room, count))
    this.from = this.to = 0
  }
}

/** Smaller chunks are copied together, because each chunk needs about 200 bytes besides its content. */
const SMALL_BYTES = 4096
const BLOCK_BYTES = 16 * 1024

/** Collects the chunks of a file as they arrive. Large ones are kept, and small ones are joined in blocks. */
export class JoinedChunks {
  /** The content so far, complete after `end`. */
  readonly chunks: Uint8Array[] = []
  #block: Buffer | undefined
  #filled = 0

  push(chunk: Uint8Array): void {
    if (chunk.length >= SMALL_BYTES) {
      this.end()
      this.chunks.push(chunk)
      return
    }
    if (this.#filled + chunk.length > BLOCK_BYTES) this.end()
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.#block.set(chunk, this.#filled)
    this.#filled += chunk.length
  }

  /** Adds the last block to the chunks. */
  end(): void {
    if (!this.#block || this.#filled === 0) return
    const content = this.#block.subarray(0, this.#filled)
    this.#filled = 0
    // A block that is mostly empty is used again.
    if (content.length < BLOCK_BYTES / 2) this.chunks.push(Uint8Array.from(content))
    else {
      this.chunks.push(content)
      this.#block = undefined
    }
  }
}

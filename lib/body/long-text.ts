const BLOCK_BYTES = 64 * 1024
/** Length of the longest escape, such as `\u0041`. */
const ESCAPE_BYTES = 6

/**
 * Decodes one long string of JSON as it arrives, block by block. `JSON.parse` would decode it at once and delay other
 * requests. Throws TypeError for invalid UTF-8, and SyntaxError for invalid escapes.
 */
export class LongText {
  private readonly pieces: string[] = []
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  private readonly block = Buffer.allocUnsafe(BLOCK_BYTES)
  private filled = 0
  /** The offset of the last escape in the block. */
  private escapeAt = -ESCAPE_BYTES

  /** Adds the bytes from `start` to before `end`, as they are between the quotes. */
  write(source: Uint8Array, start: number, end: number): void {
    let at = start
    while (at < end) {
      if (this.filled === BLOCK_BYTES) this.decode(this.findCut())
      const bytes = Math.min(end - at, BLOCK_BYTES - this.filled)
      this.block.set(source.subarray(at, at + bytes), this.filled)
      this.filled += bytes
      at += bytes
    }
  }

  /** Records that the next byte begins an escape. */
  startEscape(): void {
    this.escapeAt = this.filled
  }

  /** Returns the whole text. */
  end(): string {
    this.decode(this.filled)
    this.decoder.decode() // Throws if the last character is incomplete.
    return this.pieces.join('')
  }

  /** The end of the part of the block that has only whole escapes. */
  private findCut(): number {
    return this.filled - this.escapeAt < ESCAPE_BYTES ? this.escapeAt : this.filled
  }

  private decode(end: number): void {
    const text = this.decoder.decode(this.block.subarray(0, end), { stream: true })
    this.pieces.push(JSON.parse(`"${text}"`) as string) // The text has no quote outside of an escape.
    this.block.copyWithin(0, end, this.filled)
    this.filled -= end
    this.escapeAt -= end
  }
}

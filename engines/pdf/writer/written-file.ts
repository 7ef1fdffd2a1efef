/** A file in chunks. Some chunks are views of the input files, whose bytes are not copied. */
export class WrittenFile {
  readonly byteLength: number
  private readonly starts: Float64Array

  /** `xrefStart` is the offset of the cross-reference table or stream. Nothing but the trailer follows it. */
  constructor(
    readonly chunks: readonly Uint8Array[],
    readonly xrefStart: number,
  ) {
    this.starts = new Float64Array(chunks.length)
    let length = 0
    for (const [index, chunk] of chunks.entries()) {
      this.starts[index] = length
      length += chunk.length
    }
    this.byteLength = length
  }

  /** The file as one array. Copies it if it has several chunks. */
  join(): Uint8Array {
    const [first] = this.chunks
    return first && this.chunks.length === 1 ? first : Buffer.concat(this.chunks, this.byteLength)
  }

  /** Copies the bytes from `start` up to `end` to the same offsets of `target`. */
  copyRange(target: Uint8Array, start: number, end: number): void {
    for (let index = this.chunkAt(start); index < this.chunks.length; index++) {
      const at = this.starts[index] as number
      const chunk = this.chunks[index] as Uint8Array
      if (at >= end) return
      const from = Math.max(0, start - at)
      target.set(chunk.subarray(from, Math.min(chunk.length, end - at)), at + from)
    }
  }

  /** The index of the chunk with the byte at this offset. */
  private chunkAt(offset: number): number {
    const { starts } = this
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

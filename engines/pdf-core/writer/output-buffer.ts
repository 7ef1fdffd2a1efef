/** Collects bytes in a buffer that grows. */
export class OutputBuffer {
  private buffer: Buffer
  length = 0

  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafe(capacity)
  }

  /** Appends Latin-1 text. */
  text(text: string): void {
    this.reserve(text.length)
    this.length += this.buffer.write(text, this.length, 'latin1')
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Appends the bytes from `start` up to, but not including, `end`. */
  slice(bytes: Uint8Array, start: number, end: number): void {
    const count = end - start
    this.reserve(count)
    // For fewer than about 200 bytes, creating a view costs more than copying byte by byte.
    if (count < 192)
      for (let index = 0; index < count; index++) this.buffer[this.length + index] = bytes[start + index] as number
    else this.buffer.set(bytes.subarray(start, end), this.length)
    this.length += count
  }

  /** Reserves `count` bytes for the caller to fill in. */
  take(count: number): Buffer {
    this.reserve(count)
    const room = this.buffer.subarray(this.length, this.length + count)
    this.length += count
    return room
  }

  /** The bytes written so far. Doesn't copy. */
  result(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(Math.ceil(this.buffer.length * 1.5), this.length + count))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}

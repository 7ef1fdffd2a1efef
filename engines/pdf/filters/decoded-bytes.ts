import { EngineError } from '../../errors'

/** The error for a stream that decodes to more than `maxBytes`. */
export function tooLarge(maxBytes: number): EngineError {
  return new EngineError(
    'too_large',
    `A stream of the file inflates to more than ${maxBytes.toLocaleString('en')} bytes.`,
  )
}

/** Collects decoded bytes up to a limit. */
export class DecodedBytes {
  private bytes = new Uint8Array(65_536)
  length = 0

  /** Methods that add bytes throw EngineError `too_large` if the total exceeds `maxBytes`. */
  constructor(private readonly maxBytes: number) {}

  reserve(count: number): void {
    if (this.length + count > this.maxBytes) throw tooLarge(this.maxBytes)
    if (this.length + count <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  push(byte: number): void {
    this.reserve(1)
    this.bytes[this.length++] = byte
  }

  fill(byte: number, count: number): void {
    this.reserve(count)
    this.bytes.fill(byte, this.length, this.length + count)
    this.length += count
  }

  append(part: Uint8Array): void {
    this.reserve(part.length)
    this.bytes.set(part, this.length)
    this.length += part.length
  }

  result(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  /** Returns the bytes added since the last call, and removes them. */
  take(): Uint8Array {
    const chunk = this.bytes.slice(0, this.length)
    this.length = 0
    return chunk
  }
}

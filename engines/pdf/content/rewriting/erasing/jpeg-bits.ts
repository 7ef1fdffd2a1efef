import type { HuffmanTable } from './jpeg-header'

/** Builds a lookup table. For the next 16 bits, it has the code's length and symbol. 0 if there is no such code. */
export function readHuffmanCodes({ counts, symbols }: HuffmanTable): Uint16Array {
  const codes = new Uint16Array(65_536)
  let code = 0
  let index = 0
  for (let length = 1; length <= 16; length++) {
    for (let left = counts[length - 1] as number; left > 0 && index < symbols.length; left--) {
      const first = code << (16 - length)
      codes.fill((length << 8) | (symbols[index++] as number), first, first + (1 << (16 - length)))
      code++
    }
    code <<= 1
  }
  return codes
}

/**
 * Reads entropy-coded data (ITU-T T.81, F.2.2) bit by bit. Zeros follow the end. `isOver` says if the end is exceeded.
 */
export class BitReader {
  isOver = false
  private bits = 0
  private count = 0

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  /** Returns the next 16 bits without consuming them. */
  peek(): number {
    while (this.count < 16) this.fill()
    return (this.bits >>> (this.count - 16)) & 0xffff
  }

  skip(length: number): void {
    if (this.overrun > 0 && this.count - length < this.overrun) this.isOver = true
    this.count -= length
  }

  /** Consumes and returns the next `length` bits, at most 16. */
  take(length: number): number {
    if (length === 0) return 0
    const value = this.peek() >>> (16 - length)
    this.skip(length)
    return value
  }

  /** Skips the restart marker that must come next. Returns false if there is none. */
  restart(): boolean {
    this.bits = this.count = this.overrun = 0
    this.isOver = false
    while (this.bytes[this.at] === 0xff && this.bytes[this.at + 1] === 0xff) this.at++
    const marker = this.bytes[this.at + 1] ?? 0
    if (this.bytes[this.at] !== 0xff || marker < 0xd0 || marker > 0xd7) return false
    this.at += 2
    return true
  }

  /** Whether zeros that follow the end were read ahead. */
  get isEnding(): boolean {
    return this.overrun > 0
  }

  /** The offset after the last byte of which a bit was consumed. */
  get end(): number {
    let end = this.at
    for (let left = (this.count - this.overrun) >> 3; left > 0; left--)
      end -= this.bytes[end - 1] === 0 && this.bytes[end - 2] === 0xff ? 2 : 1
    return end
  }

  /** Number of bits in `bits` after the end of the data. */
  private overrun = 0

  private fill(): void {
    const byte = this.bytes[this.at]
    const isMarker = byte === 0xff && this.bytes[this.at + 1] !== 0
    if (byte === undefined || isMarker) {
      this.overrun += 8
      this.bits <<= 8
    } else {
      this.bits = (this.bits << 8) | byte
      this.at += byte === 0xff ? 2 : 1
    }
    this.count += 8
  }
}

/** Writes entropy-coded data bit by bit. */
export class BitWriter {
  private bytes: Uint8Array
  private length = 0
  private bits = 0
  private count = 0

  constructor(expectedBytes: number) {
    this.bytes = new Uint8Array(expectedBytes + 1024)
  }

  /** Writes at most 16 bits. */
  put(value: number, length: number): void {
    this.bits = (this.bits << length) | value
    this.count += length
    while (this.count >= 8) {
      this.count -= 8
      this.push((this.bits >>> this.count) & 255)
    }
  }

  /** Returns the data, padded with ones as the format requires. */
  finish(): Uint8Array {
    if (this.count > 0) this.put((1 << (8 - this.count)) - 1, 8 - this.count)
    return this.bytes.subarray(0, this.length)
  }

  private push(byte: number): void {
    if (this.length + 2 > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.length++] = byte
    if (byte === 0xff) this.bytes[this.length++] = 0
  }
}

/** Writes bits from the lowest to the highest of each byte (RFC 1951, 3.1.1). */
export class BitWriter {
  private bytes: Uint8Array
  private length = 0
  private pending = 0
  private pendingBits = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Writes the lowest `count` bits of `value`, 16 at most. */
  write(value: number, count: number): void {
    this.pending |= value << this.pendingBits
    this.pendingBits += count
    while (this.pendingBits >= 8) {
      this.append(this.pending & 255)
      this.pending >>>= 8
      this.pendingBits -= 8
    }
  }

  /** Fills the last byte with zeros. */
  align(): void {
    if (this.pendingBits > 0) this.write(0, 8 - this.pendingBits)
  }

  /** Returns all bytes. Call `align` before. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private append(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.length++] = byte
  }
}

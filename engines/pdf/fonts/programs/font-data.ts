/** An error in a font program. The functions that open and subset font programs catch it and return undefined. */
export class DamagedFontError extends Error {
  override readonly name = 'DamagedFontError'
}

/** Returns the result of `read`. Undefined if it finds that the font program is damaged. */
export function readUnlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedFontError) return undefined
    throw error
  }
}

/** Reads the bytes of a font program as big-endian numbers. Reading outside the bytes throws `DamagedFontError`. */
export class FontData {
  readonly bytes: Uint8Array
  private readonly view: DataView

  constructor(bytes: Uint8Array) {
    // Makes a plain Uint8Array, because a Buffer has a `slice` that doesn't copy.
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get length(): number {
    return this.bytes.length
  }

  u8(at: number): number {
    return this.view.getUint8(this.check(at, 1))
  }

  u16(at: number): number {
    return this.view.getUint16(this.check(at, 2))
  }

  i16(at: number): number {
    return this.view.getInt16(this.check(at, 2))
  }

  u32(at: number): number {
    return this.view.getUint32(this.check(at, 4))
  }

  /** An unsigned integer of 1 to 4 bytes. */
  unsigned(at: number, size: number): number {
    this.check(at, size)
    let value = 0
    for (let index = 0; index < size; index++) value = value * 256 + (this.bytes[at + index] as number)
    return value
  }

  /** Returns the bytes from `start` up to `end`, not copied. */
  slice(start: number, end: number): Uint8Array {
    this.check(start, end - start)
    return this.bytes.subarray(start, end)
  }

  private check(at: number, size: number): number {
    if (at >= 0 && size >= 0 && at + size <= this.bytes.length) return at
    throw new DamagedFontError('a number lies outside of the font program')
  }
}

/** The last first byte of integers that have only this byte. */
const LAST_OF_ONE_BYTE = 246

/** Returns how many bytes follow the first byte of a short integer, from 32 to 254. */
export function bytesAfter(first: number): number {
  return first <= LAST_OF_ONE_BYTE ? 0 : 1
}

/**
 * Reads a short integer of a charstring or a DICT, from -1131 to 1131 (Adobe Technical Note 5176, table 3). `first` is
 * its first byte, from 32 to 254. `at` is the offset of the byte after it.
 */
export function readShortInteger(data: FontData, first: number, at: number): number {
  if (first <= LAST_OF_ONE_BYTE) return first - 139
  if (first <= 250) return (first - 247) * 256 + data.u8(at) + 108
  return -(first - 251) * 256 - data.u8(at) - 108
}

/** Writes the bytes of a font program in big-endian order. */
export class FontWriter {
  private store = new Uint8Array(256)
  length = 0

  u8(value: number): this {
    this.reserve(1)
    this.store[this.length++] = value
    return this
  }

  u16(value: number): this {
    return this.u8(value >> 8).u8(value)
  }

  u32(value: number): this {
    return this.u16(value >>> 16).u16(value)
  }

  /** An unsigned integer of 1 to 4 bytes. */
  unsigned(value: number, size: number): this {
    for (let shift = (size - 1) * 8; shift >= 0; shift -= 8) this.u8(value >>> shift)
    return this
  }

  bytes(part: Uint8Array): this {
    this.reserve(part.length)
    this.store.set(part, this.length)
    this.length += part.length
    return this
  }

  /** Writes text with one byte per character. */
  text(text: string): this {
    return this.bytes(Buffer.from(text, 'latin1'))
  }

  /** Writes zeros up to the next multiple of `step` bytes. */
  pad(step: number): this {
    while (this.length % step !== 0) this.u8(0)
    return this
  }

  /** Returns a copy of the written bytes. */
  finish(): Uint8Array {
    return this.store.slice(0, this.length)
  }

  private reserve(count: number): void {
    if (this.length + count <= this.store.length) return
    const grown = new Uint8Array(Math.max(this.store.length * 2, this.length + count))
    grown.set(this.store.subarray(0, this.length))
    this.store = grown
  }
}

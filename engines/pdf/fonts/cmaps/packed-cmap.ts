import { keyOfCode } from '../../content/code-keys'
import { emptyCMapFile } from './cmap-file'
import type { CMapFile } from './cmap-file'

/** Kinds of records. Records of other kinds describe codes without a glyph. */
const SPACES = 0
const NO_GLYPHS = 1
const CID_CODES = 2
const CID_RANGES = 3
const TEXT_CODES = 4
const TEXT_RANGES = 5
const REMARK = 7

/** The flag of a record whose codes follow each other without gaps. */
const IS_DENSE = 0x10

/** In a record with texts, the codes have two bytes. */
const TEXT_CODE_LENGTH = 2

/** Thrown if the data ends early or has values that make no sense. */
class PackedCMapError extends Error {}

/**
 * Reads a CMap in the packed form of PDF.js. Records store codes as distances from the code before, in big-endian
 * numbers of seven bits per byte. Undefined if the data is damaged.
 */
export function readPackedCMap(bytes: Uint8Array): CMapFile | undefined {
  try {
    return new PackedCMap(bytes).read()
  } catch (error) {
    if (error instanceof PackedCMapError) return undefined
    throw error
  }
}

class PackedCMap {
  private at = 0
  private readonly file = emptyCMapFile()

  constructor(private readonly bytes: Uint8Array) {}

  read(): CMapFile {
    const { bytes, file } = this
    file.writingMode = this.byte() & 1
    while (this.at < bytes.length) {
      const head = this.byte()
      const kind = head >> 5
      if (kind === REMARK) this.readRemark(head & 0x1f)
      else this.readRecord(kind, { isDense: (head & IS_DENSE) !== 0, length: (head & 0xf) + 1 })
    }
    return file
  }

  /** Reads a comment, or the name of the CMap that this one is based on. */
  private readRemark(kind: number): void {
    const length = this.number()
    let text = ''
    for (let index = 0; index < length; index++) text += String.fromCharCode(this.number())
    if (kind === 1) this.file.baseName = text
  }

  private readRecord(kind: number, { isDense, length }: { isDense: boolean; length: number }): void {
    const count = this.number()
    const isText = kind === TEXT_CODES || kind === TEXT_RANGES
    const isRange = kind !== CID_CODES && kind !== TEXT_CODES
    const codeLength = isText ? TEXT_CODE_LENGTH : length
    if (codeLength > 4 || kind > TEXT_RANGES) throw new PackedCMapError('the record is of an unknown kind')
    /** The code after the range before. */
    let next = 0
    let value: bigint | undefined
    for (let index = 0; index < count; index++) {
      const hasGap = !isDense || kind === SPACES || kind === NO_GLYPHS
      const low = index === 0 ? Number(this.fixed(codeLength)) : next + (hasGap ? this.number() : 0)
      const high = low + (isRange ? this.number() : 0)
      if (high >= 256 ** codeLength) throw new PackedCMapError('a code is too large')
      next = high + 1
      value = this.readValue(kind, length, value)
      this.add(kind, { low, high, codeLength, value, length })
    }
  }

  /**
   * Reads the CID or the text of a code or range. Single codes store it as the difference from `before` + 1, where
   * `before` is the value before. Undefined `before` is the first value. Texts have `length` bytes.
   */
  private readValue(kind: number, length: number, before: bigint | undefined): bigint {
    if (kind === SPACES) return 0n
    if (kind === NO_GLYPHS || kind === CID_RANGES) return BigInt(this.number())
    if (kind === TEXT_RANGES) return this.fixed(length)
    if (before !== undefined) return before + 1n + this.signed()
    return kind === TEXT_CODES ? this.fixed(length) : BigInt(this.number())
  }

  private add(
    kind: number,
    {
      low,
      high,
      codeLength,
      value,
      length,
    }: Record<'low' | 'high' | 'codeLength' | 'length', number> & { value: bigint },
  ): void {
    const { spaces, cids, texts } = this.file
    const [first, last] = [keyOfCode(low, codeLength), keyOfCode(high, codeLength)]
    if (kind === SPACES) spaces.push({ low: toBytes(BigInt(low), codeLength), high: toBytes(BigInt(high), codeLength) })
    else if (kind === CID_CODES || kind === CID_RANGES) cids.add(first, last, Number(value))
    else if (kind !== NO_GLYPHS) texts.add(first, last, toText(value, length))
  }

  private byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw new PackedCMapError('the data ends early')
    return byte
  }

  private number(): number {
    return Number(this.big())
  }

  private big(): bigint {
    let value = 0
    let large = 0n
    for (let count = 0; count < 20; count++) {
      const byte = this.byte()
      if (count < 7) value = value * 128 + (byte & 0x7f)
      else large = (count === 7 ? BigInt(value) : large) * 128n + BigInt(byte & 0x7f)
      if (byte < 0x80) return count < 7 ? BigInt(value) : large
    }
    throw new PackedCMapError('a number is too large')
  }

  /** Reads a number whose lowest bit is the sign. */
  private signed(): bigint {
    const value = this.big()
    return (value & 1n) === 1n ? -(value >> 1n) - 1n : value >> 1n
  }

  /** Reads a number with this many bytes. */
  private fixed(length: number): bigint {
    let value = 0n
    for (let index = 0; index < length; index++) value = value * 256n + BigInt(this.byte())
    return value
  }
}

function toBytes(value: bigint, length: number): Buffer {
  return Buffer.from(
    BigInt.asUintN(length * 8, value)
      .toString(16)
      .padStart(length * 2, '0'),
    'hex',
  )
}

/** Decodes UTF-16BE. A single byte is also a character. */
function toText(value: bigint, length: number): string {
  return length === 1
    ? String.fromCharCode(Number(BigInt.asUintN(8, value)))
    : toBytes(value, length).swap16().toString('utf16le')
}

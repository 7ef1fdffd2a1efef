const BLOCK_BYTES = 3 * 21_845 // Whole groups of three bytes fill a block exactly.
const MAX_PREFIX_LENGTH = 256
const LEAST_RUN_BYTES = 256
const [TAB, LF, CR, SPACE, COMMA, DASH, PADDING, UNDERSCORE] = [0x09, 0x0a, 0x0d, 0x20, 0x2c, 0x2d, 0x3d, 0x5f] as const

/** The value of bytes that aren't base64. It is a bit that no value has. */
const NO_VALUE = 64
const VALUES = createValues()

/**
 * Decodes the text of one `dataBase64` as it arrives: the standard alphabet with padding, white space anywhere, and an
 * optional prefix `data:…;base64,` (RFC 4648 §4, RFC 2397). After an error, the rest of the text is ignored.
 */
export class Base64Decoder {
  /** The decoded bytes, complete after `end`. */
  readonly chunks: Uint8Array[] = []
  byteLength = 0
  /** The problem of the text, as the end of a sentence that begins with the field's name. */
  problem: string | undefined
  private block = Buffer.allocUnsafe(0)
  private filled = 0
  private group = 0
  private groupLength = 0
  private padding = 0
  private position = 0
  /** Whether all characters so far are base64, so that Node's decoder can be tried. */
  private isPlain = true
  /** Leading characters that may be the beginning of `data:…;base64,`. Undefined once the prefix is read or ruled out. */
  private prefix: string | undefined = ''

  /** Decodes the bytes from `start` to before `end`. */
  write(source: Uint8Array, start: number, end: number): void {
    let index = start
    while (this.prefix !== undefined && index < end && this.problem === undefined)
      this.readPrefixByte(source[index++] as number)
    while (index < end && this.problem === undefined) {
      // Between two groups of four characters, whole groups are decoded at once.
      if (this.groupLength === 0 && this.padding === 0) {
        index = this.decodeRun(source, index, end)
        index = this.decodeGroups(source, index, end)
      }
      // The byte that stopped them is white space, padding, invalid, or in an incomplete group.
      if (index < end) this.decodeByte(source[index++] as number) // index < end
    }
  }

  /** Decodes one character that an escape sequence produced. */
  writeByte(byte: number): void {
    if (this.problem !== undefined) return
    if (this.prefix !== undefined) this.readPrefixByte(byte)
    else this.decodeByte(byte)
  }

  /** Finishes the text. Afterwards, check `problem` or use the bytes. */
  end(): void {
    this.decodePrefix()
    if (this.problem === undefined && this.groupLength + this.padding > 0 && this.groupLength + this.padding !== 4) {
      this.problem = 'is incomplete base64. The number of characters must be a multiple of 4.'
    }
    if (this.problem === undefined && this.padding > 0) this.emitRemainder()
    if (this.filled > 0) this.chunks.push(this.block.subarray(0, this.filled))
    this.block = Buffer.allocUnsafe(0)
    if (this.problem !== undefined) this.chunks.length = this.byteLength = 0
  }

  /**
   * Decodes a long run of whole groups with Node's decoder, which is ten times as fast. Returns the index of the first
   * remaining byte. Node's decoder skips invalid characters and accepts the url-safe alphabet. If either happens in a
   * run, that run and the rest are decoded character by character.
   */
  private decodeRun(source: Uint8Array, start: number, end: number): number {
    let index = start
    while (this.isPlain && end - index >= LEAST_RUN_BYTES) {
      if (this.filled === this.block.length) this.startBlock()
      const bytes = Math.min((end - index) >> 2, (this.block.length - this.filled) / 3) * 3
      const run = Buffer.from(source.buffer, source.byteOffset + index, (bytes / 3) * 4)
      const writtenBytes = this.block.write(run.toString('latin1'), this.filled, bytes, 'base64')
      this.isPlain = writtenBytes === bytes && !run.includes(DASH) && !run.includes(UNDERSCORE)
      if (!this.isPlain) break
      this.filled += bytes
      this.byteLength += bytes
      this.position += run.length
      index += run.length
    }
    return index
  }

  /**
   * Decodes whole groups of four as long as all characters are base64. Returns the index of the first remaining byte.
   */
  private decodeGroups(source: Uint8Array, start: number, end: number): number {
    let index = start
    while (index + 4 <= end) {
      if (this.filled === this.block.length) this.startBlock()
      const { block } = this
      let filled = this.filled
      const stop = Math.min(end, index + ((block.length - filled) / 3) * 4)
      for (; index + 4 <= stop; index += 4) {
        // Each index is below `end`, and VALUES has an entry for every byte.
        const a = VALUES[source[index] as number] as number
        const b = VALUES[source[index + 1] as number] as number
        const c = VALUES[source[index + 2] as number] as number
        const d = VALUES[source[index + 3] as number] as number
        if ((a | b | c | d) >= NO_VALUE) break
        block[filled] = (a << 2) | (b >> 4)
        block[filled + 1] = (b << 4) | (c >> 2)
        block[filled + 2] = (c << 6) | d
        filled += 3
      }
      this.byteLength += filled - this.filled
      this.filled = filled
      if (index + 4 <= stop) break
    }
    this.position += index - start
    return index
  }

  private decodeByte(byte: number): void {
    this.position++
    const value = VALUES[byte] as number // VALUES has an entry for every byte.
    if (value < NO_VALUE && this.padding === 0) {
      this.group = (this.group << 6) | value
      if (++this.groupLength < 4) return
      this.emit(this.group)
      this.group = this.groupLength = 0
    } else if (byte === PADDING && this.groupLength >= 2 && this.groupLength + this.padding < 4) {
      this.padding++
    } else if (byte !== SPACE && byte !== LF && byte !== CR && byte !== TAB) {
      this.problem = `isn't valid base64. Got ${describeByte(byte)} at position ${this.position}.`
    }
  }

  private emit(group: number): void {
    if (this.filled === this.block.length) this.startBlock()
    this.block[this.filled] = group >> 16
    this.block[this.filled + 1] = group >> 8
    this.block[this.filled + 2] = group
    this.filled += 3
    this.byteLength += 3
  }

  private startBlock(): void {
    if (this.filled > 0) this.chunks.push(this.block)
    this.block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.filled = 0
  }

  private emitRemainder(): void {
    const bytes = this.groupLength - 1
    const group = this.group << (6 * (4 - this.groupLength))
    this.emit(group)
    this.filled -= 3 - bytes
    this.byteLength -= 3 - bytes
  }

  private readPrefixByte(byte: number): void {
    if (this.prefix === undefined) return
    if (this.prefix === '' && (byte === SPACE || byte === LF || byte === CR || byte === TAB)) return
    this.prefix += String.fromCharCode(byte)
    const isPrefix =
      this.prefix.length < 5 ? 'data:'.startsWith(this.prefix.toLowerCase()) : /^data:/i.test(this.prefix)
    if (!isPrefix) this.decodePrefix()
    else if (byte === COMMA) this.endPrefix(this.prefix)
    else if (this.prefix.length > MAX_PREFIX_LENGTH) this.problem = 'is a data: URL and must have a comma.'
  }

  private endPrefix(prefix: string): void {
    this.prefix = undefined
    this.position = prefix.length
    if (!/;base64,$/i.test(prefix)) this.problem = 'must be base64. A data: URL must have ";base64" before the comma.'
  }

  private decodePrefix(): void {
    const prefixText = this.prefix
    this.prefix = undefined
    for (const byte of Buffer.from(prefixText ?? '', 'latin1')) if (this.problem === undefined) this.decodeByte(byte)
  }
}

/** The value of each byte in base64 (RFC 4648, 4), from 0 to 63. `NO_VALUE` for bytes that aren't in the alphabet. */
function createValues(): Uint8Array {
  const values = new Uint8Array(256).fill(NO_VALUE)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
  return values
}

function describeByte(byte: number): string {
  if (byte === DASH || byte === UNDERSCORE)
    return `"${String.fromCharCode(byte)}" of the URL-safe alphabet (use + and / instead)`
  if (byte === PADDING) return 'padding in the wrong place'
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : 'an invalid character'
}

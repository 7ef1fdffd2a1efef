import { writeByteLimit } from '../refusal'
import { Base64Decoder } from './base64-decoder'
import { JSON_LIMITS, type Refuse } from './body'
import { findJsonError } from './json-error'
import { JsonPositions } from './json-positions'
import { LongText } from './long-text'

const DATA_KEY = 'dataBase64'
const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20] as const
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const
const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Escapes that a base64 string may contain. Any other escape isn't base64. */
const ESCAPES = new Map([
  [0x2f, 0x2f],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
])

/** 1 for the bytes of numbers and of true, false and null. */
const LITERALS = createLiterals()

interface ScannerLimits {
  /** Whether the text must be an object. Then the work ends with the first byte of an array. */
  isObject?: boolean
  /** Maximum bytes of the text without white space, without the values of `dataBase64` and without long texts. */
  maxStructureBytes: number
  maxFiles: number
  /** Top-level keys whose texts may be long. */
  longFields?: readonly string[] | undefined
  maxLongBytes?: number | undefined
}

type State = 'outside' | 'text' | 'text-escape' | 'data' | 'data-escape' | 'data-unicode' | 'long' | 'long-escape'

/**
 * Reads JSON in chunks of any size. Every string under a key `dataBase64` goes through a base64 decoder, and its number
 * replaces it in the text. The same happens to the texts of fields that may be long. The remaining text is small and is
 * parsed at the end, so a body of any size never blocks the event loop for long. White space is dropped, and line breaks
 * inside base64 are allowed.
 */
export class JsonScanner {
  /** The decoded values of `dataBase64` in the order of the text. */
  readonly decoders: Base64Decoder[] = []
  /** The texts of long fields in the order of the text. */
  readonly longTexts: string[] = []
  private text = Buffer.allocUnsafe(4096)
  private length = 0
  private state: State = 'outside'
  /** One entry for each open container: true for an object, false for an array. */
  private readonly containers: boolean[] = []
  /** The number of members of each open container. */
  private readonly memberCounts: number[] = []
  private values = 1
  private bytesRead = 0
  private expectsKey = false
  private keyStart = -1
  private isDataKey = false
  private isDataValue = false
  private isLongKey = false
  private isLongValue = false
  private longText = new LongText()
  private longBytes = 0
  private unicode = ''
  /** The different names of members, as written. */
  private readonly names = new Set<string>()
  private readonly positions = new JsonPositions()

  constructor(
    private readonly limits: ScannerLimits,
    private readonly refuse: Refuse,
  ) {}

  /** Reads the next chunk. Throws as soon as the text can't be accepted any more. */
  write(chunk: Uint8Array): void {
    let index = 0
    while (index < chunk.length) {
      if (this.state === 'outside') index = this.readOutside(chunk, index)
      else if (this.state === 'text') index = this.readText(chunk, index)
      else if (this.state === 'data') index = this.readData(chunk, index)
      else if (this.state === 'long') index = this.readLong(chunk, index)
      else this.readEscape(chunk[index++] as number) // index < length
    }
    this.bytesRead += chunk.length
  }

  /**
   * Returns the parsed text. A string under a key `dataBase64` is replaced with its index in `decoders`, as a string. A
   * long text is replaced with its index in `longTexts`.
   */
  end(): unknown {
    if (this.state !== 'outside') throw this.refuse('The JSON is truncated in the middle of a string.')
    const bytes = this.text.subarray(0, this.length)
    let text
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      throw this.refuse("The JSON isn't valid UTF-8.")
    }
    if (text === '') throw this.refuse('The body is empty. Send a JSON object.')
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw this.refuse(this.describeError(bytes))
    }
  }

  private describeError(bytes: Buffer): string {
    const error = findJsonError(bytes)
    if (!error) return "The body isn't valid JSON."
    const place = this.positions.describe(error.at, bytes)
    if (error.at >= bytes.length)
      return `The JSON is truncated${place ? ` at ${place}` : ''}. Expected ${error.expected}.`
    const found = String.fromCodePoint(
      bytes
        .subarray(error.at, error.at + 4)
        .toString()
        .codePointAt(0) ?? 0,
    )
    return (
      `The body isn't valid JSON${place ? ` at ${place}` : ''}. Expected ${error.expected}. ` +
      `Got ${JSON.stringify(found)}.`
    )
  }

  private readOutside(chunk: Uint8Array, start: number): number {
    let copied = start
    let index = start
    for (; index < chunk.length; index++) {
      const byte = chunk[index] as number // index < length
      if (LITERALS[byte] === 1) {
        this.isDataValue = this.isLongValue = false
        continue
      }
      this.append(chunk, copied, index)
      copied = index + 1
      if (byte === QUOTE) {
        this.openString()
        return copied
      }
      if (byte <= SPACE) this.skipSpace(byte, index)
      else this.readPunctuation(byte, index)
    }
    this.append(chunk, copied, index)
    return index
  }

  private skipSpace(byte: number, index: number): void {
    if (byte !== SPACE && byte !== LINE_FEED && byte !== 0x0d && byte !== 0x09)
      throw this.refuse(`The body isn't valid JSON${this.describePlace()}. Got a control character.`)
    // Without this space, `1 2` would become `12`.
    if (LITERALS[this.text[this.length - 1] ?? 0] === 1) this.appendByte(SPACE)
    this.positions.skipTo(this.length, this.bytesRead + index + 1, byte === LINE_FEED)
  }

  private readPunctuation(byte: number, index: number): void {
    if (byte !== COLON) this.isDataValue = this.isLongValue = false
    switch (byte) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (byte === OPEN_ARRAY && this.length === 0 && this.limits.isObject === true)
          throw this.refuse('The body must be a JSON object. Got an array.')
        this.containers.push(byte === OPEN_OBJECT)
        this.memberCounts.push(0)
        this.expectsKey = byte === OPEN_OBJECT
        if (this.containers.length > JSON_LIMITS.maxDepth)
          throw this.refuse(`The JSON must be at most ${JSON_LIMITS.maxDepth} levels deep.`)
        this.countValue()
        break
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.containers.pop()
        this.memberCounts.pop()
        this.expectsKey = false
        break
      case COMMA:
        this.expectsKey = this.containers.at(-1) === true
        this.countValue()
        break
      case COLON:
        this.countMember()
        this.expectsKey = false
        this.isDataValue = this.isDataKey
        this.isLongValue = this.isLongKey
        break
      default:
        if (byte !== BYTE_ORDER_MARK[this.bytesRead + index])
          throw this.refuse(`The body isn't valid JSON${this.describePlace()}. Got a character outside of quotes.`)
        this.positions.startAt(this.bytesRead + index + 1)
        return
    }
    this.isDataKey = this.isLongKey = false
    this.appendByte(byte)
  }

  /** The place of the next byte, such as ` at line 2, column 1`. */
  private describePlace(): string {
    const place = this.positions.describe(this.length, this.text.subarray(0, this.length))
    return place === undefined ? '' : ` at ${place}`
  }

  private countMember(): void {
    const count = (this.memberCounts.pop() ?? 0) + 1
    if (count > JSON_LIMITS.maxMembers)
      throw this.refuse(`An object in the JSON must have at most ${JSON_LIMITS.maxMembers} members.`)
    this.memberCounts.push(count)
  }

  private countValue(): void {
    if (++this.values > JSON_LIMITS.maxValues)
      throw this.refuse(`The JSON must have at most ${JSON_LIMITS.maxValues} values.`)
  }

  private openString(): void {
    this.appendByte(QUOTE)
    if (this.isLongValue) {
      this.isLongValue = false
      this.longText = new LongText()
      this.longBytes = 0
      this.state = 'long'
      return
    }
    if (!this.isDataValue) {
      this.keyStart = this.expectsKey ? this.length : -1
      this.state = 'text'
      return
    }
    this.isDataValue = false
    if (this.decoders.length === this.limits.maxFiles)
      throw this.refuse(`The request must have at most ${this.limits.maxFiles} files.`)
    this.appendNumber(this.decoders.length)
    this.decoders.push(new Base64Decoder())
    this.state = 'data'
  }

  private readText(chunk: Uint8Array, start: number): number {
    let index = start
    while (index < chunk.length && chunk[index] !== QUOTE && chunk[index] !== BACKSLASH) index++
    const endByte = chunk[index]
    const end = endByte === undefined ? index : index + 1
    this.append(chunk, start, end)
    if (endByte === BACKSLASH) this.state = 'text-escape'
    if (endByte === QUOTE) this.closeText()
    return end
  }

  private closeText(): void {
    this.state = 'outside'
    if (this.keyStart < 0) return
    const bytes = this.text.subarray(this.keyStart, this.length - 1)
    this.countName(bytes)
    const key = this.readKey(bytes)
    this.isDataKey = key === DATA_KEY
    this.isLongKey = key !== undefined && this.containers.length === 1 && this.limits.longFields?.includes(key) === true
    this.expectsKey = false
    this.keyStart = -1
  }

  /** Counts different names, because the parser needs much longer for them than for repeated ones. */
  private countName(key: Buffer): void {
    this.names.add(key.toString('latin1'))
    if (this.names.size > JSON_LIMITS.maxNames)
      throw this.refuse(`The JSON must have at most ${JSON_LIMITS.maxNames} different names of members.`)
  }

  /** Parses the key, because JSON allows escapes for any letter. Undefined for keys that are too long to matter. */
  private readKey(key: Buffer): string | undefined {
    if (key.length > 6 * DATA_KEY.length) return undefined
    const text = key.toString('latin1')
    if (!key.includes(BACKSLASH)) return text
    try {
      return JSON.parse(`"${text}"`) as string
    } catch {
      return undefined // The string isn't valid, which the parser reports at the end.
    }
  }

  private readLong(chunk: Uint8Array, start: number): number {
    let index = start
    while (index < chunk.length && chunk[index] !== QUOTE && chunk[index] !== BACKSLASH) index++
    this.writeLong(chunk, start, index)
    if (chunk[index] === BACKSLASH) {
      this.longText.startEscape()
      this.writeLong(chunk, index, index + 1)
      this.state = 'long-escape'
    } else if (chunk[index] === QUOTE) {
      this.appendNumber(this.longTexts.length)
      this.longTexts.push(this.decodeLong(() => this.longText.end()))
      this.positions.skipTo(this.length, this.bytesRead + index + 1)
      this.state = 'outside'
    }
    return index + 1
  }

  private writeLong(chunk: Uint8Array, start: number, end: number): void {
    const { maxLongBytes = Infinity } = this.limits
    this.longBytes += end - start
    if (this.longBytes > maxLongBytes)
      throw this.refuse(`The JSON must have at most ${writeByteLimit(maxLongBytes)} in one string.`)
    this.decodeLong(() => this.longText.write(chunk, start, end))
  }

  private decodeLong<Result>(decode: () => Result): Result {
    try {
      return decode()
    } catch (error) {
      if (error instanceof SyntaxError)
        throw this.refuse("The body isn't valid JSON. A string has an invalid escape or a control character.")
      throw this.refuse("The JSON isn't valid UTF-8.")
    }
  }

  private readData(chunk: Uint8Array, start: number): number {
    const quote = chunk.indexOf(QUOTE, start)
    const limit = quote < 0 ? chunk.length : quote
    const backslash = chunk.subarray(start, limit).indexOf(BACKSLASH)
    const end = backslash < 0 ? limit : start + backslash
    this.decoders.at(-1)?.write(chunk, start, end)
    if (end === chunk.length) return end
    if (end === quote) {
      this.decoders.at(-1)?.end()
      this.state = 'outside'
      this.positions.skipTo(this.length, this.bytesRead + end + 1)
    } else {
      this.state = 'data-escape'
    }
    return end + 1
  }

  private readEscape(byte: number): void {
    if (this.state === 'text-escape') {
      this.appendByte(byte)
      this.state = 'text'
    } else if (this.state === 'long-escape') {
      this.writeLong(Uint8Array.of(byte), 0, 1)
      this.state = 'long'
    } else if (this.state === 'data-escape' && byte === 0x75) {
      this.unicode = ''
      this.state = 'data-unicode'
    } else if (this.state === 'data-escape') {
      this.decoders.at(-1)?.writeByte(ESCAPES.get(byte) ?? BACKSLASH)
      this.state = 'data'
    } else {
      this.unicode += String.fromCharCode(byte)
      if (this.unicode.length < 4) return
      const code = /^[0-9a-f]{4}$/i.test(this.unicode) ? Number.parseInt(this.unicode, 16) : 0
      this.decoders.at(-1)?.writeByte(code < 0x80 ? code : 0)
      this.state = 'data'
    }
  }

  /** Appends the number that replaces a string, and its closing quote. */
  private appendNumber(number: number): void {
    const text = Buffer.from(`${number}"`)
    this.append(text, 0, text.length)
  }

  private appendByte(byte: number): void {
    this.makeRoom(1)
    this.text[this.length++] = byte
  }

  private append(source: Uint8Array, start: number, end: number): void {
    if (end <= start) return
    this.makeRoom(end - start)
    this.text.set(source.subarray(start, end), this.length)
    this.length += end - start
  }

  private makeRoom(bytes: number): void {
    const needed = this.length + bytes
    if (needed > this.limits.maxStructureBytes) {
      throw this.refuse(`The JSON must be at most ${writeByteLimit(this.limits.maxStructureBytes)} without its files.`)
    }
    if (needed <= this.text.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.text.length * 2))
    larger.set(this.text.subarray(0, this.length))
    this.text = larger
  }
}

function createLiterals(): Uint8Array {
  const literals = new Uint8Array(256)
  for (const byte of Buffer.from('0123456789+-.eEtrufalsn')) literals[byte] = 1
  return literals
}

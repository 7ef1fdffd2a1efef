/** A PDF value in the strict reader. Strings are bytes as Latin-1. */
export type PdfValue = null | boolean | number | PdfName | PdfText | PdfRef | PdfValue[] | PdfDict

export class PdfName {
  constructor(readonly name: string) {}
}

export class PdfText {
  constructor(readonly bytes: string) {}
}

export class PdfRef {
  constructor(
    readonly number: number,
    readonly generation: number,
  ) {}
}

export class PdfDict extends Map<string, PdfValue> {}

const WHITE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set(Array.from('()<>[]{}/%', character => character.charCodeAt(0)))
const MAX_DEPTH = 600

/**
 * Reads values exactly as defined in ISO 32000-2, 7.3 and throws for anything else. It shares no code with engines/pdf.
 */
export class StrictParser {
  constructor(
    readonly bytes: Buffer,
    public at = 0,
  ) {}

  skip(): void {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === undefined) return
      if (byte === 0x25)
        while (this.at < this.bytes.length && this.bytes[this.at] !== 10 && this.bytes[this.at] !== 13) this.at++
      else if (WHITE.has(byte)) this.at++
      else return
    }
  }

  isAt(text: string): boolean {
    return this.bytes.toString('latin1', this.at, this.at + text.length) === text
  }

  expect(text: string): void {
    if (!this.isAt(text)) throw new SyntaxError(`${text} is missing at ${this.at}`)
    this.at += text.length
  }

  integer(): number {
    const start = this.at
    while (this.at < this.bytes.length && (this.bytes[this.at] ?? 0) >= 48 && (this.bytes[this.at] ?? 0) <= 57)
      this.at++
    if (start === this.at) throw new SyntaxError(`no integer at ${start}`)
    return Number(this.bytes.toString('latin1', start, this.at))
  }

  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deep')
    this.skip()
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new SyntaxError('unexpected end')
    if (byte === 0x2f) return this.name()
    if (byte === 0x28) return this.literal()
    if (byte === 0x5b) return this.array(depth)
    if (byte === 0x3c) return this.bytes[this.at + 1] === 0x3c ? this.dictionary(depth) : this.hexadecimal()
    return this.word()
  }

  private regular(): string {
    const start = this.at
    while (
      this.at < this.bytes.length &&
      !WHITE.has(this.bytes[this.at] ?? 0) &&
      !DELIMITERS.has(this.bytes[this.at] ?? 0)
    )
      this.at++
    return this.bytes.toString('latin1', start, this.at)
  }

  private word(): PdfValue {
    const start = this.at
    const word = this.regular()
    if (word === 'null') return null
    if (word === 'true' || word === 'false') return word === 'true'
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) throw new SyntaxError(`"${word.slice(0, 20)}" at ${start}`)
    if (!/^\d+$/.test(word)) return Number(word)
    const endOfValue = this.at
    this.skip()
    const generation = this.regular()
    if (/^\d+$/.test(generation)) {
      this.skip()
      if (this.regular() === 'R') return new PdfRef(Number(word), Number(generation))
    }
    this.at = endOfValue
    return Number(word)
  }

  private name(): PdfName {
    this.at++
    return new PdfName(
      this.regular().replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
  }

  private array(depth: number): PdfValue[] {
    const items: PdfValue[] = []
    this.at++
    for (this.skip(); !this.isAt(']'); this.skip()) items.push(this.value(depth + 1))
    this.at++
    return items
  }

  private dictionary(depth: number): PdfDict {
    const entries = new PdfDict()
    this.at += 2
    for (this.skip(); !this.isAt('>>'); this.skip()) {
      if (!this.isAt('/')) throw new SyntaxError(`no key at ${this.at}`)
      const { name } = this.name()
      const value = this.value(depth + 1)
      if (entries.has(name)) throw new SyntaxError(`/${name} twice at ${this.at}`)
      entries.set(name, value)
    }
    this.at += 2
    return entries
  }

  private hexadecimal(): PdfText {
    const end = this.bytes.indexOf('>', this.at)
    const digits = this.bytes.toString('latin1', this.at + 1, end).replace(/\s+/g, '')
    if (end < 0 || /[^0-9A-Fa-f]/.test(digits)) throw new SyntaxError(`bad hexadecimal string at ${this.at}`)
    this.at = end + 1
    return new PdfText(Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex').toString('latin1'))
  }

  private literal(): PdfText {
    const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
    const parts: string[] = []
    let depth = 1
    for (this.at++; ; this.at++) {
      const byte = this.bytes[this.at]
      if (byte === undefined) throw new SyntaxError('unclosed string')
      const character = String.fromCharCode(byte)
      if (character === '(') depth++
      if (character === ')' && --depth === 0) break
      if (character !== '\\') {
        parts.push(character)
        continue
      }
      const next = this.bytes.toString('latin1', this.at + 1, this.at + 4)
      const octal = /^[0-7]{1,3}/.exec(next)?.[0]
      if (octal) parts.push(String.fromCharCode(Number.parseInt(octal, 8) & 255))
      else if (!/^[\r\n]/.test(next)) parts.push(escapes[next.charAt(0)] ?? next.charAt(0))
      this.at += octal ? octal.length : next.startsWith('\r\n') ? 2 : 1
    }
    this.at++
    return new PdfText(parts.join(''))
  }
}

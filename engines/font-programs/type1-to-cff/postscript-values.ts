import { DamagedFontError } from '../font-data'

/** A value in a PostScript dictionary. Strings have one byte per character. */
export type PostScriptValue = number | boolean | string | readonly number[]

const TOKEN = /%[^\r\n]*|\/([^\s/<>[\](){}%]*)|\(|<[\da-fA-F\s]*>|[[\]{}]|[^\s/<>[\](){}%]+|[<>)]/g
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Maximum length of a string, which is cut after it. No entry of a font dictionary is longer. */
export const MOST_CHARACTERS = 2000

/** Maximum length of an array. Arrays of font dictionaries have at most 16 numbers. */
const MOST_NUMBERS = 64

/**
 * Reads the values of these keys from PostScript text. A value must directly follow the name, and be a number, a
 * string, a boolean or an array of numbers. Throws `DamagedFontError` if a key has two different values.
 */
export function readValues(text: string, keys: ReadonlySet<string>): Map<string, PostScriptValue> {
  const values = new Map<string, PostScriptValue>()
  const tokens = new TokenReader(text)
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    // Another name may follow directly, which can be a key too.
    while (token?.startsWith('/')) {
      const name = token.slice(1)
      token = tokens.next()
      const value = keys.has(name) && token !== undefined ? tokens.valueOf(token) : undefined
      if (value === undefined) continue
      const known = values.get(name)
      if (known !== undefined && String(known) !== String(value))
        throw new DamagedFontError('a key has two different values')
      values.set(name, value)
    }
  }
  return values
}

/**
 * Splits PostScript text into tokens (PostScript Language Reference, 3.2). A string is one token that starts with a
 * parenthesis.
 */
class TokenReader {
  private at = 0

  constructor(private readonly text: string) {}

  next(): string | undefined {
    for (;;) {
      TOKEN.lastIndex = this.at
      const found = TOKEN.exec(this.text)
      if (!found) return undefined
      this.at = TOKEN.lastIndex
      if (found[0] === '(') return `(${this.readString()}`
      if (!found[0].startsWith('%')) return found[0]
    }
  }

  /** Returns the value that begins with this token. If there is none, doesn't consume more tokens. */
  valueOf(token: string): PostScriptValue | undefined {
    if (isNumber(token)) return Number(token)
    if (token.startsWith('(')) return token.slice(1)
    if (token === 'true' || token === 'false') return token === 'true'
    return token === '[' || token === '{' ? this.readNumbers() : undefined
  }

  private readNumbers(): number[] | undefined {
    const start = this.at
    const numbers: number[] = []
    for (let token = this.next(); token !== undefined && numbers.length < MOST_NUMBERS; token = this.next()) {
      if (token === ']' || token === '}') return numbers
      if (!isNumber(token)) break
      numbers.push(Number(token))
    }
    this.at = start
    return undefined
  }

  /** Reads the text up to the closing parenthesis. Parentheses inside it are balanced or escaped. */
  private readString(): string {
    let text = ''
    for (let depth = 1; this.at < this.text.length;) {
      const character = this.text[this.at++] as string
      if (character === '(') depth++
      if (character === ')' && --depth === 0) break
      const meant = character === '\\' ? this.readEscape() : character
      if (text.length <= MOST_CHARACTERS) text += meant
    }
    return text
  }

  private readEscape(): string {
    const octal = /^[0-7]{1,3}/.exec(this.text.slice(this.at, this.at + 3))?.[0]
    if (octal) {
      this.at += octal.length
      return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    }
    const character = this.text[this.at++] ?? ''
    // An escaped line end doesn't belong to the string.
    if (character === '\r' && this.text[this.at] === '\n') this.at++
    return character === '\r' || character === '\n' ? '' : (ESCAPES[character] ?? character)
  }
}

function isNumber(token: string): boolean {
  return NUMBER.test(token) && Number.isFinite(Number(token))
}

import { tokenizer, tokTypes } from 'acorn'
import type { Options, Token } from 'acorn'

/** A token of a script. */
export interface ScriptToken {
  /** `text` is a string or a part of a template, `other` an operator, a bracket or a character that begins no token. */
  kind: 'word' | 'number' | 'text' | 'regex' | 'other'
  /** The source. For `text`, it is without quotes. It is empty for a part of a template with substitutions. */
  source: string
  /** Start of the source in the script, in UTF-16 code units. */
  start: number
  /** Whether a line break comes before the token. */
  isOnNewLine: boolean
}

const OPTIONS: Options = { ecmaVersion: 'latest', sourceType: 'script' }

/** White space and comments. */
const SPACE = /(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y

/** Maximum number of characters that begin no token, because each takes time for the rest of the script. */
const MOST_INVALID = 10

/**
 * Reads a script (ECMA-262) token by token. Skips comments and the text of templates with substitutions, but not the
 * substituted expressions. Never throws: a quote without a closing quote on its line counts as a single character.
 */
export function* readScript(script: string): Generator<ScriptToken> {
  let end = 0
  for (let invalid = 0; invalid <= MOST_INVALID; invalid++) {
    try {
      const offset = end
      for (const token of tokenizer(script.slice(offset), OPTIONS)) {
        const isOnNewLine = hasLineBreak(script, end, offset + token.start)
        end = offset + token.end
        if (token.type !== tokTypes.backQuote) yield { ...toScriptToken(script, token, offset), isOnNewLine }
      }
      return
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    SPACE.lastIndex = end
    const start = end + (SPACE.exec(script)?.[0].length ?? 0)
    // A comment without an end hides the rest.
    if (start >= script.length || script.startsWith('/*', start)) return
    const isOnNewLine = hasLineBreak(script, end, start)
    end = start + 1
    yield { kind: 'other', source: script.slice(start, end), start, isOnNewLine }
  }
}

function hasLineBreak(script: string, from: number, to: number): boolean {
  return from < to && /[\n\r]/.test(script.slice(from, to))
}

/** Returns a token of the parser with its kind and its text. `offset` is where the parser began in the script. */
function toScriptToken(script: string, { type, ...token }: Token, offset: number): Omit<ScriptToken, 'isOnNewLine'> {
  const [start, end] = [token.start + offset, token.end + offset]
  const source = script.slice(start, end)
  if (type === tokTypes.string) return { kind: 'text', source: source.slice(1, -1), start: start + 1 }
  if (type === tokTypes.template || type === tokTypes.invalidTemplate) {
    const isWhole = script[start - 1] === '`' && script[end] === '`'
    return { kind: 'text', source: isWhole ? source : '', start }
  }
  // The end of a substitution is a brace like any other.
  if (type === tokTypes.dollarBraceL) return { kind: 'other', source: '{', start: start + 1 }
  if (type === tokTypes.num) return { kind: 'number', source, start }
  if (type === tokTypes.regexp) return { kind: 'regex', source, start }
  return { kind: type === tokTypes.name || type.keyword !== undefined ? 'word' : 'other', source, start }
}

/** Decodes a string literal. `ends` has the end position in the source of each UTF-16 code unit of the value. */
export function readScriptString(source: string): { value: string; ends: number[] } {
  const ends: number[] = []
  let value = ''
  for (const { 0: part, index } of source.matchAll(STRING_PART)) {
    const text = part.startsWith('\\') ? readEscape(part.slice(1)) : part
    value += text
    for (let unit = 0; unit < text.length; unit++) ends.push(index + part.length)
  }
  return { value, ends }
}

const STRING_PART = /\\(?:u\{[\dA-Fa-f]{1,6}\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[0-3]?[0-7]{1,2}|\r\n|[\s\S])|[\s\S]/g

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

function readEscape(escape: string): string {
  const hex = /^[ux]\{?([\dA-Fa-f]+)\}?$/.exec(escape)?.[1]
  const code = Number.parseInt(hex ?? '', 16)
  if (hex !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  if (/^[0-7]+$/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8))
  if (/^[\n\r\u2028\u2029]/.test(escape)) return ''
  return ESCAPES[escape] ?? escape
}
